"""The exercises of chapter 4, integrators."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sm

from course.exercises import UNITS, in_words
from course.judge import Choice, Exercise, Expression, Function, Misconception, Number, NumberArray
from panels import figure_as_html
from tutlib.methods import (
    EULER,
    HEUN,
    KUTTA3,
    MIDPOINT,
    RK4,
    energy_error,
    integrate,
    observed_order,
    step,
)
from tutlib.models import pendulum
from tutlib.plots import plot_curves

h, omega, p = sm.symbols("h omega p", positive=True)
x, v = sm.symbols("x v", real=True)
x_0, v_0, a_0 = sm.symbols("x_0 v_0 a_0", real=True)
tolerance, error = sm.symbols("tolerance error", positive=True)
coarse, fine = sm.symbols("coarse fine", positive=True)


# ---- integrators-1: how Euler grows

growth = Exercise(
    name="integrators-1",
    answer=Expression(sm.sqrt(1 + omega**2 * h**2), units=UNITS),
    misconceptions=(
        Misconception(
            1 + omega**2 * h**2,
            "That is the factor of the energy, which goes with the square of the amplitude.",
        ),
        Misconception(
            1 + omega * h,
            "That is a step along the tangent of a real exponential. Here λ is imaginary: how long "
            "is the number 1 + iωh?",
        ),
        Misconception(
            sm.sqrt(1 - omega**2 * h**2),
            "The tangent of a circle leads outward, never inward.",
        ),
        Misconception(
            sm.Integer(1),
            "That would keep the amplitude, as the true motion does. Follow the tangent for one "
            "step.",
        ),
    ),
    section="Why Euler's pendulum goes wild",
    lesson="Greater than one for every h: a smaller step only makes it slower to go wild.",
    forms=(sm.Abs(1 + sm.I * omega * h),),
)


# ---- integrators-2: what semi-implicit Euler keeps

modified = v**2 / 2 + omega**2 * x**2 / 2 - h * omega**2 * x * v / 2

kept = Exercise(
    name="integrators-2",
    answer=Expression(modified, also=(h,), units=UNITS),
    misconceptions=(
        Misconception(
            v**2 / 2 + omega**2 * x**2 / 2,
            "That is the true energy, and the method does not keep it: try one step from x = 0.",
        ),
        Misconception(
            v**2 / 2 + omega**2 * x**2 / 2 + h * omega**2 * x * v / 2,
            "Nearly: that is what the other order keeps, coordinates first.",
        ),
        Misconception(
            v**2 / 2 + omega**2 * x**2 / 2 - h * omega * x * v / 2,
            "Look at the units of your last term: they are not those of v².",
        ),
        Misconception(
            v**2 / 2 + omega**2 * x**2 / 2 - h * omega**2 * x * v,
            "Put one step in and compare the coefficients of x v once more.",
        ),
    ),
    section="Speeds first",
    lesson="It is near the energy and exactly constant, so the energy can only waver around it.",
)


# ---- integrators-3: Verlet's start

start = x_0 + h * v_0 + h**2 * a_0 / 2

first_point = Exercise(
    name="integrators-3",
    answer=Expression(start, units=UNITS),
    misconceptions=(
        Misconception(
            x_0 + h * v_0,
            "That start is wrong by h² a/2, once, and costs the whole motion one order.",
        ),
        Misconception(x_0, "Then the body would have stood still in the first step."),
        Misconception(
            x_0 + h * v_0 + h**2 * a_0,
            "That is Taylor's series with one factor missing.",
        ),
        Misconception(
            x_0 - h * v_0 + h**2 * a_0 / 2,
            "That is the point one step *before* the start: useful, too, but not asked for.",
        ),
    ),
    section="Verlet: no speed at all",
    lesson="Three terms of Taylor's series: an error of h³ is made once, and does no harm.",
)


# ---- integrators-4: write RK4


def rotate(t: float, state: Any) -> Any:
    """[x[1], -x[0]]."""
    return np.array([state[1], -state[0]])


def driven(t: float, state: Any) -> Any:
    """[x[1], -sin(x[0]) + cos(3 t)]."""
    return np.array([state[1], -np.sin(state[0]) + np.cos(3 * t)])


def fading(t: float, state: Any) -> Any:
    """-2 x + t."""
    return -2 * state + t


def some_field(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return a right-hand side that no one has seen, a time, a state and a step."""
    count = int(rng.integers(1, 7))
    A = rng.normal(size=(count, count))

    def f(t: float, state: Any) -> Any:
        """cos(t) A x, with a random matrix A."""
        return np.cos(t) * (A @ state)

    return f, float(rng.uniform(0, 2)), rng.normal(size=count), float(rng.uniform(0.05, 0.5))


