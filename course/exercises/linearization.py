"""The exercises of chapter 7, linearization."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sm
from scipy.linalg import null_space, solve_continuous_are

from course.exercises import UNITS
from course.judge import Choice, Exercise, Expression, Function, Misconception, Number, NumberArray
from panels import figure_as_html
from tutlib.mechanics import linearize
from tutlib.methods import ensemble, integrate
from tutlib.models import balanced_pendubot, pendubot
from tutlib.plots import plot_curves

g, l, m, M, r, v, w, delta = sm.symbols("g l m M r v w delta", positive=True)
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
    facts=lambda: ("over zero at 90°",),
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
    facts=lambda: (f"In each 1/√(g/l), {(1 / 9.81) ** 0.5:.1f} s for a meter",),
)


# ---- linearization-9: friction at the top

at_the_top = Choice(
    "b",
    {
        "a": "with enough friction it stays up",
        "b": "it falls, however strong the friction is",
        "c": "it swings to and fro about the top",
        "d": "friction makes it fall faster",
    },
)


def friction_at_the_top(chosen: str) -> str:
    """Draw both eigenvalues of the upright pendulum against the friction: one stays positive."""
    friction = np.linspace(0, 12, 121)
    returns, falls = np.sort(np.linalg.eigvals([[[0, 1], [9.81, -b]] for b in friction]).real).T
    curves = {"it falls": (friction, falls), "it returns": (friction, returns)}
    quantity, verdict = "real part of the eigenvalues [1/s]", at_the_top.verdict(chosen)
    ax = plot_curves("friction [N·m·s]", quantity, curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Real part of the eigenvalues of the upright pendulum against the friction: one positive, "
        "and smaller with more friction, but never zero; one negative, and further from zero.",
    )


honey = Exercise(
    name="linearization-9",
    answer=at_the_top,
    misconceptions=(
        Misconception(
            "a",
            "Friction resists a motion, and at rest there is none to resist. What is the product "
            "of the eigenvalues upright?",
        ),
        Misconception(
            "c",
            "For a swing the eigenvalues need an imaginary part. Upright, is there a negative "
            "number under the root at any friction?",
        ),
        Misconception("d", "Friction takes energy out of every motion, out of a fall as well."),
    ),
    section="A tangent to the equations",
    lesson="Upright the product of both is -g/l at any friction, so one is positive. Friction only "
    "makes it small: the pendulum falls slowly, as if through honey.",
    reveal=friction_at_the_top,
    curves={
        "it falls": (
            "one positive, and smaller with more friction, but never zero",
            lambda c: (np.diff(c.y) < 0).all() and c.y.min() > 0,
        ),
        "it returns": (
            "one negative, and further from zero",
            lambda c: (np.diff(c.y) < 0).all() and c.y.max() < 0,
        ),
    },
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
    length_of = {}
    for name, speed in (("on the circle", 0.0), ("1 cm/s along the rod", -0.01)):
        run = integrate(f, times, [0.1, -np.sqrt(1 - 0.01), 0.0, speed])
        length_of[name] = np.hypot(run.x[:, 0], run.x[:, 1])
    return times, length_of


def off_the_circle(chosen: str) -> str:
    """Draw what becomes of a start that is not on the circle: it drifts away."""
    times, length_of = lengths()
    curves = {name: (times, length) for name, length in length_of.items()}
    verdict = naive.verdict(chosen)
    ax = plot_curves("time [s]", "length of the rod [m]", curves, verdict, marker="")
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
    curves={
        "on the circle": ("constant on the circle", lambda c: np.allclose(c.y, 1, atol=1e-6)),
        "1 cm/s along the rod": (
            "growing evenly for a start with 1 cm/s along the rod",
            lambda c: np.allclose(c.y, 1 + 0.01 * c.x, atol=2e-3),
        ),
    },
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
    lesson="At 1° and 1 m it is 0.15 mm, in any linear model that takes the height to first order.",
    facts=lambda: (f"At 1° and 1 m it is {1000 * (1 - np.cos(np.radians(1))):.2f} mm",),
)


# ---- linearization-10: a Jacobian and its constraints


def restrict(J: Any, C: Any, independent: Any) -> Any:
    return _restricted(J, C, independent, -1.0)


def _restricted(J: Any, C: Any, independent: Any, sign: float) -> Any:
    dependent = [i for i in range(len(J)) if i not in independent]
    D = np.zeros((len(J), len(independent)))
    D[independent] = np.eye(len(independent))
    D[dependent] = sign * np.linalg.solve(C[:, dependent], C[:, independent])
    return (J @ D)[independent]


def rows_dropped(J: Any, C: Any, independent: Any) -> Any:
    return J[np.ix_(independent, independent)]


def sign_lost(J: Any, C: Any, independent: Any) -> Any:
    return _restricted(J, C, independent, 1.0)


def projected(J: Any, C: Any, independent: Any) -> Any:
    onto = np.eye(len(J)) - np.linalg.pinv(C) @ C
    return (onto @ J @ onto)[np.ix_(independent, independent)]


def some_constraints(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return J, C and independent states, with a dependent part that is easy to invert."""
    n, m = int(rng.integers(4, 7)), 2
    independent = rng.permutation(n)[m:].tolist()
    C = rng.normal(size=(m, n))
    dependent = [i for i in range(n) if i not in independent]
    C[:, dependent] = np.eye(m) + C[:, dependent] / 4
    return rng.normal(size=(n, n)), C, independent


