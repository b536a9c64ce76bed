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
            "That is the factor of the energy, which is proportional to the square of the "
            "amplitude. What is the factor of the amplitude?",
        ),
        Misconception(
            1 + sm.I * omega * h,
            "That is the factor of z itself, which is complex. What is its magnitude?",
        ),
        Misconception(
            1 + omega * h,
            "That is right for a real λ. Here λ = iω is imaginary: what is the magnitude of the "
            "number 1 + iωh?",
        ),
        Misconception(
            sm.sqrt(1 - omega**2 * h**2),
            "That would shrink the amplitude, but a tangent leads out of a circle. How long is the "
            "hypotenuse of a triangle with legs 1 and ωh?",
        ),
        Misconception(
            sm.Integer(1),
            "That would keep the amplitude, as the true motion does. Where does one step along the "
            "tangent end?",
        ),
    ),
    section="Why Euler's pendulum goes wild",
    lesson="It is greater than one for every h, so a smaller step only delays the growth.",
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
            "That is the true energy, which the method does not conserve. What does one step from "
            "x = 0 do to it?",
        ),
        Misconception(
            v**2 / 2 + omega**2 * x**2 / 2 + h * omega**2 * x * v / 2,
            "Nearly: the other order, coordinates first, conserves this. Which sign belongs to "
            "speeds first?",
        ),
        Misconception(
            v**2 / 2 + omega**2 * x**2 / 2 - h * omega * x * v / 2,
            "The units of your last term are not those of v². Which power of omega does it need?",
        ),
        Misconception(
            v**2 / 2 + omega**2 * x**2 / 2 - h * omega**2 * x * v,
            "The coefficient of x v is wrong. What do you get for it if you substitute one step?",
        ),
    ),
    section="Speeds first",
    lesson="It is close to the energy and exactly constant, so the energy error stays bounded.",
)


# ---- integrators-3: Verlet's start

start = x_0 + h * v_0 + h**2 * a_0 / 2

first_point = Exercise(
    name="integrators-3",
    answer=Expression(start, units=UNITS),
    misconceptions=(
        Misconception(
            x_0 + h * v_0,
            "That start is wrong by h² a/2. The error is made only once, but it costs the whole "
            "motion one order. Which term of Taylor's series is missing?",
        ),
        Misconception(
            x_0,
            "Then the body would not move in the first step. How far does its velocity take it?",
        ),
        Misconception(
            x_0 + h * v_0 + h**2 * a_0,
            "That is Taylor's series with one factor missing. Which term has it?",
        ),
        Misconception(
            x_0 - h * v_0 + h**2 * a_0 / 2,
            "That is the position one step before the start. Which sign does h have one step after "
            "it?",
        ),
    ),
    section="Verlet: no speed at all",
    lesson="These are three terms of Taylor's series. The error of h³ is made only once, so the "
    "order stays 2.",
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
    """Return a random right-hand side, a time, a state, and a step."""
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
    """Return a step like that of RK4, in which each stage follows one earlier slope."""

    def method(f: Any, t: float, state: Any, size: float) -> Any:
        state = np.asarray(state, dtype=float)
        slopes = [np.asarray(f(t, state))]
        for c, share, k in zip(times[1:], reach[1:], along[1:]):
            slopes.append(np.asarray(f(t + c * size, state + share * size * slopes[k])))
        return state + size * sum(weight * slope for weight, slope in zip(weights, slopes))

    return method


def without_the_state(f: Any, t: float, state: Any, size: float) -> Any:
    return classical(f, t, state, size) - state


def stages_without_h(f: Any, t: float, state: Any, size: float) -> Any:
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
        laws=(
            (
                falls_as(4),
                "When you halve the step, the error does not fall by a factor of sixteen. Which "
                "stage or weight differs from the formula?",
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            four_stages(times=(0, 0, 0, 0)),
            "That is right only if f does not depend on time. At which time is each stage?",
        ),
        Misconception(
            four_stages(weights=(0.25,) * 4),
            "The stages in the middle must count more. What are the weights of Simpson's rule?",
        ),
        Misconception(
            four_stages(along=(0, 0, 0, 2)),
            "Your third stage follows the first slope again. Which slope should it follow?",
        ),
        Misconception(
            four_stages(along=(0, 0, 1, 1)),
            "Your last stage follows the second slope. Which slope is the newest one?",
        ),
        Misconception(
            four_stages(reach=(0, 0.5, 0.5, 0.5)),
            "Your last stage stops in the middle of the step. Where should it be?",
        ),
        Misconception(
            four_stages(times=(0, 0.5, 0.5, 0.5)),
            "Your last stage is at the end of the step, but at the time of its middle. Which time "
            "is right?",
        ),
        Misconception(
            four_stages(reach=(0, 1, 1, 1)),
            "Your middle stages are halfway in time, but not in the state. How far should they go "
            "along a slope?",
        ),
        Misconception(
            four_stages(weights=(1, 2, 2, 1)),
            "Your weights must sum to one. By what must you divide them?",
        ),
        Misconception(
            four_stages(weights=(1 / 6, 1 / 6, 1 / 3, 1 / 3)),
            "Your weights are in the wrong order. Which two stages count twice?",
        ),
        Misconception(
            without_the_state,
            "That is the change over the step. To what must you add it?",
        ),
        Misconception(
            stages_without_h,
            "A stage follows a slope for a part of the step. Where is the factor h in your stages?",
        ),
        Misconception(
            lambda f, t, state, size: step(f, t, state, size, HEUN),
            "That is Heun's method, of order 2. Which two stages does RK4 have in the middle?",
        ),
        Misconception(
            lambda f, t, state, size: step(f, t, state, size, MIDPOINT),
            "That is the midpoint method, which has two of the four stages. Which two are missing?",
        ),
        Misconception(
            lambda f, t, state, size: step(f, t, state, size, EULER),
            "That is Euler's method, which has one of the four stages. Which three are missing?",
        ),
    ),
    section="Four stages",
    lesson="Pass it to `integrate` as method=step_answer: it works like the course's own methods.",
    forms=(lambda f, t, x, h: step(f, t, x, h, RK4),),
)


