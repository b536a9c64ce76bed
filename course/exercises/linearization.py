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
            -g / l * sm.sqrt(1 - sm.sin(theta_0) ** 2),
            "A square root is never negative, so this is right only up to 90°. Which sign must the "
            "slope have at the top?",
        ),
        Misconception(
            -g / l * sm.sin(theta_0),
            "That is the angular acceleration itself. What is its derivative with respect to θ?",
        ),
        Misconception(
            g / l * sm.cos(theta_0),
            "The sign is wrong: near the hanging position, gravity pulls the bob back. Which sign "
            "must the slope have there?",
        ),
        Misconception(
            -g / l, "That is the slope at the hanging position. How does it depend on the angle?"
        ),
        Misconception(
            -sm.cos(theta_0) * g * l,
            "The unit is wrong: the slope must be in 1/s². How does the acceleration depend on l?",
        ),
    ),
    section="A tangent to the equations",
    lesson="-g/l hanging, zero at 90°, and +g/l upright: one pendulum, three kinds of motion.",
    facts=lambda: ("zero at 90°", f"right only up to {np.degrees(np.arccos(0)):.0f}°"),
)


# ---- linearization-2: upright

upright = Exercise(
    name="linearization-2",
    answer=Expression(sm.sqrt(g / l), units=UNITS),
    misconceptions=(
        Misconception(
            -sm.sqrt(g / l),
            "That is the negative one, for a motion that comes to rest at the top. Which one "
            "belongs to the fall?",
        ),
        Misconception(
            sm.I * sm.sqrt(g / l),
            "That is the eigenvalue of the hanging pendulum. Which sign does g/l have upright?",
        ),
        Misconception(g / l, "That is the square of the eigenvalue. What is its root?"),
        Misconception(sm.sqrt(l / g), "That is a time, in s. Which power of it has the unit 1/s?"),
    ),
    section="A tangent to the equations",
    lesson="In each 1/√(g/l), 0.3 s for 1 m, the distance from the top grows by a factor of e.",
    facts=lambda: (f"In each 1/√(g/l), {(1 / 9.81) ** 0.5:.1f} s for 1 m",),
)


# ---- linearization-9: friction at the top

at_the_top = Choice(
    "b",
    {
        "a": "with enough friction it stays up",
        "b": "it falls, however strong the friction is",
        "c": "it oscillates about the top",
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
            "Friction resists motion, and at rest there is none to resist. What is the product of "
            "the eigenvalues upright?",
        ),
        Misconception(
            "c",
            "An oscillation needs eigenvalues with an imaginary part. Upright, can the number "
            "under the root be negative?",
        ),
        Misconception(
            "d", "Friction takes energy out of every motion. So is a fall faster or slower with it?"
        ),
    ),
    section="A tangent to the equations",
    lesson="Upright, the product of the eigenvalues is -g/l for any friction, so one is positive. "
    "Friction only makes it small: the pendulum falls slowly, as if through honey.",
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
    """Return times, and the length of the rod with and without an initial speed along it."""

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
    """Draw the length of the rod for an initial state on the circle, and for one that leaves it."""
    times, length_of = lengths()
    curves = {name: (times, length) for name, length in length_of.items()}
    verdict = naive.verdict(chosen)
    ax = plot_curves("time [s]", "length of the rod [m]", curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Length of the rod against time: constant on the circle, growing linearly with an initial "
        "1 cm/s along the rod.",
    )


eigenvalues = Exercise(
    name="linearization-3",
    answer=naive,
    misconceptions=(
        Misconception("a", "The matrix has one row per state. How many eigenvalues does it have?"),
        Misconception(
            "c",
            "In these equations, nothing pulls a bob off the circle or back onto it. So how does "
            "a motion along the rod continue?",
        ),
        Misconception("d", "The bob can oscillate in only one direction. Which one?"),
    ),
    section="One coordinate too many",
    lesson="The double zero is a drift off the circle: a motion of the equations, not of the bob.",
    reveal=off_the_circle,
    curves={
        "on the circle": ("constant on the circle", lambda c: np.allclose(c.y, 1, atol=1e-6)),
        "1 cm/s along the rod": (
            "growing linearly with an initial 1 cm/s along the rod",
            lambda c: np.allclose(c.y, 1 + 0.01 * c.x, atol=2e-3),
        ),
    },
)


