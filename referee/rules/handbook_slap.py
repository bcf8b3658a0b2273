"""The house rules of Slapjack and Egyptian Ratscrew on paper."""

from __future__ import annotations

from referee.rules.handbook import ANY_NUMBER, OWN, Article

_SLAPS = 'Egyptian Ratscrew, "Die Schläge"'
_DEMAND = 'Egyptian Ratscrew, "Die Forderung"'
_HOUSE = 'Egyptian Ratscrew, "Das Gewinnen"'
_TIE = 'Slapjack, "Gewinnen" (Gleichstandsregelung)'
_FALSE = 'Slapjack, "Spielablauf" 3 (Falsches Schlagen)'
_EMPTY = 'Slapjack, "Spielablauf" 5 (Keine Karten mehr)'
_CALL = 'Slapjack, "Spielablauf" 6 („Slapjack!” rufen)'
_WIN = 'Slapjack, "Spielablauf" 2 (Einen Buben schlagen)'
_OUT_OF_CARDS = 'Egyptian Ratscrew, "Wenn die Karten ausgehen"'

WINNING = (
    Article(
        "lead_after_slap",
        _WIN,
        {
            "next_after_flipper": "After a won slap the player after the last flipper goes on.",
            "winner": "Whoever won the pile goes on.",
            "next_after_winner": "The player after the winner goes on.",
        },
        sources={"ratscrew": _SLAPS},
    ),
    Article(
        "won_pile",
        _WIN,
        {
            "bottom": "The won pile goes face down under the winner's stock.",
            "shuffle": "The winner shuffles the pile into his stock.",
        },
        sources={"ratscrew": OWN},
    ),
    Article(
        "late_slap",
        _WIN,
        {
            "free": "Hands after the winner cost nothing.",
            "penalty": "Hands after the winner are false slaps.",
        },
    ),
    Article(
        "late_window_ms",
        OWN,
        {ANY_NUMBER: "For {n} ms after a pile was won a slap counts as late."},
    ),
    Article(
        "call_out",
        _CALL,
        {
            "off": "Nobody has to call.",
            "required": 'A slap counts only with a call of "Slapjack!" by the same player.',
        },
        sources={"ratscrew": OWN},
    ),
    Article(
        "call_window_ms",
        _CALL,
        {ANY_NUMBER: "The call is at most {n} ms away from the slap."},
        sources={"ratscrew": OWN},
        only_if=("call_out", frozenset(("required",))),
    ),
    Article(
        "tie_ms",
        _TIE,
        {
            "0": "Only what the box cannot tell apart is a tie.",
            ANY_NUMBER: "What comes up to {n} ms after the first is a tie.",
        },
        sources={"ratscrew": OWN, "spit": OWN},
    ),
    Article(
        "tie_rule",
        _TIE,
        {
            "replay": "After a tie the next card, whatever it is, starts a play-off of the tied.",
            "split": "The tied players share the pile evenly.",
            "next_trigger": "After a tie the pile stays and everybody waits for the next slap.",
        },
        sources={"ratscrew": OWN},
    ),
)

FALSE_SLAPS = (
    Article(
        "penalty",
        _FALSE,
        {
            "flipper": "A false slap costs a card, given to the last flipper.",
            "all": "A false slap costs one card to every other player.",
            "pile": "A false slap costs a card, put under the pile.",
        },
    ),
    Article(
        "penalty_cards",
        _FALSE,
        {
            "1": "A false slap costs one card.",
            ANY_NUMBER: "A false slap costs {n} cards.",
        },
        only_if=(
            "penalty",
            frozenset(
                (
                    "flipper",
                    "pile",
                )
            ),
        ),
    ),
    Article(
        "self_penalty",
        OWN,
        {
            "pile": "Who slaps his own card falsely pays under the pile.",
            "none": "Who slaps his own card falsely pays nothing.",
            "next": "Who slaps his own card falsely pays the next player.",
        },
        only_if=("penalty", frozenset(("flipper",))),
    ),
    Article(
        "burn",
        _SLAPS,
        {
            "0": "A false slap burns nothing.",
            "1": "A false slap burns one card under the pile.",
            ANY_NUMBER: "A false slap burns {n} cards under the pile.",
        },
    ),
    Article(
        "burn_counts_for_bottom",
        OWN,
        {
            "false": "Burned cards do not count for top and bottom.",
            "true": "The lowest burned card counts as the bottom of the pile.",
        },
    ),
    Article(
        "out_false_slap",
        'Slapjack, "Glossar" (Letzte Chance)',
        {
            "eliminate": "A false slap without cards means out.",
            "ignore": "A false slap without cards has no effect.",
        },
        sources={"ratscrew": OWN},
    ),
    Article(
        "repeat_slap",
        OWN,
        {
            "ignore": "A second false slap on the same card costs nothing.",
            "penalty": "Every false slap on the same card costs again.",
        },
    ),
    Article(
        "slap_ban",
        OWN,
        {
            "none": "A false slap does not forbid the next one.",
            "cards": "After a false slap a player may not slap for some cards.",
            "pile": "After a false slap a player may not slap until the pile is won.",
        },
    ),
    Article(
        "slap_ban_cards",
        OWN,
        {
            "1": "Where a false slap forbids slaps for some cards, it is one card.",
            ANY_NUMBER: "Where a false slap forbids slaps for some cards, it is {n} cards.",
        },
        only_if=("slap_ban", frozenset(("cards",))),
    ),
    Article(
        "pile_on_false_slap",
        OWN,
        {
            "false": "A false slap does not give the pile away.",
            "true": "A false slap gives the pile to the last flipper; if he slapped, to the next.",
        },
    ),
    Article(
        "empty_pile_slap",
        OWN,
        {
            "ignore": "A slap on the bare table has no effect.",
            "penalty": "A slap on the bare table is false.",
        },
    ),
    Article(
        "cover_grace_ms",
        OWN,
        {
            "0": "A slap after a card that covers the trigger is false, however close.",
            ANY_NUMBER: "A slap at most {n} ms after the trigger was covered costs nothing.",
        },
    ),
    Article(
        "early_tolerance_ms",
        OWN,
        {
            "0": "A slap before the card lies there is false.",
            ANY_NUMBER: "A slap at most {n} ms before the trigger counts for it.",
        },
    ),
    Article(
        "min_reaction_ms",
        OWN,
        {
            "0": "A slap counts however quick it is.",
            ANY_NUMBER: "A slap less than {n} ms after the trigger is a guess and has no effect.",
        },
    ),
    Article(
        "out_of_turn",
        OWN,
        {
            "return": "A card flipped out of turn goes back.",
            "burn": "A card flipped out of turn goes under the pile.",
        },
    ),
)