def falls_as(order: int) -> Callable[[Any], bool]:
    def law(method: Any) -> bool:
        errors = []
        for steps in (20, 40):
            state = np.array([1.0, 0.0])
            for k in range(steps):
                state = np.asarray(method(rotate, k / steps, state, 1 / steps), float)
            errors.append(np.abs(state - [np.cos(1), -np.sin(1)]).max())
        return bool(np.log2(errors[0] / errors[1]) > order - 0.2)

    return law


def classical(f: Any, t: float, state: Any, size: float) -> Any:
    return step(f, t, state, size, RK4)


def four_stages(
    weights: Any = (1 / 6, 1 / 3, 1 / 3, 1 / 6),
    times: Any = (0, 0.5, 0.5, 1),
    reach: Any = (0, 0.5, 0.5, 1),
    along: Any = (0, 0, 1, 2),
) -> Callable[..., Any]:
    """Return a step like RK4's: each stage reaches so far along the slope of so many before."""

    def method(f: Any, t: float, state: Any, size: float) -> Any:
        state = np.asarray(state, dtype=float)
        slopes = [np.asarray(f(t, state))]
        for c, share, k in zip(times[1:], reach[1:], along[1:]):
            slopes.append(np.asarray(f(t + c * size, state + share * size * slopes[k])))
        return state + size * sum(weight * slope for weight, slope in zip(weights, slopes))

    return method


def without_the_state(f: Any, t: float, state: Any, size: float) -> Any:
    return classical(f, t, state, size) - state


def slopes_for_ways(f: Any, t: float, state: Any, size: float) -> Any:
    k_1 = np.asarray(f(t, state))
    k_2 = np.asarray(f(t + size / 2, state + k_1 / 2))
    k_3 = np.asarray(f(t + size / 2, state + k_2 / 2))
    k_4 = np.asarray(f(t + size, state + k_3))
    return state + size / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4)


own_step = Exercise(
    name="integrators-4",
    answer=Function(
        classical,
        problems=(
            (rotate, 0.0, np.array([1.0, 0.0]), 0.1),
            (driven, 0.4, np.array([0.3, -1.0]), 0.2),
            (fading, 1.0, np.array([0.7]), 0.5),
            (fading, 0.2, np.array([0.5, -1.5, 2.0, 0.1, -0.2, 3.0]), 1.2),
        ),
        draw=some_field,
        laws=((falls_as(4), "Halve the step, and its error does not fall by sixteen."),),
    ),
    misconceptions=(
        Misconception(
            four_stages(times=(0, 0, 0, 0)),
            "Right, as long as f does not depend on time itself. At which time is each stage?",
        ),
        Misconception(
            four_stages(weights=(0.25,) * 4),
            "The stages in the middle count more: remember Simpson's rule.",
        ),
        Misconception(
            four_stages(along=(0, 0, 0, 2)),
            "Your third stage goes along the first slope again. Along which should it go?",
        ),
        Misconception(
            four_stages(along=(0, 0, 1, 1)),
            "Your last stage goes along the second slope. Which is the newest one?",
        ),
        Misconception(
            four_stages(reach=(0, 0.5, 0.5, 0.5)),
            "Your last stage stops in the middle of the step. Where should it look?",
        ),
        Misconception(
            four_stages(times=(0, 0.5, 0.5, 0.5)),
            "Your last stage is at the end of the step, but at the time of its middle.",
        ),
        Misconception(
            four_stages(reach=(0, 1, 1, 1)),
            "The stages in the middle should look at the middle of the step, in the state as well.",
        ),
        Misconception(
            four_stages(weights=(1, 2, 2, 1)),
            "A mean of slopes: divide by the sum of the weights.",
        ),
        Misconception(
            four_stages(weights=(1 / 6, 1 / 6, 1 / 3, 1 / 3)),
            "The last stage counts as much as the first, and both in the middle count more.",
        ),
        Misconception(
            without_the_state,
            "That is the change over the step. Add it to the state.",
        ),
        Misconception(
            slopes_for_ways,
            "A stage goes along a slope for a time: multiply each slope by its share of h.",
        ),
        Misconception(
            lambda f, t, state, size: step(f, t, state, size, HEUN),
            "That is Heun's method, of order 2.",
        ),
        Misconception(
            lambda f, t, state, size: step(f, t, state, size, MIDPOINT),
            "That is the midpoint method: two of the four stages.",
        ),
        Misconception(
            lambda f, t, state, size: step(f, t, state, size, EULER),
            "That is Euler's method: one of the four stages.",
        ),
    ),
    section="Four stages",
    lesson="Hand it to `integrate` as method=your_step: it goes wherever the course's own go.",
    forms=(lambda f, t, x, h: step(f, t, x, h, RK4),),
)


