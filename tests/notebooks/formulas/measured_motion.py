"""Chapter 12."""

import numpy as np
import sympy as sm
from scipy.optimize import brentq

from tests.notebooks.meanings import Each
from tutlib.identification.bicycles import measured_bicycle


def displayed(nb):
    return {
        "weak": weak_form(),
        "two-normals": two_normals(nb),
        "predict": predicted(nb),
        "compound": [swung(nb, I, l) for I, l in ((0.15, 0.3), (0.8, 0.7))],
        "torsional": twisted(nb),
        "plumb": [plumb_line(nb, i) for i in range(3)],
        "in-plane": in_plane(nb),
        "propagation": [propagated(nb, part) for part in "FR"],
    }


def weak_form():
    """Return one constant, J = 0.4, of a motion u = sin 1.3 t with the force F = J u' - 0.7 u J."""
    J, a, b = 0.4, 0.2, 1.1
    middle, half = (a + b) / 2, (b - a) / 2
    bump = np.polynomial.Polynomial([1, 0, -1]) ** 4
    u = {
        "P": lambda t: np.sin(1.3 * t),
        "G": lambda t: 0.7 * np.sin(1.3 * t),
        "y": lambda t: J * (1.3 * np.cos(1.3 * t) - 0.7 * np.sin(1.3 * t)),
        r"\varphi": lambda t: bump((t - middle) / half),
        r"\dot\varphi": lambda t: bump.deriv()((t - middle) / half) / half,
    }
    return u | {"t_0": a, "t_1": b, r"\theta": J}


def two_normals(nb):
    """Return the prediction and the measurement of the page, and what the code makes of them."""
    measured = {"x_0": 1.0, "P": 4.0, "y": 2.0, "R": 1.0, "K": 0.8}
    return measured | {r"\hat x": nb.mean[0], r"\hat P": nb.variance[0][0]}


def predicted(nb):
    """Return the covariance of one sample, and that of the next before its correction."""
    noise = nb.s**2 / nb.h_one * nb.G @ nb.G.T
    return {"P": nb.P_one, r"\leftarrow P": nb.P_two, r"\Phi": nb.Phi, "Q": noise}


def swung(nb, I, l):
    """Return a part that swings, with the period for which the code finds its inertia."""
    m, g, theta = 2.5, 9.81, 0.02
    compound = nb.function("compound-code", "compound")
    T = brentq(lambda T: compound(m, g, l, T) - I, 0.1, 10, xtol=1e-14)
    swinging = {r"\theta": theta, r"\ddot\theta": -((2 * np.pi / T) ** 2) * theta}
    return {"I": I, "l": l, "m": m, "g": g, "T": T} | swinging


def twisted(nb):
    """Return the calibration rod, and a part that twists on the same wire."""
    p, T = measured_bicycle("Browser")[0], 1.3
    J = nb.function("torsional-code", "torsional")(p, T)
    rod = {"T_P": p["TtP1"], "m_P": p["mP"], "r_P": p["dP"] / 2, "l_P": p["lP"]}
    return rod | {"T": T, "J": J, "k": J * (2 * np.pi / T) ** 2}


def plumb_line(nb, i):
    """Return a point of a line below the wire, from its direction and its distance."""
    p, x_0, r = measured_bicycle("Browser")[0], 1.1, 0.34
    a = np.array([p[f"aH{k}"] for k in "123"])
    beta = np.pi / 2 - p["gamma"] - np.array([p[f"alphaH{k}"] for k in "123"])
    foot = np.array([x_0, -r]) - a[i] * np.array([np.sin(beta[i]), np.cos(beta[i])])
    x, z = foot + 0.3 * np.array([np.cos(beta[i]), -np.sin(beta[i])])
    b = np.array([-r, -r, -r]) - a / np.cos(beta) + x_0 * np.tan(beta)
    lines = {r"\beta_i": beta[i], "a_i": a[i], "b_i": b[i]}
    return lines | {"x": x, "z": z, "x_0": x_0, "r": r}


def in_plane(nb):
    """Return the entries that the code finds from the inertias about three lines."""
    beta, J = np.array([0.3, 1.1, -0.5]), np.array([0.5, 0.7, 0.4])
    I_xx, I_xz, I_zz = nb.function("in-plane-code", "in_plane")(beta, J)
    entries = {"I_{xx}": I_xx, "I_{xz}": I_xz, "I_{zz}": I_zz}
    return [entries | {r"\beta_i": beta[i], "J_i": J[i]} for i in range(3)]


def propagated(nb, part):
    """Return what the mass contributes to a wheel's inertia, and the sum of all squares."""
    mass, name = sm.Symbol("x_k"), f"I{part}yy"
    p, deviation = measured_bicycle("Browser")
    y = nb.function("compound-code", "compound")(mass, p["g"], p[f"l{part}"], p[f"Tc{part}1"])
    c, k = np.array(nb.contribution[name]), nb.uncertain.index(f"m{part}")
    found = {r"\sigma_y": nb.pm[name], r"\sum_k": range(len(c)), "c_k": Each(lambda k: c[k])}
    return found | {"y": y, "x_k": mass, r"\sigma_k": deviation[f"m{part}"], "k": k}
