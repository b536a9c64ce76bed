"""Chapter 2."""

import numpy as np
import sympy as sm

from tests.notebooks.formulas import indexed, named
from tests.notebooks.meanings import Each
from tutlib.mechanics import linearize
from tutlib.models import double_pendulum, servo_arm


def shared(nb):
    own = named(nb, r"\theta_1 \theta_2 m_1 m_2 l_1 l_2 \tau_1 \tau_2 g t T V L")
    return own | {r"\Delta": nb.delta}


def displayed(nb):
    q, free = nb.q, double_pendulum().free().equations
    forces = free.mass_matrix * sm.Matrix(nb.accelerations) - free.forcing
    growth, small = sm.Symbol("growth"), sm.symbols("small_1:3")
    work = nb.tau_1 * small[0] + nb.tau_2 * (small[1] - small[0])
    motors = by_motors(nb)
    rest = nb.slide.subs(nb.alpha_1, 0)
    end = servo_arm().skeleton.points[-1]
    arrows, pull = pair_of_arrows(nb), sm.Matrix([nb.F_x, nb.F_y])
    return {
        ("bridge", 0): {
            r"\boldsymbol r": nb.mass_2,
            "R": turned,
            r"\theta": nb.theta_2,
            r"\boldsymbol r_\text{link}": [0, -nb.l_2],
            r"\boldsymbol r_\text{hinge}": nb.mass_1,
        },
        ("both-energies", 0): {
            "T": sum(m * v.dot(v) for m, v in zip(nb.masses, (nb.velocity_1, nb.velocity_2))) / 2
        },
        "lagrange-projected": [carried(nb, i) for i in (0, 1)],
        "lagrange": [carried(nb, i) | {"Q_i": forces[i]} for i in (0, 1)],
        ("cancel", 0): {"Q_1": forces[0], r"\Delta": q[0] - q[1]},
        ("hidden", 0): {r"\ddot\theta_1": -rest / nb.slide.diff(nb.alpha_1)},
        ("motors", 0): {
            r"\delta W": work,
            **indexed({"Q_i": motors, r"\delta q_i": small}),
            r"\sum_i": (0, 1),
        },
        ("tip-drawn-words", 0): [
            {
                "Q_k": pull.dot(nb.velocity_2).diff(nb.u[k]),
                r"\boldsymbol j_k": arrows[k],
                r"\boldsymbol F": pull,
            }
            for k in (0, 1)
        ],
        ("six-words", 0): accelerated(nb),
        ("six-words", 1): accelerated(nb) | with_matrix(nb),
        "newton-words": pulled(),
        "modes": [swinging(nb, mode) for mode in (0, 1)],
        ("apart-meaning", 0): {
            r"\lambda": growth,
            r"\varepsilon": 3 * sm.exp(growth * nb.t),
            r"\varepsilon_0": 3,
        },
        ("arm", 0): {"x": end[0], "y": end[1]},
    }


def carried(nb, i):
    """Return places, and the arrows of both masses for one of the angles."""
    places = {"r": nb.mass_2, "r_1": nb.mass_1, "r_2": nb.mass_2}
    bold = {rf"\boldsymbol {name}": place for name, place in places.items()}
    arrows = {"p": nb.mass_2, "p_1": nb.mass_1, "p_2": nb.mass_2}
    bold |= {rf"\boldsymbol {name}": place.diff(nb.q[i]) for name, place in arrows.items()}
    each = {"q_i": nb.q[i], "q_j": Each(lambda j: nb.q[j]), r"\sum_j": (0, 1)}
    return bold | each


def pair_of_arrows(nb):
    """Return how the end moves when one angle changes: the place of the second mass, turned."""
    upper, lower = nb.mass_1, nb.mass_2 - nb.mass_1
    return [sm.Matrix([-rod[1], rod[0]]) for rod in (upper, lower)]


def accelerated(nb):
    """Return the accelerations of a double pendulum with motors, solved."""
    driven = double_pendulum().with_inputs({"F_x": 0, "F_y": 0}).equations.accelerations()
    return {r"\ddot\theta_1": driven[0], r"\ddot\theta_2": driven[1]}


def with_matrix(nb):
    driven = double_pendulum().with_inputs({"F_x": 0, "F_y": 0}).equations
    M, F = driven.mass_matrix, driven.forcing
    return {"M_{11}": M[0, 0], "M_{12}": M[0, 1], "M_{22}": M[1, 1], "F_1": F[0], "F_2": F[1]}


def pulled():
    """Return places, velocities, accelerations and pulls, the accelerations by the angles."""
    masses, lengths = np.array([0.7, 1.5]), np.array([1.2, 0.8])
    x = np.array([0.7, -1.1, 1.3, -0.8])
    names = ["m_1", "m_2", "l_1", "l_2"]
    model = double_pendulum().free().with_parameters(dict(zip(names, [*masses, *lengths])))
    turning = model.compile()(0, x)[2:]
    across = np.array([[np.cos(a), np.sin(a)] for a in x[:2]])
    along = np.array([[np.sin(a), -np.cos(a)] for a in x[:2]])
    rods, slides = lengths[:, None] * along, lengths[:, None] * across * x[2:, None]
    speeding = lengths[:, None] * (across * turning[:, None] - along * x[2:, None] ** 2)
    a = np.cumsum(speeding, axis=0)
    down = np.array([0, -9.81])
    s_2 = masses[1] * (down - a[1]) @ rods[1] / lengths[1] ** 2
    s_1 = (masses[0] * (down - a[0]) + s_2 * rods[1]) @ rods[0] / lengths[0] ** 2
    vectors = {"r_1": rods[0], "r_2": rods[1], "v_1": slides[0], "v_{12}": slides[1], "g": down}
    vectors |= {"a_1": a[0], "a_2": a[1]}
    bold = {rf"\boldsymbol {name}": vector for name, vector in vectors.items()}
    return bold | {"m_1": masses[0], "m_2": masses[1], "s_1": s_1, "s_2": s_2}


def swinging(nb, which):
    """Return one mode of a double pendulum at a moment."""
    free = double_pendulum().free()
    linear = linearize(free.equations, np.zeros(4), free.parameters).A[2:, :2]
    squares, shapes = np.linalg.eig(-linear)
    omega, now = np.sqrt(squares[which]), 0.37
    place = shapes[:, which] * np.cos(omega * now)
    matrices = {"M": nb.inertia, "K": nb.stiffness}
    names = {name: np.array(A.subs(free.parameters), float) for name, A in matrices.items()}
    names |= {"q": place, r"\ddot q": linear @ place, r"\omega": omega, "t": now}
    return names | {r"\boldsymbol a": shapes[:, which]}


def by_motors(nb):
    """Return what the motors add to the equations."""
    forcing = double_pendulum().equations.forcing
    return forcing.jacobian([nb.tau_1, nb.tau_2]) * sm.Matrix([nb.tau_1, nb.tau_2])


def mode(nb, sign):
    values = {nb.m_1: 1.3, nb.m_2: 1.3, nb.l_1: 0.7, nb.l_2: 0.7, nb.g: 9.81}
    squares = np.linalg.eigvals(np.array((nb.inertia.inv() * nb.stiffness).subs(values), float))
    square = min(squares) if sign > 0 else max(squares)
    return {r"\omega": np.sqrt(square), r"\pm": sign, "g": 9.81, "l": 0.7}


def turned(angle):
    c, s = sm.cos(angle), sm.sin(angle)
    return sm.Matrix([[c, -s], [s, c]])
