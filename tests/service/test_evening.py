"""An evening of games: begun, told, kept, taken up again; and the page's wishes."""

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hardware.announcement import Announcement
from hardware.drawing import draw
from hardware.protocols import Frame
from referee.locale import LANGUAGES, text
from referee.rules.cards import parse_card
from referee.rules.errors import BadLog
from referee.rules.events import Award, Flip, Observation, Slap, Tick, Undo, Watermark
from referee.rules.house_rules import house_rules
from referee.rules.position import Deal
from referee.rules.referee import Referee
from referee.rules.verdicts import Verdict
from referee.service import wishes
from referee.service.announce import announce_state
from referee.service.box_guides import guides_of
from referee.service.broadcast import Broadcast
from referee.service.calibration.talk import Talk
from referee.service.evening import OVER, PLAYING, SAFE, Clocks, Evening
from referee.service.faults.steady_display import SteadyDisplay
from referee.service.faults.watchman import Look
from referee.service.guides import TalkGuide
from referee.service.journal.clock import moved
from referee.service.journal.journal import Journal
from referee.service.live_game import NewGame
from referee.service.settings.fields import Settings
from referee.service.setup import Setup
from referee.service.wishes import Wishes

MS = 1_000_000
PLAYERS = ("Ann", "Bo")


class Matrix:
    """A display that remembers."""

    size = (32, 8)

    def __init__(self) -> None:
        self.shown: list[Image.Image] = []
        self.closed = False

    def show(self, picture: Image.Image) -> None:
        self.shown.append(picture)

    def close(self) -> None:
        self.closed = True


class Voice:
    """Speaks German, whatever the box speaks."""

    language = "de"

    def __init__(self, spoken: list[tuple[str, str]]) -> None:
        self.spoken = spoken

    def say(self, announcement: Announcement, now_ns: int) -> None:
        self.spoken.append((announcement.kind, announcement.sentence))

    def step(self, now_ns: int) -> None:
        pass

    def close(self) -> None:
        self.spoken.append(("closed", ""))


class Game:
    """A live game whose table is a list."""

    zone = (0, 0, 8, 8)
    is_demo = True
    is_interactive = True
    stamp = "software"
    state = "still"
    lines: Sequence[str] = ()

    def __init__(self, new: NewGame) -> None:
        setup = new.setup
        self.referee = new.referee or Referee(
            setup.game, setup.players, setup.house_rules, Deal(dealer=setup.players[-1])
        )
        self.record = new.record(self.referee.header, {"stamp": self.stamp, "deck": setup.deck})
        self.on_frame, self.offset_ns = new.on_frame, new.offset_ns
        self.coming: list[Observation] = []
        self.flips = self.wakes = 0
        self.touched: list[tuple[str, int]] = []
        self.used: list[tuple[str, int]] = []
        self.closed = False

    @property
    def is_over(self) -> bool:
        return self.referee.table.winner is not None

    def looks(self) -> Sequence[Look]:
        return []

    def step(self) -> list[Verdict]:
        coming, self.coming = self.coming, []
        return self.hear(coming)

    def hear(self, told: Iterable[Observation]) -> list[Verdict]:
        said = []
        for stamped in told:
            seen = moved(stamped, self.offset_ns)
            verdicts = self.referee.observe(seen)
            if self.record is not None:
                self.record.write(seen, verdicts)
            said += verdicts
        return said

    def snapshot(self) -> dict[str, Any] | None:
        return {"steps": len(self.referee.log)}

    def touches(self) -> list[Slap]:
        coming, self.coming = self.coming, []
        return [one for one in coming if isinstance(one, Slap)]

    def finish(self) -> list[Verdict]:
        return self.referee.finish()

    def commands(self) -> list[str]:
        return []

    def flip(self) -> None:
        self.flips += 1

    def use(self, player: str, place: int) -> None:
        self.used.append((player, place))

    def touch(self, player: str, t_ns: int) -> bool:
        self.touched.append((player, t_ns))
        return t_ns > 0

    def wake(self) -> None:
        self.wakes += 1

    def close(self) -> None:
        self.closed = True
        if self.record is not None:
            self.record.close()


