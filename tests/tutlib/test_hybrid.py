"""Hybrid runs: events with actions, sampled laws, and dense output, against closed forms."""

import numpy as np
import pytest

from tutlib import Field, SimulationError, compiled, integrate
from tutlib.methods import DOP853, DORMAND_PRINCE, integrate_adaptive
from tutlib.spaces import SO3

G = 9.81
RUNS = pytest.mark.parametrize("run", [lambda f, **p: f, compiled], ids=["plain", "compiled"])


def fall(t, x):
    return np.array([x[1], -G])


def height(t, x):
    return x[0]


def bounce(t, x):
    return [x[0], -0.5 * x[1]]


FIRST = np.sqrt(2 * 10 / G)
BOUNCES = FIRST * (1 + 2 * np.cumsum([0, *0.5 ** np.arange(1, 300)]))


def ball(t):
    """Return the height of a ball that is dropped from 10 m and keeps half of its speed."""
    n = np.searchsorted(BOUNCES, t, side="right")
    since = t - BOUNCES[n - 1]
    return np.where(n, G * FIRST * 0.5**n * since - G / 2 * since**2, 10 - G / 2 * t**2)


@RUNS
@pytest.mark.parametrize("direction", ["falling", None])
def test_a_ball_bounces_until_it_would_have_to_rest(run, direction):
    floor = {"floor": (height, direction, bounce)}
    with pytest.raises(SimulationError, match=r"'floor' happens again and again at t = 4\.28") as e:
        integrate_adaptive(run(fall), (0, 10), [10.0, 0.0], events=floor, dense=True)
    motion = e.value.trajectory
    times = np.array([event.t for event in motion.events])
    assert len(times) > 30
    np.testing.assert_allclose(times, BOUNCES[: len(times)], atol=1e-9)
    np.testing.assert_allclose(motion.x[:, 0], ball(motion.t), atol=1e-9)
    before, after = (
        np.array([getattr(event, at) for event in motion.events]) for at in ("before", "after")
    )
    np.testing.assert_array_equal(after[:, 1], -0.5 * before[:, 1])
    assert (np.diff(motion.t)[: 2 * len(times)] == 0).any()  # both are in the motion
    t = np.linspace(0, 4, 500)
    np.testing.assert_allclose(motion(t)[:, 0], ball(t), atol=1e-9)
    np.testing.assert_allclose(motion(times[0]), after[0], atol=1e-9)


@RUNS
def test_times_that_were_asked_for_stay_what_they_are(run):
    t = np.linspace(0, 4, 41)
    floor = {"floor": (height, "falling", bounce), "top": lambda t, x: x[1]}
    motion = integrate_adaptive(run(fall), t, [10.0, 0.0], events=floor)
    np.testing.assert_array_equal(motion.t, t)
    np.testing.assert_allclose(motion.x[:, 0], ball(t), atol=1e-9)
    assert [event.name for event in motion.events[:4]] == ["floor", "top", "floor", "top"]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda t, x: [x[0], 0.0], "'floor' happens again and again at t = 1.42784"),
        (lambda t, x: None, "must return the new state, .* None: is a return missing"),
        (lambda t, x: [x[0]], r"the state after 'floor' must have shape \(2,\)"),
        (lambda t, x: {"motor": 1.0}, "f has no parameter 'motor'; it has none"),
        (lambda t, x: [np.nan, 0.0], "every entry of the state after 'floor' must be finite"),
    ],
)
def test_an_action_that_makes_no_sense_ends_the_motion_and_keeps_it(action, message):
    with pytest.raises(SimulationError, match=message) as caught:
        integrate_adaptive(fall, (0, 5), [10.0, 0.0], events={"floor": (height, "falling", action)})
    motion = caught.value.trajectory
    assert motion.t[-1] == pytest.approx(FIRST)
    assert motion.x[-1, 0] == pytest.approx(0, abs=1e-9)


