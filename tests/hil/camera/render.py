"""Makes what the virtual camera plays: a game on the simulated table as pictures, and its truth.

render.py FRAMES_FOLDER CONFIGURATION SEED SECONDS   prints the true flips as JSON
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2

from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.world import World
from referee.rules.verdicts import CardSeen, Verdict

CONFIGURATION = """%YAML 1.1
---
"table":
  supported_formats:
  - width: 640
    height: 480
    frame_rates:
    - 58
  frames:
    path: "{folder}"
  location: "CameraLocationFront"
  model: "ov5647"
"""
RATE = 20.0
"""Frames a second: so that some seconds of a game are not too many files."""


def _as_told(world: World) -> tuple[list[Verdict], str]:
    """A referee that sees every card at once; nobody slaps who only looks at the cards' order."""
    down = [flip for flip in world.truth.flips if flip.rest_ns <= world.now_ns]
    to_act = world.players[len(down) % len(world.players)]
    newest = down[-1] if down else None
    if newest is None or newest.rest_ns <= world.now_ns - round(1e9 / RATE):
        return [], to_act
    seen = CardSeen(newest.rest_ns, player=newest.player, card=newest.card, to_act=to_act)
    return [seen], to_act


def main(folder: Path, configuration: Path, seed: int, seconds: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.jpg"):
        old.unlink()
    world = World(seed=seed, game="slapjack", tempo=1.6)
    camera = SimulatedCamera(world, fps=RATE)
    end_ns = world.now_ns + round(seconds * 1e9)
    number = 0
    while world.now_ns < end_ns:
        world.advance(world.now_ns + camera.frame_ns)
        world.hear(*_as_told(world))
        for frame in camera.frames():
            name = str(folder / f"{number:05d}.jpg")
            cv2.imwrite(name, frame.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
            number += 1
    configuration.parent.mkdir(parents=True, exist_ok=True)
    # The camera's own root sees this folder under another path.
    inside = "/" + "/".join(folder.parts[folder.parts.index("opt") :]) + "/"
    configuration.write_text(CONFIGURATION.format(folder=inside))
    cards = [str(flip.card) for flip in world.truth.flips if flip.rest_ns < end_ns]
    print(json.dumps({"frames": number, "flips": cards}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