# ---- linearization-4: the vertical error

height = Exercise(
    name="linearization-4",
    answer=Expression(l * delta**2 / 2, units=UNITS),
    misconceptions=(
        Misconception(
            l * (1 - sm.cos(delta)), "That is exact. What is the lowest power of δ in its series?"
        ),
        Misconception(l * delta, "That is the horizontal displacement. What is the height?"),
        Misconception(
            l * delta**2,
            "A factor is missing. What is the coefficient of δ² in the cosine's series?",
        ),
        Misconception(
            sm.Integer(0),
            "That is the first-order answer, but the bob does rise. What is the next power?",
        ),
    ),
    section="What every linear model misses",
    lesson="At 1° and 1 m, it is 0.15 mm. Every model with a first-order height misses all of it.",
    facts=lambda: (f"At 1° and 1 m, it is {1000 * (1 - np.cos(np.radians(1))):.2f} mm",),
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
    """Return J, C and independent states, with a well-conditioned dependent part of C."""
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
            "You dropped the dependent states, as if they did not change. How do they change with "
            "the independent ones?",
        ),
        Misconception(
            sign_lost,
            "A sign is wrong: C_i δx_i and C_d δx_d add up to zero. What is δx_d, then?",
        ),
        Misconception(
            projected,
            "That is an orthogonal projection, which changes the independent states as well. What "
            "are the dependent changes if the independent ones are given?",
        ),
        Misconception(
            in_own_order,
            "The entries are right, but in the wrong order. In which order does the list name "
            "the states?",
        ),
    ),
    section="Doing it right",
    lesson="These few lines turn any easy Jacobian into the right one, if the dependent part of C "
    "can be inverted.",
    forms=(by_null_space,),
)


# ---- linearization-5: the linkage

period = Exercise(
    name="linearization-5",
    answer=Number(2 * np.pi / 3.5173667, "seconds"),
    misconceptions=(
        Misconception(
            2 * np.pi / 3.3224221,
            "That is 2π divided by the eigenvalue of the upper position, which is also that of the "
            "lower one of the mirrored assembly. What does `trim` find from the guess `below_all`?",
        ),
        Misconception(3.5173667, "That is ω, in rad/s. How long is a full period?"),
        Misconception(1 / 3.5173667, "That is 1/ω. How many radians does a full period have?"),
        Misconception(
            3.5173667 / (2 * np.pi), "That is the frequency, in Hz. How long is one period?"
        ),
        Misconception(
            np.pi / 3.5173667, "That is half a period, from one side to the other. And back?"
        ),
    ),
    section="The four-bar, at rest and nearly",
    lesson="A simulation with a small initial displacement agrees.",
)


# ---- linearization-6: how fast is fast enough?

