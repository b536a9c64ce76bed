"""The exercises of chapter 8, rotations and Lie-group integrators."""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sm

from course_exercises import UNITS
from tutlib.exercises import Array, Choice, Exercise, Expression, Function, Misconception
from tutlib.methods import DOP853, EULER, HEUN, MIDPOINT, integrate, step
from tutlib.models import rigid_body
from tutlib.pictures import figure_as_html, legend_above, new_axes
from tutlib.spaces import Space, Sphere, TangentSO3, lie

h, omega, theta = sm.symbols("h omega theta", positive=True)
J_1, J_2, J_3 = sm.symbols("J_1 J_2 J_3", positive=True)


# ---- lie-group-integrators-1: off the sphere

leaving = Exercise(
    name="lie-group-integrators-1",
    answer=Expression(sm.sqrt(1 + (h * omega) ** 2), units=UNITS),
    misconceptions=(
        Misconception(1 + h * omega, "The step is perpendicular to q: lengths add by Pythagoras."),
        Misconception(sm.S.One, "That is where it should be. Where does the straight step end?"),
        Misconception(1 + (h * omega) ** 2, "That is the square of the length."),
        Misconception(h * omega, "That is the length of the step alone."),
    ),
    section="A straight step leaves the sphere",
    lesson="Each step adds (hω)²/2: a thousand of them at hω = 0.01 add 5 %.",
)


# ---- lie-group-integrators-2: Rodrigues' formula


def rodrigues(w: Any) -> Any:
    """Return exp(ŵ)."""
    return lie.SO3.exp(np.asarray(w, dtype=float))


def first_order(w: Any) -> Any:
    """Return 1 + ŵ."""
    return np.eye(3) + lie.hat(w)


def of_unit_axes(w: Any) -> Any:
    """Return Rodrigues' formula for an axis of length one, with an axis that is not."""
    angle = math.sqrt(w @ w)
    W = lie.hat(w)
    return np.eye(3) + math.sin(angle) * W + (1 - math.cos(angle)) * W @ W


def in_two_terms(w: Any, sign: float) -> Any:
    """Return Rodrigues' formula with this sign before the square."""
    R = rodrigues(w)
    turning, square = (R - R.T) / 2, (R + R.T) / 2 - np.eye(3)
    return np.eye(3) + turning + sign * square


def without_the_square(w: Any) -> Any:
    return in_two_terms(w, 0.0)


def with_the_other_sign(w: Any) -> Any:
    return in_two_terms(w, -1.0)


own_rodrigues = Exercise(
    name="lie-group-integrators-2",
    answer=Function(
        rodrigues,
        problems=(
            (np.array([0.3, -0.2, 0.9]),),
            (np.array([0.0, 0.0, 3.0]),),
            (np.array([1e-9, 2e-9, 0.0]),),
            (np.zeros(3),),
            (np.array([12.0, -20.0, 9.0]),),
        ),
        draw=lambda rng: (rng.normal(size=3) * 10.0 ** rng.uniform(-9, 1.5),),
        one_size=True,
    ),
    misconceptions=(
        Misconception(first_order, "That is the straight step. Go on in the series, or close it."),
        Misconception(
            of_unit_axes,
            "That holds for an axis of length 1. Divide by |w|, and by |w|² with the square.",
        ),
        Misconception(lambda w: rodrigues(-w), "It turns the other way: check that ŵ a is w × a."),
        Misconception(
            without_the_square,
            "The term with the square of ŵ is missing: what does a turn do to what is at right "
            "angles to the axis?",
        ),
        Misconception(
            with_the_other_sign,
            "Check it for a turn about the third axis: a corner of the matrix is the cosine of the "
            "angle. Which sign has the square?",
        ),
        Misconception(
            lambda w: rodrigues(np.radians(w)),
            "The length of w is the angle in radians already.",
        ),
    ),
    section="Many turns are one",
    lesson="No turn at all must come out as 1, and a tiny one without loss: that is half the art.",
)


# ---- lie-group-integrators-3: the element for TS²


def element(q: Any, omega: Any, omega_dot: Any) -> Any:
    """Return (ω, q x ω̇)."""
    return np.concatenate([omega, np.cross(q, omega_dot)])


def rates_of(element: Any, q: Any, omega: Any, omega_dot: Any) -> Any:
    """Return the rates that the generator of an element gives: another one may give the same."""
    first, second = np.reshape(element, (2, 3))
    return np.concatenate([np.cross(first, q), np.cross(first, omega) + np.cross(second, q)])


