"""`referee play`: people play; keys or pads slap, the drawn table or a camera shows the cards."""

from __future__ import annotations

import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from referee.commands.choices import (
    GameOption,
    LogOption,
    PageOption,
    PresetOption,
    RuleOptions,
    SettingsOption,
    ShareOption,
    Width,
    agreed_rules,
)
from referee.locale import LANGUAGES, choose_language, text
from referee.rules.events import Ruling, TableAnswer, Undo
from referee.rules.verdicts import Verdict
from referee.service.box_guides import guides_of
from referee.service.config import Mistake, Settings, load_or_safe, with_camera
from referee.service.evening import OVER, PLAYING, Evening
from referee.service.game_view import QUIET, STYLES, GameView
from referee.service.health import Health
from referee.service.house import House, journal_path, open_house, page_address
from referee.service.live_game import LiveGame, NewGame
from referee.service.play import PlayGame, is_pi, with_log
from referee.service.sentences import sentence
from referee.service.settings.fields import with_values
from referee.service.settings.mistakes import refusal
from referee.service.setup import Setup, read_players

STEP_S = 0.004
"""Pause between two steps: shorter than a frame."""
REFRESH_NS = 80_000_000
LINGER_NS = 10_000_000_000
"""So long the winner is shown; then the program ends, or the box begins the next game."""
FLIP_KEY, UNDO_KEY, AGAIN_KEY, QUIT_KEYS = " ", "u", "r", ("q", "\x1b")
STOCK_KEYS = ("asdfg", "67890")
"""Spit on the drawn table: a key for each stock pile, the first and the second player's."""
ANSWER_KEYS = {"j": "slap", "n": "no_slap", "l": "let"}
"""Answers to a question of the box: there was something to slap, there was nothing, play on."""

SLAP_KINDS = ("ask_table", "pending_slap", "valid_slap", "false_slap", "ignored_slap", "let")


def run(
    game: GameOption = None,
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
        str | None,
        typer.Option(help=text("cli", "Index letters (en, de, fr, nl), or a deck of your own.")),
    ] = None,
    preset: PresetOption = None,
    option: RuleOptions = None,
    seed: Annotated[
        int | None, typer.Option(help=text("cli", "Shuffles the drawn deck; none: at random."))
    ] = None,
    width: Annotated[
        Width | None, typer.Option(help=text("cli", "Width of the LED matrix."))
    ] = None,
    log: LogOption = None,
    journal: Annotated[
        Path | None, typer.Option(help=text("cli", "The season's file, where games are kept."))
    ] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help=text("cli", "Keep no journal of this game."))
    ] = False,
    keys: Annotated[
        bool, typer.Option(help=text("cli", "Keys of this terminal are pads; else only the page."))
    ] = True,
    page: PageOption = True,
    share: ShareOption = False,
    settings: SettingsOption = None,
) -> None:
    """Play games."""
    source = _camera(camera)
    is_box = is_pi() and source is not None
    chosen, mistakes = load_or_safe(settings)
    if mistakes and not is_box:
        raise refusal(mistakes)
    chosen = with_camera(chosen, deck=deck)
    if width is not None:
        chosen = with_values(chosen, {"display": {"width": int(width)}})
    if chosen.language:
        choose_language(chosen.language)
    name = game.value if game else chosen.game
    setup = Setup(
        name,
        _names(players, chosen, name),
        agreed_rules(chosen, name, preset, option or []),
        chosen.camera.own_deck or chosen.camera.deck,
        time.time_ns() % 1_000_000 if seed is None else seed,
    )
    has_page = page and chosen.page.on
    has_keys = keys and (sys.stdin.isatty() or not is_box)

    def make(new: NewGame) -> PlayGame:
        return PlayGame(chosen, with_log(new, log), camera=source, keys=has_keys, page=has_page)

    kept = None if forget else journal or journal_path(chosen, time.localtime().tm_year)
    house = open_house(
        chosen,
        make,
        is_box=is_box,
        journal=kept,
        page=page_address(chosen, kept, is_box=is_box, share=share) if has_page else None,
        guides=guides_of(
            chosen,
            source,
            is_box=is_box,
            folder=journal_path(chosen, 0).parent,
        ),
    )
    try:
        _begin(house.evening, setup, mistakes, asked=game is not None or players is not None)
        Table(house, is_box=is_box).run()
    finally:
        house.close()


def _begin(evening: Evening, setup: Setup, mistakes: list[Mistake], *, asked: bool) -> None:
    """A game that was interrupted goes on, else a new one begins; bad settings are mended first."""
    if mistakes:
        evening.be_safe(
            {name: " ".join(each.sentence(name) for each in mistakes) for name in LANGUAGES}
        )
        return
    opened = evening.journal.open_game() if evening.journal is not None else None
    if opened is not None and not (asked and opened.log.header.game != setup.game):
        evening.go_on(opened)
    else:
        evening.begin(setup)


def _camera(asked: str | None) -> str | None:
    """What to look at; None: the drawn table. On a Pi its own camera, if nothing was asked for."""
    if asked is None:
        return "pi" if is_pi() else None
    return None if asked == "drawn" else asked


