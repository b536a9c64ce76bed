"""The exercises of chapter 8, rotations and Lie-group integrators."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import sympy as sm

from course.exercises import UNITS, in_words
from course.exercises.integrators import has_order
from course.judge import (
    Choice,
    Exercise,
    Expression,
    Function,
    Misconception,
    Number,
    NumberArray,
)
from panels import figure_as_html
from tutlib.methods import CF4, DOP853, EULER, HEUN, KUTTA3, RK4, integrate, step
from tutlib.models import rigid_body
from tutlib.plots import plot_curves
from tutlib.spaces import Space, Sphere, TangentSO3, TangentSphere, lie

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
    facts=lambda: (
        f"a thousand of them at hω = 0.01 add {100 * ((1 + 0.01**2) ** 500 - 1):.0f} %",
    ),
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


def by_quaternion(w: Any) -> Any:
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(w).as_matrix()


own_rodrigues = Exercise(
    name="lie-group-integrators-2",
    answer=Function(
        rodrigues,
        problems=(
            (np.array([0.3, -0.2, 0.9]),),
            (np.array([0.0, 0.0, 3.0]),),
            (np.array([1e-9, 2e-9, 0.0]),),
            (np.array([0.0, 6e-5, -8e-5]),),
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
    forms=(by_quaternion,),
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


def element_with_more(q: Any, rate: Any, rate_dot: Any) -> Any:
    return np.hstack((rate, -np.cross(rate_dot, q)))


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
    section="A direction and its rate",
    lesson="(q × ω̇) × q = ω̇ - q (q · ω̇): it works because ω̇ is perpendicular to q.",
    forms=(element_with_more,),
)


# ---- lie-group-integrators-4: the coefficient near zero


def terms_that_are_exact() -> Any:
    """Return twelve, if so many terms of Σ |B₂ₖ| θ²ᵏ⁻² / (2k)! reach the last digit at θ = 1."""
    terms = [abs(sm.bernoulli(2 * k)) / sm.factorial(2 * k) for k in range(1, 30)]
    assert sum(terms[12:]) < sum(terms) * 2**-53
    return 12


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
    section="How the exponential moves",
    lesson="Below one radian twelve terms are exact to the last digit; the closed form is not.",
    facts=lambda: (f"{in_words(terms_that_are_exact())} terms are exact",),
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
    field = model.field.written
    start = np.concatenate([np.eye(3).ravel(), [0.3, 2.0, 0.1]])
    exact = integrate(model.field, np.linspace(0, 1, 401), start, DOP853).x[-1]
    straight = Space("TSO(3)", 12, TangentSO3.flow, lambda u, v: v, 6)
    steps, largest = np.array([20, 40, 80]), {}
    for name, space in (("with dexp⁻¹", TangentSO3), ("without", straight)):
        ends = [integrate(field, np.linspace(0, 1, n + 1), start, space=space) for n in steps]
        largest[name] = np.array([np.abs(run.x[-1] - exact).max() for run in ends])
    return 1 / steps, largest


def orders(chosen: str) -> str:
    """Draw the errors of both methods against the step."""
    steps, largest = errors()
    curves = {name: (steps, error) for name, error in largest.items()}
    log = {"xscale": "log", "yscale": "log"}
    ax = plot_curves("step [s]", "largest error", curves, without.verdict(chosen), **log)
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
        Misconception(
            "d",
            "What dexp⁻¹ takes away begins with a bracket of slopes that differ by h: so one power "
            "of h is gained.",
        ),
    ),
    section="How the exponential moves",
    lesson="To be on the manifold is one thing, to be at the right place on it another.",
    reveal=orders,
    curves={
        "with dexp⁻¹": ("with dexp⁻¹ of order four", has_order(4)),
        "without": ("without of order two", has_order(2)),
    },
)


# ---- lie-group-integrators-6: the cost of a step

cost = Exercise(
    name="lie-group-integrators-6",
    answer=NumberArray([[4, 4, 3], [4, 5, 0]]),
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
    section="Two turns that are steady, and one that is not",
    lesson="Real for the middle axis only: about the other two it is an oscillation.",
)


# ---- lie-group-integrators-8: a step of your own


def kutta_on_the_sphere(f: Any, t: float, q: Any, size: float) -> Any:
    """Take one step of Kutta's method of order three on the sphere."""
    return step(f, t, q, size, KUTTA3, Sphere)