def test_a_motion_passes_where_an_action_lets_it_pass():
    kick = {"kick": (height, "falling", lambda t, x: [x[0], x[1] - 3])}
    end = integrate_adaptive(fall, (0, 5), [10.0, 0.0], events=kick).x[-1]
    np.testing.assert_allclose(end, [10 - G * 12.5 - 3 * (5 - FIRST), -5 * G - 3])


@RUNS
@pytest.mark.parametrize("direction", ["falling", None])
def test_a_motion_may_rest_at_an_event(run, direction):
    def f(t, x, held=0.0):
        return (1 - held) * np.array([x[1], -G])

    floor = {"floor": (height, direction, lambda t, x: ([x[0], 0.0], {"held": 1.0}))}
    motion = integrate_adaptive(run(f, held=0.0), (0, 5), [10.0, 0.0], events=floor)
    assert [event.t for event in motion.events] == [pytest.approx(FIRST)]
    np.testing.assert_allclose(motion.x[-1], 0, atol=1e-12)


def test_a_ball_on_a_table_that_shakes():
    def table(t):
        return 0.05 * np.sin(20 * t)

    def strike(t, x):
        speed = np.cos(20 * t)
        return [x[0], speed - 0.8 * (x[1] - speed)]

    floor = {"table": (lambda t, x: x[0] - table(t), "falling", strike)}
    motion = integrate_adaptive(fall, (0, 3), [0.5, 0.0], 1e-10, 1e-12, events=floor)
    begin, state = 0.0, np.array([0.5, 0.0])
    for event in motion.events:
        after = np.linspace(1e-6, event.t - begin, 1001)
        flight = state[0] + state[1] * after - G / 2 * after**2 - table(begin + after)
        assert flight[-1] == pytest.approx(0, abs=1e-12)
        assert flight[:-1].min() > 0
        state = np.array(strike(event.t, [table(event.t), state[1] - G * after[-1]]))
        np.testing.assert_allclose(event.after, state, atol=1e-9)
        begin = event.t
    assert len(motion.events) > 4


def test_two_walls_at_once():
    def reflect(i):
        return lambda t, x: np.where(np.arange(4) == i + 2, -x, x)

    walls = {
        f"{i}{side}": (lambda t, x, i=i, side=side: x[i] - side, None, reflect(i))
        for i in (0, 1)
        for side in (0, 1)
    }
    still = np.zeros(2)
    for speed in ([1.0, 1.0], [0.7, 1.3]):
        motion = integrate_adaptive(
            lambda t, x: np.concatenate([x[2:], still]), (0, 4.3), [0.5, 0.5, *speed], events=walls
        )
        right = 1 - np.abs((0.5 + np.multiply(speed, 4.3)) % 2 - 1)
        np.testing.assert_allclose(motion.x[-1, :2], right, atol=1e-12)


@RUNS
def test_a_relay_switches_a_parameter(run):
    def relay(t, x, u=1.0):
        return np.array([u + 0 * x[0]])

    def events(width):
        return {
            "off": (lambda t, x: x[0] - width, "rising", lambda t, x: {"u": -1.0}),
            "on": (lambda t, x: x[0] + width, "falling", lambda t, x: {"u": 1.0}),
        }

    f = run(relay, u=1.0)
    motion = integrate_adaptive(f, (0, 2.05), [0.0], events=events(0.1))
    times = [event.t for event in motion.events]
    np.testing.assert_allclose(times, 0.1 + 0.2 * np.arange(10), atol=1e-9)
    assert motion.x[-1, 0] == pytest.approx(0.05, abs=1e-9)
    with pytest.raises(SimulationError, match=r"happens again and again at t = 0\.5"):
        integrate_adaptive(f, (0, 10), [-0.5], events=events(0.0))


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([height], "events must be a mapping, such as"),
        ({"floor": 3}, "event 'floor' must be"),
        ({"floor": (height, "down")}, "direction must be .*falling.*, or None; got 'down'"),
        ({"floor": (height, None, 3)}, "the action of event 'floor' must be a function"),
    ],
)
def test_what_is_no_event_is_refused(events, message):
    with pytest.raises((TypeError, ValueError), match=message):
        integrate_adaptive(fall, (0, 1), [1.0, 0.0], events=events)


