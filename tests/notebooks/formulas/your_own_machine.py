"""Chapter 10."""

import numpy as np
from scipy.signal import place_poles

from tutlib.models import crane

SIZES = {"M": 1.2, "m": 4.1, "m_w": 0.8, "b": 0.3, "g": 9.81}
INPUTS = {"F": 2.3, "H": 31.0}
STATE = np.array([0.3, 5.1, 0.7, 0.4, -0.6, 0.2])


def displayed(nb):
    moving = in_motion()
    return {
        ("energies", 0): moving,
        ("energies-words", 0): moving,
        ("newton-balances", 0): moving,
        ("poles", 0): steered(nb),
        ("poles", 1): placed(nb),
    }


def in_motion():
    """Return all quantities of the crane in one state, its load's by the angle of its rope."""
    model = crane().with_inputs(INPUTS).with_parameters(SIZES)
    t = np.array([0.0])
    T, V = model.energies(t, STATE[None])[0]
    place = model.positions(t, STATE[None])[0, 1]
    _, l, theta, v, winding, omega = STATE
    a, hoisting, alpha = model.compile()(0.0, STATE)[3:]
    along = np.array([np.sin(theta), -np.cos(theta)])
    across = np.array([np.cos(theta), np.sin(theta)])
    velocity = [v, 0] + winding * along + l * omega * across
    outward, sideways = hoisting - l * omega**2, l * alpha + 2 * winding * omega
    acceleration = [a, 0] + outward * along + sideways * across
    return {
        **SIZES,
        **INPUTS,
        **dict(zip(("x", "l", r"\theta", r"\dot x", r"\dot l", r"\dot\theta"), STATE)),
        **dict(zip(("X", "Y", r"\dot X", r"\dot Y"), (*place, *velocity))),
        **dict(zip((r"\ddot x", r"\ddot l", r"\ddot X", r"\ddot Y"), (a, hoisting, *acceleration))),
        "S": SIZES["m_w"] * hoisting + INPUTS["H"],
        "T": T,
        "V": V,
    }


def steered(nb):
    """Return what the drive is asked for, without its limit."""
    gains = dict(zip(nb.k, (4.0, -15.0, 13.0, -2.5)))
    x, _, theta, v, _, omega = STATE
    known = dict(zip(nb.aside, (x - 4.0, theta, v, omega)))
    moving = {"x": x, "x_d": 4.0, r"\theta": theta, r"\dot x": v, r"\dot\theta": omega}
    factors = {f"k_{i}": value for i, value in enumerate(gains.values(), 1)}
    return moving | factors | {"F": float(nb.asked.subs(known).subs(gains))}


def placed(nb):
    """Return a closed loop with real poles, one of them, and the motion that it belongs to."""
    A, B = np.array(nb.A_6), np.array(nb.B_6)
    K = place_poles(A, B, [-0.5, -1.1, -1.9, -3.2]).gain_matrix
    poles, directions = np.linalg.eig(A - B @ K)
    return {"A": A, "B": B, "K": K, "p": poles[0], "v": directions[:, 0]}