# ---- integrators-5: weights from order conditions

weights = Exercise(
    name="integrators-5",
    answer=NumberArray(np.array([0.25, 0.75])),
    misconceptions=(
        Misconception([0.75, 0.25], "Σ b c is not 1/2. Which of the two stages must count more?"),
        Misconception(
            [0.5, 0.5],
            "Those are the weights of Heun's method, whose second stage is at c = 1. Which b_2 "
            "makes Σ b c = 1/2 here?",
        ),
        Misconception(
            [0, 1],
            "Those are the weights of the midpoint method, whose second stage is at c = 1/2. Where "
            "is it here?",
        ),
        Misconception([1 / 3, 2 / 3], "Your weights sum to 1, but what is Σ b c?"),
    ),
    section="The tableau, and what its numbers must satisfy",
    lesson="Two conditions determine the two weights of Ralston's method.",
    asked=(
        r"\(0, \\tfrac(\d)(\d)\).*order (2)\?",
        lambda a, b, order: [1 - b / (a * order), b / (a * order)],
    ),
)


# ---- integrators-6: how large may a step be?


def rk4_at_its_border() -> Any:
    """Return the phase error [quarter turns] of one step of RK4 at its stability limit."""
    z = 1j * math.sqrt(8)
    factor = 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24
    return (np.angle(factor) - z.imag) % math.tau / (math.pi / 2)


largest_step = Exercise(
    name="integrators-6",
    answer=Number(2 * np.sqrt(2) / np.sqrt(9.81 / 0.25), "seconds", at_most=True, bound="most"),
    misconceptions=(
        Misconception(
            2 / np.sqrt(9.81 / 0.25),
            "That is the limit of semi-implicit Euler and of velocity Verlet. What is it for RK4?",
        ),
        Misconception(
            2.7853 / np.sqrt(9.81 / 0.25),
            "That is the limit on the real axis. On which axis is λ without friction?",
        ),
        Misconception(2 * np.sqrt(2), "That is ωh. What is h?"),
        Misconception(
            2 * np.sqrt(2) / (9.81 / 0.25),
            "You divided by ω². What is ω?",
        ),
        Misconception(
            2 * np.sqrt(2) / np.sqrt(0.25 / 9.81),
            "A shorter pendulum oscillates faster, but yours is slower. What is ω² in terms of g "
            "and l?",
        ),
    ),
    section="One step is one number",
    lesson="Stable is not yet accurate: each such step rotates the phase by a quarter turn too "
    "much.",
    asked=(
        r"pendulum of ([\d.]+) m .* = ([\d.]+)\$ m/s²",
        lambda l, g: math.sqrt(8) * math.sqrt(l / g),
    ),
    facts=lambda: (f"by {['', 'a quarter'][round(rk4_at_its_border())]} turn too much",),
)