@pytest.mark.parametrize("value", [lambda t, x: x[0] > 3, lambda t, x: np.nan, lambda t, x: None])
def test_an_event_without_a_value_is_named(value):
    with pytest.raises(SimulationError, match="the value of event 'wall' at t = 0 must be"):
        integrate_adaptive(fall, (0, 1), [1.0, 0.0], events={"floor": height, "wall": value})


@RUNS
@pytest.mark.parametrize("pair", [DORMAND_PRINCE, DOP853], ids=lambda pair: pair.name)
def test_dense_output_has_the_accuracy_of_the_steps(run, pair):
    def circle(t, x):
        return np.array([x[1], -x[0]])

    t = np.linspace(0, 10, 1000)
    for tolerance in (1e-6, 1e-11):
        motion = integrate_adaptive(
            run(circle), (0, 10), [0.0, 1.0], tolerance, tolerance, pair, dense=True, breaks=[3, 4]
        )
        np.testing.assert_allclose(
            motion(t), np.transpose([np.sin(t), np.cos(t)]), atol=tolerance * 30
        )
        np.testing.assert_allclose(motion(motion.t), motion.x, atol=1e-14)
        assert motion(0.5).shape == (2,)
        with pytest.raises(ValueError, match=r"t = 10.1 s is outside the trajectory"):
            motion([1.0, 10.1])
    with pytest.raises(ValueError, match="dense=True"):
        integrate_adaptive(run(circle), (0, 1), [0.0, 1.0])(0.5)


def test_an_event_at_a_sample_happens_once_each_time():
    reset = {"full": (lambda t, x: x[0] - 2, "rising", lambda t, x: [0.0])}
    for more in ({"sampled": (1.0, lambda t, x: {"u": 1.0})}, {"breaks": np.arange(10)}):
        motion = integrate_adaptive(lambda t, x, u=1.0: [u], (0, 9), [0.0], events=reset, **more)
        np.testing.assert_allclose([event.t for event in motion.events], [2, 4, 6, 8], atol=1e-12)
        assert motion.x[-1] == pytest.approx(1.0, abs=1e-12)


def test_dense_output_stays_on_a_space():
    spin = Field(lambda t, x: np.array([np.sin(t), 0.5, np.cos(2 * t)]), SO3)
    motion = integrate_adaptive(spin, (0, 5), np.eye(3).ravel(), 1e-8, 1e-8, dense=True)
    t = np.linspace(0, 5, 41)
    R = motion(t).reshape(-1, 3, 3)
    np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.tile(np.eye(3), (41, 1, 1)), atol=1e-12)
    asked = integrate_adaptive(spin, t, np.eye(3).ravel(), 1e-9, 1e-9)
    np.testing.assert_allclose(motion(t), asked.x, atol=1e-6)


def pushed(t, x, u):
    return np.array([x[1], u])


def sampled_right(times, period):
    """Return the states of a unit mass under a sampled PD law, by its exact map."""
    gains, states = np.array([4.0, 2.0]), []
    for t in times:
        x, left = np.array([1.0, 0.0]), t
        while left > 1e-12:
            h = min(period, left)
            x, left = (
                np.array([[1, h], [0, 1]]) @ x - np.array([h**2 / 2, h]) * (gains @ x),
                left - h,
            )
        states.append(x)
    return np.array(states)