# ---- integrators-5: weights from order conditions

weights = Exercise(
    name="integrators-5",
    answer=NumberArray(np.array([0.25, 0.75])),
    misconceptions=(
        Misconception([0.75, 0.25], "Check Σ b c = 1/2: the later stage must count more."),
        Misconception([0.5, 0.5], "Those are Heun's weights, with his second stage at c = 1."),
        Misconception([0, 1], "Those belong to the midpoint method, with its stage at c = 1/2."),
        Misconception([1 / 3, 2 / 3], "They sum to 1. Now look at Σ b c = 1/2."),
    ),
    section="The tableau, and what its numbers must fulfill",
    lesson="Two conditions, two unknowns: this is Ralston's method.",
    asked=(
        r"\(0, \\tfrac(\d)(\d)\).*order (2)\?",
        lambda a, b, order: [1 - b / (a * order), b / (a * order)],
    ),
)


# ---- integrators-6: how large may a step be?


def rk4_at_its_border() -> Any:
    """Return how far one step turns too much [quarter turns], where RK4 keeps the amplitude."""
    z = 1j * math.sqrt(8)
    factor = 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24
    return (np.angle(factor) - z.imag) % math.tau / (math.pi / 2)


largest_step = Exercise(
    name="integrators-6",
    answer=Number(2 * np.sqrt(2) / np.sqrt(9.81 / 0.25), "seconds", bound="most"),
    misconceptions=(
        Misconception(
            2 / np.sqrt(9.81 / 0.25),
            "That is the border of semi-implicit Euler and of Verlet.",
        ),
        Misconception(
            2.7853 / np.sqrt(9.81 / 0.25),
            "That is the border on the real axis. A swing without friction has imaginary λ.",
        ),
        Misconception(2 * np.sqrt(2), "That is ωh. Asked for is h."),
        Misconception(
            2 * np.sqrt(2) / (9.81 / 0.25),
            "You divided by ω². What is ω?",
        ),
        Misconception(
            2 * np.sqrt(2) / np.sqrt(0.25 / 9.81),
            "The shorter the pendulum, the faster it swings: ω² = g/l.",
        ),
    ),
    section="One step is one number",
    lesson="Stable is not yet exact: each such step turns the phase by a quarter turn too much.",
    asked=(
        r"pendulum of ([\d.]+) m .* = ([\d.]+) m/s²",
        lambda l, g: math.sqrt(8) * math.sqrt(l / g),
    ),
    facts=lambda: (f"by {['', 'a quarter'][round(rk4_at_its_border())]} turn too much",),
)


# ---- integrators-7: what does RK4 do to the energy?

