"""Touches of the page, and several sources of slaps as one."""

from hardware.clock import NS_PER_MS
from hardware.joined_pads import JoinedPads
from hardware.tablets import FASTEST_NS, SLOWEST_NS, WAY_NS, Tablets
from referee.rules.events import SOFTWARE, Observation, Slap, Watermark

S = 1_000 * NS_PER_MS


class Clock:
    def __init__(self) -> None:
        self.now_ns = 10 * S

    def __call__(self) -> int:
        return self.now_ns


class Source:
    """Pads that say what they are told to."""

    def __init__(self, *rounds: list[Observation]) -> None:
        self._rounds = list(rounds)
        self.closed = 0

    def observations(self) -> list[Observation]:
        return self._rounds.pop(0) if self._rounds else []

    def close(self) -> None:
        self.closed += 1


def test_touch_says_when_the_finger_may_have_come_down() -> None:
    clock = Clock()
    tablets = Tablets(["Ann", "Bo"], now=clock)
    tablets.wake()
    clock.now_ns += S
    assert tablets.touch("Bo", clock.now_ns - NS_PER_MS)
    slap = tablets.observations()[0]
    assert isinstance(slap, Slap)
    arrived_ns = clock.now_ns - NS_PER_MS
    assert (slap.player, slap.stamp) == ("Bo", SOFTWARE)
    assert slap.t_ns - slap.early_ns == arrived_ns - SLOWEST_NS
    assert slap.t_ns + slap.late_ns == arrived_ns - FASTEST_NS


def test_nobody_waits_for_tablets_that_nobody_uses() -> None:
    clock = Clock()
    tablets = Tablets(["Ann", "Bo"], now=clock)
    assert tablets.observations() == [Watermark(clock.now_ns - 1, "pads")]
    tablets.wake()
    clock.now_ns += S
    (mark,) = tablets.observations()
    assert mark.t_ns < clock.now_ns - WAY_NS


def test_no_touch_is_older_than_a_promise() -> None:
    clock = Clock()
    tablets = Tablets(["Ann", "Bo"], now=clock)
    taken: list[Slap] = []
    promised_ns = 0
    for step in range(200):
        clock.now_ns += 7 * NS_PER_MS
        tablets.touch("Ann", clock.now_ns - (step * 13 % 300) * NS_PER_MS)
        for seen in tablets.observations():
            if isinstance(seen, Slap):
                assert seen.t_ns > promised_ns
                taken.append(seen)
            else:
                assert seen.t_ns > promised_ns
                promised_ns = seen.t_ns
    assert len(taken) > 50


def test_strangers_the_future_and_a_flood_are_refused() -> None:
    clock = Clock()
    tablets = Tablets(["Ann", "Bo"], now=clock)
    assert not tablets.touch("Mallory", clock.now_ns)
    assert not tablets.touch("Ann", clock.now_ns + 1)
    assert sum(tablets.touch("Ann", clock.now_ns) for _ in range(10_000)) == 256


def test_joined_promise_is_the_least_of_all() -> None:
    slap = Slap(5, "Ann")
    joined = JoinedPads(
        [
            Source([Watermark(10, "pads")], [slap, Watermark(30, "pads")], []),
            Source([], [Watermark(20, "pads")], [Watermark(40, "pads")]),
        ]
    )
    assert joined.observations() == []
    assert joined.observations() == [slap, Watermark(20, "pads")]
    assert joined.observations() == [Watermark(30, "pads")]
    assert joined.observations() == []


def test_closing_closes_all() -> None:
    sources = [Source(), Source()]
    JoinedPads(sources).close()
    assert [source.closed for source in sources] == [1, 1]
