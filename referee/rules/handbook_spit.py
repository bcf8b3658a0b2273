"""The house rules of Spit on paper, and what a real table's camera and pads mean."""

from __future__ import annotations

from referee.rules.handbook import ANY_NUMBER, OWN, Article

_PLAY = 'Spit, "Spielablauf"'

SPIT_RULES = (
    Article(
        "equal_rank",
        f"{_PLAY} (einen Wert höher oder niedriger)",
        {
            "false": "A card must be one rank higher or lower; an equal rank goes back.",
            "true": "A card of equal rank may be played, too.",
        },
    ),
    Article(
        "partial_stack",
        f"{_PLAY} (so viele Stapel wie er kann)",
        {
            "true": "With too few cards the last stock pile stays incomplete.",
            "false": "With too few cards only full stock piles are laid; the rest is the deck.",
        },
    ),
    Article(
        "race_ms",
        OWN,
        {ANY_NUMBER: "A card that fitted {n} ms ago and was overtaken is called too late."},
    ),
    Article(
        "spit_slap_race",
        f"{_PLAY} (wählt einen der Ablagestapel)",
        {
            "false": "Whoever finished the round chooses a pile.",
            "true": "After the round both race: the first pad touched takes the smaller pile.",
        },
    ),
)

TABLE = (
    (
        "Both play.",
        "A card on a pile: somebody plays it.",
        "A touch: this player is stuck. When both are, each turns a deck card.",
    ),
    (
        "Deck cards are due.",
        "A card on a pile: its owner turns his deck card; any other card is too early.",
        "A touch: nothing. Two quick touches: this player has no deck card.",
    ),
    (
        "A round is over.",
        "A card on a pile: too late, it goes back.",
        "A touch: the finisher takes the pile beside this pad. He may also just lift one.",
    ),
    (
        "The next round is laid out.",
        "A card on a pile: its owner turns the first deck card, and the round begins.",
        "A touch: nothing.",
    ),
)
"""What the table waits for, what a new card means then, and what a touched pad means."""

TABLE_NOTES = (
    "Pile 0 lies before the first player, pile 1 before the second.",
    "Nobody sees the stock piles: the box judges by rank alone and counts the cards.",
    "If nobody sees whose hand it was, the finisher touches his pad twice, quickly.",
    "A refused card is taken back; the box knows the old top card again.",
)
"""What else a player should know at a real table."""
