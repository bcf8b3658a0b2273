"""Settings: defaults, every kind of mistake in one sentence, all of them at once."""

from pathlib import Path

import pytest

from referee.rules.presets import PRESETS
from referee.service.config import (
    BadSettings,
    Mistake,
    load_or_safe,
    load_settings,
    parse_settings,
    with_camera,
)
from referee.service.settings.check import check
from referee.service.settings.keys import keys


def mistakes(content: str) -> list[Mistake]:
    return check(content, "box.toml")[2]


def said(content: str) -> list[str]:
    return [mistake.sentence("en") for mistake in mistakes(content)]


def test_no_file_gives_the_defaults() -> None:
    settings = load_settings(None)
    assert settings.game == "slapjack"
    assert settings.players == ("Ann", "Bo", "Cy", "Di")


def test_file_changes_only_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('game = "ratscrew"\n[pads]\nkind = "ttp223"\n')
    settings = load_settings(path)
    assert (settings.game, settings.pads.kind, settings.pads.lockout_ms) == (
        "ratscrew",
        "ttp223",
        120,
    )


def test_every_kind_of_value_is_read() -> None:
    settings = parse_settings(
        "camera.zone = [1, 2, 30, 40]\ncamera.card_height_px = 300\n"
        "[page]\non = false\nnames = ['box.example']\n[rules]\ntriggers = ['jack', 'pair']\n"
    )
    assert settings.camera.zone == (1, 2, 30, 40)
    assert settings.camera.card_height_px == 300.0
    assert (settings.page.on, settings.page.names) == (False, ("box.example",))
    assert settings.rules == {"triggers": ["jack", "pair"]}


