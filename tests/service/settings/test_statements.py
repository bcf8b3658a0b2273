"""The settings file statement by statement: lines of keys, and errors that cost only themselves."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.service.settings.commented import commented
from referee.service.settings.statements import read_document


def test_every_key_knows_its_line() -> None:
    document = read_document(
        "\n".join(
            [
                "# a comment",
                "a = 1",
                "b = [1,",
                "  # inside",
                '  2, "]"]',
                'c = """',
                "[no.table]",
                'd = 4"""',
                "[t] # a table",
                'x.y = "#"',
                "'quoted key' = {p = 1}",
                "[t.u]",
                "z = 3",
            ]
        ),
        "f",
    )
    assert document.mistakes == []
    lines = {".".join(path): line for path, line in document.lines.items()}
    assert lines == {
        "a": 2,
        "b": 3,
        "c": 6,
        "t": 9,
        "t.x": 10,
        "t.x.y": 10,
        "t.quoted key": 11,
        "t.quoted key.p": 11,
        "t.u": 12,
        "t.u.z": 13,
    }
    assert document.line_of("t", "u", "missing") == 12
    assert document.line_of("missing") is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a =", "no value behind a =, expected a value"),
        ("a = # nothing", "no value behind a =, expected a value"),
        (
            "a = de",
            "text without quotation marks: de, expected text in quotation marks (write a",
        ),
        ("a = True", "found True, expected true or false (write a = true)"),
        ("a = „de“", 'curved quotation marks, expected straight ones (write a = "de")'),
        ("a: 3", "a line without =: a: 3, expected key = value (write a = 3)"),
        ("just words", "a line without =: just words"),
        ("a = 3,5", "a comma in a number: 3,5, expected a point (write 3.5)"),
        (
            'a = "x',
            'mark that is not closed: "x, expected one at either end (write a = "x")',
        ),
        ("a = 'x", "a quotation mark that is not closed: 'x"),
        ("a = [1, 2", "a list that is not closed: [1, 2, expected commas"),
        ("[a", "a: a table [a that is not closed, expected its name in brackets"),
        ("[]", "a table [] that is not closed"),
        ("a = 08", "a = 08 is not TOML: Expected newline or end of document after a statement"),
        ('a = "\\q"', "is not TOML: Unescaped"),
        ("= 3", "is not TOML"),
        ("a = " + "[" * 3000, "is not TOML"),
        ("a = " + "9" * 5000, "is not TOML"),
        ("\x1b[2J", "a line without =: ?[2J"),
    ],
)
def test_line_that_is_not_toml_is_explained_and_costs_only_itself(line: str, expected: str) -> None:
    document = read_document(f"first = 1\n{line}\n[t]\nlast = 2\n", "f")
    [mistake] = document.mistakes
    assert mistake.line == 2
    assert expected in mistake.sentence("en")
    assert mistake.sentence("en").isprintable()
    assert document.tree == {"first": 1, "t": {"last": 2}}


def test_list_with_a_missing_comma_is_one_mistake_at_its_beginning() -> None:
    document = read_document('a = [\n "x"\n "y",\n]\nb = 1\n', "f")
    assert [mistake.line for mistake in document.mistakes] == [1]
    assert document.tree == {"b": 1}


def test_text_of_several_lines_that_is_not_closed_costs_only_its_line() -> None:
    document = read_document('a = """x\nb = 1\nc = 2\n', "f")
    assert [mistake.line for mistake in document.mistakes] == [1]
    assert document.tree == {"b": 1, "c": 2}


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("a = 1\na = 2\n", 2, "a"),
        ("[t]\na = 1\n[u]\n[t]\nb = 1\n", 4, "[t]"),
        ("t.a = 1\n[t]\na = 2\n", 3, "t.a"),
    ],
)
def test_what_stands_there_twice_is_named_with_both_lines(
    content: str, line: int, what: str
) -> None:
    [mistake] = read_document(content, "f").mistakes
    assert (mistake.line, mistake.key) == (line, what)
    assert "is there twice, first in line 1" in mistake.sentence("en")


@pytest.mark.parametrize("content", ["a = 1\na.b = 2\n", "t = { a = 1 }\n[t]\nb = 2\n", "a=1\n[a]"])
def test_statements_that_do_not_go_together_are_refused(content: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(content)
    assert len(read_document(content, "f").mistakes) == 1


LINES = (
    "a = 1",
    "b = 'x'",
    "[t]",
    "[t.u]",
    "[[v]]",
    "c = [1,",
    "2]",
    "# note",
    "",
    "d = '''",
    "e = '''x'''",
    "f.g = true",
    "t.u = 3",
    "h = {a = 1}",
    'i = "',
    "j =",
)


@given(st.lists(st.sampled_from(LINES), max_size=9))
def test_a_text_is_good_exactly_if_tomllib_says_so(lines: list[str]) -> None:
    content = "\n".join(lines)
    document = read_document(content, "f")
    try:
        tree = tomllib.loads(content)
    except tomllib.TOMLDecodeError:
        assert document.mistakes
    else:
        arrays = any(line == "[[v]]" for line in lines)
        if not arrays:  # no setting is a table of tables: they are refused
            assert document.mistakes == []
            assert document.tree == tree


@given(st.text(max_size=60))
def test_no_text_is_too_strange_to_be_explained(content: str) -> None:
    document = read_document(content, "f")
    for mistake in document.mistakes:
        assert mistake.sentence("en")
        assert mistake.sentence("de")


def test_installed_file_reads_as_nothing_but_tables() -> None:
    document = read_document(commented(), "f")
    assert document.mistakes == []
    assert all(table == {} for table in document.tree.values())
