"""Makes pictures of the simulated table as a camera above it sees them, row by row.

What lies still is kept as a finished picture. Only things that move are drawn anew, and only where
they are: in bands of rows, each at the time at which these rows saw light.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.protocols import Image
from hardware.simulated.blend import Mask, Region, covered, over, over_alpha, shade, split, warp
from hardware.simulated.deck import CardArt
from hardware.simulated.ink import Canvas, rounded_box
from hardware.simulated.motion import Matrix, Motion, Pose
from hardware.simulated.sprites import Sprite, card_sprite, hand_sprite
from hardware.simulated.surface import draw_light, draw_surface, lit
from hardware.simulated.table import (
    FIELD_MM,
    Change,
    Hand,
    HandShape,
    MovingCard,
    PileTaken,
    Surface,
    Table,
    TopTaken,
)
from referee.rules.cards import Card

CAMERA_HEIGHT_MM = 620.0
"""Of the lens above the table."""
SHADOW_STRENGTH = 0.42
HIGH_MM = 9.0
"""From this height on a thing's shadow is soft."""
BAND_ROWS, STOP_BAND_ROWS = 96, 12
"""Rows that are drawn together: within a band things move evenly. A stop needs narrow bands."""
REACH_MARGIN_PX = 40
"""Room for the shadow and the motion blur of a moving thing."""
PAD_MM = 46.0
_UNSHEARED = np.eye(3)


@dataclass(frozen=True, slots=True)
class Shutter:
    """When the rows of one frame saw light."""

    t_ns: int
    exposure_ns: int
    line_ns: int
    rows: int

    @property
    def begin_ns(self) -> int:
        """The first light of the first row."""
        return self.t_ns - self.exposure_ns

    @property
    def end_ns(self) -> int:
        """The last light of the last row."""
        return self.t_ns + self.rows * self.line_ns

    def middle_ns(self, top: int, bottom: int) -> int:
        """The middle of the light of some rows."""
        return self.t_ns + (top + bottom) * self.line_ns // 2 - self.exposure_ns // 2