def test_file_of_a_windows_editor_is_read(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_bytes('\ufeffgame = "spit"\r\n[display]\r\nwidth = 64\r\n'.encode())
    assert load_settings(path).display.width == 64


def test_presets_of_the_settings_are_those_of_the_rules() -> None:
    assert keys()["preset"].choices == PRESETS


def test_deck_of_the_command_replaces_that_of_the_file() -> None:
    settings = parse_settings("[camera]\nframes_per_second = 30")
    assert with_camera(settings, deck="nl").camera.deck == "nl"
    assert with_camera(settings, deck="nl").camera.frames_per_second == 30
    assert with_camera(settings, deck=None) is settings


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "game = 'chess'",
            'line 1: game: found "chess", expected one of "slapjack", "ratscrew", "spit" '
            '(change it, or delete the line: then "slapjack" is used)',
        ),
        ("game = 'slapjak'", '(did you mean "slapjack"?)'),
        ("language = 'fr'", 'expected one of "de", "en" (change it, or delete the line)'),
        ("[pads]\nkind = 'ttp22'", 'line 2: pads.kind: found "ttp22", expected one of "at42qt10'),
        ("gmae = 'spit'", "gmae: there is no such key, expected one of language, game, players"),
        ("gmae = 'spit'", '(did you mean "game"?)'),
        ("brightness = 3", "(it belongs under [display])"),
        ("tie_ms = 3", "(it belongs under [rules])"),
        (
            "[off]\nplayers = ['A', 'B']",
            "off.players: there is no such key, expected one of hold_s "
            "(it belongs under the top of the file, above the first [table])",
        ),
        ("[pads]\nfoo = 1", "(change it, or delete the line)"),
        ("[displai]\nwidth = 32", "displai: there is no such table, expected one of language"),
        ("[displai]\nwidth = 32", '(did you mean "display"?)'),
        ("display = 64", "display: found 64, expected a table (write [display])"),
        ("rules = 1", "rules: found 1, expected a table (write [rules])"),
        ("[[pads]]\nkind = 'ttp223'", "pads: two brackets, expected one bracket (write [pads])"),
        ("players = ['Ann', 'Ann']", 'expected 2 to 10 different names, such as ["Ann", "Bo"]'),
        ("players = ['Ann']", 'players: found ["Ann"], expected 2 to 10'),
        ("players = ['Ann', 3]", 'players: found ["Ann", 3], expected 2 to 10'),
        ("players = ['Ann', 'A,B']", "expected 2 to 10 different names"),
        ("players = ['Ann', '']", "expected 2 to 10 different names"),
        ("players = ['Ann', \"\\u001b[2J\"]", "expected 2 to 10 different names"),
        ("[camera]\ncard_height_px = 10", "card_height_px: found 10, expected a number from 60 to"),
        ("[camera]\ncard_height_px = nan", "card_height_px: found nan, expected a number from 60"),
        ("[camera]\nzone = [0, 0, 0, 5]", "zone: found [0, 0, 0, 5], expected left, top, width"),
        ("[camera]\nzone = [0, 0, 5]", "zone: found [0, 0, 5], expected left, top, width"),
        ("[display]\nbrightness = true", "brightness: found true, expected a whole number from 0"),
        ("[display]\nbrightness = 3.5", "brightness: found 3.5, expected a whole number from 0"),
        ("[display]\nbrightness = '3'", "(leave out the quotation marks: 3)"),
        ("[display]\nwidth = 2020-01-01", "width: found 2020-01-01, expected one of 32, 64"),
        ("[page]\non = 'ja'", 'page.on: found "ja", expected true or false (write true)'),
        ("[page]\non = 0", "page.on: found 0, expected true or false (write false)"),
        ("[page]\nport = 80", "page.port: found 80, expected a whole number from 1024 to 65535"),
        ("[page]\nbind = 'all'", 'page.bind: found "all", expected an address of this computer'),
        ("[page]\nnames = ['a b']", 'page.names: found ["a b"], expected names of computers'),
        ("[page]\nnames = 'a'", 'page.names: found "a", expected names of computers'),
        ("[journal]\nfolder = 'games'", "expected a folder that begins with /"),
        ("[voice]\nvoice = '-w/etc/x'", "expected the name of a voice of espeak-ng"),
        ('[voice]\nvoice = "de\\n"', "expected the name of a voice of espeak-ng"),
        ("[off]\nhold_s = 0", "off.hold_s: found 0, expected a whole number from 1 to 10"),
    ],
)
def test_mistake_is_one_sentence_with_file_line_key_and_mending(
    content: str, expected: str
) -> None:
    [sentence] = said(content)
    assert sentence.startswith("box.toml line ")
    assert expected in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "[rules]\ntie_rule = 'spilt'",
            'line 2: rules.tie_rule: found "spilt", expected one of "replay", "split", '
            '"next_trigger" (did you mean "split"?)',
        ),
        ("[rules]\ntei_rule = 'split'", "expected one that `referee rules --game slapjack` prints"),
        ("[rules]\ntei_rule = 'split'", '(did you mean "tie_rule"?)'),
        (
            "[rules]\nburn = 2",
            "rules.burn: is no house rule of slapjack, but of ratscrew",
        ),
        ("[rules]\ntie_ms = -1", "found -1, expected a whole number from 0 to 60000"),
        ("[rules]\ndecks = 3", "found 3, expected a whole number from 1 to 2"),
        ("[rules]\npile_on_false_slap = 'yes'", "expected true or false (write true)"),
        ("[rules]\ntriggers = ['jack', 'moon']", "expected a list of some of these: jack, pair"),
        (
            "game = 'ratscrew'\n[rules]\nchallenge = { J = 0 }",
            "line 3: rules.challenge: found { J = 0 }, expected ranks and the cards owed, such as",
        ),
        (
            "game = 'ratscrew'\n[rules.challenge]\nJ = 0",
            "line 2: rules.challenge: found { J = 0 }, expected ranks and the cards owed",
        ),
        (
            "[rules]\ntriggers = []",
            "line 1: rules: two of them contradict each other: the game is slapjack and triggers "
            "is empty, so that no pile can be won, expected rules that go together",
        ),
    ],
)
def test_house_rule_is_checked_for_the_game(content: str, expected: str) -> None:
    [sentence] = said(content)
    assert expected in sentence


def test_contradiction_with_the_preset_is_found() -> None:
    assert not said("preset = 'family'\n[rules]\npile_on_false_slap = true")
    assert said("[rules]\npile_on_false_slap = true\nslap_ban = 'pile'")


