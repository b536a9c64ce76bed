"""Published mechanisms: derive, simulate, and compare them with reference results.

``make machines`` prints the table of the page about the packages and writes it into the book.
"""

import csv
import math
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from straightline.aliases import Array
from tutlib.mechanics import ConstrainedEquations, EquationsOfMotion, linearize
from tutlib.methods import integrate, integrate_adaptive

TABLE = Path(__file__).parents[1] / "book" / "machines.csv"
_TIME = me.dynamicsymbols._t


def along(angle: sm.Expr) -> sm.Matrix:
    """Return the unit vector at an angle from the first axis."""
    return sm.Matrix([sm.cos(angle), sm.sin(angle)])


def digits(computed: Any, right: Any) -> float:
    """Return how many digits agree: of large numbers relative ones, of small ones those of 1."""
    computed, right = np.asarray(computed), np.asarray(right)
    error = float(np.max(np.abs(computed - right) / (1 + np.abs(right))))
    return -math.log10(max(error, 1e-17))


def energy_of_bodies(*bodies: tuple[Any, sm.Matrix, Any, sm.Expr]) -> sm.Expr:
    """Return the kinetic energy of masses at places, with moments of inertia and angles."""
    energy = sm.S.Zero
    for mass, place, inertia, angle in bodies:
        v = place.diff(_TIME)
        energy += mass * v.dot(v) / 2 + inertia * sm.sympify(angle).diff(_TIME) ** 2 / 2
    return energy


def car_axis() -> ConstrainedEquations:
    """Return the axle of a car on springs, of which one wheel runs over bumps."""
    x_l, y_l, x_r, y_r = q = me.dynamicsymbols("x_l y_l x_r y_r")
    mass = sm.Rational(1, 2000)
    bump = sm.sin(10 * _TIME) / 10
    base = sm.sqrt(1 - bump**2)
    stretch = [sm.sqrt(x_l**2 + y_l**2), sm.sqrt((x_r - base) ** 2 + (y_r - bump) ** 2)]
    T = mass * sum(c.diff() ** 2 for c in q) / 2
    V = sum((s - sm.Rational(1, 2)) ** 2 for s in stretch) / 2 + mass * (y_l + y_r)
    rods = [x_l * base + y_l * bump, (x_l - x_r) ** 2 + (y_l - y_r) ** 2 - 1]
    return ConstrainedEquations(EquationsOfMotion.from_lagrangian(T, V, q), rods)


def run_car_axis() -> Array:
    """Return its places and speeds after 3 s."""
    loop = car_axis()
    start = [0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0]
    f, project = loop.with_multipliers().compile({}), loop.projection({})
    return integrate_adaptive(f, [0, 3], start, 1e-13, 1e-13, "dop853", after_step=project).x[
        -1, :8
    ]


CAR_AXIS = (
    0.493455784275402809e-1, 0.496989460230171154, 0.104174252488542152e1, 0.373911027265361257,
    -0.770583684040972358e-1, 0.744686658723778553e-2, 0.175568157537232222e-1,
    0.770341043779251976,
)  # fmt: skip


def squeezer() -> ConstrainedEquations:
    """Return seven bodies in a plane that a motor drives and a spring holds."""
    beta, Theta, gamma, Phi, delta, Omega, epsilon = q = me.dynamicsymbols(
        "beta Theta gamma Phi delta Omega epsilon"
    )
    A, B, C = (sm.Matrix(p) for p in ((-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)))
    d, d_a, e, e_a, f, f_a = 28e-3, 115e-4, 2e-2, 1421e-5, 2e-2, 1421e-5
    r, r_a, s, s_a, s_b, s_c, s_d = 7e-3, 92e-5, 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2
    t_a, t_b, u, u_a, u_b, z = 2308e-5, 916e-5, 4e-2, 1228e-5, 449e-5, 4e-2

    def placed(x: float, y: float, angle: sm.Expr) -> sm.Matrix:
        """Return a place that is given along and across an angle."""
        return x * along(angle) + y * along(angle + sm.pi / 2)

    crank, rod = r * along(beta), along(beta + Theta)
    hook = A + z * along(delta)
    arm = A - u * along(epsilon + sm.pi / 2)
    T = energy_of_bodies(
        (0.04325, r_a * along(beta), 2.194e-6, beta),
        (0.00365, crank - d_a * rod, 4.410e-7, beta + Theta),
        (0.02373, B + placed(s_b, -s_a, gamma), 5.255e-6, gamma),
        (0.00706, hook - (e - e_a) * along(Phi + delta + sm.pi / 2), 5.667e-7, Phi + delta),
        (0.07050, A + placed(t_a, t_b, delta), 1.169e-5, delta),
        (0.00706, arm + (f - f_a) * along(Omega + epsilon), 5.667e-7, Omega + epsilon),
        (0.05498, A + placed(-u_b, -u_a, epsilon), 1.912e-5, epsilon),
    )
    spring = B + placed(s_d, -s_c, gamma) - C
    V = 4530 * (sm.sqrt(spring.dot(spring)) - 0.07785) ** 2 / 2
    end = crank - d * rod
    loops = [
        end - B + s * along(gamma + sm.pi / 2),
        end - hook + e * along(Phi + delta + sm.pi / 2),
        end - arm - f * along(Omega + epsilon),
    ]
    eom = EquationsOfMotion.from_lagrangian(T, V, q, {beta: 0.033})
    return ConstrainedEquations(eom, [entry for loop in loops for entry in loop])


