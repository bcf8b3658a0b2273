"""What may be slapped, on paper."""

from __future__ import annotations

from referee.rules.handbook import OWN, Article

_SLAPS = 'Egyptian Ratscrew, "Die Schläge"'
_HOUSE = 'Egyptian Ratscrew, "Das Gewinnen"'
_VARIANTS = 'Slapjack, "Häufige Varianten" (Zusätzliche Schlagauslöser)'

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _a(number: str) -> str:
    return f"an {number}" if number == "eight" else f"a {number}"


TRIGGERS = (
    Article(
        "triggers",
        'Slapjack, "Spielablauf" 2 (Einen Buben schlagen); "Häufige Varianten"',
        {
            "jack": "Slap when a jack lies on top.",
            "pair": "Slap a pair: the two top cards have the same rank.",
            "sandwich": "Slap a sandwich: two cards of one rank with one card between them.",
            "top_bottom": "Slap when the top card has the rank of the very lowest.",
            "marriage": "Slap a marriage: a queen on a king.",
            "marriage_either": "Slap a marriage: queen and king, in any order.",
            "tens": "Slap two number cards that make ten.",
            "divorce": "Slap a divorce: king and queen with one card between them.",
            "run3": "Slap three ranks in a row, up or down.",
            "run4": "Slap four ranks in a row, up or down.",
            "king": "Slap when a king lies on top.",
            "ace": "Slap when an ace lies on top.",
            "queen": "Slap when a queen lies on top.",
            "marriage_same_suit": "Slap a marriage of one suit: queen and king, in any order.",
            "ten_sandwich": "Slap two number cards that make ten with one card between them.",
            "six_nine": "Slap a six and a nine, in any order.",
            "four_apart": "Slap two cards of one rank with two cards between them.",
            "flush3": "Slap three cards of one suit in a row.",
            "flush4": "Slap four cards of one suit in a row.",
            "joker": "Slap when a joker lies on top.",
            **{name: f"Slap when {_a(name)} lies on top." for name in _NUMBERS},
        },
        sources={"ratscrew": f'{_SLAPS}; "Das Gewinnen"'},
    ),
)

_SOURCES = {
    "slapjack": {
        "jack": 'Slapjack, "Spielablauf" 2 (Einen Buben schlagen)',
        **dict.fromkeys(("pair", "sandwich", "king", "ace"), _VARIANTS),
    },
    "ratscrew": {
        "pair": f"{_SLAPS} (Paar)",
        "sandwich": f"{_SLAPS} (Sandwich)",
        "top_bottom": f"{_SLAPS} (Oben-unten)",
        "marriage": f"{_HOUSE} (Hochzeit)",
        "tens": f"{_HOUSE} (zusammen zehn)",
    },
}
"""Where each trigger stands on the sheet of its game; those not named here are on none."""


def trigger_source(game: str, trigger: str) -> str:
    """Sheet and heading of one trigger."""
    return _SOURCES[game].get(trigger, OWN)