# ---- integrators-7: what does RK4 do to the energy?

what_happens = Choice(
    "b",
    {
        "a": "it stays exactly the same",
        "b": "it decreases a little in each swing",
        "c": "it increases a little in each swing",
        "d": "it oscillates around its initial value forever",
    },
)


@cache
def energies() -> tuple[Any, dict[str, Any]]:
    """Return times, and the energy by two methods relative to its initial value."""
    model = pendulum().free()
    times = np.arange(0, 400, 0.1)
    ratios = {}
    for label, method in (("RK4", "rk4"), ("velocity Verlet", "velocity_verlet")):
        run = integrate(model.compile(), times, [1.0, 0.0], method)
        ratios[label] = 1 + energy_error(model.energies(run.t, run.x).sum(axis=1))
    return times, ratios


def long_run(chosen: str) -> str:
    """Draw the energy of RK4 and of velocity Verlet."""
    times, ratios = energies()
    curves = {label: (times[::4], energy[::4]) for label, energy in ratios.items()}
    quantity, verdict = "energy / initial energy", what_happens.verdict(chosen)
    ax = plot_curves("time [s]", quantity, curves, verdict, ls="-", marker="", lw=1)
    return figure_as_html(
        ax.figure,
        "Energy relative to the initial energy against time: that of RK4 falls steadily, that of "
        "velocity Verlet oscillates in a narrow band.",
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
            "Small is not zero. How does R(z) differ from the true factor, the exponential of z?",
        ),
        Misconception(
            "c",
            "Euler's method does that. Is |R(iy)| of RK4 above or below one for small y?",
        ),
        Misconception(
            "d",
            "Symplectic methods do that. Is RK4 one of them?",
        ),
    ),
    section="One step is one number",
    lesson="|R(iy)|² = 1 - y⁶/72 + ...: the loss per step is tiny, but it is always a loss.",
    reveal=long_run,
    curves={
        "RK4": ("that of RK4 falls steadily", lambda c: (np.diff(c.y[::50]) < 0).all()),
        "velocity Verlet": (
            "velocity Verlet oscillates in a narrow band",
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
            "The error of one step has one power of h more than that of the whole motion. Which "
            "power is it?",
        ),
        Misconception(
            h * (error / tolerance) ** (1 / (p + 1)),
            "That takes a longer step after a larger error. Which of the two must be in the "
            "denominator?",
        ),
        Misconception(
            h * tolerance / error,
            "That would be right if the error were proportional to h. To which power of h is it "
            "proportional?",
        ),
        Misconception(
            h * (tolerance / error) ** (p + 1),
            "Solve error · (new/h)^(p+1) = tolerance for the new step. Do you need a power or a "
            "root?",
        ),
    ),
    section="Two results, one difference",
    lesson="In practice the step is a little shorter, and it also depends on the previous error: a "
    "PI controller.",
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
    """Return a nonlinear right-hand side, its Jacobian, a time, a state, and a step."""
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
    first: float, last: float, iterations: int = 20, node: float = 1.0
) -> Callable[..., Any]:
    """Return a step that averages the slope at its start and an unknown slope at a later node."""

    def method(f: Any, J: Any, t: float, state: Any, size: float) -> Any:
        first_slope = np.asarray(f(t, state))
        slope = first_slope
        for _ in range(iterations):
            later = state + size * ((node - last) * first_slope + last * slope)
            missed = slope - np.asarray(f(t + node * size, later))
            matrix = np.eye(len(first_slope)) - last * size * np.asarray(J(t + node * size, later))
            slope = slope - np.linalg.solve(matrix, missed)
        return state + size * (first * first_slope + (1 - first) * slope)

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
            "That is implicit Euler, with all weight on the slope at the end. Which other slope "
            "does the trapezoidal rule need?",
        ),
        Misconception(
            with_newton(0.0, 0.5, node=0.5),
            "That is the implicit midpoint method, with one slope halfway. Which two slopes does "
            "the trapezoidal rule average?",
        ),
        Misconception(
            lambda f, J, t, x, h: step(f, t, x, h, HEUN),
            "That is Heun's method: its second slope is at the end of an Euler step. At the end of "
            "which step must yours be?",
        ),
        Misconception(
            with_newton(0.5, 0.5, iterations=1),
            "One step of Newton's iteration is enough only for a linear f. When may you stop?",
        ),
        Misconception(
            with_newton(0.5, 0.5, iterations=2),
            "Two steps of Newton's iteration are too few where f is strongly nonlinear. When may "
            "you stop?",
        ),
        Misconception(
            with_newton(0.5, 1.0),
            "Your second slope is where implicit Euler would end. Where does the average of both "
            "slopes lead?",
        ),
    ),
    section="Solve for the end",
    lesson="It has order two and is stable wherever the true solution decays, but it hardly damps "
    "fast errors.",
    forms=(trapezoid_by_root,),
)


