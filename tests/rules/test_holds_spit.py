"""A touch that waits in Spit is held, but never put to the table as a question of a card."""

import pytest

from referee.rules.events import Slap, Watermark
from referee.rules.referee import Referee

S = 1_000_000_000


@pytest.mark.parametrize(("game", "asks"), [("spit", False), ("slapjack", True)])
def test_only_slap_games_ask_which_card_lay_there(game: str, asks: bool) -> None:
    referee = Referee(game, ("Ann", "Bo"))
    said = referee.observe(Watermark(1 * S, "camera"))
    said += referee.observe(Slap(2 * S, "Ann"))
    said += referee.observe(Watermark(9 * S, "pads"))
    kinds = [verdict.kind for verdict in said]
    assert "hold" in kinds
    assert ("ask_table" in kinds) is asks
