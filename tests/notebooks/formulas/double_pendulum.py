"""Chapter 2."""

import numpy as np
import sympy as sm

from tests.notebooks.formulas import in_numbers
from tests.notebooks.meanings import Each, case
from tutlib.mechanics import linearize
from tutlib.models import double_pendulum, servo_arm

# on both sides of the border, and near it
STARTS = [(0.5, 0.5), (1.0, 1.4), (1.0, 1.8), (0.2, 2.8), (0.2, 2.7), (1.6, 0.1), (1.5, 0.1)]


def shared(nb):
    (theta_1, theta_2), (m_1, m_2) = nb.q, nb.masses
    return {
        r"\theta_1": theta_1,
        r"\theta_2": theta_2,
        "m_1": m_1,
        "m_2": m_2,
        "l_1": nb.l_1,
        "l_2": nb.l_2,
        "g": nb.g,
        "t": nb.t,
        r"\Delta": nb.delta,
        "T": nb.T,
        "V": nb.V,
        "L": nb.L,
        r"\tau_1": nb.tau_1,
        r"\tau_2": nb.tau_2,
    }


def displayed(nb):
    q, free = nb.q, double_pendulum().free().equations
    forces = free.mass_matrix * sm.Matrix(nb.accelerations) - free.forcing
    growth, small = sm.Symbol("growth"), sm.symbols("small_1:3")
    work = nb.tau_1 * small[0] + nb.tau_2 * (small[1] - small[0])
    motors = by_motors(nb)
    rest = nb.slide.subs(nb.alpha_1, 0)
    end = servo_arm().skeleton.points[-1]
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
        ("lagrange", 0): [{"q_i": q[i], "Q_i": forces[i]} for i in (0, 1)],
        ("lagrange", 1): [
            {"q_i": q[i], "q_j": Each(lambda j: q[j]), r"\sum_j": (0, 1)} for i in (0, 1)
        ],
        ("cancel", 0): {"Q_1": forces[0], r"\Delta": q[0] - q[1]},
        ("hidden", 0): {r"\ddot\theta_1": -rest / nb.slide.diff(nb.alpha_1)},
        ("motors", 0): {
            r"\delta W": work,
            "Q_i": Each(lambda i: motors[i]),
            r"\delta q_i": Each(lambda i: small[i]),
            r"\sum_i": (0, 1),
        },
        ("apart-meaning", 0): {r"\lambda": growth, r"\text{distance}": 3 * sm.exp(growth * nb.t)},
        ("arm", 0): {"x": end[0], "y": end[1]},
    }


def inline(nb):
    free, places = double_pendulum().free(), (nb.mass_1, nb.mass_2)
    of_centers = {
        "M": nb.M_rods.subs(dict.fromkeys(sm.symbols("In_1 In_2", nonnegative=True), 0)),
        "J": Each(lambda i: (nb.J_1, nb.J_2)[i]),
        "m": Each(lambda i: nb.masses[i]),
        r"\sum": [{"i": 0}, {"i": 1}],
    }
    pull = sm.Matrix([nb.F_x, nb.F_y])
    return {
        r"M\dot u = F": in_numbers(double_pendulum(), [0.7, -1.1, 0.4, 1.3]),
        r"M = \sum J^\mathsf{T} m\,J": of_centers,
        r"M = \sum J^\mathsf{T} m J": of_centers,
        r"Q = [-\tau_2, \tau_2]": {"Q": by_motors(nb).subs(nb.tau_1, 0)},
        r"Q = J^\mathsf{T} F": {
            "Q": [pull.dot(nb.velocity_2).diff(rate) for rate in nb.u],
            "J": places[1].jacobian(nb.q),
            "F": pull,
        },
        r"M\ddot q = -K q": small_swings(nb, free),
        r"\omega^2 = (2 \mp \sqrt2)\,g/l": [mode(nb, sign) for sign in (1, -1)],
        r"2\cos\theta_1 + \cos\theta_2 > 1": [flip(free, *start) for start in STARTS],
    }


def terms(nb):
    forces = by_motors(nb).subs(nb.tau_1, 0)
    return {
        r"\theta_2 - \theta_1": {"=": forces.dot(nb.q) / nb.tau_2},
        r"\tau_2 (\dot\theta_2 - \dot\theta_1)": {"=": forces.dot(nb.u)},
    }


def by_motors(nb):
    """Return what the motors add to the equations."""
    forcing = double_pendulum().equations.forcing
    return forcing.jacobian([nb.tau_1, nb.tau_2]) * sm.Matrix([nb.tau_1, nb.tau_2])


def small_swings(nb, free):
    linear = linearize(free.equations, np.zeros(4), free.parameters)
    bent = np.array([0.3, -0.7])
    return {
        "M": nb.inertia.subs(free.parameters),
        "K": nb.stiffness.subs(free.parameters),
        "q": bent,
        r"\ddot q": linear.A[2:, :2] @ bent,
    }


def mode(nb, sign):
    values = {nb.m_1: 1.3, nb.m_2: 1.3, nb.l_1: 0.7, nb.l_2: 0.7, nb.g: 9.81}
    squares = np.linalg.eigvals(np.array((nb.inertia.inv() * nb.stiffness).subs(values), float))
    square = min(squares) if sign > 0 else max(squares)
    return {r"\omega": np.sqrt(square), r"\pm": sign, "g": 9.81, "l": 0.7}


def flip(free, *start):
    """Ask whether energy keeps both rods from going over the top."""

    def height(*angles):
        known = dict(zip(free.equations.q, angles)) | free.parameters
        return float(free.potential_energy.subs(known))

    needed = min(height(np.pi, 0), height(0, np.pi))
    names = dict(zip((r"\theta_1", r"\theta_2"), start))
    return case(names, holds=height(*start) < needed)


def turned(angle):
    c, s = sm.cos(angle), sm.sin(angle)
    return sm.Matrix([[c, -s], [s, c]])