@dataclass(slots=True)
class _Pile:
    """What lies still on one pile."""

    colours: Image
    alpha: Mask
    cards: list[tuple[MovingCard, Pose]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Moving:
    """Something to draw anew in every frame."""

    sprite: Callable[[Pose], Sprite]
    motion: Motion
    to_px: Callable[[Pose], Matrix]
    behind: int | None = None
    """It is under this pile."""
    has_shadow: bool = True
    is_lit: bool = False
    """Its colours already are under the light."""
    from_ns: int = 0
    to_ns: int | None = None
    """It is to be seen only in between."""

    def is_seen(self, from_ns: int, to_ns: int) -> bool:
        """It is there all the time."""
        return self.from_ns <= from_ns and (self.to_ns is None or to_ns <= self.to_ns)


@dataclass(frozen=True, slots=True)
class _Move:
    """How a thing is seen in one band of rows."""

    pose: Pose
    blur: tuple[float, float]
    """Its way during the exposure, in px."""
    shear: Matrix
    """What the later reading of lower rows does to it."""


class Painter:
    """Paints one table for one camera."""

    def __init__(
        self,
        table: Table,
        deck: dict[Card, CardArt],
        back: CardArt,
        size: tuple[int, int],
        blur_px: float = 0.55,
    ) -> None:
        self._table = table
        self._size = size
        self._whole = Region(0, 0, *size)
        rng = np.random.default_rng([table.seed, 77])
        self.to_px = _view(size, rng)
        self._blur_px = blur_px
        self._cards = {card: card_sprite(art, blur_px) for card, art in deck.items()}
        self._back = card_sprite(back, blur_px)
        self._hands: dict[tuple[str, HandShape], Sprite] = {}
        self.light = draw_light(size, rng)
        self._base = self._bare_table(rng)
        self.settled = self._base.copy()
        self._piles = [self._empty_pile() for _ in range(table.piles)]
        self._done = 0
        self._active: list[Change] = []
        self._taken: dict[int, _Moving] = {}
        self._hands_done = 0

    # --- one frame ---

    def picture(self, shutter: Shutter) -> tuple[Image, bool]:
        """A picture without noise, and whether anything in it moved or hides the table."""
        self._settle(shutter)
        moving = self._moving(shutter)
        image = self.settled.copy()
        for thing in moving:
            self._draw(image, thing, shutter)
        return image, bool(moving)

    def _moving(self, shutter: Shutter) -> list[_Moving]:
        things: list[_Moving] = []
        for change in self._active:
            if isinstance(change, PileTaken):
                if id(change) in self._taken:
                    things.append(self._taken[id(change)])
            elif isinstance(change, MovingCard) and change.motion.start_ns < shutter.end_ns:
                things.append(self._card_thing(change))
        things.sort(key=lambda thing: thing.behind is None)
        return [
            *things,
            *(
                self._hand_thing(hand)
                for hand in self._table.hands[self._hands_done :]
                if hand.motion.start_ns < shutter.end_ns and hand.end_ns > shutter.begin_ns
            ),
        ]

    def _card_thing(self, moving: MovingCard) -> _Moving:
        face = self._cards[moving.card]

        def side(pose: Pose) -> Sprite:
            return face if math.cos(pose.roll) > 0 else self._back

        return _Moving(side, moving.motion, self._pose_to_px, moving.pile if moving.under else None)

    def _hand_thing(self, hand: Hand) -> _Moving:
        sprite = self._hand(hand.player, hand.shape)
        return _Moving(
            lambda _: sprite,
            hand.motion,
            self._pose_to_px,
            from_ns=hand.motion.start_ns,
            to_ns=hand.end_ns,
        )

    def _pose_to_px(self, pose: Pose) -> Matrix:
        return np.asarray(self.to_px @ pose.matrix(CAMERA_HEIGHT_MM), np.float64)

    # --- drawing moving things ---

    def _draw(self, image: Image, thing: _Moving, shutter: Shutter) -> None:
        begin, end = shutter.begin_ns, shutter.end_ns
        if thing.is_seen(begin, end) and thing.motion.is_still(begin, end):
            still = _Move(thing.motion.at(begin), (0.0, 0.0), _UNSHEARED)
            self._draw_band(image, thing, still, self._whole)
            return
        stops = thing.motion.thrown and begin < thing.motion.end_ns < end
        height = STOP_BAND_ROWS if stops else BAND_ROWS
        reach = self._reach(thing, shutter)
        for top in range(0, shutter.rows, height):
            band = Region(0, top, self._size[0], min(shutter.rows, top + height))
            middle = shutter.middle_ns(band.top, band.bottom)
            if thing.is_seen(middle, middle) and not band.cut(reach).is_empty:
                self._draw_band(image, thing, self._move(thing, middle, band, shutter), band)

    def _reach(self, thing: _Moving, shutter: Shutter) -> Region:
        """All that the thing and its shadow may cover in this frame."""
        parts = []
        for t in (shutter.begin_ns, shutter.middle_ns(0, shutter.rows), shutter.end_ns):
            pose = thing.motion.at(t)
            sprite = thing.sprite(pose)
            h, w = sprite.contact.shape
            parts.append(covered(thing.to_px(pose) @ sprite.from_px, w, h, REACH_MARGIN_PX))
        return Region(
            min(p.left for p in parts),
            min(p.top for p in parts),
            max(p.right for p in parts),
            max(p.bottom for p in parts),
        )

    def _move(self, thing: _Moving, middle: int, band: Region, shutter: Shutter) -> _Move:
        half = shutter.exposure_ns // 2
        x0, y0 = self._spot(thing, middle - half)
        x1, y1 = self._spot(thing, middle + half)
        way = x1 - x0, y1 - y0
        lines = shutter.line_ns / shutter.exposure_ns
        shear = _shear(way[0] * lines, way[1] * lines, (band.top + band.bottom) / 2)
        return _Move(thing.motion.at(middle), way, shear)

    def _spot(self, thing: _Moving, t_ns: int) -> tuple[float, float]:
        pose = thing.motion.at(t_ns)
        x, y, depth = thing.to_px(pose) @ (*thing.sprite(pose).middle_mm, 1.0)
        return float(x / depth), float(y / depth)

    def _draw_band(self, image: Image, thing: _Moving, move: _Move, band: Region) -> None:
        pose, blur = move.pose, move.blur
        sprite = thing.sprite(pose)
        to_px = move.shear @ thing.to_px(pose) @ sprite.from_px
        h, w = sprite.bgra.shape[:2]
        spare = math.ceil(max(abs(blur[0]), abs(blur[1])) / 2) + 2
        region = covered(to_px, w, h, spare).cut(band)
        if thing.has_shadow and thing.behind is None:
            self._draw_shadow(image, thing, sprite, move, band)
        if region.is_empty:
            return
        colours, alpha = split(warp(sprite.bgra, to_px, region, blur))
        here = region.slices
        if not thing.is_lit:
            colours = lit(colours, self.light[here])
        if thing.behind is not None:
            colours, alpha = self._behind(colours, alpha, thing.behind, region)
        over(image[here], colours, alpha)

    def _behind(
        self, colours: NDArray[np.uint8], alpha: Mask, pile: int, region: Region
    ) -> tuple[NDArray[np.uint8], Mask]:
        free = cv2.bitwise_not(self._piles[pile].alpha[region.slices])
        free3 = cv2.cvtColor(free, cv2.COLOR_GRAY2BGR)
        return (
            np.asarray(cv2.multiply(colours, free3, scale=1 / 255), np.uint8),
            np.asarray(cv2.multiply(alpha, free, scale=1 / 255), np.uint8),
        )

    def _draw_shadow(
        self, image: Image, thing: _Moving, sprite: Sprite, move: _Move, band: Region
    ) -> None:
        mask, flat = self._shadow(sprite, move.pose, thing.to_px)
        to_px = move.shear @ flat
        h, w = mask.shape
        region = covered(to_px, w, h).cut(band)
        if region.is_empty:
            return
        dark = warp(mask, to_px, region, (0.0, 0.0))
        shade(image[region.slices], dark, SHADOW_STRENGTH)

    def _shadow(
        self, sprite: Sprite, pose: Pose, to_px: Callable[[Pose], Matrix]
    ) -> tuple[Mask, Matrix]:
        mask = sprite.high if pose.lift > HIGH_MM else sprite.contact
        away = pose.moved(0.7 + 0.25 * pose.lift, 0.9 + 0.35 * pose.lift)
        return mask, to_px(away) @ sprite.from_px

    # --- what lies still ---

    def _settle(self, shutter: Shutter) -> None:
        """Let everything happen that no row of this frame can see any more."""
        changes = self._table.changes
        while self._done < len(changes):
            self._active.append(changes[self._done])
            self._done += 1
        for change in list(self._active):
            self._advance(change, shutter)
        hands = self._table.hands
        while self._hands_done < len(hands) and hands[self._hands_done].end_ns < shutter.begin_ns:
            self._hands_done += 1

    def _advance(self, change: Change, shutter: Shutter) -> None:
        if isinstance(change, PileTaken):
            self._advance_taken(change, shutter)
        elif isinstance(change, TopTaken):
            if change.t_ns < shutter.end_ns:
                self._lift_top(change.pile)
                self._active[self._active.index(change)] = change.onward
        elif change.motion.end_ns <= shutter.begin_ns:
            self._active.remove(change)
            if change.stays:
                self._lay_down(change)

    def _advance_taken(self, taken: PileTaken, shutter: Shutter) -> None:
        if id(taken) not in self._taken:
            if taken.motion.start_ns >= shutter.end_ns:
                return
            for change in list(self._active):
                if (
                    isinstance(change, MovingCard)
                    and change.pile == taken.pile
                    and (change.stays and change.motion.end_ns <= taken.motion.start_ns)
                ):
                    self._active.remove(change)
                    self._lay_down(change)
            self._taken[id(taken)] = self._lift_pile(taken)
        elif taken.motion.end_ns <= shutter.begin_ns:
            self._active.remove(taken)
            del self._taken[id(taken)]

    def _lay_down(self, moving: MovingCard) -> None:
        pile = self._piles[moving.pile]
        pose = moving.motion.last
        pile.cards.insert(0 if moving.under else len(pile.cards), (moving, pose))
        region = self._paste(pile, moving, pose)
        self._repaint(region)

    def _paste(self, pile: _Pile, moving: MovingCard, pose: Pose) -> Region:
        sprite = self._back if math.cos(pose.roll) <= 0 else self._cards[moving.card]
        mask, shadow_to_px = self._shadow(sprite, pose, self._pose_to_px)
        h, w = mask.shape
        to_px = self._pose_to_px(pose) @ sprite.from_px
        region = covered(shadow_to_px, w, h, 4).cut(self._whole)
        dark = warp(mask, shadow_to_px, region, (0.0, 0.0))
        dark = np.asarray(cv2.convertScaleAbs(dark, alpha=SHADOW_STRENGTH), np.uint8)
        colours, alpha = split(warp(sprite.bgra, to_px, region, (0.0, 0.0)))
        colours = lit(colours, self.light[region.slices])
        if moving.under:
            over_alpha(dark, alpha)
            colours, alpha = self._under(pile, colours, dark, region)
            here = region.slices
            cv2.add(pile.colours[here], colours, dst=colours)
            pile.colours[here] = colours
            over_alpha(pile.alpha[here], alpha)
            return region
        here = region.slices
        shade(pile.colours[here], dark, 1.0)
        over_alpha(pile.alpha[here], dark)
        over(pile.colours[here], colours, alpha)
        over_alpha(pile.alpha[here], alpha)
        return region

    def _under(
        self, pile: _Pile, colours: NDArray[np.uint8], alpha: Mask, region: Region
    ) -> tuple[NDArray[np.uint8], Mask]:
        free = cv2.bitwise_not(pile.alpha[region.slices])
        free3 = cv2.cvtColor(free, cv2.COLOR_GRAY2BGR)
        return (
            np.asarray(cv2.multiply(colours, free3, scale=1 / 255), np.uint8),
            np.asarray(cv2.multiply(alpha, free, scale=1 / 255), np.uint8),
        )

    def _repaint(self, region: Region) -> None:
        here = region.slices
        self.settled[here] = self._base[here]
        for pile in self._piles:
            over(self.settled[here], pile.colours[here], pile.alpha[here])

    def _lift_top(self, number: int) -> None:
        self._pile_again(number, self._piles[number].cards[:-1])

    def _pile_again(self, number: int, cards: list[tuple[MovingCard, Pose]]) -> None:
        fresh = self._empty_pile()
        self._piles[number] = fresh
        for moving, pose in cards:
            fresh.cards.append((moving, pose))
            self._paste(fresh, moving, pose)
        self._repaint(self._whole)

    def _lift_pile(self, taken: PileTaken) -> _Moving:
        stay = self._piles[taken.pile].cards[-taken.keep :] if taken.keep else []
        if stay:
            lower = self._piles[taken.pile].cards[: -taken.keep]
            self._pile_again(taken.pile, lower)
        pile = self._piles[taken.pile]
        self._pile_again(taken.pile, stay)
        bgra = np.dstack([pile.colours, pile.alpha])
        x, y, w, h = cv2.boundingRect(pile.alpha)
        cut = np.ascontiguousarray(bgra[y : y + h + 1, x : x + w + 1])
        middle = self._table.pile_middle(taken.pile)
        to_mm = np.linalg.inv(self.to_px)
        centre = np.array([[1, 0, -middle.x], [0, 1, -middle.y], [0, 0, 1]])
        corner = np.array([[1, 0, x], [0, 1, y], [0, 0, 1]])
        from_px = np.asarray(centre @ to_mm @ corner, np.float64)
        if cut.size == 0:
            cut = np.zeros((2, 2, 4), np.uint8)
        alpha = np.ascontiguousarray(cut[..., 3])
        sprite = Sprite(cut, alpha, alpha, from_px, (0.0, 0.0))

        def to_px(pose: Pose) -> Matrix:
            placed = pose.moved(middle.x, middle.y)
            return np.asarray(self.to_px @ placed.matrix(CAMERA_HEIGHT_MM), np.float64)

        behind = taken.pile if stay else None
        return _Moving(lambda _: sprite, taken.motion, to_px, behind, False, True)

    def _empty_pile(self) -> _Pile:
        w, h = self._size
        return _Pile(np.zeros((h, w, 3), np.uint8), np.zeros((h, w), np.uint8))

    # --- at the start ---

    def _hand(self, player: str, shape: HandShape) -> Sprite:
        """A player's hand, drawn when it is first seen."""
        if (player, shape) not in self._hands:
            self._hands[player, shape] = hand_sprite(
                shape,
                Random(f"hand {self._table.seed} {player}"),
                self._size[0] / FIELD_MM[0],
                self._blur_px,
                self._table.seats[player].number,
            )
        return self._hands[player, shape]

    def _bare_table(self, rng: np.random.Generator) -> Image:
        kinds: tuple[Surface, ...] = ("wood", "felt", "mat")
        kind = self._table.surface or kinds[int(rng.integers(3))]
        base = draw_surface(kind, self._size, rng)
        for seat in self._table.seats.values():
            to_px = self._pose_to_px(seat.pad)
            half = PAD_MM / 2
            for grow, colour in ((4.0, (45, 48, 52)), (0.0, (78, 128, 188))):
                shape = rounded_box(-half - grow, -half - grow, half + grow, half + grow, 8 + grow)
                p = to_px @ np.vstack([shape.T, np.ones(len(shape))])
                Canvas(base, 1.0).fill((p[:2] / p[2]).T, colour)
        base = np.asarray(cv2.GaussianBlur(base, (0, 0), 0.7), np.uint8)
        return lit(base, self.light)


def _shear(x_per_row: float, y_per_row: float, middle_row: float) -> Matrix:
    """A thing that moves evenly while the rows are read, in px per row, around a middle row."""
    stretch = 1 / (1 - max(-0.5, min(0.5, y_per_row)))
    lean = x_per_row * stretch
    return np.array(
        [
            [1, lean, -lean * middle_row],
            [0, stretch, middle_row * (1 - stretch)],
            [0, 0, 1.0],
        ]
    )


def _view(size: tuple[int, int], rng: np.random.Generator) -> Matrix:
    """The table's millimetres to pixels: a camera that hangs almost straight above."""
    w, h = size
    scale = w / FIELD_MM[0]
    turn = math.radians(rng.uniform(-2.0, 2.0))
    c, s = math.cos(turn) * scale, math.sin(turn) * scale
    px, py = rng.uniform(-1, 1, 2) * (0.03 / 160.0)
    shift = rng.uniform(-6, 6, 2) * scale / 2
    flat = np.array([[c, -s, 0], [s, c, 0], [px, py, 1]])
    centre = np.array([[1, 0, w / 2 + shift[0]], [0, 1, h / 2 + shift[1]], [0, 0, 1]])
    return np.asarray(centre @ flat, np.float64)
