"""The exercises of chapter 7, linearization."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sm
from scipy.linalg import solve_continuous_are

from course_exercises import UNITS
from tutlib.exercises import Choice, Exercise, Expression, Function, Misconception, Number
from tutlib.methods import integrate
from tutlib.pictures import figure_as_html, legend_above, new_axes

g, l, m, M, r, delta = sm.symbols("g l m M r delta", positive=True)
theta_0 = sm.Symbol("theta_0", real=True)


# ---- linearization-1: about any angle

slope = Exercise(
    name="linearization-1",
    answer=Expression(-g / l * sm.cos(theta_0), units=UNITS),
    misconceptions=(
        Misconception(
            -g / l * sm.sin(theta_0),
            "That is the angular acceleration itself. Asked for is its slope.",
        ),
        Misconception(
            g / l * sm.cos(theta_0),
            "The sign: about the hanging position a displacement is pulled back.",
        ),
        Misconception(-g / l, "That is the slope at the hanging position. Take any angle."),
        Misconception(-sm.cos(theta_0) * g * l, "Look at the units: a rate squared is asked for."),
    ),
    section="A tangent to the equations",
    lesson="From -g/l hanging over zero at 90° to +g/l upright: one pendulum, three characters.",
)


# ---- linearization-2: upright

upright = Exercise(
    name="linearization-2",
    answer=Expression(sm.sqrt(g / l), units=UNITS),
    misconceptions=(
        Misconception(
            -sm.sqrt(g / l), "That is the other one: the way to come to rest at the top."
        ),
        Misconception(
            sm.I * sm.sqrt(g / l),
            "So it is hanging. Upright the sign under the root is the other one.",
        ),
        Misconception(g / l, "That is its square."),
        Misconception(sm.sqrt(l / g), "That is a time. An eigenvalue is a rate, 1 over a time."),
    ),
    section="A tangent to the equations",
    lesson="In each 1/√(g/l), 0.3 s for a meter, the distance from the top grows by a factor of e.",
)


# ---- linearization-3: the naive eigenvalues

naive = Choice(
    "b",
    {
        "a": "two: ±iω, the true ones",
        "b": "four: ±iω and twice zero",
        "c": "four: ±iω, and two real ones",
        "d": "four: twice ±iω",
    },
)


@cache
def lengths() -> tuple[Any, dict[str, Any]]:
    """Return times, and the rod's length, started on the circle and with a speed off it."""

    def f(t: float, x: Any) -> Any:
        pull = (9.81 * x[1] - x[2] ** 2 - x[3] ** 2) / (x[0] ** 2 + x[1] ** 2)
        return np.array([x[2], x[3], x[0] * pull, -9.81 + x[1] * pull])

    times = np.linspace(0, 5, 501)
    found = {}
    for name, speed in (("on the circle", 0.0), ("1 cm/s along the rod", -0.01)):
        run = integrate(f, times, [0.1, -np.sqrt(1 - 0.01), 0.0, speed])
        found[name] = np.hypot(run.x[:, 0], run.x[:, 1])
    return times, found


def off_the_circle(chosen: str) -> str:
    """Draw what becomes of a start that is not on the circle: it drifts away."""
    times, found = lengths()
    ax = new_axes("time [s]", "length of the rod [m]")
    for name, length in found.items():
        ax.plot(times, length, marker="", label=name)
    ax.set_title(naive.verdict(chosen), fontsize=12)
    legend_above(ax)
    return figure_as_html(
        ax.figure,
        "Length of the rod against time: constant on the circle, growing evenly for a start with "
        "1 cm/s along the rod.",
    )


eigenvalues = Exercise(
    name="linearization-3",
    answer=naive,
    misconceptions=(
        Misconception("a", "A matrix of size four has four."),
        Misconception(
            "c",
            "Nothing in the equations pulls along the rod, and nothing pushes: a motion off the "
            "circle neither grows exponentially nor decays.",
        ),
        Misconception("d", "The bob has one way to swing, not two."),
    ),
    section="One coordinate too many",
    lesson="The double zero is a drift off the circle: a motion of the equations, not of the bob.",
    reveal=off_the_circle,
)


# ---- linearization-4: the vertical error

height = Exercise(
    name="linearization-4",
    answer=Expression(l * delta**2 / 2, units=UNITS),
    misconceptions=(
        Misconception(l * (1 - sm.cos(delta)), "That is exact. Give its lowest power of δ."),
        Misconception(l * delta, "That is how far it goes to the side."),
        Misconception(l * delta**2, "The series of the cosine has a factor ½ there."),
        Misconception(sm.Integer(0), "So says the linear model. The bob itself does rise."),
    ),
    section="What every linear model misses",
    lesson="At 1° and 1 m it is 0.15 mm, for the naive and for the right linearization alike.",
)


# ---- linearization-5: the linkage