def around(t: float, q: Any) -> Any:
    """[cos(t), q[0], 0.5 + q[1] q[2]]."""
    return np.array([math.cos(t), q[0], 0.5 + q[1] * q[2]])


def about_the_vertical(t: float, q: Any) -> Any:
    """[0.2 q[2], -q[0], 1 + t]."""
    return np.array([0.2 * q[2], -q[0], 1.0 + t])


def without_dexp_inverse(f: Any, t: float, q: Any, size: float) -> Any:
    """Take the same step with slopes added as they are."""
    flat = Space("S^2", 3, Sphere.flow, lambda u, v: v, 3)
    return step(f, t, q, size, KUTTA3, flat)


def with_the_opposite_bracket(f: Any, t: float, q: Any, size: float) -> Any:
    """Take the same step with the bracket's sign changed: as if one multiplied from the right."""
    turned = Space("S^2", 3, Sphere.flow, lambda u, v: Sphere.dexp_inverse(-u, v), 3)
    return step(f, t, q, size, KUTTA3, turned)


def some_field(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return an angular velocity that no one has seen, a time, a place and a step."""
    A, q = rng.normal(size=(3, 3)), rng.normal(size=3)

    def f(t: float, q: Any) -> Any:
        """cos(t) A q, with a random matrix A."""
        return np.cos(t) * (A @ q)

    return f, float(rng.uniform(0, 2)), q / np.linalg.norm(q), float(rng.uniform(0.1, 0.5))


def straight(f: Any, t: float, q: Any, size: float) -> Any:
    return step(lambda t, q: np.cross(f(t, q), q), t, q, size, KUTTA3)


start = np.array([0.6, 0.0, 0.8])
own_step = Exercise(
    name="lie-group-integrators-8",
    answer=Function(
        kutta_on_the_sphere,
        problems=(
            (around, 0.3, start, 0.2),
            (about_the_vertical, 0.0, np.array([0.0, 1.0, 0.0]), 0.5),
            (around, 0.7, np.array([0.0, -0.8, -0.6]), 0.4),
        ),
        draw=some_field,
        one_size=True,
    ),
    misconceptions=(
        Misconception(
            lambda f, t, q, size: step(f, t, q, size, EULER, Sphere),
            "That is Lie–Euler: the slopes in the middle and at the end are wanted, too.",
        ),
        Misconception(
            lambda f, t, q, size: step(f, t, q, size, HEUN, Sphere),
            "That is Heun's method. Kutta's takes a slope in the middle of the step as well.",
        ),
        Misconception(
            lambda f, t, q, size: kutta_on_the_sphere(lambda _, x: f(t, x), t, q, size),
            "The later slopes are those in the middle and at the end: in time as well.",
        ),
        Misconception(
            straight,
            "That is Kutta's straight step: it leaves the sphere. Move by the exponential.",
        ),
        Misconception(
            without_dexp_inverse,
            "Close. The later slopes belong to other places: carry them back before you add.",
        ),
        Misconception(
            with_the_opposite_bracket,
            "Close. The bracket has the other sign: what is first, u or v, in u × v?",
        ),
    ),
    section="The same tableaus",
    lesson="Without dexp⁻¹ this method would lose an order; Heun's would not.",
    forms=(lambda f, t, q, h: step(f, t, q, h, KUTTA3, Sphere),),
)


# ---- lie-group-integrators-9: how a quaternion changes


def product(z: Any, y: Any) -> Any:
    """Return the product of two quaternions."""
    vector = z[0] * y[1:] + y[0] * z[1:] + np.cross(z[1:], y[1:])
    return np.concatenate([[z[0] * y[0] - z[1:] @ y[1:]], vector])


def pure(w: Any) -> Any:
    """Return the quaternion of a vector, without a number."""
    return np.concatenate([[0.0], w])


def spatial_rate(z: Any, w: Any) -> Any:
    """Return how a quaternion changes while the body turns about an axis of space."""
    return product(pure(w), z) / 2


def some_turning(rng: np.random.Generator) -> tuple[Any, Any]:
    z = rng.normal(size=4)
    return z / np.linalg.norm(z), rng.normal(size=3)


def quaternion_rate_by_scipy(z: Any, w: Any) -> Any:
    from scipy.spatial.transform import Rotation

    def quaternion(h: Any) -> Any:
        turned = Rotation.from_rotvec(h * w) * Rotation.from_quat([*z[1:], z[0]])
        xyzw = turned.as_quat()
        return np.array([xyzw[3], *xyzw[:3]]) * np.sign(xyzw[3] * z[0] or 1)

    return (8 * (quaternion(1e-4) - quaternion(-1e-4)) - quaternion(2e-4) + quaternion(-2e-4)) / (
        12e-4
    )


quaternion_rate = Exercise(
    name="lie-group-integrators-9",
    answer=Function(
        spatial_rate,
        problems=tuple(some_turning(np.random.default_rng(seed)) for seed in (1, 2, 3)),
        draw=some_turning,
        one_size=True,
    ),
    misconceptions=(
        Misconception(
            lambda z, w: 2 * spatial_rate(z, w),
            "The half is lost: a quaternion holds half of the angle.",
        ),
        Misconception(
            lambda z, w: product(z, pure(w)) / 2,
            "That is the rate for an axis of the body. An axis of space comes from the other side.",
        ),
        Misconception(
            lambda z, w: -spatial_rate(z, w),
            "It turns the other way: look at a turn that begins at z = (1, 0, 0, 0).",
        ),
    ),
    section="Four numbers of length one",
    lesson="From the left in the axes of space, from the right in those of the body.",
    forms=(quaternion_rate_by_scipy,),
)


# ---- lie-group-integrators-10: what the order is worth

order_of_turns = Exercise(
    name="lie-group-integrators-10",
    answer=NumberArray([0.0, 0.0, 0.01], "rad"),
    misconceptions=(
        Misconception(
            [0.0, 0.0, 0.005],
            "That is by how much one of the two products differs from the exponential of the sum.",
        ),
        Misconception([0.0, 0.0, -0.01], "The sign: e₁ × e₂ is e₃."),
        Misconception([0.0, 0.0, 0.0], "That would be so if rotations commuted."),
    ),
    section="The order of two turns",
    lesson="Half a bracket on either side makes a whole one: much smaller than both turns.",
    asked=(
        r"by ([\d.]+) rad about .*e_1.* by ([\d.]+) rad about .*e_2",
        lambda first, second: [0, 0, first * second],
    ),
)


# ---- lie-group-integrators-11: find the fault

find_fault = Exercise(
    name="lie-group-integrators-11",
    answer=Number(-1 / 12, digits=3),
    misconceptions=(
        Misconception(0.0, "Without any bracket her errors would be the other's: a ratio of +1."),
        Misconception(
            0.5,
            "With a wrong sign, or with dexp for its inverse, twice as much would be wrong: "
            "a ratio of +2.",
        ),
        Misconception(-0.5, "That is the right one, and then the order is not lost."),
        Misconception(
            -5 / 12, "That is 0.8333 of the right one. But it is the errors that have this ratio."
        ),
        Misconception(5 / 12, "By so much is it off. From which number, and to which side?"),
        Misconception(-11 / 12, "Off to the other side, her errors would point the other way."),
        Misconception(-1.0, "With the ½ lost, her errors point the other way: a ratio of −1."),
    ),
    section="The same tableaus",
    lesson="Her coefficients are exchanged: errors of one order follow what is wrong.",
    asked=(
        r"order is (2)\. .*ratio .* as ([\d.]+)\..*three digits",
        lambda order, ratio: (ratio - 1) / order,
    ),
)


# ---- lie-group-integrators-12: a box that is slow to turn over


def slow_enough(rate: float, seconds: float, factor: float) -> float:
    """Return the moment above 0.2 kg·m² with which small rates grow no faster."""
    s = math.log(factor) / seconds / rate
    return 0.2 + math.sqrt(0.01 - 0.03 * s**2)


design = Exercise(
    name="lie-group-integrators-12",
    answer=Number(slow_enough(5.0, 3.0, 100.0), "kg·m²", digits=3, bound="least"),
    misconceptions=(
        Misconception(
            0.4 - slow_enough(5.0, 3.0, 100.0),
            "That one is as slow, but it lies below 0.2 kg·m², and no body has it.",
        ),
        Misconception(
            slow_enough(5.0, 3.0, math.exp(math.log10(100.0))),
            "That is with the decimal logarithm. Growth as e to the st asks for the natural one.",
        ),
        Misconception(0.3, "That stops it altogether. How much of it is needed?"),
    ),
    section="Two turns that are steady, and one that is not",
    lesson="Nearly the largest is nearly stable: so a satellite's masses are moved outward.",
    asked=(
        r"at (\d+) rad/s.*are 0\.1 and 0\.3 kg.*from ([\d.]+) to 0\.3 kg.*"
        r"need (\d+) s.*to (\d+) times",
        lambda rate, middle, seconds, growth: (
            middle + math.sqrt(0.01 - 0.03 * (math.log(growth) / seconds / rate) ** 2)
        ),
    ),
    facts=lambda: (
        f"it lies below {(0.1 + 0.3) / 2:g} kg·m²",
    ),  # where both differences are equal,
)


# ---- lie-group-integrators-13: RKMK4 on TS²


def rkmk4(f: Any, t: float, x: Any, size: float) -> Any:
    """Take one step of RK4 on TS²."""
    return step(f, t, x, size, RK4, TangentSphere)


def swinging(t: float, x: Any) -> Any:
    """[ω, q × (q × (0, cos(t), -9.81))]."""
    pull = np.cross(x[:3], np.array([0.0, math.cos(t), -9.81]))
    return np.concatenate([x[3:], np.cross(x[:3], pull)])


def on_other_space(dexp_inverse: Any) -> Any:
    """Return the step with another map in the place of dexp⁻¹."""
    space = Space("TS^2", 6, TangentSphere.flow, dexp_inverse, 6)
    return lambda f, t, x, size: step(f, t, x, size, RK4, space)


def rotations_alone(u: Any, v: Any) -> Any:
    """Carry both halves back as if there were only rotations."""
    halves = lie.SO3.dexp_inverse(u[:3], v[:3]), lie.SO3.dexp_inverse(u[:3], v[3:])
    return np.concatenate(halves)


def some_swing(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return a pull that no one has seen, a time, a state and a step."""
    q, pull = rng.normal(size=3), rng.normal(size=3)
    q /= np.linalg.norm(q)

    def f(t: float, x: Any) -> Any:
        """[ω, q × (q × cos(t) a)], with a random vector a."""
        turned = np.cross(x[:3], np.cos(t) * pull)
        return np.concatenate([x[3:], np.cross(x[:3], turned)])

    x = np.concatenate([q, np.cross(q, rng.normal(size=3))])
    return f, float(rng.uniform(0, 2)), x, float(rng.uniform(0.1, 0.4))


build = Exercise(
    name="lie-group-integrators-13",
    answer=Function(
        rkmk4,
        problems=(
            (swinging, 0.3, np.array([0.6, 0.0, 0.8, 0.0, 2.0, 0.0]), 0.2),
            (swinging, 0.0, np.array([0.0, 1.0, 0.0, 1.0, 0.0, -1.0]), 0.1),
        ),
        draw=some_swing,
        one_size=True,
    ),
    misconceptions=(
        Misconception(
            on_other_space(lambda u, v: v),
            "It stays on TS², but slopes from other places are added as they are. Carry them back.",
        ),
        Misconception(
            on_other_space(rotations_alone),
            "Both halves are carried back as for rotations: dexp⁻¹ of rigid motions mixes them.",
        ),
        Misconception(
            on_other_space(lambda u, v: lie.SE3.dexp(u, v)),
            "That is dexp: it carries a slope away. Its inverse carries it back.",
        ),
        Misconception(
            lambda f, t, x, size: rkmk4(lambda _, y: f(t, y), t, x, size),
            "The later slopes are those in the middle and at the end of the step: in time, too.",
        ),
        Misconception(
            lambda f, t, x, size: step(f, t, x, size, CF4, TangentSphere),
            "That is CF4. It is as good, and it is not what was asked for.",
        ),
    ),
    section="Without commutators",
    lesson="Exponential, action, dexp⁻¹ and a tableau: nothing else is needed on any such space.",
    forms=(lambda f, t, x, h: step(f, t, x, h, "rk4", TangentSphere),),
)


# ---- lie-group-integrators-14: an ellipse that turns by itself


def turned_in_an_hour(rod: float, long: float, short: float, share: float = 3 / 8) -> float:
    """Return by how many degrees an ellipse of a pendulum turns, all lengths in meters."""
    rate = share * math.sqrt(9.81 / rod) * long / rod * short / rod
    return math.degrees(3600 * rate)


precession = Exercise(
    name="lie-group-integrators-14",
    answer=Number(turned_in_an_hour(67, 3, 0.1), "°/h", either_sign=True),
    misconceptions=(
        Misconception(
            turned_in_an_hour(67, 3, 0.1, 1 / 16),
            "So would two plane swings turn it. Both directions are coupled: use three eighths.",
        ),
        Misconception(math.radians(turned_in_an_hour(67, 3, 0.1)), "That is in radians per hour."),
        Misconception(
            turned_in_an_hour(67, 3, 0.1) / math.sqrt(9.81 / 67),
            "That is for one radian of the swing a second. How many does this pendulum make?",
        ),
        Misconception(
            turned_in_an_hour(67, 3, 0.1) * 67**2,
            "The half axes count as angles: divide each by the length of the rod.",
        ),
        Misconception(turned_in_an_hour(67, 3, 0.1) / 3600, "That is in a second, not in an hour."),
        Misconception(
            turned_in_an_hour(67, 3, 0.05), "The half axis is 10 cm already: take no half of it."
        ),
    ),
    section="A pendulum that swings every way",
    lesson="A sixth of what the Earth does in Paris: so Foucault let go by burning a thread.",
    asked=(
        r"rod of (\d+) m and swings by (\d+) m .*half axis is (\d+) cm.* = ([\d.]+) m/s²",
        lambda rod, long, short, g: turned_in_an_hour(rod, long, short / 100) * math.sqrt(g / 9.81),
    ),
    facts=lambda: (
        "A sixth of what the Earth does in Paris"
        if round(15.041 * math.sin(math.radians(48.85)) / turned_in_an_hour(67, 3, 0.1)) == 6
        else "",
    ),
)


EXERCISES = (
    leaving,
    own_rodrigues,
    precession,
    quaternion_rate,
    order_of_turns,
    tangent_element,
    coefficient,
    no_correction,
    find_fault,
    cost,
    own_step,
    growth,
    design,
    build,
)