def _names(written: str | None, settings: Settings, game: str) -> tuple[str, ...]:
    if written is None:
        return settings.players[:2] if game == "spit" else settings.players
    return read_players([name for name in written.split(",") if name.strip()], game)


class Table:
    """The terminal around games with people."""

    def __init__(self, house: House, *, is_box: bool) -> None:
        """Prepare; nothing is shown yet."""
        self._house, self._evening, self._is_box = house, house.evening, is_box
        self._view = GameView("", {}, demo=False)
        self._shown: LiveGame | None = None
        self._asking = False
        self._ended_ns: int | None = None

    def run(self) -> None:
        """Play until q was pressed or the last game is over; systemd hears that all is well."""
        health = Health.from_environment()
        console = Console()
        live = Live(console=console, auto_refresh=False, screen=True)
        if not (console.is_terminal or self._is_box) and self._house.page is not None:
            # There is no matrix and no picture of one: the code stands nowhere else.
            console.print(self._page(), highlight=False, soft_wrap=True)
        with live if console.is_terminal else nullcontext():
            health.ready(text("cli", "Playing."))
            drawn_ns = 0
            while not self._quits() and not self._is_done():
                for verdict in self._house.step():
                    self._say(verdict)
                now_ns = time.monotonic_ns()
                health.beat(now_ns)
                if console.is_terminal and now_ns - drawn_ns >= REFRESH_NS:
                    drawn_ns = now_ns
                    self._draw(live)
                time.sleep(STEP_S)
        health.stopping()

    def _is_done(self) -> bool:
        """The game is over and was shown long enough; a box begins the next one by itself."""
        if self._evening.state != OVER:
            self._ended_ns = None
            return False
        now_ns = time.monotonic_ns()
        self._ended_ns = self._ended_ns or now_ns
        if now_ns - self._ended_ns < LINGER_NS:
            return False
        if self._is_box:
            self._again()
            return False
        return self._house.page is None

    def _again(self) -> None:
        """The same game once more, with other cards."""
        setup = self._evening.setup
        if setup is not None:
            seed = None if setup.seed is None else time.time_ns() % 1_000_000
            self._evening.begin(replace(setup, seed=seed))

    def _quits(self) -> bool:
        game = self._evening.game
        if game is None:
            return False
        for key in game.commands():
            if key == FLIP_KEY:
                game.flip()
            elif key in "".join(STOCK_KEYS) and game.lines:
                self._use(game, key)
            elif key == UNDO_KEY:
                self._tell(Undo(time.monotonic_ns()))
            elif key in ANSWER_KEYS:
                self._tell(TableAnswer(time.monotonic_ns(), ANSWER_KEYS[key]))
            elif key == AGAIN_KEY and self._evening.state == OVER:
                self._again()
                return False
            elif key in QUIT_KEYS:
                if self._evening.state == PLAYING:
                    self._evening.end()
                return True
        return False

    def _use(self, game: LiveGame, key: str) -> None:
        number = next(i for i, keys in enumerate(STOCK_KEYS) if key in keys)
        game.use(game.referee.header.players[number], STOCK_KEYS[number].index(key))

    def _tell(self, ruling: Ruling) -> None:
        """The table overrules the box."""
        for verdict in self._evening.tell(ruling):
            self._say(verdict)

    def _say(self, verdict: Verdict) -> None:
        if verdict.kind in SLAP_KINDS:
            self._asking = verdict.kind in ("ask_table", "pending_slap")
        if verdict.kind not in QUIET:
            self._view.say(sentence(verdict), style=STYLES.get(verdict.kind, ""))

    def _draw(self, live: Live) -> None:
        evening = self._evening
        game = evening.game
        if game is None:
            return
        if game is not self._shown:
            self._shown, self._asking = game, False
            title = text("cli", "Referee box") + f" · {game.referee.header.game}"
            self._view = GameView(title, evening.seats, demo=game.is_demo)
        if evening.frame is not None:
            self._view.see(evening.frame.image)
        self._view.hint, self._view.notes = self._hint(game), game.lines
        size = live.console.size
        picture = evening.led.picture(time.monotonic_ns())
        terminal = (size.width, size.height)
        drawn = self._view.draw(picture, game.referee.table, terminal, game.state)
        live.update(drawn, refresh=True)

    def _hint(self, game: LiveGame) -> str:
        if self._asking:
            return text("cli", "Was there something to slap? j yes, n no, l play on")
        seats = "  ".join(f"{seat} {name}" for name, seat in self._evening.seats.items())
        flips = text("cli", "space flips the next card") if game.is_demo else ""
        stocks = text("cli", "stock piles: {keys}").format(keys="  ".join(STOCK_KEYS))
        ends = text("cli", "u takes back the last verdict, q ends")
        again = text("cli", "r plays again") if self._evening.state == OVER else ""
        parts = (seats, flips, stocks if game.lines else "", ends, again, self._page())
        return "   ".join(filter(None, parts))

    def _page(self) -> str:
        page = self._house.page
        if page is None:
            return ""
        words = text("cli", "page: {url} (code {code})")
        return words.format(url=page.address.url, code=self._evening.code)
