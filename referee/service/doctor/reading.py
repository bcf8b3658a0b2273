"""Reads cards that were drawn just now: run as a program of its own by the doctor.

Of its own, because a broken OpenCV or net may end the whole program instead of raising.
"""

from __future__ import annotations

import sys

from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.world import World
from models.reader import Reader
from models.watch import PileWatcher
from referee.rules.events import Flip

CARDS = 2
"""Few enough for a Pi 4 within the doctor's patience, enough to show that it is no luck."""
CARD_HEIGHT_PX = 176
FRAMES_PER_SECOND = 30
"""Half of what the box takes: drawing the table costs more than reading it."""
LONGEST_NS = 20_000_000_000
"""Of world time: a card is flipped about every second."""


def read_drawn_cards(cards: int = CARDS) -> tuple[list[str], list[str]]:
    """Let a simulated table play until some cards have been read.

    Returns:
        The cards that were laid, and what the reader made of them.
    """
    players = ("Ann", "Bo")
    world = World(seed=7, game="slapjack", players=players)
    camera = SimulatedCamera(world, fps=FRAMES_PER_SECOND)
    watcher = PileWatcher(Reader(), zone=None, card_height_px=CARD_HEIGHT_PX)
    until_ns = world.now_ns + LONGEST_NS
    read: list[str] = []
    while len(read) < cards and world.now_ns < until_ns:
        world.advance(world.now_ns + camera.frame_ns)
        for frame in camera.frames():
            seen = watcher.see(
                frame.image, t_ns=frame.t_ns, exposure_ns=frame.exposure_ns, line_ns=frame.line_ns
            )
            read += [str(one.card) for one in seen if isinstance(one, Flip)]
        world.hear([], to_act=players[len(read) % len(players)])
    laid = [str(flip.card) for flip in world.truth.flips if not flip.again]
    return laid[: len(read)], read


def main() -> int:
    """Say what was read; 1 if anything was read wrongly or nothing at all."""
    laid, read = read_drawn_cards()
    same_ranks = [card[:-1] for card in laid] == [card[:-1] for card in read]
    line = f"{' '.join(laid) or '-'} -> {' '.join(read) or '-'}"
    print(line, file=sys.stdout if same_ranks and read else sys.stderr)
    return 0 if same_ranks and read else 1


if __name__ == "__main__":
    sys.exit(main())
