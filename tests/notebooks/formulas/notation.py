"""The page of notation: what holds for the equations of every model."""

import numpy as np
import sympy as sm

from tests.notebooks.chapters import notebook
from tests.notebooks.formulas import in_numbers
from tests.notebooks.formulas.integrators import SIZE, euler_growth
from tutlib.mechanics import ConstrainedEquations
from tutlib.models import double_pendulum, rolling_disc

STATE = [0.7, -1.1, 0.4, 1.3]


def shared(nb):
    return {"h": SIZE, "t": 0.3}


def displayed(nb):
    parts = in_numbers(double_pendulum(), STATE)
    accelerations = np.linalg.solve(parts["M"], parts["F"])
    return {
        ("page", 0): {
            r"\dot x": [*STATE[2:], *accelerations],
            "x": np.array(STATE),
            "f": double_pendulum().free().compile(),
        }
    }


def inline(nb):
    rods, lagrange = double_pendulum().equations, notebook("02-double-pendulum")
    return {
        r"u = \dot q": {"u": rods.u, "q": rods.q},
        r"x = [q, u]": {
            "x": np.reshape(np.array(rods.states, dtype=object), (2, 2)).T,
            "q": rods.q,
            "u": rods.u,
        },
        r"M\dot u = F": in_numbers(double_pendulum(), STATE),
        r"\dot q = N u": rolling(),
        r"\partial\dot\varphi/\partial u = \Phi N": tied_disc(),
        r"L = T - V": {"L": lagrange.L, "T": lagrange.T, "V": lagrange.V},
        r"z = h\lambda": {"z": euler_growth(-1.7) - 1, r"\lambda": -1.7},
    }


def terms(nb):
    t = sm.Symbol("t")
    impulse = sm.Function("Lambda")(t)
    return {
        r"\int\lambda\,\mathrm dt": {"t": t, r"\lambda": impulse.diff(t), "=": impulse},
    }


def rolling():
    """Return how the coordinates of a disc change, and its speeds."""
    disc, state = rolling_disc(), [0.3, 0.4, 0.1, 0.0, 0.2, 0.5, 4.0, -1.2]
    known = dict(zip(disc.equations.states, state)) | dict(disc.parameters)
    return {
        r"\dot q": disc.compile()(0.0, np.array(state))[:5],
        "N": np.array(disc.equations.kinematic_matrix.subs(known), dtype=float),
        "u": np.array(state[5:]),
    }


def tied_disc():
    """Return a disc whose contact stays on a curve."""
    eom = rolling_disc().equations
    phi = sm.Matrix([eom.q[3] ** 2 - eom.q[4], eom.q[0] * eom.q[1]])
    return {
        r"\dot\varphi": ConstrainedEquations(eom, list(phi)).rates,
        "u": eom.u,
        r"\Phi": phi.jacobian(eom.q),
        "N": eom.kinematic_matrix,
    }