def run_squeezer() -> Array:
    """Return its angles after 0.03 s."""
    loop = squeezer()
    start = [
        -0.0617138900142764496,
        0,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        -0.222668390165885885,
        1.23054744454982120,
    ]
    f, project = loop.with_multipliers().compile({}), loop.projection({})
    x = np.concatenate([loop.consistent_state({}, start, keep=["beta"]), np.zeros(6)])
    return integrate_adaptive(f, [0, 0.03], x, 1e-12, 1e-12, "dop853", after_step=project).x[-1, :7]


SQUEEZER = (
    0.1581077119629904e2,
    -0.1575637105984298e2,
    0.4082224013073101e-1,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    0.1048080741042263e1,
)


def four_bars(count: int) -> ConstrainedEquations:
    """Return a row of cranks of 1 m and 1 kg, each coupled to the next by a rod of its kind."""
    cranks, rods = me.dynamicsymbols(f"a_0:{count + 1}"), me.dynamicsymbols(f"b_0:{count}")
    bodies, V, closed = [], sm.S.Zero, []
    for i, angle in enumerate(cranks):
        bodies.append((1, sm.Matrix([i, 0]) + along(angle) / 2, sm.Rational(1, 12), angle))
        if i < count:
            tip = sm.Matrix([i, 0]) + along(angle)
            bodies.append((1, tip + along(rods[i]) / 2, sm.Rational(1, 12), rods[i]))
            closed += [*(tip + along(rods[i]) - sm.Matrix([i + 1, 0]) - along(cranks[i + 1]))]
    V = 9.81 * sum(place[1] for _, place, _, _ in bodies)
    q = [*cranks, *rods]
    return ConstrainedEquations(
        EquationsOfMotion.from_lagrangian(energy_of_bodies(*bodies), V, q), closed
    )


def run_four_bars(count: int = 40) -> Array:
    """Return the angles of all cranks after 0.2 s, released upright and turning."""
    f = four_bars(count).with_multipliers().compile({})
    angles = [np.full(count + 1, np.pi / 2), np.zeros(count)]
    start = np.concatenate([*angles, np.full(count + 1, -1.0), np.zeros(3 * count)])
    return integrate(f, np.linspace(0, 0.2, 201), start).x[-1, : count + 1]


def one_arm(count: int = 40) -> Array:
    """Return the same: while all rods are level, it is one arm of all their mass."""
    inertia, pull = (count + 1) / 3 + count, 9.81 * ((count + 1) / 2 + count)

    def arm(t: float, x: Array) -> Array:
        return np.array([x[1], -pull / inertia * np.cos(x[0])])

    end = integrate_adaptive(arm, [0, 0.2], [np.pi / 2, -1.0], 1e-12, 1e-13).x[-1, 0]
    return np.full(count + 1, end)


def parallel_cranks() -> tuple[EquationsOfMotion, list[sm.Expr]]:
    """Return three parallel cranks that bear one rod, and one constraint more than it takes."""
    a, b = me.dynamicsymbols("a_1:4"), me.dynamicsymbols("b")
    middle = along(a[0]) + along(b) / 2
    arms = [(1, along(angle) / 2, sm.Rational(1, 12), angle) for angle in a]
    T = energy_of_bodies(*arms, (1, middle, sm.Rational(1, 12), b))
    V = 9.81 * (sum(map(sm.sin, a)) / 2 + middle[1])
    third = middle - along(a[2]) - sm.Matrix([sm.Rational(1, 2), 0])
    closed = [*(along(a[0]) + along(b) - along(a[1]) - sm.Matrix([1, 0])), *third]
    return EquationsOfMotion.from_lagrangian(T, V, [*a, b]), closed


