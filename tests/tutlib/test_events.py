"""`until`: where a function of the motion passes through zero, and where it does not."""

import numpy as np
import pytest

from tutlib import Field, SimulationError, compiled
from tutlib.methods import DOP853, integrate_adaptive
from tutlib.spaces import R

G = 9.81


def fall(t, x):
    return np.array([x[1], -G])


def circle(t, x):
    return np.array([x[1], -x[0]])


def flight(t, x):
    return [3.0, x[2], -0.2]


def crossing(t, x):
    return x[0]


@pytest.mark.parametrize("method", ["dormand_prince", "dop853"])
@pytest.mark.parametrize(("f", "begin"), [(fall, 0.0), (Field(compiled(fall), R(2)), 1000.0)])
def test_a_ball_that_has_bounced_goes_on(f, begin, method):
    t, x, times = begin, np.array([10.0, 0.0]), []
    for _ in range(8):
        motion = integrate_adaptive(f, (t, t + 20), x, method=method, until=crossing)
        t, x = motion.t[-1], motion.x[-1] * [1, -0.8]
        times.append(t - begin)
    first = np.sqrt(20 / G)
    right = first * (1 + 2 * np.cumsum([0, *0.8 ** np.arange(1, 8)]))
    np.testing.assert_allclose(times, right, atol=1e-6)


@pytest.mark.parametrize("part", [0.5, 0.9, 0.99, 0.9999])
@pytest.mark.parametrize("speed", [0.3, 3.0, 5.64, 20.0])
@pytest.mark.parametrize("points", [2, 1001])
def test_two_zeros_in_a_step(part, speed, points):
    height = part * speed**2 / (2 * G)
    right = (speed - np.sqrt(speed**2 - 2 * G * height)) / G
    t = np.linspace(0, 2 * speed / G + 0.2, points)
    motion = integrate_adaptive(fall, t, [0.0, speed], until=lambda t, x: x[0] - height)
    assert motion.t[-1] == pytest.approx(right, rel=1e-9)
    assert motion.x[-1, 0] == pytest.approx(height, rel=1e-9)


def test_a_turning_point_that_does_not_reach_zero_is_none():
    motion = integrate_adaptive(fall, (0, 1), [0.0, 3.0], until=lambda t, x: x[0] - 0.459)
    assert motion.t[-1] == 1


PASSAGES = [  # of an angle θ = θ₀ + t, for ten seconds
    ("a wrapped angle", 1.0, lambda t, x: np.arctan2(np.sin(x[0]), np.cos(x[0])), 2 * np.pi - 1),
    ("a remainder", 4.0, lambda t, x: x[0] % (2 * np.pi) - np.pi, 3 * np.pi - 4),
    ("just after a jump", 4.0, lambda t, x: x[0] % (2 * np.pi) - 1e-4, 2 * np.pi - 4 + 1e-4),
    ("a clock", 20.0, lambda t, x: x[0] % 24 - 1.0, 5.0),
    ("a pole", 1.0, lambda t, x: np.tan(x[0]), np.pi - 1),
    ("only a pole", -1.0, lambda t, x: 1 / x[0], 10),
    ("a switch", 0.0, lambda t, x: np.sign(x[0] - 1.234), 1.234),
    ("a whole number", 0.3, lambda t, x: int(x[0]) - 3, 2.7),
    ("counts of an encoder", 0.3, lambda t, x: np.floor(1000 * x[0]) - 1000.5, 0.701),
    ("half precision", 0.3, lambda t, x: np.float16(x[0] - 2), 1.7),
    ("an infinite slope", 0.3, lambda t, x: np.cbrt(x[0] - 2), 1.7),
    ("a steep slope", 0.3, lambda t, x: np.tanh(1e9 * (x[0] - 2)), 1.7),
    ("tiny values", 0.3, lambda t, x: 1e-300 * (x[0] - 2), 1.7),
    ("a tooth", 0.0, lambda t, x: abs(x[0] - 5) - 0.05, 4.95),
    ("no contact", 0.0, lambda t, x: abs(x[0] - 5) + 1e-9, 10),
]


@pytest.mark.parametrize("begin", [0.0, 1e6])
@pytest.mark.parametrize(("name", "start", "until", "right"), PASSAGES)
def test_jumps_and_poles_are_no_zeros_but_switches_are(name, start, until, right, begin):
    times = begin, begin + 10
    motion = integrate_adaptive(lambda t, x: [1.0], times, [start], until=until)
    assert motion.t[-1] - begin == pytest.approx(right, abs=1e-6)


@pytest.mark.parametrize("f", [flight, compiled(flight)])
@pytest.mark.parametrize(("height", "waves"), [(0.3, 20), (0.2, 10), (0.05, 50), (0.026, 37)])
def test_the_first_of_many_zeros_in_a_step(height, waves, f):
    t = np.linspace(0, 4, 200_001)
    right = t[np.argmax(1 - 0.1 * t**2 <= height * np.sin(waves * 3 * t))]
    motion = integrate_adaptive(
        f, (0, 20), [0.0, 1.0, 0.0], until=lambda t, x: x[1] - height * np.sin(waves * x[0])
    )
    assert motion.t[-1] == pytest.approx(right, abs=3e-5)


@pytest.mark.parametrize(
    ("direction", "right"), [(None, [1, 3, 5]), ("falling", [1, 5, 9]), ("rising", [3, 7, 11])]
)
@pytest.mark.parametrize("tolerance", [1e-3, 1e-10])
def test_zeros_of_a_direction(direction, right, tolerance):
    t, x, times = 0.0, [1.0, 0.0], []
    for _ in range(3):
        motion = integrate_adaptive(
            circle,
            (t, t + 10),
            x,
            tolerance,
            tolerance,
            DOP853,
            until=crossing,
            direction=direction,
        )
        t, x = motion.t[-1], motion.x[-1]
        times.append(t)
    np.testing.assert_allclose(times, np.pi / 2 * np.array(right), atol=20 * tolerance)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (lambda t, x: x[0] < 0, "a number that passes through zero; got False at t = 0"),
        (lambda t, x: None, "must be a real number; got None"),
    ],
)
def test_what_is_no_number_is_refused(value, message):
    with pytest.raises(SimulationError, match=message):
        integrate_adaptive(circle, (0, 3), [1.0, 0.0], until=value)


@pytest.mark.parametrize("t", [(0, 100), np.linspace(0, 100, 10_001)], ids=["steps", "times"])
def test_a_short_push_is_seen_by_steps_that_are_shorter(t):
    def pushed(t, x):
        return np.array([x[1], np.where((t > 50) & (t < 50.2), 1.0, 0.0)])

    assert integrate_adaptive(pushed, t, [0.0, 0.0]).x[-1, 1] == 0
    motion = integrate_adaptive(pushed, t, [0.0, 0.0], max_step=0.1)
    assert motion.x[-1, 1] == pytest.approx(0.2, abs=1e-4)
    assert np.diff(motion.t).max() <= 0.1 + 1e-12