def test_house_rules_are_not_blamed_for_a_game_that_cannot_be_read() -> None:
    lines = said("game = ratscrew\n[rules]\nburn = 1\ntie_ms = 'x'\n")
    assert len(lines) == 2
    assert "line 1: game: text without quotation marks: ratscrew" in lines[0]
    assert "line 4: rules.tie_ms" in lines[1]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_lines(tmp_path: Path) -> None:
    content = "\n".join(
        [
            "language = de",  # 1
            "gmae = 'spit'",
            "players = ['Ann', 'Bo'",  # 3: not closed
            "[pads]",
            "kind = 'ttp'",  # 5
            "lockout_ms = 2000",
            "[camera",  # 7: nobody knows where the next line belongs
            "nothing = 3",
            "[display]",
            "width = 48",  # 10
            "width = 32",
        ]
    )
    assert [mistake.line for mistake in mistakes(content)] == [1, 2, 3, 5, 6, 7, 10, 11]
    path = tmp_path / "box.toml"
    path.write_text(content)
    with pytest.raises(BadSettings) as refused:
        load_settings(path)
    assert len(refused.value.mistakes) == 8
    assert str(path) in str(refused.value)
    assert "7" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_wrong_file_still_gives_everything_that_is_right(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text(
        "language = 'de'\ngame = 'chess'\n[display]\nwidth = 64\nbrightness = 99\n"
        "block_orientation = 90\n[page]\nbind = '127.0.0.1'\n[rules]\ntie_ms = 5\nburn = 1000\n"
    )
    settings, found = load_or_safe(path)
    assert [mistake.key for mistake in found] == ["game", "display.brightness", "rules.burn"]
    assert (settings.language, settings.game, settings.rules) == ("de", "slapjack", {})
    assert (settings.display.width, settings.display.brightness) == (64, 3)
    assert settings.display.block_orientation == 90
    assert settings.page.bind == "127.0.0.1"


@pytest.mark.parametrize(
    ("content", "bind"),
    [
        ("[page]\nbind = 127.0.0.1", "127.0.0.1"),
        ("[page]\nbnd = '127.0.0.1'", "127.0.0.1"),
        ("[page]\non = 'no'\nbind = '0.0.0.0'", "127.0.0.1"),
        ("[page\nbind = '127.0.0.1'", "127.0.0.1"),
        ("[page]\nport = 1", "0.0.0.0"),
        ("[pads]\nkind = 1", "0.0.0.0"),
    ],
)
def test_mistake_never_opens_the_page_further_than_was_meant(content: str, bind: str) -> None:
    settings, _, found = check(content, "box.toml")
    assert found
    assert settings.page.bind == bind


def test_good_file_has_no_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('game = "spit"\n[rules]\nequal_rank = true\n')
    settings, found = load_or_safe(path)
    assert (settings.game, settings.rules, found) == ("spit", {"equal_rank": True}, [])
    assert load_or_safe(None)[1] == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "it cannot be read: No such file or directory, expected a TOML file"),
        (b"# ok\nplayers = ['J\xfcrgen', 'Bo']\n", "line 2: letters that are not UTF-8"),
        (b"#" * 200_000, "it has more than 100000 bytes"),
    ],
)
def test_unreadable_file_is_one_sentence(
    tmp_path: Path, content: bytes | None, expected: str
) -> None:
    path = tmp_path / "box.toml"
    if content is not None:
        path.write_bytes(content)
    settings, [mistake] = load_or_safe(path)
    assert settings == load_settings(None)
    assert expected in mistake.sentence("en")
    with pytest.raises(BadSettings, match=str(path)):
        load_settings(path)


def test_folder_instead_of_a_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=str(tmp_path)):
        load_settings(tmp_path)


def test_mistake_is_said_in_both_languages_for_the_page() -> None:
    [mistake] = mistakes("[display]\nwidth = 48")
    assert mistake.sentences["en"].startswith("box.toml line 2: display.width: found 48, expected")
    assert mistake.sentences["de"] == (
        "box.toml Zeile 2: display.width: gefunden 48, erwartet: eins von 32, 64 "
        "(ändern oder die Zeile löschen: dann gilt 32)"
    )