critical = Exercise(
    name="linearization-6",
    answer=Expression(sm.sqrt(g * r / 4), units=UNITS, bound="least"),
    misconceptions=(
        Misconception(
            sm.sqrt(g / (4 * r)),
            "That is the spin, in rad/s. What is the forward speed of the center?",
        ),
        Misconception(
            sm.sqrt(g * r / 3),
            "That is the speed for a disk. What are the hoop's moments of inertia?",
        ),
        Misconception(
            sm.sqrt(g * r / 2),
            "The center follows a curve, too, which takes a force. What is the whole factor of "
            "u₂u₃ in the first balance?",
        ),
        Misconception(g * r / 4, "That is the square of the speed. What is its unit?"),
        Misconception(
            sm.sqrt(g * r / 8),
            "The moment of inertia about a diameter is wrong. The moments about two perpendicular "
            "diameters add up to that about the axle: what is each?",
        ),
    ),
    section="How fast is fast enough?",
    lesson="A front wheel of 35 cm that rolls by itself needs 0.93 m/s. More mass in the rim means "
    "stronger steering at the same spin.",
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
            "This has a unit, but k has none. With which power of the speed does the steer angle "
            "enter?",
        ),
        Misconception(
            v**2 / (g * w),
            "This is the reciprocal. At twice the speed, does a rider need more steer, or less?",
        ),
        Misconception(
            sm.sqrt(g * w / v**2), "The condition is linear in k, so where does the root come from?"
        ),
        Misconception(
            g / v**2, "The wheelbase is missing. At the same steer, how does a longer bicycle turn?"
        ),
    ),
    section="A bicycle from first principles",
    lesson="Twice the speed needs a quarter of the steer. Near rest, you cannot steer far enough: "
    "this is why slow riding is an art.",
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
            "A sign is wrong: if you push the cart to the right, the bob stays behind. Is this a "
            "positive or a negative rotation?",
        ),
        Misconception(
            sm.Matrix([0, 0, 1 / (M + m), -1 / ((M + m) * l)]),
            "The rod is vertical, and pulls only along itself. So in the first moment, which mass "
            "must the push accelerate?",
        ),
        Misconception(
            sm.Matrix([1 / M, -1 / (M * l), 0, 0]),
            "A force changes velocities. Which of the four states are those?",
        ),
        Misconception(
            sm.Matrix([0, 0, 1 / M, 0]),
            "The mass matrix couples both rows of M u̇ = F. What does the second row say?",
        ),
    ),
    section="What an input can steer",
    lesson="One force changes two velocities: this is why one motor can balance a pole.",
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
            "Q is the cost of the present moment; P gives the cost-to-go. Which equation does P "
            "satisfy?",
        ),
        Misconception(wrong_sign, "The sign is wrong. In τ = -K δx, where is the minus?"),
        Misconception(
            without_weight, "The weight R is missing. What is the optimal τ for a given P?"
        ),
        Misconception(
            growing,
            "You took the eigenvectors of growing motions. Which eigenvalues belong to "
            "a motion that ends at the top?",
        ),
    ),
    section="The best linear controller",
    lesson="The same six lines work for a rocket: the art is in choosing Q and R.",
    forms=(by_hamiltonian,),
)


# ---- linearization-12: a friend's matrices

mistakes = Choice(
    "b",
    {
        "a": "the weight pulls the bob back, as if it were hanging",
        "b": "the masses were taken with the bob hanging, the weight with the bob upright",
        "c": "the cart was assumed to be so heavy that the bob does not move it",
        "d": "the push acts on the cart alone, and its effect on the bob was left out",
        "e": "the centrifugal force of the bob was left out",
        "f": "the angle was given in degrees",
    },
)


def on_a_cart(law: Any) -> Any:
    """Return the right-hand side of the true cart with a control law; the bob is at 0 upright."""

    def f(t: float, x: Any) -> Any:
        sine, cosine = np.sin(x[1]), np.cos(x[1])
        mass = np.array([[2.5, -0.4 * cosine], [-0.4 * cosine, 0.32]])
        force = np.array([-law @ x - 0.4 * sine * x[3] ** 2, 0.4 * 9.81 * sine])
        return np.concatenate([x[2:], np.linalg.solve(mass, force)])

    return f


@cache
def two_laws() -> tuple[Any, dict[str, Any]]:
    """Return times, and the lean of the bob with either controller."""
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
    """Draw the lean of the bob with both controllers: with the friend's, the bob falls."""
    times, leans = two_laws()
    curves = {name: (times, lean) for name, lean in leans.items()}
    verdict = mistakes.verdict(chosen)
    ax = plot_curves("time [s]", "lean of the bob [deg]", curves, verdict, marker="")
    return figure_as_html(
        ax.figure,
        "Lean of the bob against time, from 6 degrees: with a controller designed from the true "
        "matrices, it returns; from the friend's, it tips over within a second.",
    )