_LEANING = np.array([[0.6, -0.8, 0.0, 0.0], [0.0, 0.0, 0.6, -0.8]])
_EASY = np.array([[0.0, 0, 1, 0], [0, 0, 0, 1], [-7.8, 0.5, 0, 0], [0.3, -2, 0, 0]])


def in_own_order(J: Any, C: Any, independent: Any) -> Any:
    return restrict(J, C, sorted(independent))


def by_null_space(J: Any, C: Any, independent: Any) -> Any:
    N = null_space(C)
    return (J @ N @ np.linalg.inv(N[independent]))[independent]


restriction = Exercise(
    name="linearization-10",
    answer=Function(
        restrict,
        problems=(
            (_EASY, _LEANING, [0, 2]),
            (_EASY, _LEANING, [1, 3]),
            (_EASY, _LEANING, [2, 1]),
            (np.diag([1.0, 2.0, 3.0]), np.array([[1.0, 2.0, 4.0]]), [0, 2]),
        ),
        draw=some_constraints,
    ),
    misconceptions=(
        Misconception(
            rows_dropped,
            "You dropped the dependent states, as if they stood still. They move along: first put "
            "what they are into the columns.",
        ),
        Misconception(
            sign_lost,
            "Both parts of C times their changes add up to zero: on the other side there is a "
            "minus.",
        ),
        Misconception(
            projected,
            "That is a projection at right angles. The independent states change as they like, "
            "and the others follow.",
        ),
        Misconception(
            in_own_order,
            "The entries are right, in another order: that of the list: 2 may stand before 0.",
        ),
    ),
    section="Doing it right",
    lesson="A few lines, and they turn every easy Jacobian into the right one, for as long as the "
    "dependent part of C can be inverted.",
    forms=(by_null_space,),
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
    lesson="And a simulation that starts a little off agrees.",
)


# ---- linearization-6: how fast is fast enough?

critical = Exercise(
    name="linearization-6",
    answer=Expression(sm.sqrt(g * r / 4), units=UNITS, bound="least"),
    misconceptions=(
        Misconception(
            sm.sqrt(g / (4 * r)), "That is the spin, in rad/s. The speed is r times that."
        ),
        Misconception(
            sm.sqrt(g * r / 3),
            "That is a disc's. A hoop has more inertia about its axle, and about a diameter.",
        ),
        Misconception(
            sm.sqrt(g * r / 2),
            "Its center follows a curve, too: what stands before u₂u₃ is more than the moment of "
            "inertia about the axle.",
        ),
        Misconception(g * r / 4, "That is its square."),
        Misconception(
            sm.sqrt(g * r / 8),
            "About a diameter a hoop has half of its moment of inertia about the axle, and not a "
            "quarter.",
        ),
    ),
    section="How fast is fast enough?",
    lesson="A front wheel of 35 cm that rolls by itself needs 0.93 m/s. More mass in the rim, more "
    "steering for each spin.",
    facts=lambda: (
        f"A front wheel of 35 cm that rolls by itself needs {np.sqrt(9.81 * 0.35 / 4):.2f} m/s",
    ),
)


