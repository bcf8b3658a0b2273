"""House rules: what a table agrees on before it plays.

Every option has the default that a family expects; each field says what it means and where it
stands. `house_rules` reads them from names and values as people write them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.rules.house_rules_check import GAMES, check_values, refuse_contradictions

__all__ = ["GAMES", "GAME_DEFAULTS", "HouseRules", "house_rules"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """What the table agreed. Times in milliseconds, cards in numbers."""

    triggers: tuple[str, ...] = ("jack",)
    """What may be slapped. Source: Slapjack, "Spielablauf" 2; Egyptian Ratscrew, "Die Schläge"."""
    lead_after_slap: str = "next_after_flipper"
    """Who goes on after a won slap: `next_after_flipper`, `winner`, `next_after_winner`.
    Source: Slapjack, "Spielablauf" 2; Egyptian Ratscrew, "Die Schläge"."""
    slap_in: str = "once"
    """Chances of a player without cards: `once`, `never`, `always`.
    Source: Slapjack, "Spielablauf" 5; "Häufige Varianten" (Keine letzte Chance)."""
    chance_ends_on: str = "jack"
    """Which won trigger ends the last chance of the others: `jack`, `any`.
    Source: Slapjack, "Spielablauf" 5; Egyptian Ratscrew, "Wenn die Karten ausgehen"."""
    covered_ends_chance: bool = False
    """A trigger covered unslapped ends the last chance, too.
    Source: Slapjack, "Spielablauf" 4 and 5; Egyptian Ratscrew, "Wenn die Karten ausgehen"."""
    own_last_card_counts: bool = False
    """The trigger made by his own last card is already his chance. Source: the box's own."""
    out_false_slap: str = "eliminate"
    """False slap without cards: `eliminate`, `ignore`. Source: Slapjack, "Glossar" (Letzte
    Chance: ein einziger zusätzlicher Schlagversuch)."""
    simultaneous_out: str = "runout_order"
    """Places of players who fall together: `runout_order`, `shared`.
    Source: Slapjack, "Gewinnen" (Ausscheidungsreihenfolge)."""
    tie_ms: int = 0
    """Slaps up to this many ms after the first valid one tie with it.
    Source: Slapjack, "Gewinnen" (Gleichstandsregelung)."""
    tie_rule: str = "replay"
    """A tie: `replay` (play-off), `split`, `next_trigger`.
    Source: Slapjack, "Gewinnen" (Gleichstandsregelung)."""
    late_slap: str = "free"
    """Hands after the winner: `free`, `penalty`. Source: Slapjack, "Spielablauf" 2."""
    late_window_ms: int = 1500
    """So long after a pile was won a slap counts as late. Source: the box's own."""
    empty_pile_slap: str = "ignore"
    """A slap on the bare table: `ignore`, `penalty`. Source: the box's own."""
    repeat_slap: str = "ignore"
    """A second wrong touch on the same card: `ignore`, `penalty`. Source: the box's own."""
    cover_grace_ms: int = 0
    """So long after a trigger was covered a slap is late, not false. Source: the box's own."""
    early_tolerance_ms: int = 0
    """A slap so long before the trigger's flip counts for it. Source: the box's own."""
    min_reaction_ms: int = 0
    """A slap earlier than this after the trigger's flip is a guess. Source: the box's own."""
    out_of_turn: str = "return"
    """A card flipped out of turn: `return`, `burn`. Source: the box's own."""
    won_pile: str = "bottom"
    """The won pile: `bottom` of the stock, or `shuffle`. Source: Slapjack, "Spielablauf" 2."""
    all_out: str = "return"
    """Nobody holds cards and nobody can win: `return` the pile to the last flipper.
    Source: the box's own."""
    call_out: str = "off"
    """Calling "Slapjack!": `off`, `required`. Source: Slapjack, "Spielablauf" 6."""
    call_window_ms: int = 1000
    """The call is at most so far away from the slap. Source: Slapjack, "Spielablauf" 6."""
    penalty: str = "flipper"
    """Slapjack's price: `flipper`, `all`, `pile`. Source: Slapjack, "Spielablauf" 3."""
    penalty_cards: int = 1
    """Cards of the price `flipper` or `pile`. Source: Slapjack, "Spielablauf" 3."""
    self_penalty: str = "pile"
    """The false slapper flipped the card himself: `pile`, `none`, `next`.
    Source: the box's own."""
    burn: int = 2
    """Cards under the pile for a false slap. Source: Egyptian Ratscrew, "Die Schläge"."""
    challenge: tuple[tuple[str, int], ...] = (("J", 1), ("Q", 2), ("K", 3), ("A", 4))
    """Cards owed, by rank. Source: Egyptian Ratscrew, "Die Forderung"."""
    slap_after_payment: bool = True
    """The last payment card may still be slapped. Source: Egyptian Ratscrew, "Ein Beispiel"."""
    claim_window_ms: int = 2000
    """So long. Source: the box's own."""
    broke_payer: str = "next_pays"
    """The payer runs out: `next_pays`, `challenger_wins`. Source: the box's own."""
    lead_after_challenge: str = "winner"
    """Who goes on after a paid demand: `winner`, `next`. Source: the box's own."""
    challenge_ends_chance: bool = False
    """A pile won by payment ends all last chances.
    Source: Egyptian Ratscrew, "Wenn die Karten ausgehen"."""
    burn_counts_for_bottom: bool = False
    """The lowest burned card is the bottom. Source: the box's own."""
    tens_ace: str = "one"
    """The ace in `tens`: `one`, `none` (it has no number). Source: the box's own."""
    ten_stops: bool = False
    """A ten turned as payment ends the demand. Source: the box's own."""

    equal_rank: bool = False
    """Spit: a card of equal rank may be played.
    Source: Spit, "Spielablauf" (einen Wert höher oder niedriger)."""
    race_ms: int = 1000
    """Spit: a card that fitted so long ago comes too late, it is not wrong.
    Source: the box's own."""
    partial_stack: bool = True
    """Spit: the last stock pile may be incomplete. Source: Spit, "Spielablauf" (so viele Stapel
    wie er kann)."""
    spit_slap_race: bool = False
    """Spit: both slap for a pile after the round. Source: the box's own."""

    doubt: str = "benefit"
    """A slap in doubt: `benefit` (it counts), `let` (nobody wins, play on).
    Source: the box's own."""
    slap_ban: str = "none"
    """A false slap also forbids to slap: `none`, `cards` (for some flips), `pile` (until the pile
    is won). Source: the box's own."""
    slap_ban_cards: int = 5
    """Flips that a ban `cards` lasts. Source: the box's own."""
    pile_on_false_slap: bool = False
    """A false slap gives the pile to the last flipper, or to the next player if he slapped
    himself. Source: the box's own."""
    decks: int = 1
    """Decks of 52 cards. Source: Slapjack, "Kartendeck"."""
    jokers: int = 0
    """Jokers in the deck. Source: Slapjack, "Kartendeck"."""

    @property
    def cards_in_deck(self) -> int:
        """All cards that are dealt."""
        return 52 * self.decks + self.jokers

    def owed_for(self, rank: str) -> int:
        """Cards that a rank demands, 0 for none."""
        return next((owed for named, owed in self.challenge if named == rank), 0)


GAME_DEFAULTS: Mapping[str, Mapping[str, object]] = {
    "slapjack": {},
    "ratscrew": {
        "triggers": ("pair", "sandwich", "top_bottom"),
        "lead_after_slap": "winner",
        "chance_ends_on": "any",
        "covered_ends_chance": True,
    },
    "spit": {},
}
"""Where the games differ. Source: Egyptian Ratscrew, "Die Schläge", "Wenn die Karten ausgehen"."""


def house_rules(game: str, options: Mapping[str, object] | None = None) -> HouseRules:
    """Read house rules as people write them; what is not named keeps the game's default.

    Args:
        game: `slapjack`, `ratscrew` (or `ers`) or `spit`.
        options: Name -> value, such as `{"triggers": ["jack", "pair"], "tie_ms": 5}`.

    Raises:
        BadRules: No such game, option or value, or two options contradict each other.
    """
    name, values = check_values(game, options or {}, HouseRules())
    rules = HouseRules(**{**GAME_DEFAULTS[name], **values})  # type: ignore[arg-type]
    refuse_contradictions(name, rules)
    return rules