mistake = Exercise(
    name="linearization-12",
    answer=mistakes,
    misconceptions=(
        Misconception(
            "a", "Then the bob would oscillate. Does the program's largest eigenvalue say so?"
        ),
        Misconception(
            "c",
            "Then the lean would not accelerate the cart. Does it, in the table?",
        ),
        Misconception("d", "Then a push would not accelerate the bob. Does it, in the table?"),
        Misconception(
            "e",
            "That force is proportional to the square of a velocity. What is its slope at rest?",
        ),
        Misconception(
            "f",
            "Then numbers would be wrong by a factor of 57. What is wrong in the table?",
        ),
    ),
    section="What an input can steer",
    lesson="The eigenvalues do not show the mistake, because the same machine with its cart turned "
    "around has the same ones. Compare B, too, and test against the nonlinear equations.",
    reveal=laws_on_the_cart,
    curves={
        "the true matrices": (
            "from 6 degrees: with a controller designed from the true matrices, it returns",
            lambda c: round(c.y[0]) == 6 and abs(c.y[-1]) < 1,
        ),
        "the friend's": (
            "from the friend's, it tips over within a second",
            lambda c: np.isnan(c.y[c.x > 1]).all() and np.nanmax(c.y) > 60,
        ),
    },
    facts=lambda: (f"wrong by a factor of {np.degrees(1):.0f}",),
)


# ---- linearization-13: weights for a weak motor

STRENGTH, SIDE, SHARE = 20.0, 31, 0.17


@cache
def upright_rods() -> tuple[Any, Any, Any]:
    """Return A and B of the upright Pendubot, and its equations for given gains."""
    alone, machine = pendubot(), balanced_pendubot().with_parameters({"tau_max": STRENGTH})
    linear = linearize(alone.equations, [np.pi, np.pi, 0, 0], alone.parameters)
    names = [f"k_{i}" for i in (1, 2, 3, 4)]
    return linear.A, linear.B, lambda K: machine.with_parameters(dict(zip(names, K))).compile()


def law_of(weights: Any, size: float) -> Any:
    """Return equivalent gains for our rods, designed for rods with size times the mass."""
    A, B, _ = upright_rods()
    weights = np.asarray(weights, dtype=float)
    return gain(A, B / size, np.diag(weights[:4]), np.array([[weights[4]]]))[0] / size


@cache
def share_that_recovers(*law: float) -> float:
    """Return the share of a square of initial states at rest that 20 N·m balance."""
    *_, machine = upright_rods()
    off = np.deg2rad(np.linspace(-60, 60, SIDE))
    offsets = np.stack(np.meshgrid(off, off))
    starts = np.concatenate([np.pi + offsets, 0 * offsets]).reshape(4, -1).T
    ends = ensemble(machine(law), starts, 6.0, 0.005, [2 * np.pi, 2 * np.pi, 60, 60])
    away = np.abs(ends.x - [np.pi, np.pi, 0, 0]).max(axis=1)
    return float(((ends.t >= 6) & (away < 0.1)).mean())


def quick_and_wide(weights: Any, torque: float) -> Any:
    """Return the decay rate and the share of balanced states, both capped at what is required."""
    weights = np.asarray(weights, dtype=float)
    if not ((weights[:4] >= 0).all() and weights[:4].any() and weights[4] > 0):
        return np.zeros(2)
    A, B, _ = upright_rods()
    law = np.round(law_of(weights, torque / STRENGTH), 5)
    slowest = np.linalg.eigvals(A - B @ law[None, :]).real.max()
    return np.array([min(round(-slowest, 3), 1.0), min(share_that_recovers(*law), SHARE)])