class House:
    """An evening with everything around it."""

    def __init__(self, journal: Journal | None = None, *, boot: str = "one", **more: Any) -> None:
        self.told: list[dict[str, Any]] = []
        self.games: list[Game] = []
        self.news: list[NewGame] = []
        self.now_ns = 1_000 * MS
        self.matrix = Matrix()
        self.spoken: list[tuple[str, str]] = []
        self.evening = Evening(
            self.make,
            Broadcast(self.told.append),
            Clocks(lambda: self.now_ns, lambda: 1_700_000_000_000, boot),
            journal=journal,
            display=self.matrix,
            followers=[Voice(self.spoken)],
            **more,
        )
        self.wishes = Wishes(self.evening, lambda: self.now_ns)

    def make(self, new: NewGame) -> Game:
        self.news.append(new)
        self.games.append(Game(new))
        return self.games[-1]

    @property
    def game(self) -> Game:
        return self.games[-1]

    def play(self, *seen: Observation) -> list[Verdict]:
        """Let things happen, and the watermarks pass them."""
        newest_ns = max(one.t_ns for one in seen)
        marks = [Watermark(newest_ns + 250 * MS, source) for source in ("pads", "camera")]
        self.game.coming += [*seen, *marks]
        self.now_ns = newest_ns + 250 * MS
        return self.evening.step()

    def ask(self, wish: str, **fields: Any) -> dict[str, Any]:
        self.wishes.grant([{"ask": wish, "id": 1, **fields}])
        answer = self.told[-1]
        assert answer["type"] == "answer"
        return answer

    def kinds(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.told if message["type"] == kind]


def setup(game: str = "slapjack") -> Setup:
    return Setup(game, PLAYERS, house_rules(game), "de", 1)


def flip(card: str, at_ms: int) -> Flip:
    return Flip(at_ms * MS, parse_card(card), None, 16 * MS, 0)


def jack_is_slapped(house: House, at_ms: int = 2_000) -> list[Verdict]:
    said = house.play(flip("2H", at_ms), flip("JS", at_ms + 1_000))
    return said + house.play(Slap((at_ms + 1_300) * MS, "Bo"), Slap((at_ms + 1_340) * MS, "Ann"))


def test_game_is_told_and_spoken() -> None:
    house = House()
    house.evening.begin(setup())
    jack_is_slapped(house)
    assert house.kinds("game")[0]["header"]["players"] == ["Ann", "Bo"]
    kinds = [message["verdict"]["verdict"] for message in house.kinds("said")]
    assert "valid_slap" in kinds
    assert "late_slap" in kinds
    assert [message["n"] for message in house.kinds("said")] == list(range(len(kinds)))
    spoken = dict(house.spoken)
    assert spoken["valid_slap"].startswith("Bo war zuerst")
    house.evening.close()
    assert house.spoken[-1] == ("closed", "")
    seen = [message["record"]["kind"] for message in house.kinds("seen")]
    assert seen == ["flip", "flip", "slap", "slap"]


