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
from tutlib.methods import DOP853, EULER, HEUN, KUTTA3, integrate, step
from tutlib.models import rigid_body
from tutlib.plots import plot_curves
from tutlib.spaces import Space, Sphere, TangentSO3, lie

h, omega, theta = sm.symbols("h omega theta", positive=True)
J_1, J_2, J_3 = sm.symbols("J_1 J_2 J_3", positive=True)


# ---- lie-group-integrators-1: off the sphere

leaving = Exercise(
    name="lie-group-integrators-1",
    answer=Expression(sm.sqrt(1 + (h * omega) ** 2), units=UNITS),
    misconceptions=(
        Misconception(
            1 + h * omega,
            "You added the lengths, but the step is perpendicular to q. What does Pythagoras give?",
        ),
        Misconception(
            sm.S.One, "That is the length before the step. Where does the straight step end?"
        ),
        Misconception(1 + (h * omega) ** 2, "That is the square of the length."),
        Misconception(h * omega, "That is the length of the step alone."),
    ),
    section="A straight step leaves the sphere",
    lesson="Each step adds about (hω)²/2: a thousand steps at hω = 0.01 add 5%.",
    facts=lambda: (f"a thousand steps at hω = 0.01 add {100 * ((1 + 0.01**2) ** 500 - 1):.0f}%",),
)


# ---- lie-group-integrators-2: Rodrigues' formula


def rodrigues(w: Any) -> Any:
    """Return exp(ŵ)."""
    return lie.SO3.exp(np.asarray(w, dtype=float))


def first_order(w: Any) -> Any:
    """Return 1 + ŵ."""
    return np.eye(3) + lie.hat(w)


def of_unit_axes(w: Any) -> Any:
    """Return Rodrigues' formula for a unit axis, applied to any w."""
    angle = math.sqrt(w @ w)
    W = lie.hat(w)
    return np.eye(3) + math.sin(angle) * W + (1 - math.cos(angle)) * W @ W


def in_two_terms(w: Any, sign: float) -> Any:
    """Return Rodrigues' formula with a factor before the square."""
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
        Misconception(
            first_order,
            "That is only the straight step. What do the other terms of the series add up to?",
        ),
        Misconception(
            of_unit_axes,
            "That holds for an axis of length 1. Where must you divide by |w|, and where by |w|²?",
        ),
        Misconception(
            lambda w: rodrigues(-w), "It rotates the other way. Is your ŵ a equal to w × a?"
        ),
        Misconception(
            without_the_square,
            "The term with the square of ŵ is missing. What does a rotation do to a vector "
            "perpendicular to the axis?",
        ),
        Misconception(
            with_the_other_sign,
            "The square has the wrong sign. For a rotation about the third axis, which sign gives "
            "the cosine of the angle in the top-left entry?",
        ),
        Misconception(
            lambda w: rodrigues(np.radians(w)),
            "You converted the angle, but the length of w is in radians already. What is "
            "left to do?",
        ),
    ),
    section="Many rotations make one",
    lesson="A zero rotation must give 1, and a tiny one must keep its digits.",
    forms=(by_quaternion,),
)


# ---- lie-group-integrators-3: the element for TS²


def halves_of(omega: Any, omega_dot: Any) -> Any:
    """Return ω and q x ω̇ in one list, for q = e₃."""
    return np.concatenate([omega, np.cross([0, 0, 1], omega_dot)])


tangent_element = Exercise(
    name="lie-group-integrators-3",
    answer=NumberArray(halves_of([2, 0, 0], [3, 4, 0]).tolist()),
    misconceptions=(
        Misconception(
            [2, 0, 0, 3, 4, 0],
            "Your μ₂ is the angular acceleration itself, but it acts as μ₂ × q. Which vector, "
            "crossed with q, gives (3, 4, 0)?",
        ),
        Misconception(
            [2, 0, 0, 4, -3, 0],
            "Your μ₂ has the wrong sign: μ₂ × q must be +ω̇. What is the sign of (q × ω̇) × q?",
        ),
        Misconception(
            [0, -2, 0, -4, 3, 0],
            "Your μ₁ is the velocity of q, but μ₁ is an angular velocity. For which one is μ₁ × q "
            "equal to ω × q?",
        ),
    ),
    section="A direction and its angular velocity",
    lesson="(q × ω̇) × q = ω̇ - q (q · ω̇): it works because ω̇ is perpendicular to q.",
    asked=(
        r"omega = \((\d), 0, 0\).*omega = \((\d), (\d), 0\)",
        lambda omega, first, second: halves_of([omega, 0, 0], [first, second, 0]).tolist(),
    ),
)