# ---- linearization-11: a rider with one rule

rider = Exercise(
    name="linearization-11",
    answer=Expression(g * w / v**2, units=UNITS, bound="least"),
    misconceptions=(
        Misconception(
            g * w / v,
            "That has a unit, and k has none. The steer enters with the speed squared, its rate "
            "with the speed.",
        ),
        Misconception(v**2 / (g * w), "Upside down: who rides faster needs less."),
        Misconception(
            sm.sqrt(g * w / v**2), "Solve for k, and not for the speed: there is no root."
        ),
        Misconception(g / v**2, "The wheelbase is lost. A longer bicycle turns less."),
    ),
    section="A bicycle from first principles",
    lesson="Twice the speed needs a quarter of the steer, and a crawl needs more than there is: "
    "that is why slow riding is an art.",
    facts=lambda: (f"Twice the speed needs {['', 'a quarter'][4 // 2**2]} of the steer",),
)


# ---- linearization-7: a cart

cart_input = sm.Matrix([0, 0, 1 / M, -1 / (M * l)])

cart = Exercise(
    name="linearization-7",
    answer=Expression(cart_input, named=(m,), also=(g,), units=UNITS),
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
    section="What an input can steer",
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


def growing(A: Any, B: Any, Q: Any, R: Any) -> Any:
    weighed = np.linalg.solve(R, np.transpose(B))
    values, vectors = np.linalg.eig(np.block([[A, -B @ weighed], [-Q, -np.transpose(A)]]))
    n, kept = len(A), vectors[:, values.real > 0]
    return weighed @ np.real(kept[n:] @ np.linalg.inv(kept[:n]))


def without_weight(A: Any, B: Any, Q: Any, R: Any) -> Any:
    return np.transpose(B) @ solve_continuous_are(A, B, Q, R)


_CHAIN = np.array([[0.0, 0, 1, 0], [0, 0, 0, 1], [12.0, -5, 0, 0], [-9, 14, 0, 0]])
_ONE = np.array([[0.0], [0.0], [1.5], [-2.0]])
_TWO = np.array([[0.0, 0], [0, 0], [1, 0.2], [-0.5, 2]])


def some_system(rng: np.random.Generator) -> tuple[Any, ...]:
    """Return A, B, Q, R with more inputs than one."""
    n, m = int(rng.integers(2, 5)), 2
    root, other = rng.normal(size=(m, m)) / 3, rng.normal(size=(n, n))
    B = np.eye(n)[:, :m] + rng.normal(size=(n, m)) / 3
    return rng.normal(size=(n, n)), B, np.eye(n) + other @ other.T, np.eye(m) + root @ root.T


def by_hamiltonian(A: Any, B: Any, Q: Any, R: Any) -> Any:
    n = len(A)
    H = np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]])
    values, vectors = np.linalg.eig(H)
    stable = vectors[:, values.real < 0]
    P = np.real(stable[n:] @ np.linalg.inv(stable[:n]))
    return np.linalg.solve(R, B.T @ P)