def run_parallel_cranks(constraints: int = 4) -> Array:
    """Return its angles after 2 s, by all constraints or without the last ones."""
    eom, closed = parallel_cranks()
    loop = ConstrainedEquations(eom, closed[:constraints])
    f, project = loop.with_multipliers().compile({}), loop.projection({})
    start = np.concatenate([np.ones(3), [0], np.full(3, 0.5), [0], np.zeros(constraints)])
    return integrate(f, np.linspace(0, 2, 2001), start, after_step=project).x[-1, :4]


def bricard() -> tuple[EquationsOfMotion, list[sm.Expr]]:
    """Return Bricard's loop of six hinged rods, one held, from the edges of a cube.

    Each hinge stands across both its rods, and across the next. The sixth rod's end must be where
    the first begins, and its hinge the same: five constraints, which five angles have no room for.
    """
    angles, t = me.dynamicsymbols("theta_1:6"), _TIME
    R, end, spin, T, V = sm.eye(3), sm.Matrix([1, 0, 0]), sm.zeros(3, 1), sm.S.Zero, sm.S.Zero
    twists = [sm.rot_ccw_axis1(sign * sm.pi / 2) for sign in (1, -1) * 3]
    for twist, angle in zip(twists, angles):
        hinge = R * twist
        spin += hinge[:, 2] * angle.diff(t)
        R = hinge * sm.rot_ccw_axis3(angle)
        center = end + R[:, 0] / 2
        v, w = center.diff(t), R.T * spin
        T += v.dot(v) / 2 + (w[1] ** 2 + w[2] ** 2) / 24
        V += 9.81 * center[1]
        end += R[:, 0]
    last = R * twists[5]
    return EquationsOfMotion.from_lagrangian(T, V, angles), [*end, last[0, 2], last[1, 2]]


def run_bricard(constraints: int = 5) -> Array:
    """Return its angles after 2 s, by all constraints or without the last one."""
    eom, closed = bricard()
    loop = ConstrainedEquations(eom, closed[:constraints])
    f, project = loop.with_multipliers().compile({}), loop.projection({})
    start = np.concatenate([np.full(5, np.pi / 2), np.zeros(5 + constraints)])
    return integrate_adaptive(f, [0, 2], start, 1e-12, 1e-12, "dop853", after_step=project).x[
        -1, :5
    ]


def bead(rough: float) -> tuple[ConstrainedEquations, EquationsOfMotion]:
    """Return a bead on a rough circle of wire: friction follows the force of the wire."""
    x, y, force = me.dynamicsymbols("x y N")
    speed = sm.sqrt(x.diff() ** 2 + y.diff() ** 2)
    drag = {c: -rough * sm.Abs(force) * sm.tanh(100 * speed) / speed * c.diff() for c in (x, y)}
    T = (x.diff() ** 2 + y.diff() ** 2) / 2
    eom = EquationsOfMotion.from_lagrangian(T, 9.81 * y, [x, y], drag)
    loop = ConstrainedEquations(eom, [sm.sqrt(x**2 + y**2) - 1])
    whole = loop.with_multipliers()
    return loop, whole.with_inputs({force: whole.u[-1].diff()})


def run_bead() -> Array:
    """Return its place after 2 s, from 1 rad below the level at 2 m/s."""
    loop, eom = bead(0.3)
    across = np.array([np.cos(-1.0), np.sin(-1.0)])
    start = [*across, -2 * across[1], 2 * across[0], 0.0]
    project = loop.projection({})
    return integrate_adaptive(eom.compile({}), [0, 2], start, 1e-11, 1e-12, after_step=project).x[
        -1, :2
    ]


def arm_with_that_friction() -> Array:
    """Return the same by the angle alone."""

    def arm(t: float, x: Array) -> Array:
        force = 9.81 * np.sin(x[0]) - x[1] ** 2
        return np.array([x[1], -9.81 * np.cos(x[0]) - 0.3 * abs(force) * np.tanh(100 * x[1])])

    angle = integrate_adaptive(arm, [0, 2], [-1.0, 2.0], 1e-12, 1e-13).x[-1, 0]
    return np.array([np.cos(angle), np.sin(angle)])