class Box(House):
    """An evening at a real matrix; what it had shown when the game's parts were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.shown_before: list[Image.Image] = []
        self.evening = Evening(
            self.make,
            Broadcast(self.told.append),
            Clocks(lambda: self.now_ns, lambda: 1_700_000_000_000, "one"),
            display=SteadyDisplay(lambda: self.matrix),
            followers=[Voice(self.spoken)],
        )

    def make(self, new: NewGame) -> Game:
        self.shown_before = list(self.matrix.shown)
        return super().make(new)


def test_box_says_hands_off_before_pads_and_camera_are_opened() -> None:
    # A pad that is touched while its chip calibrates stays deaf for the evening.
    box = Box()
    box.evening.begin(setup())
    assert box.spoken[0][0] == "hands_off"
    assert box.shown_before[-1].tobytes() == draw(announce_state("hands_off"), (32, 8)).tobytes()


def test_laptop_has_no_pads_to_keep_hands_off_from() -> None:
    house = House()
    house.evening.begin(setup())
    assert "hands_off" not in dict(house.spoken)


@pytest.mark.parametrize("card", ["JS", "7S"])
def test_slap_that_waited_is_waited_for_no_longer(card: str) -> None:
    house = House()
    house.evening.begin(setup())
    house.play(flip(card, 2_000))
    house.game.coming += [Slap(2_400 * MS, "Bo"), Slap(2_450 * MS, "Ann")]
    house.game.coming += [Watermark(3_500 * MS, "pads"), Tick(3_500 * MS)]
    house.evening.step()
    house.evening.picture()
    assert house.kinds("table")[-1]["hold"]
    house.game.coming += [Watermark(3_500 * MS, "camera")]
    house.evening.step()
    house.evening.picture()
    assert not house.kinds("table")[-1]["hold"]


def test_race_names_every_hand_and_its_outcome() -> None:
    house = House()
    house.evening.begin(setup())
    jack_is_slapped(house)
    race = house.kinds("race")[-1]
    assert race["card"]["card"] == "JS"
    assert [(lane["slap"]["player"], lane["outcome"]) for lane in race["lanes"]] == [
        ("Bo", "won"),
        ("Ann", "late"),
    ]
    assert race["verdict"]["verdict"] == "valid_slap"


def test_race_has_the_pile_before_and_after_the_card() -> None:
    import numpy as np

    house = House()
    house.evening.begin(setup())
    for at_ms in range(2_000, 4_000, 100):
        image = np.full((8, 8, 3), 250 if at_ms >= 3_000 else 5, np.uint8)
        house.game.on_frame(Frame(at_ms, at_ms * MS, 0, 0, image))
    jack_is_slapped(house)
    race = house.kinds("race")[-1]
    assert (race["before"], race["after"]) == ("1-2-before", "1-2-after")
    assert [crop["id"] for crop in house.kinds("crop")] == ["1-2-before", "1-2-after"]
    before, after = (crop["jpeg"] for crop in house.kinds("crop"))
    assert before != after


def test_pictures_are_forgotten_after_the_game_unless_they_are_kept(tmp_path: Path) -> None:
    import numpy as np

    for kept in (False, True):
        journal = Journal.open(tmp_path / f"{kept}.db")
        house = House(journal, keeps_pictures=kept)
        house.evening.begin(setup())
        frame = Frame(0, 2_500 * MS, 0, 0, np.zeros((8, 8, 3), np.uint8))
        house.game.on_frame(frame)
        jack_is_slapped(house)
        house.evening.end()
        assert bool(journal.crops(1)) is kept
        assert bool(house.kinds("no_crops")) is not kept
        house.evening.close()
        journal.close()


def test_pictures_of_all_games_are_deleted_on_wish(tmp_path: Path) -> None:
    import numpy as np

    journal = Journal.open(tmp_path / "season.db")
    house = House(journal, keeps_pictures=True)
    for _ in range(2):
        house.evening.begin(setup())
        house.game.on_frame(Frame(0, 2_500 * MS, 0, 0, np.zeros((8, 8, 3), np.uint8)))
        jack_is_slapped(house)
        house.evening.end()
    assert house.ask("delete_pictures")["ok"]
    assert (bool(journal.crops(1)), bool(journal.crops(2))) == (True, False)
    assert house.ask("delete_pictures", all=True)["ok"]
    assert not journal.crops(1)
    house.evening.close()
    journal.close()


def test_new_page_is_told_the_same_game() -> None:
    house = House()
    house.evening.begin(setup())
    jack_is_slapped(house)
    house.evening.picture()
    house.evening.tell(Award(house.now_ns, "Ann"))
    greeting = house.evening.broadcast.greeting()
    for kind in ("box", "game", "seen", "said", "race"):
        newest = {}
        for message in house.kinds(kind):
            newest[message.get("id", message.get("n", str(message)))] = message
        told = [message for message in greeting if message["type"] == kind]
        assert told == (house.kinds(kind)[-1:] if kind == "box" else list(newest.values()))
    assert [message["type"] for message in greeting][-2:] == ["table", "led"]


def test_correction_rewrites_the_races() -> None:
    house = House()
    house.evening.begin(setup())
    jack_is_slapped(house)
    record = {"kind": "judge", "ruling": "void_slap", "player": "Bo", "ref_t_ns": 3_300 * MS}
    assert house.ask("rule", record=record)["ok"]
    race = [message for message in house.told if message["type"] == "race"][-1]
    assert [lane["outcome"] for lane in race["lanes"]] == ["won"]
    assert race["lanes"][0]["slap"]["player"] == "Ann"


def test_game_that_was_cut_off_goes_on_with_the_same_books(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "season.db")
    first = House(journal)
    first.evening.begin(setup())
    jack_is_slapped(first)
    books = first.game.referee.table
    said = first.game.referee.verdicts
    first.game.record.close()  # type: ignore[union-attr]
    journal.close()

    journal = Journal.open(tmp_path / "season.db")
    opened = journal.open_game()
    assert opened is not None
    second = House(journal, boot="two")
    second.now_ns = 70 * MS
    second.evening.go_on(opened)
    assert second.game.referee.table == books
    assert second.game.referee.verdicts == said
    assert [m["verdict"] for m in second.kinds("said")] == [
        m["verdict"] for m in first.kinds("said")
    ]
    assert second.kinds("game")[0]["resumed"]
    assert second.news[0].table == {"steps": len(opened.log.observations)}
    second.evening.step()
    assert [fault["code"] for fault in second.kinds("fault")] == ["E44"]
    jack_is_slapped(second, 500)
    assert len(second.game.referee.verdicts) > len(said)
    second.evening.end()
    assert journal.open_game() is None
    second.evening.close()
    journal.close()


def test_page_learns_where_games_are_kept_now(tmp_path: Path) -> None:
    damaged = tmp_path / "season.db"
    damaged.write_bytes(b"no database " * 999)
    journal = Journal.open(tmp_path / "season.db")
    house = House(journal)
    house.evening.begin(setup())
    house.evening.picture()
    house.evening.step()
    assert house.kinds("box")[-1]["journal"] == str(journal.path) != str(damaged)
    assert [fault["code"] for fault in house.kinds("fault")] == ["E43"]
    house.evening.close()
    journal.close()


def test_bad_settings_wait_and_say_so() -> None:
    house = House()
    house.evening.be_safe({"en": "bad pads", "de": "schlechte Pads"})
    house.evening.step()
    assert house.evening.state == SAFE
    assert house.kinds("box")[-1]["reason"] == {"en": "bad pads", "de": "schlechte Pads"}
    assert [fault["code"] for fault in house.kinds("fault")] == ["E71"]
    first = house.matrix.shown[-1:]
    house.evening.picture()
    assert house.matrix.shown[-1:] != first
    asked = {"game": "slapjack", "players": ["Ann", "Bo"]}
    assert house.ask("start", **asked)["ok"]
    house.evening.step()
    assert house.evening.state == PLAYING
    assert house.kinds("fault")[-1] == {"type": "fault", "code": "E71", "seat": None, "on": False}


# --- wishes --------------------------------------------------------------------------------------


def test_start_takes_another_game_and_other_people() -> None:
    house = House()
    house.evening.begin(setup())
    wanted = {"game": "ratscrew", "players": ["Cleo", "Dan", "Eve"], "preset": "kids", "deck": "fr"}
    assert house.ask("start", **wanted)["ok"]
    header = house.kinds("game")[-1]["header"]
    assert (header["game"], header["players"]) == ("ratscrew", ["Cleo", "Dan", "Eve"])
    assert house.games[0].closed
    assert house.evening.setup is not None
    assert house.evening.setup.deck == "fr"


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        ({"game": "poker", "players": ["A", "B"]}, "poker"),
        ({"game": "slapjack", "players": ["A"]}, "players"),
        ({"game": "slapjack", "players": "AB"}, "players"),
        ({"game": "slapjack", "players": ["A", "a"]}, "share"),
        ({"game": "slapjack", "players": ["A", "x" * 99]}, "name"),
        ({"game": "slapjack", "players": ["A", "\x07"]}, "name"),
        ({"game": "spit", "players": ["A", "B", "C"]}, "2"),
        ({"game": "slapjack", "players": ["A", "B"], "preset": "wild"}, "preset"),
        ({"game": "slapjack", "players": ["A", "B"], "rules": {"nosuch": 1}}, "nosuch"),
        ({"game": "slapjack", "players": ["A", "B"], "rules": [1]}, "rules"),
        ({"game": "slapjack", "players": ["A", "B"], "deck": "klingon"}, "deck"),
        ({"game": "slapjack", "players": ["A", "B"], "seed": "x"}, "seed"),
        ({"game": None, "players": None}, "game"),
    ],
)
def test_bad_start_is_refused_in_a_sentence_and_the_game_goes_on(
    asked: dict[str, Any], about: str
) -> None:
    house = House()
    house.evening.begin(setup())
    answer = house.ask("start", **asked)
    assert not answer["ok"]
    assert about in answer["sentence"]["en"]
    assert house.evening.state == PLAYING
    assert len(house.games) == 1


@pytest.mark.parametrize(
    "record",
    [
        None,
        {},
        {"kind": "slap", "player": "Ann"},
        {"kind": "flip", "card": "JS", "player": None},
        {"kind": "watermark", "source": "pads"},
        {"kind": "judge", "ruling": "nosuch"},
        {"kind": "judge", "ruling": "award", "player": "Mallory"},
        {"kind": "judge", "ruling": "award", "player": 7},
        {"kind": "judge", "ruling": "penalty", "player": "Ann", "to": "moon", "n": 1},
        {"kind": "judge", "ruling": "card_is", "card": "ZZ", "ref_t_ns": 1},
    ],
)
def test_what_is_no_ruling_is_refused(record: object) -> None:
    house = House()
    house.evening.begin(setup())
    answer = house.ask("rule", record=record)
    assert not answer["ok"]
    assert answer["sentence"]["en"]
    assert len(house.kinds("seen")) == 0


def test_ruling_is_ruled_on_at_the_time_of_the_box() -> None:
    house = House()
    house.evening.begin(setup())
    jack_is_slapped(house)
    assert house.ask("rule", record={"kind": "judge", "ruling": "undo", "t_ns": 5})["ok"]
    ruling = house.game.referee.log[-1]
    assert ruling == Undo(house.now_ns)


@pytest.mark.parametrize(
    ("wish", "fields"),
    [
        ("touch", {"seat": 3, "t_ns": 5}),
        ("touch", {"seat": 1, "t_ns": "5"}),
        ("touch", {"seat": 1, "t_ns": -5}),
        ("touch", {}),
        ("use", {"seat": 1, "place": 9}),
        ("use", {"seat": 1, "place": "x"}),
        ("seat", {"seat": None}),
        ("nosuch", {}),
        ("self_test", {"on": True}),
    ],
)
def test_wishes_that_cannot_be_granted_are_refused(wish: str, fields: dict[str, Any]) -> None:
    house = House()
    house.evening.begin(setup())
    answer = house.ask(wish, **fields)
    assert not answer["ok"]
    assert all(answer["sentence"][name] for name in LANGUAGES)


def test_page_plays_a_drawn_table() -> None:
    house = House()
    house.evening.begin(setup())
    for wish, fields in (
        ("seat", {"seat": 2}),
        ("touch", {"seat": 2, "t_ns": 77}),
        ("flip", {}),
        ("use", {"seat": 1, "place": 3}),
    ):
        assert house.ask(wish, **fields)["ok"]
    game = house.game
    assert (game.wakes, game.touched, game.flips, game.used) == (1, [("Bo", 77)], 1, [("Ann", 3)])


def test_page_never_plays_a_real_table() -> None:
    house = House()
    house.evening.begin(setup())
    house.game.is_interactive = False
    for wish in ("seat", "touch", "flip", "use"):
        assert not house.ask(wish, seat=1, t_ns=5, place=0)["ok"]
    assert not house.game.touched
    assert not house.game.flips


def test_pads_are_tested_between_two_games() -> None:
    house = House()
    house.evening.begin(setup())
    assert house.ask("end_game")["ok"]
    assert house.evening.state == OVER
    assert house.ask("self_test", on=True)["ok"]
    house.game.coming += [Slap(5, "Bo", 2, 3, "kernel"), Watermark(9, "pads")]
    house.evening.step()
    (touch,) = house.kinds("touch")
    assert (touch["seat"], touch["stamp"], touch["early_ns"]) == (2, "kernel", 2)
    assert house.ask("self_test", on=False)["ok"]
    house.game.coming += [Slap(6, "Bo")]
    house.evening.step()
    assert len(house.kinds("touch")) == 1


def test_code_is_six_digits_and_shown_when_asked_for() -> None:
    house = House()
    house.evening.begin(setup())
    assert len(house.evening.code) == 6
    assert house.evening.code.isdigit()
    house.evening.picture()
    before = house.matrix.shown[-1].tobytes()
    assert house.ask("show_code")["ok"]
    house.evening.picture()
    assert house.matrix.shown[-1].tobytes() != before


def test_code_on_the_matrix_is_not_told_to_the_page() -> None:
    # The page drew the matrix as it was: whoever let it show the code could read it from anywhere.
    house = House()
    house.evening.begin(setup())
    house.evening.picture()
    assert house.ask("show_code")["ok"]
    house.evening.picture()
    assert set("".join(house.kinds("led")[-1]["rows"])) == {"0"}
    assert house.matrix.shown[-1].getbbox() is not None
    for _ in range(200):
        house.now_ns += 100 * MS
        house.evening.picture()
    assert set("".join(house.kinds("led")[-1]["rows"])) != {"0"}


def test_live_picture_is_sent_only_while_somebody_looks() -> None:
    import numpy as np

    house = House()
    house.evening.begin(setup())
    house.game.on_frame(Frame(0, house.now_ns, 0, 0, np.zeros((8, 8, 3), np.uint8)))
    house.evening.picture()
    assert not house.kinds("picture")
    house.ask("picture")
    for _ in range(100):
        house.now_ns += 300 * MS
        house.evening.picture()
    assert 30 <= len(house.kinds("picture")) <= 34


def test_every_answer_is_also_german() -> None:
    import ast
    import inspect

    literals = set()
    for node in ast.walk(ast.parse(inspect.getsource(wishes))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
            literals |= {arg.value for arg in node.args if isinstance(arg, ast.Constant)}
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Constant):
            literals |= {node.value.value}
    sentences = {literal for literal in literals if isinstance(literal, str) and literal}
    assert len(sentences) > 10
    for sentence in sentences:
        assert text(wishes.AREA, sentence, language="de") != sentence


def test_game_that_cannot_be_had_leaves_a_table_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game whose parts cannot be had leaves the evening without one, and the next can begin."""
    from referee.rules.errors import RefereeError

    house = House()
    house.evening.begin(setup())

    def fail(new: NewGame) -> Game:
        raise RefereeError("no camera")

    make: Callable[[NewGame], Any] = house.evening._make_game
    monkeypatch.setattr(house.evening, "_make_game", fail)
    assert not house.ask("start", game="slapjack", players=["A", "B"])["ok"]
    assert house.evening.game is None
    assert house.evening.step() == []
    house.evening.picture()
    monkeypatch.setattr(house.evening, "_make_game", make)
    assert house.ask("start", game="slapjack", players=["A", "B"])["ok"]
    assert house.evening.state == PLAYING


