"""`referee play`: people play; keys or pads slap, the drawn table or a camera shows the cards."""

from __future__ import annotations

import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from hardware.counts import draw_counts
from hardware.screen import Screen
from referee.commands.choices import DeckName, GameName, Width, agreed_rules
from referee.locale import text
from referee.rules.errors import BadRules
from referee.rules.events import Ruling, TableAnswer, Undo
from referee.rules.verdicts import Verdict
from referee.service.announce import announce
from referee.service.config import Settings, load_settings, with_camera
from referee.service.game_view import QUIET, STYLES, GameView, counts_by_seat
from referee.service.health import Health
from referee.service.play import PlayGame, is_pi
from referee.service.sentences import sentence

STEP_S = 0.004
"""Pause between two steps: shorter than a frame."""
REFRESH_NS = 80_000_000
LINGER_NS = 5_000_000_000
"""So long the winner is shown."""
FLIP_KEY, UNDO_KEY, QUIT_KEYS = " ", "u", ("q", "\x1b")
STOCK_KEYS = ("asdfg", "67890")
"""Spit on the drawn table: a key for each stock pile, the first and the second player's."""
ANSWER_KEYS = {"j": "slap", "n": "no_slap", "l": "let"}
"""Answers to a question of the box: there was something to slap, there was nothing, play on."""

SLAP_KINDS = ("ask_table", "pending_slap", "valid_slap", "false_slap", "ignored_slap", "let")


def run(
    game: Annotated[GameName | None, typer.Option(help=text("cli", "Which game."))] = None,
    players: Annotated[
        str | None, typer.Option(help=text("cli", "Names in seat order: Ann,Bo,Cleo."))
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option(
            help=text("cli", 'A webcam\'s number, a film, a folder of pictures, "pi" or "drawn".')
        ),
    ] = None,
    deck: Annotated[
        DeckName | None, typer.Option(help=text("cli", "Index letters of the deck."))
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help=text("cli", "House rules: `referee rules` lists them."))
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--set", help=text("cli", "One house rule: option=value."))
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help=text("cli", "Shuffles the drawn deck; none: at random."))
    ] = None,
    width: Annotated[
        Width, typer.Option(help=text("cli", "Width of the LED matrix."))
    ] = Width.narrow,
    log: Annotated[Path | None, typer.Option(help=text("cli", "Write the log here."))] = None,
    settings: Annotated[
        Path | None, typer.Option(help=text("cli", "A settings file (TOML)."))
    ] = None,
) -> None:
    """Play one game."""
    chosen = with_camera(load_settings(settings), deck=deck.value if deck else None)
    name = game.value if game else chosen.game
    source = _camera(camera)
    play = PlayGame(
        chosen,
        agreed_rules(chosen, name, preset, option or []),
        game=name,
        players=_names(players, chosen, name),
        camera=source,
        seed=time.time_ns() % 1_000_000 if seed is None else seed,
        log=log,
        keys=sys.stdin.isatty() or source is None or not is_pi(),
    )
    try:
        Table(play, Screen((int(width), 8), demo=play.is_demo)).run()
    finally:
        play.close()


def _camera(asked: str | None) -> str | None:
    """What to look at; None: the drawn table. On a Pi its own camera, if nothing was asked for."""
    if asked is None:
        return "pi" if is_pi() else None
    return None if asked == "drawn" else asked


def _names(written: str | None, settings: Settings, game: str) -> tuple[str, ...]:
    if written is None:
        return settings.players[:2] if game == "spit" else settings.players
    names = tuple(name.strip() for name in written.split(",") if name.strip())
    if len(set(names)) != len(names) or len(names) < 2:
        raise BadRules(
            f"bad players: {written!r}, expected at least two different names, such as Ann,Bo "
            "(--players)"
        )
    return names