@RUNS
@pytest.mark.parametrize("t", [(0, 4.05), np.linspace(0, 4, 9)], ids=["steps", "times"])
def test_a_sampled_law_is_held(run, t):
    calls = []

    def law(t, x):
        calls.append(t)
        return {"u": -4 * x[0] - 2 * x[1]}

    motion = integrate_adaptive(run(pushed, u=0.0), t, [1.0, 0.0], sampled=(0.1, law))
    np.testing.assert_allclose(calls, np.arange(len(calls)) * 0.1, atol=1e-14)
    assert len(calls) == (41 if len(t) == 2 else 40)
    np.testing.assert_allclose(motion.x, sampled_right(motion.t, 0.1), atol=1e-9)


def own_euler(f, t, x, h):
    return x + h * (f(t, x) + h / 2 * np.array([f(t, x)[1], 0.0]))


@RUNS
@pytest.mark.parametrize(
    "method",
    ["rk4", "velocity_verlet", own_euler, compiled(own_euler)],
    ids=["rk4", "velocity_verlet", "own step", "own compiled step"],
)
@pytest.mark.parametrize("steps", [1, 4])
def test_a_sampled_law_is_held_over_fixed_steps(run, method, steps):
    """Each method is exact for a held force, and would not be if a stage read the next one."""
    calls = []

    def law(t, x):
        calls.append(t)
        return {"u": -4 * x[0] - 2 * x[1]}

    if run is not compiled and method is not own_euler and not isinstance(method, str):
        return
    t = np.linspace(0, 4, 40 * steps + 1)
    motion = integrate(run(pushed, u=0.0), t, [1.0, 0.0], method, sampled=(0.1, law))
    np.testing.assert_allclose(calls, np.arange(40) * 0.1, atol=1e-14)
    np.testing.assert_allclose(motion.x, sampled_right(t, 0.1), atol=1e-12)


@RUNS
def test_laws_of_different_periods(run):
    def f(t, x, u, k):
        return np.array([u + k])

    laws = [(0.1, lambda t, x: {"u": t}), (0.25, lambda t, x: {"k": 2 * t})]
    t, total = np.linspace(0, 1, 21), 0.1 * 0.1 * 45 + 2 * 0.25 * 0.25 * 6
    f = run(f, u=0.0, k=0.0)
    assert integrate(f, t, [0.0], sampled=laws).x[-1, 0] == pytest.approx(total)
    assert integrate_adaptive(f, t, [0.0], sampled=laws).x[-1, 0] == pytest.approx(total)


def test_samples_that_do_not_fit_the_steps():
    law = lambda t, x: {"u": -x[0]}  # noqa: E731
    with pytest.raises(ValueError, match=r"sampled at t = 0.03, which is not one of the times"):
        integrate(pushed, np.linspace(0, 1, 11), [1.0, 0.0], sampled=(0.03, law))
    with pytest.raises(ValueError, match="verlet does not step from state to state"):
        integrate(pushed, np.linspace(0, 1, 11), [1.0, 0.0], "verlet", sampled=(0.1, law))
    late = lambda t, x: {"u": 0.0 if t < 0.45 else x[2]}  # noqa: E731
    with pytest.raises(SimulationError, match=r"the sampled law failed at t = 0\.5") as caught:
        integrate(pushed, np.linspace(0, 1, 11), [1.0, 0.0], sampled=(0.1, late))
    assert caught.value.trajectory.t[-1] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("sampled", "message"),
    [
        (3, r"sampled must be \(period, law\), or several"),
        ((0.1, lambda t, x: 3.0), "must return parameters of f, such as"),
        ((0.0, lambda t, x: {"u": 3.0}), "the period of a sampled law must be positive"),
        ((0.1, lambda t, x: {"v": 3.0}), "f has no parameter 'v'; it has u"),
    ],
)
def test_what_is_no_sampled_law_is_refused(sampled, message):
    with pytest.raises((TypeError, ValueError), match=message):
        integrate_adaptive(compiled(pushed, u=0.0), (0, 1), [1.0, 0.0], sampled=sampled)
