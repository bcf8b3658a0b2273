"""kill -9 at any moment: nothing that was shown is lost, and the game goes on to its end."""

import subprocess
import sys
from pathlib import Path
from random import Random

from journal_games import new_game

from referee.rules.verdicts import Verdict
from referee.service.journal.journal import Journal

BOX = Path(__file__).with_name("killed_box.py")
OBSERVATIONS = 3_000
KILLS = 24


def _run_and_kill(path: Path, lines: int) -> tuple[int, bool]:
    """Kill the box after it has shown so much, and whatever it does until the kill arrives.

    Returns:
        The number of verdicts of the game when it was last heard, and whether the game was over.
    """
    command = [sys.executable, str(BOX), str(path), str(OBSERVATIONS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as box:
        assert box.stdout is not None
        heard = [box.stdout.readline() for _ in range(lines)]
        box.kill()
        heard += box.stdout.read().splitlines(keepends=True)
    numbers = [int(line) for line in heard if line.endswith(b"\n") and line[:1].isdigit()]
    return max(numbers, default=0), b"end\n" in heard


def test_nothing_that_was_shown_is_lost_when_the_box_is_killed(path: Path) -> None:
    referee, seen = new_game(OBSERVATIONS)
    expected: list[Verdict] = [said for one in seen for said in referee.observe(one)]
    random = Random(6)
    for _ in range(KILLS):
        shown, over = _run_and_kill(path, random.randrange(1, 25))
        journal = Journal.open(path)
        assert journal.trouble is None
        assert over == (journal.open_game() is None)
        kept = list(journal.log(1).verdicts)
        assert len(kept) >= shown
        assert kept == expected[: len(kept)]
        journal.close()
    assert len(kept) > 150, "the kills came too early to mean anything"
