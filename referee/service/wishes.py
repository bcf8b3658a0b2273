"""What the page asks of the box, one function a wish; each is answered in one sentence.

The page has checked who may ask. What is asked is checked here: the page is another program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from models.enrol.profile import taught_decks
from referee.locale import LANGUAGES, text
from referee.rules.errors import BadLog, RefereeError
from referee.rules.events import (
    Award,
    Burn,
    Call,
    CardIs,
    Choose,
    HiddenCard,
    Observation,
    Penalty,
    Stuck,
    TableAnswer,
    Undo,
    VoidFlip,
    VoidSlap,
)
from referee.rules.record import observation_from_record
from referee.service.evening import PLAYING, Evening
from referee.service.guides import CANCEL, NEXT, START, Guide
from referee.service.link import Message
from referee.service.setup import read_setup

AREA = "box"

MAY_BE_TOLD = (
    Award,
    Burn,
    Call,
    CardIs,
    Choose,
    HiddenCard,
    Penalty,
    Stuck,
    TableAnswer,
    Undo,
    VoidFlip,
    VoidSlap,
)
"""Observations that people make at the page. Slaps and flips come from pads and camera alone."""


class Refused(RefereeError):
    """A wish that cannot be granted; the sentence is for the page's user."""

    def __init__(self, literal: str) -> None:
        super().__init__(literal)
        self.literal = literal


class Wishes:
    """Grants the page's wishes."""

    def __init__(
        self,
        evening: Evening,
        now_ns: Callable[[], int],
        guides: Mapping[str, Callable[[], Guide]] | None = None,
    ) -> None:
        """Begin.

        Args:
            evening: What the wishes are about.
            now_ns: The monotonic clock.
            guides: Name -> begins that guide.
        """
        self._evening, self._now_ns, self._guides = evening, now_ns, guides or {}
        self._wishes: Mapping[str, Callable[[Message], str]] = {
            "touch": self._touch,
            "seat": self._seat,
            "flip": self._flip,
            "use": self._use,
            "rule": self._rule,
            "start": self._start,
            "end_game": self._end_game,
            "picture": self._picture,
            "show_code": self._show_code,
            "delete_pictures": self._delete_pictures,
            "self_test": self._self_test,
            "guide": self._guide,
        }

    def grant(self, asks: Iterable[Message]) -> None:
        """Grant what can be granted, and answer every ask that has a number."""
        for ask in asks:
            ok, sentences = self._answer(ask)
            number = ask.get("id")
            if isinstance(number, int):
                answer = {"type": "answer", "to": number, "ok": ok, "sentence": sentences}
                self._evening.broadcast.pass_on(answer)

    def _answer(self, ask: Message) -> tuple[bool, dict[str, str]]:
        wish = self._wishes.get(str(ask["ask"]))
        try:
            if wish is None:
                raise Refused("The box does not know this wish.")
            return True, _sentences(wish(ask))
        except Refused as error:
            return False, _sentences(error.literal)
        except RefereeError as error:
            return False, dict.fromkeys(LANGUAGES, str(error))

    # --- playing on a drawn table -----------------------------------------------------------------

    def _touch(self, ask: Message) -> str:
        player = self._player_at(ask.get("seat"))
        t_ns = ask.get("t_ns")
        game = self._evening.game
        if game is None or not isinstance(t_ns, int) or not game.touch(player, t_ns):
            raise Refused("The touch came too late.")
        return ""

    def _seat(self, ask: Message) -> str:
        self._player_at(ask.get("seat"))
        if self._evening.game is not None:
            self._evening.game.wake()
        return "The pad is yours."

    def _flip(self, ask: Message) -> str:
        self._drawn()
        if self._evening.game is not None:
            self._evening.game.flip()
        return ""

    def _use(self, ask: Message) -> str:
        player, place = self._player_at(ask.get("seat")), ask.get("place")
        if self._evening.game is None or not isinstance(place, int) or not 0 <= place < 5:
            raise Refused("There is no such stock pile.")
        self._evening.game.use(player, place)
        return ""

    # --- judging ----------------------------------------------------------------------------------

    def _rule(self, ask: Message) -> str:
        self._playing()
        record = ask.get("record")
        if not isinstance(record, Mapping):
            raise Refused("There is no ruling in this wish.")
        observation = self._observation(dict(record) | {"t_ns": self._now_ns()})
        if not isinstance(observation, MAY_BE_TOLD):
            raise Refused("Slaps and cards come from pads and camera alone.")
        self._evening.tell(observation)
        return "The ruling stands."

    def _observation(self, record: dict[str, Any]) -> Observation:
        try:
            return observation_from_record(record)
        except (TypeError, ValueError) as error:
            raise BadLog(f"bad ruling: {error}") from error

    # --- games ------------------------------------------------------------------------------------

    def _start(self, ask: Message) -> str:
        evening = self._evening
        if evening.game is not None and evening.game.is_demo and not evening.game.is_interactive:
            raise Refused("This demo plays itself.")
        before = evening.setup
        deck = before.deck if before is not None else "en"
        evening.begin(read_setup(ask, deck, taught_decks()))
        return "The game begins."

    def _end_game(self, ask: Message) -> str:
        self._playing()
        self._evening.end()
        return "The game is over."

    # --- the box ----------------------------------------------------------------------------------

    def _picture(self, ask: Message) -> str:
        self._evening.page.want_picture(self._now_ns())
        return ""

    def _show_code(self, ask: Message) -> str:
        self._evening.show_code()
        return "The matrix shows the code."

    def _delete_pictures(self, ask: Message) -> str:
        self._evening.delete_pictures(of_all_games=ask.get("all") is True)
        return "The pictures are deleted."

    def _self_test(self, ask: Message) -> str:
        if ask.get("on") and self._evening.state == PLAYING:
            raise Refused("The pads are tested between two games.")
        self._evening.page.tests_pads = bool(ask.get("on"))
        return ""

    def _guide(self, ask: Message) -> str:
        evening, name, action = self._evening, str(ask.get("name")), ask.get("action")
        if name not in self._guides:
            raise Refused("There is no such guide.")
        if action == START:
            if evening.state == PLAYING:
                raise Refused("The box is set up between two games.")
            evening.lead(self._guides[name])
            return ""
        if evening.guide is None or action not in (NEXT, CANCEL):
            raise Refused("This guide has not begun.")
        evening.guide.act(action)
        return ""

    # --- helpers ----------------------------------------------------------------------------------

    def _playing(self) -> None:
        if self._evening.state != PLAYING:
            raise Refused("No game is being played.")

    def _drawn(self) -> None:
        self._playing()
        game = self._evening.game
        if game is None or not game.is_interactive:
            raise Refused("Only a drawn table is played at the page.")

    def _player_at(self, seat: object) -> str:
        self._drawn()
        players = [player for player, number in self._evening.seats.items() if number == seat]
        if not players:
            raise Refused("There is no such seat.")
        return players[0]


def _sentences(literal: str) -> dict[str, str]:
    return {name: text(AREA, literal, language=name) if literal else "" for name in LANGUAGES}