class Table:
    """The terminal around a game with people."""

    def __init__(self, play: PlayGame, led: Screen) -> None:
        """Prepare; nothing is shown yet."""
        self._play, self._led = play, led
        self._seats = {name: seat for seat, name in enumerate(play.referee.header.players, 1)}
        title = text("cli", "Referee box") + f" · {play.referee.header.game}"
        self._usual_hint = self._hint()
        self._view = GameView(title, self._seats, demo=play.is_demo, hint=self._usual_hint)
        self._ended_ns: int | None = None

    def run(self) -> None:
        """Play until somebody has won or q was pressed; systemd hears that all is well."""
        health = Health.from_environment()
        console = Console()
        live = Live(console=console, auto_refresh=False, screen=True)
        with live if console.is_terminal else nullcontext():
            health.ready(text("cli", "Playing."))
            drawn_ns = 0
            while not self._is_done() and not self._quits():
                for verdict in self._play.step():
                    self._say(verdict)
                now_ns = time.monotonic_ns()
                health.beat(now_ns)
                if now_ns - drawn_ns >= REFRESH_NS:
                    drawn_ns = now_ns
                    self._draw(live if console.is_terminal else None, now_ns)
                time.sleep(STEP_S)
        health.stopping()

    def _hint(self) -> str:
        seats = "  ".join(f"{seat} {name}" for name, seat in self._seats.items())
        flips = text("cli", "space flips the next card") if self._play.is_demo else ""
        stocks = text("cli", "stock piles: {keys}").format(keys="  ".join(STOCK_KEYS))
        ends = text("cli", "u takes back the last verdict, q ends")
        return "   ".join(filter(None, (seats, flips, stocks if self._play.lines else "", ends)))

    def _is_done(self) -> bool:
        if self._ended_ns is None and self._play.is_over:
            for verdict in self._play.finish():
                self._say(verdict)
            self._ended_ns = time.monotonic_ns()
        return self._ended_ns is not None and time.monotonic_ns() - self._ended_ns > LINGER_NS

    def _quits(self) -> bool:
        for key in self._play.commands():
            if key == FLIP_KEY:
                self._play.flip()
            elif self._play.lines and key in "".join(STOCK_KEYS):
                self._use(key)
            elif key == UNDO_KEY:
                self._tell(Undo(time.monotonic_ns()))
            elif key in ANSWER_KEYS:
                self._tell(TableAnswer(time.monotonic_ns(), ANSWER_KEYS[key]))
            elif key in QUIT_KEYS:
                return True
        return False

    def _use(self, key: str) -> None:
        number = next(i for i, keys in enumerate(STOCK_KEYS) if key in keys)
        player = self._play.referee.header.players[number]
        self._play.use(player, STOCK_KEYS[number].index(key))

    def _tell(self, ruling: Ruling) -> None:
        """The table overrules the box."""
        for verdict in self._play.tell(ruling):
            self._say(verdict)

    def _say(self, verdict: Verdict) -> None:
        announcement = announce(verdict, self._seats)
        if announcement is not None:
            self._led.say(announcement, time.monotonic_ns())
        if verdict.kind in SLAP_KINDS:
            asks = verdict.kind in ("ask_table", "pending_slap")
            self._view.hint = (
                text("cli", "Was there something to slap? j yes, n no, l play on")
                if asks
                else self._usual_hint
            )
        if verdict.kind not in QUIET:
            self._view.say(sentence(verdict), style=STYLES.get(verdict.kind, ""))

    def _draw(self, live: Live | None, now_ns: int) -> None:
        view = self._play.referee.table
        seat = self._seats.get(view.to_act or "")
        rest = draw_counts(
            counts_by_seat(view), self._led.size, to_act=seat, demo=self._play.is_demo
        )
        self._led.rest(rest)
        picture = self._led.picture(now_ns)
        self._play.display.show(picture)
        if live is None:
            return
        if self._play.frame is not None:
            self._view.see(self._play.frame.image)
        self._view.notes = self._play.lines
        size = live.console.size
        drawn = self._view.draw(picture, view, (size.width, size.height), self._play.state)
        live.update(drawn, refresh=True)
