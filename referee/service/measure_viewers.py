"""Many viewers of one page, as a process of its own: `python -m referee.service.measure_viewers`.

Each opens the live table and follows its stream from a loopback address of its own, as fifty
phones would. When standard input closes, the arrival of each verdict is printed as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import time

SAID = re.compile(rb'id=\\"said-(\d+)\\"')
"""A verdict in the list of the live table."""
TOPICS = "box,fault,game,table,said,led,race,race_gone,no_crops"
"""What the live table listens to."""


NICE = 10
"""They stand for other computers: they must not take the box's time."""


class Viewer:
    """One browser, as far as the page notices it."""

    def __init__(self, number: int, port: int) -> None:
        self._address, self._port = f"127.0.1.{number % 250 + 1}", port
        self.arrived_ns: dict[int, int] = {}
        """Number of a verdict -> when it was here."""
        self.received = 0
        """Bytes."""

    async def follow(self) -> None:
        """Read the stream until it ends."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(self._address, 0)
        )
        request = f"GET /events?topics={TOPICS}&since= HTTP/1.1\r\nHost: localhost\r\n\r\n"
        writer.write(request.encode())
        try:
            while piece := await reader.readline():
                self.take(piece, time.monotonic_ns())
        finally:
            writer.close()

    def take(self, piece: bytes, now_ns: int) -> None:
        """Note which verdicts a line brings."""
        self.received += len(piece)
        for number in SAID.findall(piece):
            self.arrived_ns.setdefault(int(number), now_ns)


async def _watch(viewers: list[Viewer]) -> None:
    tasks = [asyncio.create_task(viewer.follow()) for viewer in viewers]
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def main() -> None:
    """Watch until standard input closes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--viewers", type=int, required=True)
    given = parser.parse_args()
    os.nice(NICE)
    viewers = [Viewer(number, given.port) for number in range(given.viewers)]
    asyncio.run(_watch(viewers))
    arrived = [list(viewer.arrived_ns.items()) for viewer in viewers]
    received = sum(viewer.received for viewer in viewers)
    json.dump({"arrived": arrived, "received": received}, sys.stdout)


if __name__ == "__main__":
    main()
