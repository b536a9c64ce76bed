"""Chapter 6."""

from functools import cache

import numpy as np
import sympy as sm

from tests.notebooks.meanings import At, Of, case
from tutlib.models import four_bar, grashof

SPEED = 1.3
SIZE = 1.4  # of a linkage whose last link is not of length 1
RATES = "{q_1.diff(t): u_1, q_2.diff(t): u_2, q_3.diff(t): u_3}"
STATE = np.array([0.4, 0.3, -2.5, 1.1, -0.7, 0.6])


@cache
def mechanism():
    linkage = four_bar()
    return linkage, linkage.constrained


@cache
def with_multipliers(damping):
    linkage, _ = mechanism()
    return linkage.with_multipliers(damping).compile()


def shared(nb):
    return {r"\alpha": 5.0}


def displayed(nb):
    linkage, loop = mechanism()
    known = dict(zip((nb.u_2, nb.u_3), nb.dependent))
    phi = sm.Matrix(linkage.constraints).subs(linkage.parameters)
    q = linkage.equations.q
    corrected = linkage.projection()(0.0, STATE)[:3]
    speeds = dict(zip(("u_1", "u_2", "u_3"), (nb.u_1, *nb.dependent)))
    return {
        ("cut", 0): {r"\varphi": Of(phi, *q), "q": nb.assembled[:3]},
        ("differentiate", 0): speeds
        | {r"\mathbf M_{hd}": nb.M_hd, r"\mathbf g_{hd}": Of(nb.g_hd, nb.u_1)}
        | {r"\dot\varphi": nb.phi_dot.xreplace(known)},
        "velocities": in_circles(nb),
        "active": links(nb) | turning(nb),
        "inertia": changing(nb),
        "dae": held_by_a_line(),
        ("project", 0): {
            r"\leftarrow q": corrected,
            "q": At(q, STATE[:3]),
            r"\varphi": Of(phi, *q),
            r"\Phi": numbers(phi.jacobian(q), linkage, STATE),
        },
        "multipliers": at_state(linkage, loop, 0),
        "rattle": one_step(nb),
        "stabilized": stabilized(nb, linkage, loop),
        "baumgarte": at_state(linkage, loop, 5.0),
    }


def turns(*lengths):
    """Ask whether some link of a linkage can turn all the way around."""
    s, p, q, l = sorted(lengths)
    return case({"s": s, "l": l, "p": p, "q": q}, holds=grashof(*lengths) != "triple-rocker")


@cache
def closed_state(nb):
    """Return the closed linkage in motion: u = B u_1, and the equations that its loop leaves."""
    linkage, _ = mechanism()
    reduced = linkage.with_independent_speeds(linkage.equations.u[:1])
    eom, q, t = linkage.equations, np.array(nb.assembled[:3]), nb.t
    change = reduced.compile()(0.0, [*q, SPEED])[3]
    by_speed = sm.Matrix([1, *(part / nb.u_1 for part in nb.dependent)]).applyfunc(sm.cancel)
    known = dict(zip(eom.q, q)) | linkage.parameters
    u = np.array(by_speed.subs(known) * SPEED, dtype=float)[:, 0]
    B = numbers(by_speed, linkage, [*q, *u])[:, 0]
    B_dot = numbers(by_speed.diff(t), linkage, [*q, *u])[:, 0]
    inertia, weights = forces(linkage)

    def inertia_force(u_1_dot):
        moving = dict(zip((rate.diff(t) for rate in eom.u), B * u_1_dot + B_dot * SPEED))
        return B @ numbers(inertia.subs(moving), linkage, [*q, *u])[:, 0]

    active = B @ numbers(weights, linkage, [*q, *u])[:, 0]
    forces_on_it = {"F_1": active, "F_1^*": inertia_force(change)}
    whole = {"g_d": active + inertia_force(0), "M_d": inertia_force(1) - inertia_force(0)}
    moving = {"u_1": SPEED, r"\dot u_1": change, "u": u, r"\dot q": u, "B": B, r"\dot B": B_dot}
    return of_the_motion(linkage, mechanism()[1], [*q, *u]) | forces_on_it | whole | moving