def problem(rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Return q on the sphere, with ω and ω̇ perpendicular to it."""
    q = rng.normal(size=3)
    q /= np.linalg.norm(q)
    return q, np.cross(q, rng.normal(size=3)), np.cross(q, rng.normal(size=3))


tangent_element = Exercise(
    name="lie-group-integrators-3",
    answer=Function(
        element,
        problems=tuple(problem(np.random.default_rng(seed)) for seed in (1, 2, 3)),
        draw=problem,
        effect=rates_of,
        one_size=True,
    ),
    misconceptions=(
        Misconception(
            lambda q, w, a: np.concatenate([w, a]),
            "The second part acts as μ₂ × q, so it cannot be the angular acceleration itself.",
        ),
        Misconception(
            lambda q, w, a: np.concatenate([w, np.cross(a, q)]),
            "Its sign: (q × ω̇) × q = ω̇, where q · ω̇ = 0.",
        ),
        Misconception(
            lambda q, w, a: np.concatenate([np.cross(w, q), np.cross(q, a)]),
            "The first part is the angular velocity. The action makes ω × q of it.",
        ),
    ),
    section="A sphere moved by a group",
    lesson="(q × ω̇) × q = ω̇ - q (q · ω̇): it works because ω̇ is perpendicular to q.",
)


# ---- lie-group-integrators-4: the coefficient near zero

coefficient = Exercise(
    name="lie-group-integrators-4",
    answer=Expression(sm.Rational(1, 12) + theta**2 / 720),
    misconceptions=(
        Misconception(sm.Rational(1, 12) + 0 * theta, "Right so far. One term more."),
        Misconception(
            sm.Rational(1, 12) - theta**2 / 720,
            "The Bernoulli numbers change sign, and so do the powers of û. What of both?",
        ),
        Misconception(
            theta**2 / 12 + theta**4 / 720,
            "That is 1 - θ/2 cot θ/2. Divide by θ².",
        ),
        Misconception(
            sm.Rational(1, 6) - theta**2 / 120,
            "That is the series of dexp, not that of its inverse.",
        ),
    ),
    section="Slopes from elsewhere",
    lesson="Below one radian twelve terms are exact to the last digit; the closed form is not.",
)


# ---- lie-group-integrators-5: without the correction

without = Choice(
    "b",
    {
        "a": "it leaves the sphere, with order 4",
        "b": "it stays on it, with order 2",
        "c": "it stays on it, with order 4",
        "d": "it stays on it, with order 1",
    },
)


@cache
def errors() -> tuple[Any, dict[str, Any]]:
    """Return steps, and the error of the end of one second with each of them, by both methods."""
    model = rigid_body()
    field = partial(model.field.function, **model.field.parameters)
    start = np.concatenate([np.eye(3).ravel(), [0.3, 2.0, 0.1]])
    exact = integrate(model.field, np.linspace(0, 1, 401), start, DOP853).x[-1]
    straight = Space("TSO(3)", 12, TangentSO3.flow, lambda u, v: v, 6)
    steps, found = np.array([20, 40, 80]), {}
    for name, space in (("with dexp⁻¹", TangentSO3), ("without", straight)):
        ends = [integrate(field, np.linspace(0, 1, n + 1), start, space=space) for n in steps]
        found[name] = np.array([np.abs(run.x[-1] - exact).max() for run in ends])
    return 1 / steps, found


def orders(chosen: str) -> str:
    """Draw the errors of both methods against the step."""
    steps, found = errors()
    ax = new_axes("step [s]", "largest error")
    for name, error in found.items():
        ax.loglog(steps, error, label=name)
    ax.set_title(without.verdict(chosen), fontsize=12)
    legend_above(ax)
    return figure_as_html(
        ax.figure,
        "Largest error against the step: with dexp⁻¹ of order four, without of order two.",
    )


no_correction = Exercise(
    name="lie-group-integrators-5",
    answer=without,
    misconceptions=(
        Misconception("a", "Every move is an exponential, and none of those leaves the sphere."),
        Misconception(
            "c",
            "Where slopes from four places are added as if they were from one, something is lost.",
        ),
        Misconception("d", "A symmetric sum of slopes is worth more than that."),
    ),
    section="Slopes from elsewhere",
    lesson="To be on the manifold is one thing, to be at the right place on it another.",
    reveal=orders,
)


# ---- lie-group-integrators-6: the cost of a step

cost = Exercise(
    name="lie-group-integrators-6",
    answer=Array([[4, 4, 3], [4, 5, 0]]),
    misconceptions=(
        Misconception(
            [[4, 4, 4], [4, 5, 0]],
            "The first slope is taken where the step begins: nothing is to be carried back.",
        ),
        Misconception(
            [[4, 4, 3], [4, 6, 0]],
            "The first flow of the last stage has been computed before: it leads to Y₂.",
        ),
        Misconception(
            [[4, 5, 3], [4, 5, 0]],
            "Its first stage begins where it is: the identity costs nothing.",
        ),
    ),
    section="Without commutators",
    lesson="One exponential more against three dexp⁻¹: about the same, here.",
)


# ---- lie-group-integrators-7: why it flips

growth = Exercise(
    name="lie-group-integrators-7",
    answer=Expression(
        omega * sm.sqrt((J_2 - J_1) * (J_3 - J_2) / (J_1 * J_3)),
        where=(J_1 < J_2, J_2 < J_3),
        units=UNITS,
    ),
    misconceptions=(
        Misconception(
            omega**2 * (J_2 - J_1) * (J_3 - J_2) / (J_1 * J_3),
            "That is the square of the rate.",
        ),
        Misconception(
            omega * sm.sqrt((J_3 - J_1) * (J_3 - J_2) / (J_1 * J_2)),
            "That belongs to another axis: the two small rates are Ω₁ and Ω₃.",
        ),
        Misconception(
            omega * sm.sqrt((J_2 - J_1) * (J_3 - J_2)) / J_2,
            "Divide each equation by its own moment: J₁ Ω̇₁ = ..., J₃ Ω̇₃ = ...",
        ),
    ),
    section="A nut in free fall",
    lesson="Real for the middle axis only: about the other two it is an oscillation.",
)


# ---- lie-group-integrators-8: a step of your own


def heun_on_the_sphere(f: Any, t: float, q: Any, size: float) -> Any:
    """Take one step of Heun's method on the sphere."""
    return step(f, t, q, size, HEUN, Sphere)


def around(t: float, q: Any) -> Any:
    """[cos(t), q[0], 0.5 + q[1] q[2]]."""
    return np.array([math.cos(t), q[0], 0.5 + q[1] * q[2]])


def about_the_vertical(t: float, q: Any) -> Any:
    """[0.2 q[2], -q[0], 1 + t]."""
    return np.array([0.2 * q[2], -q[0], 1.0 + t])


def without_dexp_inverse(f: Any, t: float, q: Any, size: float) -> Any:
    """Take the same step with slopes added as they are."""
    flat = Space("S^2", 3, Sphere.flow, lambda u, v: v, 3)
    return step(f, t, q, size, HEUN, flat)


def some_field(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return an angular velocity that no one has seen, a time, a place and a step."""
    A, q = rng.normal(size=(3, 3)), rng.normal(size=3)

    def f(t: float, q: Any) -> Any:
        """cos(t) A q, with a random matrix A."""
        return np.cos(t) * (A @ q)

    return f, float(rng.uniform(0, 2)), q / np.linalg.norm(q), float(rng.uniform(0.1, 0.5))


def slopes(f: Any, t: float, q: Any, size: float) -> tuple[Any, Any]:
    """Return both slopes of Heun's method, the second one carried back."""
    first = np.asarray(f(t, q))
    second = f(t + size, Sphere.flow(size * first, q))
    return first, Sphere.dexp_inverse(size * first, second)


def straight(f: Any, t: float, q: Any, size: float) -> Any:
    return step(lambda t, q: np.cross(f(t, q), q), t, q, size, HEUN)


def summed(f: Any, t: float, q: Any, size: float) -> Any:
    first, second = slopes(f, t, q, size)
    return Sphere.flow(size * (first + second), q)


def one_after_the_other(f: Any, t: float, q: Any, size: float) -> Any:
    first, second = slopes(f, t, q, size)
    return Sphere.flow(size / 2 * second, Sphere.flow(size / 2 * first, q))


start = np.array([0.6, 0.0, 0.8])
own_step = Exercise(
    name="lie-group-integrators-8",
    answer=Function(
        heun_on_the_sphere,
        problems=(
            (around, 0.3, start, 0.2),
            (about_the_vertical, 0.0, np.array([0.0, 1.0, 0.0]), 0.5),
        ),
        draw=some_field,
        one_size=True,
    ),
    misconceptions=(
        Misconception(
            lambda f, t, q, size: step(f, t, q, size, EULER, Sphere),
            "That is Lie–Euler: the slope at the end of it is wanted, too.",
        ),
        Misconception(
            lambda f, t, q, size: step(f, t, q, size, MIDPOINT, Sphere),
            "That is the midpoint rule. Heun takes the mean of two slopes.",
        ),
        Misconception(
            lambda f, t, q, size: heun_on_the_sphere(lambda _, x: f(t, x), t, q, size),
            "The second slope is that at the end of the step: in time as well.",
        ),
        Misconception(
            straight,
            "That is Heun's straight step: it leaves the sphere. Move by the exponential.",
        ),
        Misconception(
            summed,
            "The mean of both slopes: half of their sum.",
        ),
        Misconception(
            one_after_the_other,
            "You move twice, by half of each slope. Add the slopes first, then move once.",
        ),
        Misconception(
            without_dexp_inverse,
            "Close. The second slope belongs to another place: carry it back before you add.",
        ),
    ),
    section="The same tableaus",
    lesson="For Heun's order the correction does not matter yet; from order three on it does.",
)


EXERCISES = (
    leaving,
    own_rodrigues,
    tangent_element,
    coefficient,
    no_correction,
    cost,
    growth,
    own_step,
)
