"""Slapjack: jacks are slapped, a false slap pays the flipper."""

from __future__ import annotations

from referee.rules.game import Upcoming
from referee.rules.house_rules import HouseRules
from referee.rules.penalties import SLAPJACK_PENALTIES
from referee.rules.position import Start
from referee.rules.slap_game import SlapGame


class Slapjack(SlapGame):
    """One game of Slapjack."""

    def __init__(
        self, players: tuple[str, ...], rules: HouseRules, start: Start, upcoming: Upcoming
    ) -> None:
        super().__init__(players, rules, start, upcoming)
        self.penalty = SLAPJACK_PENALTIES[rules.penalty]
