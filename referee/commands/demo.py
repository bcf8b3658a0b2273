"""`referee demo`: a whole game that plays itself, at real speed or as fast as the machine can."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, RenderableType
from rich.live import Live

from hardware.counts import draw_counts
from hardware.drawing import draw
from hardware.picture import save_png
from hardware.protocols import Frame
from hardware.screen import Screen
from referee.commands.choices import (
    DeckName,
    GameOption,
    LogOption,
    PadKind,
    PageOption,
    PresetOption,
    RuleOptions,
    SettingsOption,
    ShareOption,
    Width,
    agreed_rules,
)
from referee.locale import text
from referee.rules.events import Flip
from referee.rules.verdicts import Verdict
from referee.service.announce import announce
from referee.service.config import load_settings
from referee.service.demo import NAMES, DemoGame, Plan, Step
from referee.service.demo_stage import Stage, open_stage
from referee.service.game_view import QUIET, STYLES, GameView, counts_by_seat
from referee.service.house import page_address
from referee.service.report import game_record, readings, slap_table
from referee.service.sentences import sentence

REFRESH_NS = 100_000_000
LATEST_NS = 250_000_000
"""A machine that falls behind by more than this plays slower instead of jumping."""


def run(
    game: GameOption = None,
    players: Annotated[int, typer.Option(min=2, max=8, help=text("cli", "How many people."))] = 4,
    seed: Annotated[int, typer.Option(help=text("cli", "The same seed, the same game."))] = 1,
    fast: Annotated[
        bool, typer.Option("--fast", help=text("cli", "As fast as this machine can."))
    ] = False,
    preset: PresetOption = None,
    option: RuleOptions = None,
    deck: Annotated[
        DeckName, typer.Option(help=text("cli", "Index letters of the deck."))
    ] = DeckName.de,
    style: Annotated[str, typer.Option(help=text("cli", "How the cards look."))] = "classic",
    pads: Annotated[
        PadKind, typer.Option(help=text("cli", "Kind of touch pads."))
    ] = PadKind.at42qt1010,
    width: Annotated[
        Width, typer.Option(help=text("cli", "Width of the LED matrix."))
    ] = Width.narrow,
    png: Annotated[
        Path | None, typer.Option(help=text("cli", "Write the LED matrix as a picture here."))
    ] = None,
    log: LogOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=text("cli", "Print one JSON object at the end."))
    ] = False,
    page: PageOption = True,
    share: ShareOption = False,
    loop: Annotated[
        bool, typer.Option("--loop", help=text("cli", "Game after game, until Ctrl-C."))
    ] = False,
    settings: SettingsOption = None,
) -> None:
    """Play one game, or one after the other."""
    chosen = load_settings(settings)
    name = game.value if game else chosen.game
    count = 2 if name == "spit" else players
    plan = Plan(
        game=name,
        players=NAMES[:count],
        seed=seed,
        pad_kind=pads.value,
        deck=deck.value,
        style=style,
    )
    rules = agreed_rules(chosen, name, preset, option or [])
    has_page = page and chosen.page.on and not (fast or as_json) and sys.stdout.isatty()
    address = page_address(chosen, None, is_box=False, share=share) if has_page else None
    stage = open_stage(address, int(width), chosen)
    try:
        while True:
            led = Screen((int(width), 8), demo=True)
            show = DemoShow(plan, led, png, as_json, fast, stage)
            demo = DemoGame(plan, rules, log=log, on_frame=show.see)
            try:
                show.play(demo)
            finally:
                demo.close()
            show.finish(demo)
            if not loop:
                return
            plan = replace(plan, seed=plan.seed + 1)
    finally:
        stage.close()


class DemoShow:
    """Shows a demo game: live in a terminal, line by line elsewhere, or only its end as JSON."""

    def __init__(
        self,
        plan: Plan,
        led: Screen,
        png: Path | None,
        as_json: bool,
        fast: bool,
        stage: Stage,
    ) -> None:
        """Prepare; nothing is shown yet."""
        self._seats = {player: seat for seat, player in enumerate(plan.players, 1)}
        self._led, self._png, self._json, self._fast = led, png, as_json, fast
        self._console = Console(stderr=as_json)
        title = text("cli", "Referee box") + f" · {plan.game}"
        self._stage = stage
        hint = text("cli", "The table, the players and the pads are simulated. Ctrl-C ends.")
        if stage.url:
            hint += "   " + text("cli", "page: {url}").format(url=stage.url)
        self._view = GameView(title, self._seats, demo=True, hint=hint)
        self._delays_ms: list[float] = []
        self._frame: Frame | None = None
        self._offset_ns = 0

    def see(self, frame: Frame) -> None:
        """Keep the newest frame for the view and the page."""
        self._frame = frame
        self._stage.see(frame)

    def play(self, demo: DemoGame) -> None:
        """Play to the end."""
        self._offset_ns = time.monotonic_ns() - demo.world.now_ns
        self._stage.begin(demo)
        live = self._console.is_terminal and not self._json
        if not live:
            for step in demo.steps():
                self._take(demo, step)
            return
        with Live(console=self._console, auto_refresh=False, screen=True) as screen:
            drawn_ns = 0
            for step in demo.steps():
                self._take(demo, step)
                now_ns = time.monotonic_ns()
                if now_ns - drawn_ns >= REFRESH_NS:
                    drawn_ns = now_ns
                    screen.update(self._draw(demo, step.now_ns), refresh=True)

    def finish(self, demo: DemoGame) -> None:
        """Print every slap and the score, or the JSON object."""
        judged = demo.score()
        flips = [flip for flip in demo.world.truth.flips if not flip.again]
        seen = [one for one in demo.referee.log if isinstance(one, Flip)]
        unread, misread = readings(flips, seen)
        record = game_record(
            game=demo.plan.game,
            players=demo.plan.players,
            winner=demo.referee.table.winner,
            flips=len(flips),
            judged=judged,
            unread=unread,
            misread=misread,
            delays_ms=self._delays_ms,
        )
        if self._json:
            sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
            return
        self._console.print(slap_table(judged, demo.world.start_ns))
        self._console.print(_summary(record))

    def _take(self, demo: DemoGame, step: Step) -> None:
        for verdict in step.verdicts:
            self._say(verdict, step)
        self._stage.tell(demo, step.verdicts, self._led.picture(step.now_ns))
        if not self._fast:
            self._wait(step.now_ns)

    def _say(self, verdict: Verdict, step: Step) -> None:
        began_ns = time.monotonic_ns()
        announcement = announce(verdict, self._seats)
        if announcement is not None:
            self._led.say(announcement, step.now_ns)
            picture = draw(announcement, self._led.size, demo=True)
            if self._png:
                save_png(picture, self._png)
        if verdict.kind in ("valid_slap", "false_slap", "tie", "doubt"):
            worked_ns = step.worked_ns + time.monotonic_ns() - began_ns
            self._delays_ms.append((step.now_ns - verdict.t_ns + worked_ns) / 1e6)
        if verdict.kind not in QUIET:
            line = sentence(verdict)
            self._view.say(line, style=STYLES.get(verdict.kind, ""))
            if not self._json and not self._console.is_terminal:
                self._console.print(f"DEMO {line}", highlight=False)

    def _draw(self, demo: DemoGame, now_ns: int) -> RenderableType:
        view = demo.referee.table
        if self._frame is not None:
            self._view.see(self._frame.image)
        seat = self._seats.get(view.to_act or "")
        self._led.rest(draw_counts(counts_by_seat(view), self._led.size, to_act=seat, demo=True))
        size = self._console.size
        terminal = (size.width, size.height)
        return self._view.draw(self._led.picture(now_ns), view, terminal, demo.state)

    def _wait(self, now_ns: int) -> None:
        ahead_ns = now_ns + self._offset_ns - time.monotonic_ns()
        if ahead_ns > 0:
            time.sleep(ahead_ns / 1e9)
        elif ahead_ns < -LATEST_NS:
            self._offset_ns -= ahead_ns


def _summary(record: dict[str, object]) -> str:
    delay = record["verdict_delay_ms"]
    assert isinstance(delay, dict)
    return text(
        "cli",
        "DEMO: {winner} wins. {flips} flips, {slaps} slaps: {wrong_verdicts} wrong verdicts, "
        "{doubts} in declared doubt. Cards: {unread} unread, {misread} misread. "
        "From the slap to the light: {p50} ms (median), {p99} ms (99 %).",
    ).format(**record, **delay)