regulator = Exercise(
    name="linearization-8",
    answer=Function(
        gain,
        problems=(
            (np.array([[0.0, 1], [9.81, 0]]), np.array([[0.0], [1]]), np.eye(2), np.eye(1)),
            (_CHAIN, _ONE, np.diag([1.0, 1, 0.1, 0.1]), np.array([[0.3]])),
            (_CHAIN, _TWO, np.eye(4), np.array([[0.5, 0.1], [0.1, 2.0]])),
            (
                *np.array([[[0.0, 1], [9.81, 0]], [[1.0, -0.5], [0.3, 2]]]),
                *np.array([[[2.0, -0.7], [-0.7, 3]], [[0.5, -0.2], [-0.2, 1]]]),
            ),
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
        Misconception(
            growing,
            "You took the eigenvectors that grow. The best way dies out: it uses those with a "
            "negative real part.",
        ),
    ),
    section="The best linear law",
    lesson="Six lines, and the same six for a rocket: the art is in Q and R.",
    forms=(by_hamiltonian,),
)


# ---- linearization-12: a friend's matrices

mistakes = Choice(
    "b",
    {
        "a": "the weight pulls the bob back, as if it were hanging",
        "b": "the masses were taken with the bob hanging, the weight with the bob upright",
        "c": "the cart was taken to be so heavy that the bob does not move it",
        "d": "the push acts on the cart alone, and its share in the bob's motion was left out",
        "e": "the centrifugal force of the bob was left out",
        "f": "the angle was put in in degrees",
    },
)


def on_a_cart(law: Any) -> Any:
    """Return the right-hand side of the true cart, its bob counted from upright, with a law."""

    def f(t: float, x: Any) -> Any:
        sine, cosine = np.sin(x[1]), np.cos(x[1])
        mass = np.array([[2.5, -0.4 * cosine], [-0.4 * cosine, 0.32]])
        force = np.array([-law @ x - 0.4 * sine * x[3] ** 2, 0.4 * 9.81 * sine])
        return np.concatenate([x[2:], np.linalg.solve(mass, force)])

    return f


@cache
def two_laws() -> tuple[Any, dict[str, Any]]:
    """Return times, and the bob's lean with the law of the true matrices and of the friend's."""
    times, leans = np.linspace(0, 4, 401), {}
    for name, side in (("the true matrices", 1.0), ("the friend's", -1.0)):
        A = np.zeros((4, 4))
        A[:2, 2:], A[2:, 1] = np.eye(2), (side * 2.4525, 15.328125)
        B = np.array([[0.0], [0.0], [0.5], [side * 0.625]])
        law = gain(A, B, np.eye(4), np.eye(1))[0]
        lean = np.degrees(integrate(on_a_cart(law), times, [0, 0.1, 0, 0]).x[:, 1])
        fallen = np.maximum.accumulate(np.abs(lean)) > 90
        leans[name] = np.where(fallen, np.nan, lean)
    return times, leans


def laws_on_the_cart(chosen: str) -> str:
    """Draw what both laws do with the true cart: that of the friend lets the bob fall."""
    times, leans = two_laws()
    curves = {name: (times, lean) for name, lean in leans.items()}
    verdict = mistakes.verdict(chosen)
    ax = plot_curves("time [s]", "lean of the bob [deg]", curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Lean of the bob against time, from 6 degrees: with the law of the true matrices it "
        "returns, with that of the friend's it tips over within a second.",
    )


mistake = Exercise(
    name="linearization-12",
    answer=mistakes,
    misconceptions=(
        Misconception("a", "Then it would swing. Does the program's largest eigenvalue say so?"),
        Misconception(
            "c",
            "Then a lean would not accelerate the cart at all, and the eigenvalue would be another "
            "one.",
        ),
        Misconception(
            "d", "Then a push would leave the bob where it is. Look at the second number of a push."
        ),
        Misconception(
            "e",
            "It is proportional to a rate squared. What is its slope at rest?",
        ),
        Misconception(
            "f",
            "Then numbers would be wrong by a factor of 57. Here signs are wrong, and no more.",
        ),
    ),
    section="What an input can steer",
    lesson="Eigenvalues do not see it, for the same machine with its cart turned round has the "
    "same ones. Compare what inputs do, too, and compare with the nonlinear machine.",
    reveal=laws_on_the_cart,
    curves={
        "the true matrices": (
            "from 6 degrees: with the law of the true matrices it returns",
            lambda c: round(c.y[0]) == 6 and abs(c.y[-1]) < 1,
        ),
        "the friend's": (
            "with that of the friend's it tips over within a second",
            lambda c: np.isnan(c.y[c.x > 1]).all() and np.nanmax(c.y) > 60,
        ),
    },
    facts=lambda: (f"wrong by a factor of {np.degrees(1):.0f}",),
)


# ---- linearization-13: prices for a weak motor

STRENGTH, SIDE, SHARE = 20.0, 31, 0.17


@cache
def rods_on_their_heads() -> tuple[Any, Any, Any]:
    """Return A and B of two rods on their heads, and the machine with gains and a limit."""
    alone, machine = pendubot(), balanced_pendubot().with_parameters({"tau_max": STRENGTH})
    linear = linearize(alone.equations, [np.pi, np.pi, 0, 0], alone.parameters)
    names = [f"k_{i}" for i in (1, 2, 3, 4)]
    return linear.A, linear.B, lambda K: machine.with_parameters(dict(zip(names, K))).compile()


def law_of(prices: Any, size: float) -> Any:
    """Return gains for our rods that turn as those do whose masses are size times as large."""
    A, B, _ = rods_on_their_heads()
    prices = np.asarray(prices, dtype=float)
    return gain(A, B / size, np.diag(prices[:4]), np.array([[prices[4]]]))[0] / size


@cache
def share_that_comes_home(*law: float) -> float:
    """Return the part of a square of starts at rest that a motor of 20 N·m brings home."""
    *_, machine = rods_on_their_heads()
    off = np.deg2rad(np.linspace(-60, 60, SIDE))
    offsets = np.stack(np.meshgrid(off, off))
    starts = np.concatenate([np.pi + offsets, 0 * offsets]).reshape(4, -1).T
    ends = ensemble(machine(law), starts, 6.0, 0.005, [2 * np.pi, 2 * np.pi, 60, 60])
    away = np.abs(ends.x - [np.pi, np.pi, 0, 0]).max(axis=1)
    return float(((ends.t >= 6) & (away < 0.1)).mean())


def quick_and_wide(prices: Any, torque: float) -> Any:
    """Return how quick and how wide it is, both no further than is asked for."""
    prices = np.asarray(prices, dtype=float)
    if not ((prices[:4] >= 0).all() and prices[:4].any() and prices[4] > 0):
        return np.zeros(2)
    A, B, _ = rods_on_their_heads()
    law = np.round(law_of(prices, torque / STRENGTH), 5)
    slowest = np.linalg.eigvals(A - B @ law[None, :]).real.max()
    return np.array([min(round(-slowest, 3), 1.0), min(share_that_comes_home(*law), SHARE)])


def some_motor(rng: np.random.Generator) -> tuple[float]:
    """Return the largest torque of a machine that is much smaller than ours, or much larger."""
    return (float(STRENGTH * 10 ** (rng.choice([-1, 1]) * rng.uniform(0.7, 2))),)


def dear_upper_rod(torque: float) -> Any:
    return np.array([0.03, 100, 0.02, 18, 4 / torque**2])


def of_the_opening(torque: float) -> Any:
    return np.array([1, 1, 0.1, 0.1, 0.01])


def dear_rates(torque: float) -> Any:
    return np.array([0.1, 0.1, 1, 1, 0.001])


def torque_for_nothing(torque: float) -> Any:
    return np.array([0, 0, 1, 0, 0.0001])


def for_ours_alone(torque: float) -> Any:
    return dear_upper_rod(STRENGTH)


design = Exercise(
    name="linearization-13",
    answer=Function(
        dear_upper_rod, problems=((STRENGTH,),), draw=some_motor, effect=quick_and_wide
    ),
    misconceptions=(
        Misconception(
            of_the_opening,
            "It is quick enough, but from too few starts the rods come home. Which rod must not "
            "lean, and what spends torque without need?",
        ),
        Misconception(
            dear_rates,
            "It is wide enough for ours, but an eigenvalue is too slow: where rates are expensive "
            "beside angles, nothing hurries home.",
        ),
        Misconception(
            torque_for_nothing,
            "It is neither quick nor wide enough. Begin with bounds by Bryson's rule, and change "
            "one price at a time. No price is negative, and torque is never free.",
        ),
        Misconception(
            for_ours_alone,
            "These prices are right for our machine alone. A newton meter means little to a heavy "
            "one: which price must know the motor, and by Bryson's rule, how?",
        ),
    ),
    section="How far does it carry?",
    lesson="The upper rod has no motor: its angle and its rate are what must be expensive. And "
    "only the price of torque knows how large a machine is.",
    forms=(lambda torque: [0, 1, 0, 0.1, 0.04 / torque**2],),
    facts=lambda: (
        f"a motor of {STRENGTH:.0f} N·m",
        f"at least {100 * SHARE:.0f} % of the {SIDE**2} starts",
        f"for {STRENGTH:.0f} the prices of our machine",
    ),
)


# ---- linearization-14: Furuta's pendulum


def furuta_gains(
    prices: Any = (1, 1, 0.1, 0.1),
    price: float = 100.0,
    *,
    coupling: float = -1.0,
    weight: float = 1.0,
    carried: float = 1.0,
    sizes: tuple[float, ...] = (0.2, 0.1, 0.3, 0.05),
) -> Any:
    """Return the gains of an arm of length and mass l_1, m_1 with a rod l_2, m_2 on its head."""
    l_1, m_1, l_2, m_2 = sizes
    moved = coupling * m_2 * l_1 * l_2
    mass = np.array([[(m_1 + carried * m_2) * l_1**2, moved], [moved, m_2 * l_2**2]])
    A, B = np.zeros((4, 4)), np.zeros((4, 1))
    A[:2, 2:] = np.eye(2)
    A[2:, 1] = np.linalg.solve(mass, [0, weight * 9.81 * m_2 * l_2])
    B[2:, 0] = np.linalg.solve(mass, [1, 0])
    return gain(A, B, np.diag(prices), np.array([[price]]))[0]


def asked_of_furuta(*numbers: float) -> Any:
    """Return the gains for the sizes, the eigenvalue and the prices of the prompt."""
    l_1, m_1, l_2, m_2, free, angle, rate, torque = numbers
    growth = np.sqrt(9.81 / l_2 * (m_1 + m_2) / m_1)  # by the determinant of the mass matrix
    assert round(growth, 1) == free
    return furuta_gains((angle, angle, rate, rate), torque, sizes=(l_1, m_1, l_2, m_2))


from_scratch = Exercise(
    name="linearization-14",
    answer=NumberArray(furuta_gains(), "", 3),
    misconceptions=(
        Misconception(
            furuta_gains(coupling=1, weight=-1),
            "That law is for a rod that hangs. Linearize where it stands on its head.",
        ),
        Misconception(
            furuta_gains(coupling=1),
            "The weight is that of a rod on its head, and the masses are those of one that hangs: "
            "the entry that couples both angles holds cos θ.",
        ),
        Misconception(
            furuta_gains(weight=-1),
            "The masses are those of a rod on its head, and the weight is that of one that hangs: "
            "at the top it pulls the rod away.",
        ),
        Misconception(
            -furuta_gains(), "The minus stands outside: with τ = −K δx the matrix is K = R⁻¹ Bᵀ P."
        ),
        Misconception(
            100 * furuta_gains(),
            "Divide by the price of the torque: K = R⁻¹ Bᵀ P.",
        ),
        Misconception(
            furuta_gains(price=0.01),
            "Read the price of the torque again: it is that of a small motor, and high.",
        ),
        Misconception(
            furuta_gains((0.1, 0.1, 1, 1)), "You exchanged the prices of angles and of rates."
        ),
        Misconception(
            furuta_gains(carried=0),
            "The arm carries the mass of the rod around, too: it has a part in the arm's inertia.",
        ),
    ),
    section="What the balance costs",
    lesson="Linearized upright it is a cart on a rail that is bent to a circle. Only the machine "
    "itself says how far the law carries: let it go.",
    asked=(
        r"arm of ([\d.]+) m .* mass of ([\d.]+) kg\. .* rod of ([\d.]+) m .* mass of ([\d.]+) kg "
        r".* eigenvalue is then ([\d.]+)/s.* price of (\d+) for the square of each angle, of "
        r"([\d.]+) for that of each rate and of (\d+) for",
        asked_of_furuta,
    ),
)


EXERCISES = (
    slope,
    upright,
    honey,
    height,
    eigenvalues,
    restriction,
    period,
    cart,
    regulator,
    mistake,
    design,
    from_scratch,
    critical,
    rider,
)