# ---- lie-group-integrators-4: the coefficient near zero


def number_of_terms() -> Any:
    """Return twelve, if twelve terms of Σ |B₂ₖ| θ²ᵏ⁻² / (2k)! reach the last digit at θ = 1."""
    terms = [abs(sm.bernoulli(2 * k)) / sm.factorial(2 * k) for k in range(1, 30)]
    assert sum(terms[12:]) < sum(terms) * 2**-53
    return 12


coefficient = Exercise(
    name="lie-group-integrators-4",
    answer=Expression(sm.Rational(1, 12) + theta**2 / 720),
    misconceptions=(
        Misconception(sm.Rational(1, 12) + 0 * theta, "Right so far. What is the term with θ²?"),
        Misconception(
            sm.Rational(1, 12) - theta**2 / 720,
            "The second sign is wrong. Bernoulli numbers alternate in sign, and so do powers of û. "
            "What do they do together?",
        ),
        Misconception(
            theta**2 / 12 + theta**4 / 720,
            "That is 1 - θ/2 cot θ/2. What must you divide it by?",
        ),
        Misconception(
            sm.Rational(1, 6) - theta**2 / 120,
            "That is the series of dexp. What is the series of its inverse?",
        ),
    ),
    section="How the exponential moves",
    lesson="Below one radian twelve terms are accurate to the last digit; the closed form is not.",
    facts=lambda: (f"{in_words(number_of_terms())} terms are accurate",),
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
    """Return steps, and the errors of both methods after one second."""
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
        Misconception(
            "a", "It cannot leave, because every move is an exponential. What else can be wrong?"
        ),
        Misconception(
            "c",
            "You add slopes from four points as if they were from one. What does it cost to ignore "
            "the order of rotations?",
        ),
        Misconception(
            "d",
            "That is too low. The error that dexp⁻¹ removes begins with a bracket of slopes that "
            "differ only by order h. How many powers of h does this gain?",
        ),
    ),
    section="How the exponential moves",
    lesson="Being on the manifold is one thing; being at the right point is another.",
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
            "You carry back one slope too many. Which slope is evaluated where the step begins?",
        ),
        Misconception(
            [[4, 4, 3], [4, 6, 0]],
            "You count one flow of CF4 twice. Which stage already computed the first flow of Y₄?",
        ),
        Misconception(
            [[4, 5, 3], [4, 5, 0]],
            "RKMK4 has one exponential fewer. Which stage needs no flow at all?",
        ),
    ),
    section="Without commutators",
    lesson="One more exponential costs about as much here as three dexp⁻¹.",
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
            "That is the square of the growth rate. What is s itself?",
        ),
        Misconception(
            omega * sm.sqrt((J_3 - J_1) * (J_3 - J_2) / (J_1 * J_2)),
            "That belongs to another axis. Which two components are small here?",
        ),
        Misconception(
            omega * sm.sqrt((J_2 - J_1) * (J_3 - J_2)) / J_2,
            "You divided both equations by J₂. Which moment multiplies Ω̇₁, and which Ω̇₃?",
        ),
    ),
    section="Two stable rotations, and an unstable one",
    lesson="s is real for the middle axis only; about the other two, the box oscillates.",
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
    """Take the same step, adding slopes without dexp⁻¹."""
    flat = Space("S^2", 3, Sphere.flow, lambda u, v: v, 3)
    return step(f, t, q, size, KUTTA3, flat)


def with_the_opposite_bracket(f: Any, t: float, q: Any, size: float) -> Any:
    """Take the same step with the sign of the bracket for multiplication from the right."""
    turned = Space("S^2", 3, Sphere.flow, lambda u, v: Sphere.dexp_inverse(-u, v), 3)
    return step(f, t, q, size, KUTTA3, turned)