def spatial_chain(count: int = 3) -> tuple[Any, list[Any], list[Any], list[Any], list[Any]]:
    """Return frame, coordinates, speeds, bodies and loads of rods on ball joints."""
    N, at = me.ReferenceFrame("N"), me.Point("O")
    at.set_vel(N, 0)
    q, u = me.dynamicsymbols(f"q_1:{3 * count + 1}"), me.dynamicsymbols(f"u_1:{3 * count + 1}")
    frame, bodies, loads = N, [], []
    for i in range(count):
        turned = frame.orientnew(f"B_{i}", "Body", q[3 * i : 3 * i + 3], "123")
        center = at.locatenew(f"G_{i}", -turned.z / 2)
        center.v2pt_theory(at, N, turned)
        end = at.locatenew(f"P_{i}", -turned.z)
        end.v2pt_theory(at, N, turned)
        inertia = me.inertia(turned, 0.1, 0.2, 0.3), center
        bodies.append(me.RigidBody(f"b_{i}", center, turned, 1, inertia))
        loads.append((center, -9.81 * N.z))
        at, frame = end, turned
    return N, q, u, bodies, loads


def run_spatial_chain() -> Array:
    """Return its accelerations at one state."""
    N, q, _, bodies, loads = spatial_chain()
    f = EquationsOfMotion.from_bodies(bodies, q, N, loads).compile({})
    return f(0.0, np.linspace(0.1, 0.9, 18))[9:]


def sympys_chain() -> Array:
    """Return the same by SymPy's KanesMethod."""
    N, q, u, bodies, loads = spatial_chain()
    kane = me.KanesMethod(N, q, u, [c.diff() - s for c, s in zip(q, u)])
    kane.kanes_equations(bodies, loads)
    state = dict(zip([*q, *u], np.linspace(0.1, 0.9, 18)))
    M, F = (np.array(part.xreplace(state), float) for part in (kane.mass_matrix, kane.forcing))
    return np.linalg.solve(M, F).ravel()


def bicycle() -> ConstrainedEquations:
    """Return the benchmark bicycle of four bodies: two wheels that roll, a frame and a fork."""
    ahead, up = 1.02 + 0.08, math.pi / 10
    N, O = me.ReferenceFrame("N"), me.Point("O")
    O.set_vel(N, 0)
    x, y, z, yaw, lean, pitch, rear, steer, front = q = me.dynamicsymbols(
        "x y z psi phi chi theta_R delta theta_F"
    )
    heading = N.orientnew("A", "Axis", (yaw, N.z))
    leaning = heading.orientnew("L", "Axis", (lean, heading.x))
    B = leaning.orientnew("B", "Axis", (pitch, leaning.y))
    R = B.orientnew("R", "Axis", (rear, B.y))
    S = B.orientnew("S", "Axis", (-up, B.y))
    H = S.orientnew("H", "Axis", (steer, S.z))
    F = H.orientnew("F", "Axis", (front, H.y))
    hub = O.locatenew("hub", x * N.x + y * N.y + z * N.z)
    hub.set_vel(N, sum((c.diff() * e for c, e in zip((x, y, z), (N.x, N.y, N.z))), me.Vector(0)))

    def fixed(origin: Any, name: str, frame: Any, place: Any) -> Any:
        point = origin.locatenew(name, place)
        point.v2pt_theory(origin, N, frame)
        return point

    def turned(place: Any) -> Any:
        """Return a place of the upright fork, in the fork's frame."""
        return sum(
            (place.dot(e) * f for e, f in zip((S.x, S.y, S.z), (H.x, H.y, H.z))), me.Vector(0)
        )

    saddle = fixed(hub, "saddle", B, 0.3 * B.x + 0.6 * B.z)
    ground = fixed(hub, "ground", B, ahead * B.x - 0.3 * B.z)
    fork = fixed(ground, "fork", H, turned((0.9 - ahead) * B.x + 0.7 * B.z))
    axle = fixed(ground, "axle", H, turned(-0.08 * B.x + 0.35 * B.z))
    upright = sm.Matrix([[0.05892, 0, 0.00756], [0, 0.06, 0], [0.00756, 0, 0.00708]])
    to_fork = S.dcm(B)
    I_H = to_fork * upright * to_fork.T
    of_fork = me.inertia(H, I_H[0, 0], I_H[1, 1], I_H[2, 2], I_H[0, 1], I_H[1, 2], I_H[0, 2])
    bodies = [
        me.RigidBody("rear", hub, R, 2, (me.inertia(R, 0.0603, 0.12, 0.0603), hub)),
        me.RigidBody("frame", saddle, B, 85, (me.inertia(B, 9.2, 11, 2.8, 0, 0, -2.4), saddle)),
        me.RigidBody("fork", fork, H, 4, (of_fork, fork)),
        me.RigidBody("front", axle, F, 3, (me.inertia(F, 0.1405, 0.28, 0.1405), axle)),
    ]
    eom = EquationsOfMotion.from_bodies(
        bodies, q, N, [(body.masscenter, -9.81 * body.mass * N.z) for body in bodies]
    )
    heights, slips = [], []
    for center, wheel, side, radius in ((hub, R, B.y, 0.3), (axle, F, H.y, 0.35)):
        level = N.z.dot(side)
        down = radius / sm.sqrt(1 - level**2) * (level * side - N.z)
        heights.append((center.pos_from(O) + down).dot(N.z))
        velocity = center.vel(N) + wheel.ang_vel_in(N).cross(down)
        slips += [velocity.dot(heading.x), velocity.dot(heading.y)]
    return ConstrainedEquations(eom, heights, slips)