# --- guides --------------------------------------------------------------------------------------


def talkative(talk: Talk) -> bool:
    """A calibration that asks once, then says what it found."""
    talk.tell("Lay one card in the middle.")
    talk.ask("Ready?")
    talk.progress("1 of 1")
    talk.tell("All is well.", "good")
    return True


def follow(house: House, done: Callable[[], bool]) -> list[dict[str, Any]]:
    """Let the guide's thread work until something has happened."""
    tick = threading.Event()
    for _ in range(3_000):
        house.evening.step()
        if done():
            return house.kinds("guide")
        tick.wait(0.01)
    raise AssertionError("the guide does not go on")


def until_asked(house: House) -> None:
    follow(house, lambda: any(one["step"] == "ask" for one in house.kinds("guide")))


def until_over(house: House) -> list[dict[str, Any]]:
    return follow(house, lambda: house.evening.guide is None)


def guided(work: Callable[[Talk], bool]) -> House:
    house = House()
    house.wishes = Wishes(
        house.evening, lambda: 0, {"pads": lambda: TalkGuide("pads", work, lambda: "anJwZw==")}
    )
    house.evening.begin(setup())
    assert not house.ask("guide", name="pads", action="start")["ok"]
    house.evening.end()
    return house


def test_guide_leads_people_between_two_games() -> None:
    house = guided(talkative)
    assert house.ask("guide", name="pads", action="start")["ok"]
    assert house.games[0].closed
    until_asked(house)
    assert house.ask("guide", name="pads", action="next")["ok"]
    said = until_over(house)
    assert [message["done"] for message in said[-2:]] == [False, True]
    assert (said[-1]["ok"], said[-1]["jpeg"]) == (True, "anJwZw==")
    assert "All is well." in said[-1]["sentence"]["de"]
    assert house.ask("start", game="slapjack", players=["A", "B"])["ok"]