# ---- integrators-10: three stages that reach far


def nested(*shares: float) -> Callable[..., Any]:
    """Return a step in which each stage follows the previous slope for a share of the step."""

    def method(f: Any, t: float, x: Any, h: float) -> Any:
        slope = np.asarray(f(t, x))
        for share in shares:
            slope = np.asarray(f(t + share * h, x + share * h * slope))
        return x + h * slope

    return method


def reaching(f: Any, t: float, x: Any, h: float) -> Any:
    return nested(0.5, 0.5)(f, t, x, h)


def turning(t: float, state: Any) -> Any:
    """[x[1], -x[0]], an oscillator with ω = 1."""
    return np.array([state[1], -state[0]])


def three_swings(t: float, state: Any) -> Any:
    """[x[3], x[4], x[5], -x[0], -x[1], -x[2]]."""
    return np.concatenate([state[3:], -np.asarray(state[:3])])


def some_swing(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return the right-hand side of a few oscillators, a time, a state, and a step."""
    count = int(rng.integers(1, 4))
    rates = rng.uniform(0.5, 3.0, count)

    def f(t: float, state: Any) -> Any:
        """Several oscillators without friction."""
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
    """Return whether the order is two for a driven pendulum, whose f depends on time."""
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
            (calls_at_most(3), "Your step calls f more than three times. Which call can you save?"),
            (
                has_order_two,
                "That is right for an oscillator. Where f depends on time, your order is not two: "
                "at which time is each stage?",
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            lambda f, t, x, h: step(f, t, x, h, KUTTA3),
            "That has order three, more than you need, and it pays with stability: its coefficient "
            "of z³ is 1/6, and it is stable to √3 only. Which coefficient reaches further?",
        ),
        Misconception(
            lambda f, t, x, h: step(f, t, x, h, MIDPOINT),
            "With two stages there is no z³ at all, and the oscillation grows in every step. What "
            "can a third stage add?",
        ),
        Misconception(
            lambda f, t, x, h: step(f, t, x, h, RK4),
            "That takes four stages. How far can you get with three?",
        ),
        Misconception(
            nested(0.25, 0.5),
            "Your coefficient of z³ is 1/8. Then |R(iy)| is greater than one from the start, "
            "because the term with y⁴ vanishes and the one with y⁶ remains. Which sign should the "
            "term with y⁴ have?",
        ),
        Misconception(
            nested(1.0, 0.5),
            "Your coefficient of z³ is 1/2: stable for small steps, but not as far as possible. "
            "How far do you get with a smaller one?",
        ),
    ),
    section="One step is one number",
    lesson="Order gives digits, and reach gives speed: you can spend stages on either.",
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


real_limit = float(max(np.roots([1 / 24, 1 / 6, 1 / 2, 1]).real * -1))  # R(z) = 1 again


def stiffest_servo(step: Any, length: Any, mass: Any, gravity: Any, ratio: Any) -> Any:
    """Return the k_p whose fast root is where RK4's R(z) is 1 again, on the real axis."""
    border = -np.roots([1 / 24, 1 / 6, 1 / 2, 1]).real.min()
    root, inertia = border / step, mass * length**2
    return (inertia * root**2 + mass * gravity * length) / (root / ratio - 1)


softer_servo = Exercise(
    name="integrators-11",
    answer=Number(gain_at(real_limit), "newton meters per radian", at_most=True, bound="most"),
    misconceptions=(
        Misconception(
            gain_at(2 * np.sqrt(2)),
            "You took the limit on the imaginary axis. On which axis is the fast root of this "
            "servo?",
        ),
        Misconception(gain_at(2), "That is the limit for Euler's method. What is it for RK4?"),
        Misconception(
            10 * real_limit / 0.05,
            "Nearly: you took k_d for the fast root, but k_d is the sum of both roots, without "
            "their signs. How large is the slow root?",
        ),
        Misconception(
            real_limit / 0.05, "That is the magnitude of the fast root. Which k_p gives it?"
        ),
    ),
    section="One step is one number",
    lesson="If that is too soft, you need a faster computer or an implicit method.",
    asked=(
        r"step of ([\d.]+) s and no .* arm of (1) m and (1) kg near .* = ([\d.]+)\$ m/s²"
        r".*k_p/(10)\$",
        stiffest_servo,
    ),
)


# ---- integrators-12: a step for a game


def fewest_steps(length: Any, gravity: Any, start: Any, pictures: Any, share: Any) -> Any:
    """Return how many steps per frame velocity Verlet and RK4 need, for an hour."""
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
        Misconception([2, 4], "Your RK4 is first. Which method does the question name first?"),
        Misconception(
            [4, 1],
            "One step of RK4 per frame is enough only for the first swings. How large is its error "
            "after the whole hour?",
        ),
        Misconception(
            [3, 1],
            "With these numbers, both methods just miss the limit. How many steps are enough?",
        ),
        Misconception(
            [4, 8],
            "That counts evaluations of the right-hand side. How many steps does RK4 take?",
        ),
        Misconception(
            [8, 8],
            "That counts evaluations, with two for each step of velocity Verlet. How many steps "
            "does each method take?",
        ),
    ),
    section="Ten thousand periods",
    lesson="Four evaluations per frame against eight: over hours, preserving areas beats order.",
    asked=(
        r"of ([\d.]+) m, .* = ([\d.]+)\$ m/s².*at (\d+)° .*shows (\d+) .*more than ([\d.]+)%",
        fewest_steps,
    ),
    facts=lambda: (
        f"{in_words(4 * 1).capitalize()} evaluations per frame against {in_words(2 * 4)}",
    ),
)


