"""Chapter 3."""

from itertools import pairwise, product

import numpy as np
import sympy as sm

from tests.notebooks.formulas import in_numbers
from tests.notebooks.meanings import Each, case
from tutlib.models import chain, double_pendulum


def shared(nb):
    return {"P": nb.P}


def displayed(nb):
    absolute, relative = chain(3).equations, chain(3, "relative").equations
    summed = {
        old: new
        for letters in (absolute.q, absolute.u)
        for old, new in zip(letters, nb.P * sm.Matrix(list(letters)))
    }
    return {
        ("rates-words", 0): {
            r"M_\text{rel}": relative.mass_matrix,
            r"M_\text{abs}": absolute.mass_matrix.xreplace(summed),
            r"F_\text{rel}": relative.forcing,
            r"F_\text{abs}": absolute.forcing.xreplace(summed),
        },
        ("closed-mass-matrix", 0): [entry(j, k) for j, k in product(range(3), repeat=2)],
    }


def inline(nb):
    turning, rates = in_absolute_angles(nb)
    relative = chain(3, "relative").equations
    force, small = np.array([0.3, -1.2, 0.7]), np.array([1e-3, 2e-3, -1e-3])
    rods = double_pendulum()
    places = [sm.Matrix(point) for point in rods.skeleton.points[1:]]
    masses = [s for s in rods.parameters if str(s).startswith("m_")]
    return {
        r"\theta_\text{abs} = P\,\theta_\text{rel}": {
            r"\theta_\text{abs}": turning([0.3, -0.5, 0.7]),
            r"\theta_\text{rel}": [0.3, -0.5, 0.7],
        },
        r"\dot\theta_\text{abs} = P\,\dot\theta_\text{rel}": {
            r"\dot\theta_\text{abs}": rates,
            r"\dot\theta_\text{rel}": relative.u,
        },
        r"\dot u_\text{abs} = P\,\dot u_\text{rel}": {
            r"\dot u_\text{abs}": rates.diff(nb.t),
            r"u_\text{rel}": relative.u,
        },
        r"M\dot u = F": in_numbers(chain(2), [0.7, -1.1, 0.4, 1.3]),
        r"F_\text{abs}^\mathsf{T}\, \delta\theta_\text{abs} = "
        r"(P^\mathsf{T} F_\text{abs})^\mathsf{T}\,\delta\theta_\text{rel}": {
            r"F_\text{abs}": force,
            r"\delta\theta_\text{abs}": np.cumsum(small),
            r"\delta\theta_\text{rel}": small,
        },
        r"M = \sum J^\mathsf{T} m\,J": {
            "M": rods.equations.mass_matrix,
            "J": Each(lambda i: places[i].jacobian(rods.equations.q)),
            "m": Each(lambda i: masses[i]),
            r"\sum": [{"i": 0}, {"i": 1}],
        },
        r"\Delta_{jk} = \theta_j - \theta_k": [apart(0, 1), apart(2, 0), apart(1, 2)],
        r"F_x = 5\sin(8\pi t)": {"F_x": nb.shake},
        r"\tau = 5\sin(8\pi t)": {r"\tau": nb.shake},
        r"\theta_2 \le \beta": [bent(nb, angle) for angle in (-0.3, 0.4, 0.6)],
    }


def terms(nb):
    eom = chain(3).equations
    corner = eom.mass_matrix[0, 2]
    return {
        r"\cos(\theta_j - \theta_k)": {
            r"\theta_j": eom.q[0],
            r"\theta_k": eom.q[2],
            "=": corner / corner.subs(eom.q[2], eom.q[0]),
        }
    }


def in_absolute_angles(nb):
    """Return angles of links by their place in the world, and their rates."""
    links = chain(3, "relative")
    points = [sm.Matrix(point) for point in links.skeleton.points]
    across = [end - start for start, end in pairwise(points)]
    rates = [(v[0] * v.diff(nb.t)[1] - v[1] * v.diff(nb.t)[0]) / v.dot(v) for v in across]

    def turning(angles):
        known = dict(zip(links.equations.q, angles)) | links.parameters
        return [float(sm.atan2(v[0], -v[1]).subs(known)) for v in across]

    return turning, sm.Matrix(rates)


def apart(j, k):
    """Return two angles, and their difference by what it does to the equations."""
    links, angles = chain(3), [0.3, -0.4, 0.9]
    eom = links.equations
    known = dict(zip(eom.q, angles)) | links.parameters
    sine = -eom.forcing[j].diff(eom.u[k], 2).subs(known) / 2
    return {
        r"\Delta_{jk}": float(sm.atan2(sine, eom.mass_matrix[j, k].subs(known))),
        r"\theta_j": angles[j],
        r"\theta_k": angles[k],
    }


def bent(nb, angle):
    """Ask whether the stop lets a joint be bent so."""
    known = {nb.theta_1: 0.2, nb.theta_2: 0.2 + angle, nb.beta: 0.5, nb.k: 3.0}
    energy = nb.said("stop-solution", "k / 2 * sm.Max(0, theta_2 - theta_1 - beta) ** 2")
    return case({r"\theta_2": angle, r"\beta": 0.5}, holds=energy.subs(known) == 0)


def entry(j, k):
    """Return the meanings of one entry of the mass matrix of three links."""
    links = chain(3)
    of = {str(symbol): symbol for symbol in links.parameters}
    m, l, d, inertia = ([of[f"{name}_{i}"] for i in (1, 2, 3)] for name in ("m", "l", "d", "In"))
    arm = [[l[j] if j < i else d[i] * l[i] if j == i else 0 for j in range(3)] for i in range(3)]
    return {
        "M_{jk}": links.equations.mass_matrix[j, k],
        "m_i": Each(lambda i: m[i]),
        "a_{ij}": Each(lambda i: arm[i][j]),
        "a_{ik}": Each(lambda i: arm[i][k]),
        r"\Delta_{jk}": links.equations.q[j] - links.equations.q[k],
        r"\delta_{jk}": int(j == k),
        "I_j": inertia[j],
        r"\sum_i": (0, 1, 2),
    }