period = Exercise(
    name="linearization-5",
    answer=Number(2 * np.pi / 3.5173667, "seconds"),
    misconceptions=(
        Misconception(3.5173667, "That is ω. A full swing takes 2π/ω."),
        Misconception(1 / 3.5173667, "That is 1/ω. A full swing takes 2π/ω."),
        Misconception(3.5173667 / (2 * np.pi), "That is the frequency: swings per second."),
        Misconception(np.pi / 3.5173667, "That is half a swing, there and not back."),
    ),
    section="The four-bar, at rest and nearly",
    lesson="And a simulation that starts a degree off agrees.",
)


# ---- linearization-6: how fast is fast enough?

critical = Exercise(
    name="linearization-6",
    answer=Expression(sm.sqrt(g * r / 3), units=UNITS),
    misconceptions=(
        Misconception(
            sm.sqrt(g / (3 * r)), "That is the spin, in rad/s. The speed is r times that."
        ),
        Misconception(
            sm.sqrt(g * r), "Nearly: look at the factor of u₂² once more, and at that of g/r."
        ),
        Misconception(g * r / 3, "That is its square."),
        Misconception(sm.sqrt(3 * g * r), "Solve 3 u₂² = g/r for u₂, and multiply by r."),
    ),
    section="How fast is fast enough?",
    lesson="For a coin of 12 mm radius that is 20 cm/s. Watch one slow down and fall.",
)


# ---- linearization-7: a cart

cart_input = sm.Matrix([0, 0, 1 / M, -1 / (M * l)])

cart = Exercise(
    name="linearization-7",
    answer=Expression(cart_input, given=(m,), also=(g,), units=UNITS),
    misconceptions=(
        Misconception(
            sm.Matrix([0, 0, 1 / M, 1 / (M * l)]),
            "Push the cart to the right: the bob stays behind, and θ counts counter-clockwise. "
            "Which way does it turn?",
        ),
        Misconception(
            sm.Matrix([0, 0, 1 / (M + m), -1 / ((M + m) * l)]),
            "The bob hangs straight down, and its rod pulls along itself only: in the first moment "
            "the push need not carry the bob along.",
        ),
        Misconception(
            sm.Matrix([1 / M, -1 / (M * l), 0, 0]),
            "A force changes speeds, and those are the last two states.",
        ),
        Misconception(
            sm.Matrix([0, 0, 1 / M, 0]),
            "Solve M u̇ = F with both rows: the mass matrix couples them.",
        ),
    ),
    section="Steering",
    lesson="One force, two speeds: that is why one motor can balance a pole.",
)


# ---- linearization-8: LQR


def gain(A: Any, B: Any, Q: Any, R: Any) -> Any:
    P = solve_continuous_are(A, B, Q, R)
    return np.linalg.solve(R, np.transpose(B) @ P)


def cost_of_now(A: Any, B: Any, Q: Any, R: Any) -> Any:
    return np.linalg.solve(R, np.transpose(B) @ Q)


def wrong_sign(A: Any, B: Any, Q: Any, R: Any) -> Any:
    return -gain(A, B, Q, R)


def without_weight(A: Any, B: Any, Q: Any, R: Any) -> Any:
    return np.transpose(B) @ solve_continuous_are(A, B, Q, R)


_CHAIN = np.array([[0.0, 0, 1, 0], [0, 0, 0, 1], [12.0, -5, 0, 0], [-9, 14, 0, 0]])
_ONE = np.array([[0.0], [0.0], [1.5], [-2.0]])
_TWO = np.array([[0.0, 0], [0, 0], [1, 0.2], [-0.5, 2]])


def some_system(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return A, B, Q, R with more inputs than one."""
    n, m = int(rng.integers(2, 5)), 2
    root = rng.normal(size=(m, m)) / 3
    B = np.eye(n)[:, :m] + rng.normal(size=(n, m)) / 3
    return rng.normal(size=(n, n)), B, np.eye(n), np.eye(m) + root @ root.T


regulator = Exercise(
    name="linearization-8",
    answer=Function(
        gain,
        problems=(
            (np.array([[0.0, 1], [9.81, 0]]), np.array([[0.0], [1]]), np.eye(2), np.eye(1)),
            (_CHAIN, _ONE, np.diag([1.0, 1, 0.1, 0.1]), np.array([[0.3]])),
            (_CHAIN, _TWO, np.eye(4), np.array([[0.5, 0.1], [0.1, 2.0]])),
        ),
        draw=some_system,
    ),
    misconceptions=(
        Misconception(
            cost_of_now,
            "Q is the cost of this moment. P is that of all the time to come: solve for it.",
        ),
        Misconception(wrong_sign, "With τ = -K δx the minus is outside: K = R⁻¹ Bᵀ P."),
        Misconception(without_weight, "Divide by the price of the input: R⁻¹ Bᵀ P."),
    ),
    section="Steering",
    lesson="Three lines, and the same three for a rocket: the art is in Q and R.",
)


EXERCISES = (
    slope,
    upright,
    eigenvalues,
    height,
    period,
    critical,
    cart,
    regulator,
)