what_happens = Choice(
    "b",
    {
        "a": "it stays exactly as it is",
        "b": "it falls, a little in each swing",
        "c": "it grows, a little in each swing",
        "d": "it wavers around its first value for ever",
    },
)


@cache
def energies() -> tuple[Any, dict[str, Any]]:
    """Return times, and the energy over its start by two methods, for two hundred swings."""
    model = pendulum().free()
    times = np.arange(0, 400, 0.1)
    ratios = {}
    for method in ("rk4", "velocity_verlet"):
        run = integrate(model.compile(), times, [1.0, 0.0], method)
        ratios[method] = 1 + energy_error(model.energies(run.t, run.x).sum(axis=1))
    return times, ratios


def long_run(chosen: str) -> str:
    """Draw the energy of RK4 and of velocity Verlet."""
    times, ratios = energies()
    curves = {method: (times[::4], energy[::4]) for method, energy in ratios.items()}
    quantity, verdict = "energy over its start", what_happens.verdict(chosen)
    ax = plot_curves("time [s]", quantity, curves, verdict, ls="-", marker="", lw=1)
    return figure_as_html(
        ax.figure,
        "Energy over its start against time: that of rk4 falls steadily, that of velocity_verlet "
        "wavers in a narrow band.",
    )


def loss_of_rk4() -> Any:
    y = sm.Symbol("y", real=True)
    factor = 1 + sm.I * y - y**2 / 2 - sm.I * y**3 / 6 + y**4 / 24
    series = sm.series(sm.expand(factor * sm.conjugate(factor)), y, 0, 7).removeO()
    return -1 / series.coeff(y, 6)


energy_of_rk4 = Exercise(
    name="integrators-7",
    answer=what_happens,
    misconceptions=(
        Misconception(
            "a",
            "Small is not zero: the true motion is an exponential, and R(z) is its series cut off.",
        ),
        Misconception(
            "c",
            "That is Euler's way. Is |R(iy)| of RK4 above or below one for small y?",
        ),
        Misconception(
            "d",
            "That is what the methods do which treat speeds and coordinates in turns.",
        ),
    ),
    section="One step is one number",
    lesson="|R(iy)|² = 1 - y⁶/72 + ...: tiny, and always the same way.",
    reveal=long_run,
    curves={
        "rk4": ("rk4 falls steadily", lambda c: (np.diff(c.y[::50]) < 0).all()),
        "velocity_verlet": (
            "velocity_verlet wavers in a narrow band",
            lambda c: c.y[-100:].max() > 0.999 and c.y.min() > 0.97,
        ),
    },
    facts=lambda: (f"|R(iy)|² = 1 - y⁶/{loss_of_rk4()}", "with a step of 0.1 s"),
)


# ---- integrators-8: the next step

next_step = Exercise(
    name="integrators-8",
    answer=Expression(h * (tolerance / error) ** (1 / (p + 1))),
    misconceptions=(
        Misconception(
            h * (tolerance / error) ** (1 / p),
            "The error of one step falls with one power more than that of the whole motion.",
        ),
        Misconception(
            h * (error / tolerance) ** (1 / (p + 1)),
            "That takes a larger step after a larger error.",
        ),
        Misconception(
            h * tolerance / error,
            "So it would be if the error fell in proportion to h.",
        ),
        Misconception(
            h * (tolerance / error) ** (p + 1),
            "Solve error · (new/h)^(p+1) = tolerance for the new step: a root, not a power.",
        ),
    ),
    section="Two results, one difference",
    lesson="In practice a bit less, and remembering the error before: a PI controller.",
)


# ---- integrators-9: the trapezoidal rule with Newton's iteration


def fading_slopes(t: float, state: Any) -> Any:
    """-2 times the unit matrix."""
    return -2 * np.eye(len(state))


def driven_slopes(t: float, state: Any) -> Any:
    """[[0, 1], [-cos(x[0]), 0]]."""
    return np.array([[0.0, 1.0], [-np.cos(state[0]), 0.0]])


def stiff(t: float, state: Any) -> Any:
    """-1000 (x - cos(t))."""
    return -1000 * (state - np.cos(t))


