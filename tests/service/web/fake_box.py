"""A box without hardware that plays a real game for the page: rules, people and matrix are real.

The cards come from the simulated world's truth instead of a camera, so that a whole game takes
seconds. `python tests/service/web/fake_box.py --game ratscrew --port 8080` shows it in a browser.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable, Iterator
from typing import Any

from PIL import Image, ImageDraw

from hardware.counts import draw_counts
from hardware.screen import Screen
from hardware.simulated.world import World
from referee.rules.cards import parse_card
from referee.rules.events import DEMO, Flip, Observation, Slap, Watermark
from referee.rules.position import Deal
from referee.rules.record import observation_from_record
from referee.rules.referee import Referee
from referee.rules.verdicts import Correction, Verdict
from referee.service.announce import announce
from referee.service.broadcast import Broadcast
from referee.service.game_view import counts_by_seat
from referee.service.race_book import Race, RaceBook, book_of

MS = 1_000_000
STEP_NS = 20 * MS
DELAY_NS = 150 * MS
"""From a card's rest to the camera's word."""
FRAME_NS, PAD_NS = 17 * MS, 3 * MS
"""Width of a flip's and of a slap's interval."""
CODE = "483920"
NAMES = ("Ann", "Bo", "Cleo", "Dan", "Eve", "Fin", "Gus", "Hal")


class FakeBox:
    """One table whose people play by themselves."""

    def __init__(
        self,
        send: Callable[[dict[str, Any]], None],
        *,
        game: str = "slapjack",
        players: int = 4,
        seed: int = 1,
        deck: str = "de",
        interactive: bool = False,
    ) -> None:
        """Deal, and tell the page.

        Args:
            send: Takes the box's messages.
            game: Which game.
            players: How many.
            seed: Of the people and the cards.
            deck: Index letters.
            interactive: Say that the page has pads.
        """
        self.broadcast = Broadcast(send)
        self._send, self._deck = send, deck
        names = NAMES[: 2 if game == "spit" else players]
        self.world = World(seed, game, names)
        deal = Deal() if game == "spit" else Deal(dealer=self.world.dealer)
        self.referee = Referee(game, names, None, deal)
        self.led = Screen((32, 8), demo=True)
        self.seats = {name: seat for seat, name in enumerate(names, 1)}
        self.asked: list[dict[str, Any]] = []
        self._book = RaceBook()
        self._flips = self._slaps = 0
        self.broadcast.box(
            demo=True,
            stamp="demo",
            state="playing",
            language="en",
            code=CODE,
            version="0.1.0",
            journal="",
            width=32,
            interactive=interactive,
            keep_pictures=False,
            reason="",
        )
        self.broadcast.game(1, self.referee.header, deck=deck)

    @property
    def is_over(self) -> bool:
        """Somebody has won."""
        return self.world.is_over

    def step(self) -> None:
        """Let 20 ms pass."""
        self.world.advance(self.world.now_ns + STEP_NS)
        verdicts: list[Verdict] = []
        for seen in (*self._seen(), *self.world.observations()):
            verdicts += self._observe(seen)
        self._after(verdicts)
        if self.is_over:
            self.broadcast.box(state="over")

    def answer(self, ask: dict[str, Any]) -> None:
        """Do what the page asks, as far as these people let it."""
        self.asked.append(ask)
        if ask["ask"] == "rule":
            record = ask["record"] | {"t_ns": self.world.now_ns - DELAY_NS}
            self._after(self._observe(observation_from_record(record)))
        if "id" in ask:
            sentence = {"en": "The ruling stands.", "de": "Das gilt."}
            self._send({"type": "answer", "to": ask["id"], "ok": True, "sentence": sentence})

    def fault(self, code: str, *, on: bool, seat: int | None = None) -> None:
        """Something breaks, or is mended."""
        self.broadcast.fault(code, seat, on=on)

    def _observe(self, seen: Observation) -> list[Verdict]:
        said = self.referee.observe(seen)
        self.broadcast.seen(seen)
        self._book.take(seen)
        return said

    def _after(self, verdicts: list[Verdict]) -> None:
        self.world.hear(verdicts, self.referee.table.to_act)
        now_ns = self.world.now_ns
        for verdict in verdicts:
            self.broadcast.said(verdict)
            race = self._book.hear(verdict)
            if race is not None:
                self._tell(race)
            announcement = announce(verdict, self.seats)
            if announcement is not None:
                self.led.say(announcement, now_ns)
        if any(isinstance(verdict, Correction) for verdict in verdicts):
            self._book = book_of(self.referee.log, self.referee.verdicts)
            self.broadcast.only_races([race.number for race in self._book.races])
            for race in self._book.races:
                self._tell(race)
        view = self.referee.table
        self.broadcast.table(view, pile_state="still", lines=[], hold=False, now_ns=now_ns)
        seat = self.seats.get(view.to_act or "")
        self.led.rest(draw_counts(counts_by_seat(view), (32, 8), to_act=seat, demo=True))
        self.broadcast.led(self.led.picture(now_ns))

    def _tell(self, race: Race) -> None:
        names = [f"1-{race.number}-{which}" for which in ("before", "after")]
        card = str(race.card.card) if race.card else "??"
        for name, shown in zip(names, ("", card), strict=True):
            self.broadcast.crop(name, drawn_crop(shown))
        self.broadcast.race(race.message(*names))

    def _seen(self) -> Iterator[Observation]:
        truth, until = self.world.truth, self.world.now_ns - DELAY_NS
        for slap in truth.slaps[self._slaps :]:
            yield Slap(slap.touch_ns, slap.player, PAD_NS // 2, PAD_NS // 2, stamp=DEMO)
        self._slaps = len(truth.slaps)
        while self._flips < len(truth.flips) and truth.flips[self._flips].rest_ns <= until:
            flip = truth.flips[self._flips]
            self._flips += 1
            if not flip.again:
                player = flip.player if self.world.game == "spit" else None
                yield Flip(flip.rest_ns, flip.card, player, FRAME_NS, pile=flip.pile)
        yield Watermark(self.world.now_ns, "pads")
        yield Watermark(until, "camera")


def drawn_crop(card: str) -> bytes:
    """A stand-in for the picture of the pile, as JPEG."""
    picture = Image.new("RGB", (240, 240), (46, 84, 66))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((75, 55, 165, 185), 8, fill=(240, 240, 236), outline=(90, 90, 90))
    if card:
        parse_card(card)
        draw.text((95, 100), card, fill=(20, 20, 20), font_size=36)
    content = io.BytesIO()
    picture.save(content, "JPEG", quality=80)
    return content.getvalue()


def messages(game: str = "slapjack", seed: int = 1, steps: int = 10**9) -> list[dict[str, Any]]:
    """Everything that the box says in a game, or in its first steps."""
    said: list[dict[str, Any]] = []
    box = FakeBox(said.append, game=game, seed=seed)
    while not box.is_over and steps > 0:
        box.step()
        steps -= 1
    return said


def main() -> None:
    """Show a game in the browser until it is over, then keep the page open."""
    from referee.service.page_process import PageAddress, PageProcess

    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="slapjack")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--skip", type=int, default=0, help="steps before the page is opened")
    parser.add_argument("--stop", type=int, default=10**9, help="steps after which all stands")
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--interactive", action="store_true")
    given = parser.parse_args()
    page: PageProcess | None = None

    def send(message: dict[str, Any]) -> None:
        if page is not None:
            page.publish(message)

    box = FakeBox(
        send,
        game=given.game,
        players=given.players,
        seed=given.seed,
        interactive=given.interactive,
    )
    steps = 0
    while steps < given.skip and not box.is_over:
        box.step()
        steps += 1
    for code in given.fault:
        box.fault(code, on=True)
    page = PageProcess(PageAddress(port=given.port), box.broadcast.greeting)
    try:
        while True:
            page.keep(time.monotonic_ns())
            for ask in page.asks():
                box.answer(ask)
            if not box.is_over and steps < given.stop:
                box.step()
                steps += 1
            time.sleep(STEP_NS / 1e9 / given.speed)
    finally:
        page.close()


if __name__ == "__main__":
    main()