def some_motor(rng: np.random.Generator) -> tuple[float]:
    """Return the largest torque of a machine much smaller or much larger than ours."""
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
            "The eigenvalues are fast enough, but the rods recover from too few initial states. "
            "Which rod must not lean, and which weight wastes torque?",
        ),
        Misconception(
            dear_rates,
            "The rods recover from enough initial states, but an eigenvalue is too slow. Which "
            "weights make fast motion expensive?",
        ),
        Misconception(
            torque_for_nothing,
            "The eigenvalues are too slow, and the rods recover from too few initial states. No "
            "weight may be negative, and R must be positive. What does Bryson's rule suggest?",
        ),
        Misconception(
            for_ours_alone,
            "These weights fit our machine only. For a heavy one, a newton meter is little: which "
            "weight must depend on the motor's torque, and by Bryson's rule, how?",
        ),
    ),
    section="How far does it carry?",
    lesson="The upper rod has no motor, so its angle and velocity need the large weights. Only the "
    "weight of the torque depends on the size of the machine.",
    forms=(lambda torque: [0, 1, 0, 0.1, 0.04 / torque**2],),
    facts=lambda: (
        f"a motor of {STRENGTH:.0f} N·m",
        f"at least {100 * SHARE:.0f}% of the {SIDE**2} initial states",
        f"for {STRENGTH:.0f}, the weights of our machine",
    ),
)


# ---- linearization-14: Furuta's pendulum


def furuta_gains(
    weights: Any = (1, 1, 0.1, 0.1),
    of_torque: float = 100.0,
    *,
    coupling: float = -1.0,
    weight: float = 1.0,
    carried: float = 1.0,
    sizes: tuple[float, ...] = (0.2, 0.1, 0.3, 0.05),
) -> Any:
    """Return the gains of an arm of length and mass l_1, m_1 with an upright rod l_2, m_2."""
    l_1, m_1, l_2, m_2 = sizes
    moved = coupling * m_2 * l_1 * l_2
    mass = np.array([[(m_1 + carried * m_2) * l_1**2, moved], [moved, m_2 * l_2**2]])
    A, B = np.zeros((4, 4)), np.zeros((4, 1))
    A[:2, 2:] = np.eye(2)
    A[2:, 1] = np.linalg.solve(mass, [0, weight * 9.81 * m_2 * l_2])
    B[2:, 0] = np.linalg.solve(mass, [1, 0])
    return gain(A, B, np.diag(weights), np.array([[of_torque]]))[0]


def asked_of_furuta(*numbers: float) -> Any:
    """Return the gains for the sizes, the eigenvalue and the weights of the prompt."""
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
            "Those are the gains for a hanging rod. What changes if the rod is upright?",
        ),
        Misconception(
            furuta_gains(coupling=1),
            "The gravity term is for an upright rod, but the mass matrix for a hanging one. What "
            "is the coupling of the two angles at θ = π?",
        ),
        Misconception(
            furuta_gains(weight=-1),
            "The mass matrix is for an upright rod, but the gravity term for a hanging one. At "
            "the top, which way does gravity pull the rod?",
        ),
        Misconception(-furuta_gains(), "The signs are wrong. In τ = −K δx, where is the minus?"),
        Misconception(
            100 * furuta_gains(),
            "The gains are 100 times too large. Where does R enter K?",
        ),
        Misconception(
            furuta_gains(of_torque=0.01),
            "Those are the gains for the weight of the opening animation. What is the weight of "
            "the torque here?",
        ),
        Misconception(
            furuta_gains((0.1, 0.1, 1, 1)),
            "You exchanged two weights. Which belongs to the angles, and which to the velocities?",
        ),
        Misconception(
            furuta_gains(carried=0),
            "An inertia is missing: the arm also carries the rod's mass. What is its moment of "
            "inertia about the axis?",
        ),
    ),
    section="What the balance costs",
    lesson="Linearized upright, it is a cart on a rail bent into a circle. How far does the "
    "controller carry? Only the nonlinear equations can say: simulate them.",
    asked=(
        r"arm of ([\d.]+) m .* mass of ([\d.]+) kg\. .* rod of ([\d.]+) m .* mass of ([\d.]+) kg "
        r".* eigenvalue is then ([\d.]+)/s.* weights of (\d+) for the angles, ([\d.]+) for the "
        r"velocities, and (\d+) for",
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
