"""What the house rules are called on the page, and under which heading they stand."""

from __future__ import annotations

from referee.rules.handbook_slap import CARDS, DEMANDS, DOUBT, FALSE_SLAPS, LAST_CHANCE, WINNING
from referee.rules.handbook_spit import SPIT_RULES
from referee.rules.handbook_triggers import TRIGGERS

TENS = tuple(article for article in DEMANDS if article.option == "tens_ace")
"""It belongs to a trigger, not to a demand."""

GROUPS = (
    ("What may be slapped", (*TRIGGERS, *TENS)),
    ("Demands", tuple(article for article in DEMANDS if article not in TENS)),
    ("Winning a pile, ties", WINNING),
    ("False slaps", FALSE_SLAPS),
    ("Without cards: the last chance", LAST_CHANCE),
    ("Spit", SPIT_RULES),
    ("When the box does not know", DOUBT),
    ("Cards", CARDS),
)
"""Heading -> articles of the handbook."""

TITLES = {
    "triggers": "What may be slapped",
    "lead_after_slap": "Who goes on after a slap",
    "won_pile": "The won pile",
    "late_slap": "Hands after the winner",
    "late_window_ms": "How long a hand is late, ms",
    "call_out": "Calling “Slapjack!”",
    "call_window_ms": "Call and slap, at most so far apart, ms",
    "tie_ms": "What counts as a tie, ms",
    "tie_rule": "After a tie",
    "penalty": "Price of a false slap",
    "penalty_cards": "How many cards it costs",
    "self_penalty": "False slap on one's own card",
    "burn": "Cards burned for a false slap",
    "burn_counts_for_bottom": "Burned cards and the bottom",
    "out_false_slap": "False slap without cards",
    "repeat_slap": "A second wrong touch",
    "slap_ban": "Not allowed to slap after a false slap",
    "slap_ban_cards": "For how many cards",
    "pile_on_false_slap": "A false slap and the pile",
    "empty_pile_slap": "A slap on the bare table",
    "cover_grace_ms": "A slap just after the cover, ms",
    "early_tolerance_ms": "A slap just before the card, ms",
    "min_reaction_ms": "Too quick to be true, ms",
    "out_of_turn": "A card out of turn",
    "slap_in": "Chances without cards",
    "chance_ends_on": "What ends the last chance",
    "covered_ends_chance": "A covered trigger and the last chance",
    "own_last_card_counts": "One's own last card",
    "challenge_ends_chance": "A paid demand and the last chance",
    "simultaneous_out": "Several fall together",
    "all_out": "Nobody has cards",
    "doubt": "In doubt",
    "decks": "Decks",
    "jokers": "Jokers",
    "challenge": "What a court card demands",
    "slap_after_payment": "Slapping the last payment",
    "claim_window_ms": "How long, ms",
    "broke_payer": "The payer runs out",
    "lead_after_challenge": "Who goes on after a demand",
    "tens_ace": "The ace in tens",
    "ten_stops": "A ten as payment",
    "equal_rank": "Equal rank",
    "partial_stack": "The last stock pile",
    "race_ms": "Too late, not wrong, ms",
    "spit_slap_race": "Who takes which pile",
}
"""Option -> a few words."""

PRESET_NAMES = {
    "family": "Family",
    "strict": "Strict",
    "kids": "Kids",
    "tournament": "Tournament",
    "classic": "Classic",
}

DECK_WORDS = {
    "en": "English: J Q K A",
    "de": "German: B D K A",
    "fr": "French: V D R 1",
    "nl": "Dutch: B V H A",
}