def some_field(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return a random angular velocity, time, direction, and step."""
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
            "That is Lie–Euler. Where are the slopes in the middle and at the end?",
        ),
        Misconception(
            lambda f, t, q, size: step(f, t, q, size, HEUN, Sphere),
            "That is Heun's method. Where is the slope in the middle of the step?",
        ),
        Misconception(
            lambda f, t, q, size: kutta_on_the_sphere(lambda _, x: f(t, x), t, q, size),
            "All your slopes are evaluated at time t. At which times does Kutta's method evaluate "
            "them?",
        ),
        Misconception(
            straight,
            "That is Kutta's straight step, which leaves the sphere. What moves a point along the "
            "sphere?",
        ),
        Misconception(
            without_dexp_inverse,
            "Close, but the later slopes belong to other points. What must you do before you "
            "add them?",
        ),
        Misconception(
            with_the_opposite_bracket,
            "Close, but the bracket has the wrong sign. Which of u and v comes first in u × v?",
        ),
    ),
    section="The same tableaus",
    lesson="Without dexp⁻¹, this method would lose an order; Heun's would not.",
    forms=(lambda f, t, q, h: step(f, t, q, h, KUTTA3, Sphere),),
)


# ---- lie-group-integrators-9: how a quaternion changes


def spatial_rate(angle: float, speed: float) -> list[float]:
    """Return ż at an angle [°] about e₃, for an angular velocity about the e₁ of space."""
    half = math.radians(angle) / 2
    return [0.0, speed / 2 * math.cos(half), -speed / 2 * math.sin(half), 0.0]


quaternion_rate = Exercise(
    name="lie-group-integrators-9",
    answer=NumberArray(spatial_rate(90, 2), digits=3),
    misconceptions=(
        Misconception(
            spatial_rate(90, 4),
            "The factor ½ is missing. How much of the angle does a quaternion contain?",
        ),
        Misconception(
            [0.0, *np.abs(spatial_rate(90, 2)[1:3]), 0.0],
            "That is for an axis fixed in the body. On which side of z does "
            "ω multiply in space axes?",
        ),
        Misconception(
            [-value for value in spatial_rate(90, 2)],
            "It rotates the other way. What would your rule give at z = (1, 0, 0, 0)?",
        ),
        Misconception(
            spatial_rate(180, 2),
            "Your z has the full angle of 90°. What are the cosine and the sine of half of it?",
        ),
    ),
    section="Four numbers of length one",
    lesson="Multiply from the left for space axes, and from the right for body axes.",
    asked=(r"by (\d+)° about.* at (\d) rad/s", spatial_rate),
)


# ---- lie-group-integrators-10: the order of two rotations

order_of_turns = Exercise(
    name="lie-group-integrators-10",
    answer=NumberArray([0.0, 0.0, 0.01], "rad"),
    misconceptions=(
        Misconception(
            [0.0, 0.0, 0.005],
            "That is how far one product is from the exponential of the sum. How far apart are "
            "the two products?",
        ),
        Misconception([0.0, 0.0, -0.01], "The sign is wrong. What is e₁ × e₂?"),
        Misconception(
            [0.0, 0.0, 0.0],
            "That would be so if rotations commuted. What is the bracket of a and b?",
        ),
    ),
    section="The order of two rotations",
    lesson="Each product has half a bracket: they differ by a whole one, a second-order vector.",
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
        Misconception(
            0.0,
            "Without any bracket, her errors would equal the other's. Which mistake gives a "
            "bit less?",
        ),
        Misconception(
            0.5,
            "With the wrong sign, or with dexp instead of its inverse, the ratio would be +2. "
            "How far from −1/2 is hers?",
        ),
        Misconception(
            -0.5, "That is the right coefficient, which keeps the order. How far from it is hers?"
        ),
        Misconception(
            -5 / 12,
            "You scaled the coefficient, but it is the errors that have this ratio. What is an "
            "error proportional to?",
        ),
        Misconception(5 / 12, "That is how far off it is. From which number, and to which side?"),
        Misconception(
            -11 / 12,
            "Below −1/2, her errors would point the other way. What is on the other side of −1/2?",
        ),
        Misconception(
            -1.0, "Without the ½, her errors would point the other way. What keeps their direction?"
        ),
    ),
    section="The same tableaus",
    lesson="She exchanged two coefficients: the error is proportional to the mistake in the first.",
    asked=(
        r"order is (2)\. .*ratio .* as ([\d.]+)\..*three digits",
        lambda order, ratio: (ratio - 1) / order,
    ),
)


# ---- lie-group-integrators-12: a box that turns over slowly


def admissible_gap(rate: float, seconds: float, factor: float) -> float:
    """Return the largest J₃ − J₂ [kg·m²] with which a disturbance grows by at most a factor."""
    s = math.log(factor) / seconds / rate
    return 0.1 - math.sqrt(0.01 - 0.03 * s**2)


design = Exercise(
    name="lie-group-integrators-12",
    answer=Number(admissible_gap(5.0, 3.0, 100.0), "kg·m²", at_most=True, bound="most"),
    misconceptions=(
        Misconception(
            0.3 - admissible_gap(5.0, 3.0, 100.0),
            "That is J₂ itself. How far below J₃ is it?",
        ),
        Misconception(
            0.2 - admissible_gap(5.0, 3.0, 100.0),
            "That root gives the same growth, but its J₂ is below 0.2 kg·m². What is the "
            "other root?",
        ),
        Misconception(
            admissible_gap(5.0, 3.0, math.exp(math.log10(100.0))),
            "You took the decimal logarithm. Which logarithm is the inverse of the exponential?",
        ),
        Misconception(0.0, "That stops the growth altogether. How much growth is allowed?"),
    ),
    section="Two stable rotations, and an unstable one",
    lesson="If the middle moment is nearly the largest, the spin is nearly stable.",
    asked=(
        r"at (\d+) rad/s.*are 0\.1 and 0\.3 kg.*from ([\d.]+) to 0\.3 kg.*"
        r"need (\d+) s.*to (\d+) times",
        lambda rate, middle, seconds, growth: (
            0.3 - middle - math.sqrt(0.01 - 0.03 * (math.log(growth) / seconds / rate) ** 2)
        ),
    ),
    facts=lambda: (f"is below {(0.1 + 0.3) / 2:g} kg·m²",),  # where both differences are equal,
)


# ---- lie-group-integrators-13: a slope of rigid motions, carried back


def carried_back(shift: float, slope: float, weight: float = -1 / 2) -> list[float]:
    """Return dexp⁻¹ of se(3) at a shift along e₁, of a slope with a = e₃ and b along e₂."""
    return [0.0, 0.0, 1.0, 0.0, slope - weight * shift, 0.0]


carried = Exercise(
    name="lie-group-integrators-13",
    answer=NumberArray(carried_back(0.2, 0.5)),
    misconceptions=(
        Misconception(
            carried_back(0.2, 0.5, 0),
            "You carried b back as if there were only rotations. Which term contains v and a?",
        ),
        Misconception(
            carried_back(0.2, 0.5, 1 / 2),
            "The correction of b has the wrong sign. What is e₁ × e₃?",
        ),
        Misconception(
            carried_back(0.2, 0.5, -1),
            "The correction of b is too large. What multiplies v × a in β?",
        ),
    ),
    section="How the exponential moves",
    lesson="Even after a pure shift, the slope needs a correction: rotations also rotate shifts.",
    asked=(
        r"v = \(([\d.]+), 0, 0\).*b = \(0, ([\d.]+), 0\)",
        carried_back,
    ),
)


# ---- lie-group-integrators-14: an ellipse that precesses


def turned_in_an_hour(rod: float, long: float, short: float, share: float = 3 / 8) -> float:
    """Return how far a pendulum's ellipse precesses in an hour [°], from lengths [m]."""
    rate = share * math.sqrt(9.81 / rod) * long / rod * short / rod
    return math.degrees(3600 * rate)


precession = Exercise(
    name="lie-group-integrators-14",
    answer=Number(turned_in_an_hour(67, 3, 0.1), "°/h", either_sign=True),
    misconceptions=(
        Misconception(
            turned_in_an_hour(67, 3, 0.1, 1 / 16),
            "That is for two uncoupled plane oscillations. Which factor holds for a pendulum in "
            "space?",
        ),
        Misconception(
            math.radians(turned_in_an_hour(67, 3, 0.1)),
            "That is in radians per hour. What is it in degrees?",
        ),
        Misconception(
            turned_in_an_hour(67, 3, 0.1) / math.sqrt(9.81 / 67),
            "That is for a phase of one radian per second. How fast does this pendulum's "
            "phase grow?",
        ),
        Misconception(
            turned_in_an_hour(67, 3, 0.1) * 67**2,
            "You took the semi-axes as lengths. What must you divide them by to get angles?",
        ),
        Misconception(
            turned_in_an_hour(67, 3, 0.1) / 3600, "That is per second. How much is it per hour?"
        ),
        Misconception(
            turned_in_an_hour(67, 3, 0.05),
            "You halved the semi-minor axis. What does the 10 cm in the text measure?",
        ),
    ),
    section="A pendulum that swings in every direction",
    lesson="A sixth of the Earth's effect in Paris, so Foucault released the bob by burning "
    "a thread.",
    asked=(
        r"rod of (\d+) m and swings by (\d+) m .*semi-minor axis is (\d+) cm.* = ([\d.]+) m/s²",
        lambda rod, long, short, g: turned_in_an_hour(rod, long, short / 100) * math.sqrt(g / 9.81),
    ),
    facts=lambda: (
        "A sixth of the Earth's effect in Paris"
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
    carried,
)
