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
        (lambda t, x: x[0] < 0, "is False at t = 0, and must be a number that passes through zero"),
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