def forces(linkage):
    """Return inertia forces and weights of the open chain, by its energies."""
    eom, T, V = linkage.equations, linkage.kinetic_energy, linkage.potential_energy
    pairs = list(zip(eom.q, eom.u))
    inertia = [T.diff(q) - T.diff(u).diff(sm.Symbol("t")) for q, u in pairs]
    return sm.Matrix(inertia), sm.Matrix([-V.diff(q) for q in eom.q])


def pose(nb):
    """Return the numbers of the pose of the sketches, all lengths by the same factor larger."""
    sizes = {name: SIZE if name.startswith("l_") else 1 for name in nb.pose}
    return {getattr(nb, k.removesuffix("(t)")): sizes[k] * v for k, v in nb.pose.items()}


def links(nb):
    """Return lengths and angles in the pose of the sketches."""
    values = pose(nb)
    return {name: values[getattr(nb, name)] for name in ("l_a", "l_c", "q_1", "q_2", "q_3")}


def posed(nb, expression):
    """Return an expression in the pose of the sketches, in motion, with particles of 1.5 kg."""
    moving = {nb.u_1.diff(nb.t): 3, nb.u_1: 2, nb.m: 1.5, nb.g: 9.81}
    given = expression if isinstance(expression, sm.MatrixBase) else sm.Matrix([expression])
    return np.array(given.subs(moving).subs(pose(nb)).evalf(), dtype=float).ravel()


def turning(nb):
    """Return what moves and pulls while the crank is at 2 rad/s and gets faster."""
    values = {r"\kappa": nb.kappa, r"\dot\kappa": nb.kappa_dot, "F_1": nb.F_active}
    found = {name: posed(nb, value)[0] for name, value in values.items()}
    return found | {"u_1": 2.0, r"\dot u_1": 3.0, "m": 1.5, "g": 9.81}


def changing(nb):
    """Return the inertia force of the closed linkage by its energies, for particles of 2 kg."""
    closed = closed_state(nb)
    angles = dict(zip((nb.q_1, nb.q_2, nb.q_3), nb.assembled[:3]))
    values = {**pose(nb), **angles, nb.u_1: SPEED}
    felt = {r"\kappa": float(nb.kappa.subs(values)), r"\dot\kappa": nb.kappa_dot.subs(values)}
    sizes = {"l_a": 0.8 * SIZE, "l_c": SIZE, "m": 2.0, "F_1^*": 2 * SIZE**2 * closed["F_1^*"]}
    return felt | sizes | {"u_1": SPEED, r"\dot u_1": closed[r"\dot u_1"]}


def in_circles(nb):
    """Return both velocities by SymPy's points, and the unit vectors across the links."""
    across = {r"\hat a_y": nb.across_2, r"\hat c_y": nb.across_3}
    vectors = across | {r"\vec v_2": nb.velocity_2, r"\vec v_3": nb.velocity_3}
    found = {name: posed(nb, v) for name, v in vectors.items()}
    return found | links(nb) | turning(nb)


def held_by_a_line():
    """Return what Newton's law says of a particle, here one that leaves its line with 0.7 m/s²."""
    moving = {"y": 0.0, r"\dot y": 1.3, "v": 1.3, r"\dot v": 0.7}
    return moving | {"m": 2.0, "g": 9.81, r"\lambda": 2.0 * (9.81 + 0.7)}


def stabilized(nb, linkage, loop):
    """Return a closed linkage in motion, and coordinates that are moved along the gradients."""
    q = np.array(nb.assembled[:3])
    u = closed_speeds(loop, linkage, q)
    rates = with_multipliers(0)(0.0, [*q, *u, 0, 0])
    phi, eom = sm.Matrix(linkage.constraints), linkage.equations
    Phi = numbers(phi.jacobian(eom.q), linkage, [*q, *u])
    moved = rates[:3] + Phi.T @ [0.3, -0.2]
    moving = {"q": q, "u": u, r"\dot q": moved, r"\dot u": rates[3:6]}
    pulling = {r"\Phi": Phi, r"\lambda": rates[6:], r"\mu": [0.3, -0.2]}
    return (
        of_the_motion(linkage, loop, [*q, *u])
        | moving
        | pulling
        | {
            r"\varphi": Of(phi.subs(linkage.parameters), *eom.q),
            r"\dot\varphi": Of(loop.rates.subs(linkage.parameters), *eom.q, *eom.u),
        }
    )


