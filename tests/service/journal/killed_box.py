"""A box that is killed: goes on with the open game of a journal and tells what it has shown.

`python killed_box.py JOURNAL OBSERVATIONS` prints the number of verdicts of the game, a line each
time it may show more of them. It never ends by itself before the game does.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from journal_games import begin, new_game

from referee.rules.events import Watermark
from referee.service.journal.clock import Sitting
from referee.service.journal.journal import Journal


def main(path: Path, n: int) -> None:
    referee, seen = new_game(n)
    journal = Journal.open(path)
    opened = journal.open_game()
    shown, done = 0, 0
    if opened is None:
        record = begin(journal, referee)
    else:
        referee = opened.replayed()
        record = journal.go_on(opened, Sitting("first boot"))
        shown = len(opened.said)
        last = [one for one in opened.log.observations if not isinstance(one, Watermark)]
        done = seen.index(last[-1]) + 1 if last else 0
    for one in seen[done:]:
        verdicts = referee.observe(one)
        record.write(one, verdicts)
        if verdicts:
            shown += len(verdicts)
            os.write(1, b"%d\n" % shown)
    record.end(referee.table, 1)
    os.write(1, b"end\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