LAST_CHANCE = (
    Article(
        "slap_in",
        _EMPTY,
        {
            "once": "A player without cards has one last chance to slap himself back in.",
            "never": "A player without cards is out at once.",
            "always": "A player without cards may slap himself in as long as the game lasts.",
        },
        sources={"ratscrew": _OUT_OF_CARDS},
    ),
    Article(
        "chance_ends_on",
        _EMPTY,
        {
            "jack": "The last chance ends when another player wins a jack.",
            "any": "The last chance ends when another player wins any slap.",
        },
        sources={"ratscrew": _OUT_OF_CARDS},
    ),
    Article(
        "covered_ends_chance",
        'Slapjack, "Spielablauf" 4 (Blockierregel)',
        {
            "false": "A trigger that is covered unslapped does not use up a last chance.",
            "true": "A trigger that is covered unslapped ends the last chance, too.",
        },
        sources={"ratscrew": _OUT_OF_CARDS},
    ),
    Article(
        "own_last_card_counts",
        OWN,
        {
            "false": "The chance begins after a player's own last card.",
            "true": "A trigger made by a player's own last card is already his chance.",
        },
    ),
    Article(
        "challenge_ends_chance",
        OWN,
        {
            "false": "A pile won by payment does not end anybody's last chance.",
            "true": "A pile won by payment ends all last chances.",
        },
    ),
    Article(
        "simultaneous_out",
        'Slapjack, "Gewinnen" (Ausscheidungsreihenfolge)',
        {
            "runout_order": "Of several out at once, whoever ran out first places lower.",
            "shared": "Several out at once share one place.",
        },
        sources={"ratscrew": OWN},
    ),
    Article(
        "all_out",
        OWN,
        {"return": "If nobody holds cards, the pile goes back to the last flipper."},
    ),
)

DOUBT = (
    Article(
        "doubt",
        OWN,
        {
            "benefit": "What the box cannot know counts for the player.",
            "let": "What the box cannot know does not count, and nobody pays for it.",
        },
    ),
)

CARDS = (
    Article(
        "decks",
        'Slapjack, "Kartendeck"',
        {
            "1": "The game is played with one deck of 52 cards.",
            "2": "The game is played with two decks, for up to ten players.",
        },
        sources={"ratscrew": 'Egyptian Ratscrew, "Das Blatt"'},
    ),
    Article(
        "jokers",
        'Slapjack, "Kartendeck"',
        {
            "0": "There are no jokers in the deck.",
            ANY_NUMBER: "Jokers in the deck: {n}.",
        },
        sources={"ratscrew": 'Egyptian Ratscrew, "Das Blatt"'},
    ),
)

DEMANDS = (
    Article(
        "challenge",
        _DEMAND,
        {
            "J=1,Q=2,K=3,A=4": "A jack demands 1 card, a queen 2, a king 3, an ace 4.",
            "none": "No card demands payment.",
            ANY_NUMBER: "Cards demanded: {n}.",
        },
    ),
    Article(
        "slap_after_payment",
        'Egyptian Ratscrew, "Ein Beispiel"',
        {
            "true": "A slap made by the last payment card beats the payment.",
            "false": "After the last payment card the pile is the challenger's at once.",
        },
    ),
    Article(
        "claim_window_ms",
        OWN,
        {ANY_NUMBER: "So long the last payment card may be slapped: {n} ms."},
        only_if=("slap_after_payment", frozenset(("true",))),
    ),
    Article(
        "broke_payer",
        OWN,
        {
            "next_pays": "If the payer runs out, the next player owes the rest.",
            "challenger_wins": "If the payer runs out, the challenger takes the pile.",
        },
    ),
    Article(
        "lead_after_challenge",
        _DEMAND,
        {
            "winner": "Whoever won the demand goes on.",
            "next": "The player after the winner of the demand goes on.",
        },
    ),
    Article(
        "tens_ace",
        _HOUSE,
        {
            "one": "For two cards that make ten, an ace counts one.",
            "none": "For two cards that make ten, an ace is no number.",
        },
        sources={"slapjack": OWN},
        only_if=(
            "triggers",
            frozenset(
                (
                    "tens",
                    "ten_sandwich",
                )
            ),
        ),
    ),
    Article(
        "ten_stops",
        OWN,
        {
            "false": "A ten turned as payment is a card like any other.",
            "true": "A ten turned as payment ends the demand.",
        },
    ),
)