def of_the_motion(linkage, loop, state):
    """Return mass matrix, forcing and the constraints' matrix at a state."""
    eom = linkage.equations
    parts = {"M": eom.mass_matrix, "F": eom.forcing, "G": loop.jacobian}
    found = {name: numbers(part, linkage, state) for name, part in parts.items()}
    return found | {"F": found["F"][:, 0]}


def lengths_off(q):
    """Return half of the squares of the links, less what they should be."""
    ways = [q[:2], q[2:] - q[:2], q[2:] - [2, 0]]
    return np.array([(way @ way - l**2) / 2 for way, l in zip(ways, (0.8, 2.0, 1.0))])


def lengths_by(q):
    """Return the gradients of the links' lengths."""
    (a, b), (c, d), (e, f) = q[:2], q[2:] - q[:2], q[2:] - [2, 0]
    return np.array([[a, b, 0, 0], [-c, -d, c, d], [0, 0, e, f]])


def both_joints(angles):
    """Return where the crank and the coupler end."""
    first, second = np.exp(1j * np.cumsum(angles)) * [0.8, 2]
    return np.array([first.real, first.imag, (first + second).real, (first + second).imag])


def one_step(nb):
    """Return what a step of RATTLE makes of a moving linkage, for particles of 2 kg."""
    q = 1.01 * both_joints(nb.assembled[:2])  # a little open
    u, h = 3 * np.linalg.svd(lengths_by(q))[2][-1], 0.03

    def pull(q):
        return np.array([0, -9.81, 0, -9.81]) - 3 * q

    step = nb.function("rattle-code", "rattle")(lengths_off, lengths_by)
    x = step(lambda t, x: np.concatenate([x[4:], pull(x[:4])]), 0, np.concatenate([q, u]), h)
    half = (x[:4] - q) / h
    kicks = 2 * np.array([half - u, x[4:] - half]) / h - [pull(q), pull(x[:4])]
    pulls = [2 * np.linalg.lstsq(lengths_by(at).T, kick)[0] for at, kick in zip((q, x[:4]), kicks)]
    moved = {"q_n": q, "q_{n+1}": x[:4], "u_n": u, "u_{n+1/2}": half, "u_{n+1}": x[4:], "h": h}
    acting = {"F": lambda q: 2 * pull(q), "G": lengths_by, r"\lambda": pulls[0], r"\mu": pulls[1]}
    return moved | acting | {"M": 2 * np.eye(4), r"\varphi": lengths_off}


def closed_speeds(loop, linkage, q):
    """Return speeds that keep the loop closed."""
    G = numbers(loop.jacobian, linkage, [*q, 0, 0, 0])
    return np.linalg.svd(G)[2][-1] * 3


def numbers(expression, linkage, state):
    values = dict(zip(linkage.equations.states, state)) | linkage.parameters
    return np.array(sm.Matrix(expression).subs(values), dtype=float)


def at_state(linkage, loop, damping):
    """Return what moves and pulls at a state of the linkage with multipliers."""
    rates = with_multipliers(damping)(0.0, [*STATE, 0, 0])
    u, u_dot, names = STATE[3:], rates[3:6], of_the_motion(linkage, loop, STATE)
    G, G_dot = names["G"], numbers(loop.jacobian.diff(sm.Symbol("t")), linkage, STATE)
    names |= {r"\dot G": G_dot, "u": u, r"\dot u": u_dot, r"\lambda": rates[6:]}
    phi = numbers(loop.constraints, linkage, STATE)[:, 0]
    return names | {
        r"\varphi": phi,
        r"\dot\varphi": G @ u,
        r"\ddot\varphi": G @ u_dot + G_dot @ u,
    }