# ---- integrators-13: find the wrong line

which_line = Choice(
    "b",
    {
        "a": "the second stage follows the first slope for the whole step",
        "b": "the third stage follows the first slope instead of the second",
        "c": "the last stage follows the second slope instead of the third",
        "d": "all stages use the time at the start of the step",
        "e": "all four slopes have the same weight",
    },
)


def suspect_step(f: Any, t: float, x: Any, h: float) -> Any:
    """Return one step of a program that was meant to be RK4."""
    return four_stages(along=(0, 0, 0, 2))(f, t, x, h)


def orders(chosen: str) -> str:
    """Draw the error of that program and of RK4 against the step, for an oscillator."""
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
            "Then Σ b c would not be one half, where each c is the sum of a row of a, and the "
            "order would be one. Which order did you measure?",
        ),
        Misconception(
            "c",
            "That breaks only one condition, the one with 1/24. The order would be three. Which "
            "order did you measure?",
        ),
        Misconception(
            "d",
            "Then the free pendulum would have order four, because its rates do not depend on "
            "time. Which order did you measure?",
        ),
        Misconception(
            "e",
            "Then the integral of the cubic polynomial would be wrong, because these are not "
            "Simpson's weights. Was it wrong?",
        ),
    ),
    section="Four stages",
    lesson="Each test rules out some lines. Together they leave one.",
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
            "The magnitude is right, but not the sign. If the exact result were 0, which sign "
            "would the error of fine have?",
        ),
        Misconception(
            sm.Abs(coarse - fine) / (2**p - 1),
            "The magnitude is right, but the error has a sign. What is it if coarse is larger than "
            "fine?",
        ),
        Misconception(
            (coarse - fine) / 2**p,
            "Nearly. That takes the difference for the coarse error, but the fine result is wrong, "
            "too. How many times the fine error is the difference?",
        ),
        Misconception(
            coarse - fine,
            "That is the difference of the two errors. How many times the fine error is it?",
        ),
        Misconception(
            2**p * (coarse - fine) / (2**p - 1),
            "That is the error of the coarse result. How much smaller is the error of the fine "
            "one?",
        ),
        Misconception(
            (coarse - fine) / (2 ** (p + 1) - 1),
            "That is right for one step, whose error has one power of h more. Which power does the "
            "error of a whole motion have?",
        ),
    ),
    section="Measure the order",
    lesson="Two runs estimate the error of every method whose order you know.",
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