def stiff_slopes(t: float, state: Any) -> Any:
    """-1000 times the unit matrix."""
    return -1000 * np.eye(len(state))


def cubed(t: float, state: Any) -> Any:
    """-x**3."""
    return -(state**3)


def cubed_slopes(t: float, state: Any) -> Any:
    """-3 diag(x**2)."""
    return -3 * np.diag(state**2)


def some_bent_field(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return a right-hand side that bends, its Jacobian, a time, a state and a step."""
    count = int(rng.integers(1, 5))
    A = rng.normal(size=(count, count))

    def f(t: float, state: Any) -> Any:
        """cos(t) A sin(x), with a random matrix A."""
        return np.cos(t) * (A @ np.sin(state))

    def J(t: float, state: Any) -> Any:
        """cos(t) A diag(cos(x))."""
        return np.cos(t) * A * np.cos(state)

    return f, J, float(rng.uniform(0, 2)), rng.normal(size=count), float(rng.uniform(0.05, 0.2))


def with_newton(
    first: float, last: float, rounds: int = 20, place: float = 1.0
) -> Callable[..., Any]:
    """Return a step that weighs the slope at the start and that at its own, unknown, place."""

    def method(f: Any, J: Any, t: float, state: Any, size: float) -> Any:
        known = np.asarray(f(t, state))
        slope = known
        for _ in range(rounds):
            there = state + size * ((place - last) * known + last * slope)
            missed = slope - np.asarray(f(t + place * size, there))
            matrix = np.eye(len(known)) - last * size * np.asarray(J(t + place * size, there))
            slope = slope - np.linalg.solve(matrix, missed)
        return state + size * (first * known + (1 - first) * slope)

    return method


def trapezoidal(f: Any, J: Any, t: float, x: Any, h: float) -> Any:
    return with_newton(0.5, 0.5)(f, J, t, x, h)


def trapezoid_by_root(f: Any, J: Any, t: Any, x: Any, h: Any) -> Any:
    from scipy.optimize import root

    return root(
        lambda new: new - x - h / 2 * (f(t, x) + f(t + h, new)),
        x,
        jac=lambda new: np.eye(len(x)) - h / 2 * J(t + h, new),
        options={"xtol": 1e-14},
    ).x


trapezoid = Exercise(
    name="integrators-9",
    answer=Function(
        trapezoidal,
        problems=(
            (fading, fading_slopes, 1.0, np.array([0.7]), 0.5),
            (driven, driven_slopes, 0.4, np.array([0.3, -1.0]), 0.2),
            (stiff, stiff_slopes, 0.3, np.array([0.2]), 0.1),
            (cubed, cubed_slopes, 0.0, np.array([3.0, -0.5, 1.0, 1.5]), 0.5),
        ),
        draw=some_bent_field,
    ),
    misconceptions=(
        Misconception(
            with_newton(0.0, 1.0),
            "That is implicit Euler: all weight is on the slope at the end.",
        ),
        Misconception(
            with_newton(0.0, 0.5, place=0.5),
            "That is the implicit midpoint method: one slope, halfway. The mean of the slopes at "
            "both ends is asked for.",
        ),
        Misconception(
            lambda f, J, t, x, h: step(f, t, x, h, HEUN),
            "That is Heun's method: its second slope stands where Euler's step would end, and not "
            "where your own step ends.",
        ),
        Misconception(
            with_newton(0.5, 0.5, rounds=1),
            "One round of Newton's iteration is enough for a linear f only. Go on until nothing "
            "is missed.",
        ),
        Misconception(
            with_newton(0.5, 0.5, rounds=2),
            "Two rounds are not enough where f bends much. Go on until nothing is missed.",
        ),
        Misconception(
            with_newton(0.5, 1.0),
            "You look for the slope where implicit Euler would end. Your own step ends where the "
            "mean of both slopes leads.",
        ),
    ),
    section="Solve for the end",
    lesson="Stable wherever the truth dies away, and of order two: but it forgets no fast error.",
    forms=(trapezoid_by_root,),
)


# ---- integrators-10: three stages that reach far


def nested(*shares: float) -> Callable[..., Any]:
    """Return a step whose stages each go from the start along the slope before, so far."""

    def method(f: Any, t: float, x: Any, h: float) -> Any:
        slope = np.asarray(f(t, x))
        for share in shares:
            slope = np.asarray(f(t + share * h, x + share * h * slope))
        return x + h * slope

    return method


def reaching(f: Any, t: float, x: Any, h: float) -> Any:
    return nested(0.5, 0.5)(f, t, x, h)


def turning(t: float, state: Any) -> Any:
    """[x[1], -x[0]]: a swing with ω = 1."""
    return np.array([state[1], -state[0]])


def three_swings(t: float, state: Any) -> Any:
    """[x[3], x[4], x[5], -x[0], -x[1], -x[2]]."""
    return np.concatenate([state[3:], -np.asarray(state[:3])])


def some_swing(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return the rates of a few swings, a time, a state and a step."""
    count = int(rng.integers(1, 4))
    rates = rng.uniform(0.5, 3.0, count)

    def f(t: float, state: Any) -> Any:
        """Several swings without friction."""
        q, v = np.split(np.asarray(state), 2)
        return np.concatenate([v, -(rates**2) * q])

    return f, 0.0, rng.normal(size=2 * count), float(rng.uniform(0.1, 0.9))


def calls_at_most(most: int) -> Callable[[Any], bool]:
    def law(method: Any) -> bool:
        calls = []

        def counted(t: float, state: Any) -> Any:
            calls.append(t)
            return rotate(t, state)

        method(counted, 0.0, np.array([1.0, 0.0]), 0.1)
        return len(calls) <= most

    return law


def has_order_two(method: Any) -> bool:
    """Measure the order where f depends on time and state: pendulum with a drive."""
    exact = integrate(driven, np.linspace(0, 1, 2001), [0.3, -1.0], RK4).x[-1]
    errors = []
    for steps in (40, 80):
        state = np.array([0.3, -1.0])
        for k in range(steps):
            state = np.asarray(method(driven, k / steps, state, 1 / steps), float)
        errors.append(np.abs(state - exact).max())
    return bool(np.log2(errors[0] / errors[1]) > 1.7)


def three_that_share(f: Any, t: Any, x: Any, h: Any) -> Any:
    k_1 = f(t, x)
    k_2 = f(t + h / 4, x + h / 4 * k_1)
    return x + h * f(t + h / 2, x + h * (k_2 - k_1 / 2))


far_step = Exercise(
    name="integrators-10",
    answer=Function(
        reaching,
        problems=(
            (turning, 0.0, np.array([1.0, 0.0]), 1.0),
            (turning, 0.0, np.array([0.3, -0.8]), 2.0),
            (three_swings, 0.0, np.array([0.5, -1.5, 2.0, 0.1, -0.2, 3.0]), 0.8),
        ),
        draw=some_swing,
        laws=(
            (calls_at_most(3), "Count the calls of f: only three are allowed in a step."),
            (
                has_order_two,
                "Right for a swing, which does not depend on time. Where f does, your order is "
                "not two: at which time does each stage look?",
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            lambda f, t, x, h: step(f, t, x, h, KUTTA3),
            "That has order three, more than is asked for, and it pays with reach: its coefficient "
            "of z³ is 1/6, and it is stable to √3 only.",
        ),
        Misconception(
            lambda f, t, x, h: step(f, t, x, h, MIDPOINT),
            "With two stages there is no z³ at all, and the swing grows with every step.",
        ),
        Misconception(
            lambda f, t, x, h: step(f, t, x, h, RK4),
            "That takes four stages.",
        ),
        Misconception(
            nested(0.25, 0.5),
            "Your coefficient of z³ is 1/8. Then |R(iy)| is greater than one from the start: the "
            "term with y⁴ vanishes, and the one with y⁶ is left.",
        ),
        Misconception(
            nested(1.0, 0.5),
            "Your coefficient of z³ is 1/2: stable for small steps, but not as far as it can be. "
            "How far do you come with a smaller one?",
        ),
    ),
    section="One step is one number",
    lesson="Order gives digits, and reach gives speed: a design may spend its stages on either.",
    forms=(three_that_share,),
    facts=lambda: (
        f"is {sm.Rational(1, 6)}, and it is stable to √{3}",
        f"of z³ is {sm.Rational(1, 2) * sm.Rational(1, 4)}. Then |R(iy)| is greater than one",
        f"of z³ is {sm.Rational(1, 2)}: stable",
    ),
)


# ---- integrators-11: a servo for a given step


def gain_at(limit: float, weight: float = 9.81) -> float:
    """Return k_p whose fast root s has h s at a limit, with k_d = k_p/10 and h = 0.05 s."""
    s = limit / 0.05
    return (s**2 + weight) / (s / 10 - 1)


real_limit = float(max(np.roots([1 / 24, 1 / 6, 1 / 2, 1]).real * -1))  # R(z) = 1 once more


def stiffest_servo(step: Any, length: Any, mass: Any, gravity: Any, ratio: Any) -> Any:
    """Return the k_p whose fast root is where RK4's R(z) is 1 again, on the real axis."""
    border = -np.roots([1 / 24, 1 / 6, 1 / 2, 1]).real.min()
    root, inertia = border / step, mass * length**2
    return (inertia * root**2 + mass * gravity * length) / (root / ratio - 1)


softer_servo = Exercise(
    name="integrators-11",
    answer=Number(gain_at(real_limit), "newton meters per radian", bound="most"),
    misconceptions=(
        Misconception(
            gain_at(2 * np.sqrt(2)),
            "You took the border on the imaginary axis. The fast root of this servo is real.",
        ),
        Misconception(gain_at(2), "That is how stiff it may be for Euler's method."),
        Misconception(
            10 * real_limit / 0.05,
            "Nearly: you took all damping for the fast root. A slow root takes its share of k_d.",
        ),
        Misconception(real_limit / 0.05, "That is the fast root. Which k_p has it?"),
    ),
    section="One step is one number",
    lesson="A faster computer, a softer servo, or an implicit step: one of the three.",
    asked=(
        r"step of ([\d.]+) s and no .* arm of (1) m and (1) kg near .* = ([\d.]+) m/s².*k_p/(10)\$",
        stiffest_servo,
    ),
)


# ---- integrators-12: a step for a game


def fewest_steps(length: Any, gravity: Any, start: Any, pictures: Any, share: Any) -> Any:
    """Return how many steps Verlet and RK4 need from picture to picture, for an hour."""
    model = pendulum().with_parameters({"l": length, "g": gravity}).free()
    f, counts = model.compile(), []
    for method in ("velocity_verlet", "rk4"):
        steps, worst = 0, np.inf
        while worst > share / 100:
            steps += 1
            each_second = int(pictures * steps)
            times = np.arange(3600 * each_second + 1) / each_second
            run = integrate(f, times, [math.radians(start), 0.0], method)
            energy = model.energies(run.t, run.x).sum(axis=1)
            worst = np.abs(energy / energy[0] - 1).max()
        counts.append(steps)
    return counts


game_steps = Exercise(
    name="integrators-12",
    answer=NumberArray([4, 2]),
    misconceptions=(
        Misconception([2, 4], "First velocity Verlet, then RK4."),
        Misconception(
            [4, 1],
            "That is right for the first swings. RK4's error is small at first, and it adds up: "
            "look at the whole hour.",
        ),
        Misconception([3, 1], "These are the last numbers with which it fails."),
        Misconception(
            [4, 8],
            "That is how often each evaluates the right-hand side. Asked for are steps.",
        ),
        Misconception([8, 8], "That is one evaluation too many for each step of Verlet's."),
    ),
    section="Ten thousand swings",
    lesson="Four evaluations a picture against eight: for hours, keeping areas beats order.",
    asked=(
        r"of ([\d.]+) m, .* = ([\d.]+) m/s².*at (\d+)° .*shows (\d+) .*more than ([\d.]+) %",
        fewest_steps,
    ),
    facts=lambda: (
        f"{in_words(4 * 1).capitalize()} evaluations a picture against {in_words(2 * 4)}",
    ),
)


# ---- integrators-13: find the wrong line

which_line = Choice(
    "b",
    {
        "a": "the second stage goes along the first slope for the whole step",
        "b": "the third stage goes along the first slope, and not along the second",
        "c": "the last stage goes along the second slope, and not along the third",
        "d": "all stages look at the time at which the step begins",
        "e": "all four slopes have the same weight",
    },
)


def suspect_step(f: Any, t: float, x: Any, h: float) -> Any:
    """Take one step of a program that was meant to be RK4."""
    return four_stages(along=(0, 0, 0, 2))(f, t, x, h)


def orders(chosen: str) -> str:
    """Draw the error of that program and of RK4 against the step, for a free swing."""
    curves = {}
    for label, method in (("the program", suspect_step), ("RK4", "rk4")):
        fit = observed_order(rotate, (0, 1), [1.0, 0.0], method, [np.cos(1), -np.sin(1)])
        curves[label] = fit.h, fit.error
    log = {"xscale": "log", "yscale": "log", "marker": "o"}
    ax = plot_curves("step [s]", "largest error", curves, which_line.verdict(chosen), **log)
    ax.xaxis.set_minor_formatter("")
    return figure_as_html(
        ax.figure,
        "Largest error against the step on logarithmic axes: that of the program falls with order "
        "two, that of RK4 with order four.",
    )


def has_order(order: Any) -> Any:
    return lambda c: abs(np.polyfit(np.log(c.x), np.log(c.y), 1)[0] - order) < 0.2


wrong_line = Exercise(
    name="integrators-13",
    answer=which_line,
    misconceptions=(
        Misconception(
            "a",
            "Then Σ b c, with each c what the row of a sums to, would not be one half, and the "
            "order would be one.",
        ),
        Misconception(
            "c",
            "That breaks only one condition, the one with 1/24. The order would be three.",
        ),
        Misconception(
            "d",
            "Then the free swing would show order four, for its rates do not depend on time.",
        ),
        Misconception(
            "e",
            "Then the integral of a cubic polynomial would come out wrong: these weights are not "
            "Simpson's.",
        ),
    ),
    section="Four stages",
    lesson="Each test leaves out some lines: together they leave one.",
    reveal=orders,
    curves={
        "the program": ("that of the program falls with order two", has_order(2)),
        "RK4": ("that of RK4 with order four", has_order(4)),
    },
    facts=lambda: (f"with {sm.Rational(1, 4 * 3 * 2)}. The order would be three",),
)


# ---- integrators-14: Richardson's estimate

from_two_runs = Exercise(
    name="integrators-14",
    answer=Expression((coarse - fine) / (2**p - 1)),
    misconceptions=(
        Misconception(
            (fine - coarse) / (2**p - 1),
            "The right size, with the other sign: what was computed minus the truth is asked for.",
        ),
        Misconception(
            (coarse - fine) / 2**p,
            "Nearly: that would be right if the coarse result were wrong by the whole difference. "
            "The fine one is wrong, too.",
        ),
        Misconception(
            coarse - fine,
            "That is the difference of the two errors. Which part of it is the fine one's?",
        ),
        Misconception(
            2**p * (coarse - fine) / (2**p - 1),
            "That is the error of the coarse result.",
        ),
        Misconception(
            (coarse - fine) / (2 ** (p + 1) - 1),
            "The error of one step has one power more. Here it is that of a whole motion.",
        ),
    ),
    section="Measure the order",
    lesson="Ask twice, and believe what both say: that works for every method.",
)


EXERCISES = (
    growth,
    kept,
    first_point,
    own_step,
    wrong_line,
    weights,
    from_two_runs,
    game_steps,
    largest_step,
    energy_of_rk4,
    far_step,
    softer_servo,
    trapezoid,
    next_step,
)