def test_guide_can_be_cancelled_while_it_waits() -> None:
    house = guided(talkative)
    house.ask("guide", name="pads", action="start")
    until_asked(house)
    assert house.ask("guide", name="pads", action="cancel")["ok"]
    assert until_over(house)[-1]["ok"] is False


@pytest.mark.parametrize("error", [BadLog("no tap within 60 s"), RuntimeError("surprise")])
def test_guide_that_fails_says_so_and_the_box_lives(error: Exception) -> None:
    def work(talk: Talk) -> bool:
        raise error

    house = guided(work)
    house.ask("guide", name="pads", action="start")
    last = until_over(house)[-1]
    assert last["ok"] is False
    assert str(error) in last["sentence"]["en"]


@pytest.mark.parametrize(
    "fields", [{"name": "nosuch", "action": "start"}, {"name": "pads", "action": "next"}, {}]
)
def test_guides_that_do_not_run_are_refused(fields: dict[str, Any]) -> None:
    house = guided(talkative)
    assert not house.ask("guide", **fields)["ok"]


def test_camera_guide_shows_what_it_saw(tmp_path: Path) -> None:
    import base64

    house = House()
    guides = guides_of(Settings(), None, is_box=False, folder=tmp_path)
    house.wishes = Wishes(house.evening, lambda: 0, guides)
    assert house.ask("guide", name="camera", action="start")["ok"]
    last = until_over(house)[-1]
    assert last["done"]
    assert last["ok"]
    assert base64.b64decode(last["jpeg"])[:2] == b"\xff\xd8"


def test_deck_that_was_taught_is_played_with_and_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.service import evening

    monkeypatch.setattr(wishes, "taught_decks", lambda: ["oma"])
    monkeypatch.setattr(evening, "taught_decks", lambda: ["oma"])
    house = House()
    house.evening.begin(setup())
    assert house.kinds("box")[-1]["decks"] == ["oma"]
    assert house.ask("start", game="slapjack", players=["A", "B"], deck="oma")["ok"]
    assert house.kinds("game")[-1]["deck"] == "oma"
    assert not house.ask("start", game="slapjack", players=["A", "B"], deck="opa")["ok"]