def run_bicycle() -> Array:
    """Return the four eigenvalues of riding straight ahead at 4 m/s that are not zero."""
    straight = np.zeros(18)
    straight[[2, 9, 15, 17]] = 0.3, 4.0, 4 / 0.3, 4 / 0.35
    values = np.linalg.eigvals(linearize(bicycle(), straight, {}).A)
    return np.sort_complex(values[np.abs(values) > 0.1])


BICYCLE = (
    -12.15861426576447,
    -1.42944427361326,
    0.41325331521125 - 3.07910818603206j,
    0.41325331521125 + 3.07910818603206j,
)

#: System, source, compared quantity, function that runs it, and reference values.
MACHINES: tuple[tuple[str, str, str, Callable[[], Array], Any], ...] = (
    (
        "car axis",
        "Test Set for IVP Solvers",
        "positions and velocities at 3 s",
        run_car_axis,
        CAR_AXIS,
    ),
    ("Andrews's squeezer", "Test Set for IVP Solvers", "angles at 0.03 s", run_squeezer, SQUEEZER),
    (
        "row of 40 four-bar linkages",
        "IFToMM benchmark A02",
        "all crank angles at 0.2 s with those of a single arm",
        run_four_bars,
        one_arm,
    ),
    (
        "three parallel cranks",
        "redundant constraint",
        "angles at 2 s with those without the redundant constraint",
        run_parallel_cranks,
        lambda: run_parallel_cranks(3),
    ),
    (
        "Bricard's loop",
        "IFToMM benchmark A04",
        "angles at 2 s with those without the redundant constraint",
        run_bricard,
        lambda: run_bricard(4),
    ),
    (
        "bead on a rough wire",
        "friction from the constraint force",
        "position at 2 s with that of an equivalent arm",
        run_bead,
        arm_with_that_friction,
    ),
    (
        "three rods on ball joints",
        "model with nine coordinates",
        "accelerations with those of SymPy's KanesMethod",
        run_spatial_chain,
        sympys_chain,
    ),
    (
        "bicycle with four bodies",
        "published eigenvalues",
        "eigenvalues at 4 m/s",
        run_bicycle,
        BICYCLE,
    ),
)


def measured() -> list[tuple[str, str, str, int, float]]:
    """Return system, source, compared quantity, digits, and time from energies to result."""
    rows = []
    for system, source, what, run, right in MACHINES:
        begin = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = run()
        elapsed = time.perf_counter() - begin
        agree = digits(result, right() if callable(right) else right)
        rows.append((system, source, what, int(agree), elapsed))
    return rows


def main() -> None:
    """Print the table, and write it into the book."""
    rows = [("mechanism", "source", "compared", "digits", "seconds")]
    rows += [(*row[:3], str(row[3]), f"{row[4]:.1f}") for row in measured()]
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    for row in rows:
        print(" | ".join(row))


if __name__ == "__main__":
    main()
