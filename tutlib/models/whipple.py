"""Matrices of the Whipple bicycle from the parameters of its parts, for chapter 12."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from straightline.aliases import Array


def whipple_matrices(parameters: Mapping[str, float | Array]) -> dict[str, Array]:
    """Return the matrices of M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0 for lean and steer.

    The names are those of the reference: x points forward from the rear contact, and z down. Each
    parameter may be an array of values, such as random draws; the matrices are then stacked.

    Parameters
    ----------
    parameters : mapping from str to float or array
        Wheelbase ``w`` and trail ``c`` [m], tilt of the steering axis ``lam`` [rad]; radius ``rR``
        [m], mass ``mR`` [kg], and moments of inertia ``IRxx``, ``IRyy`` [kg·m²] of the rear wheel;
        mass ``mB``, center of mass ``xB``, ``zB`` [m], and ``IBxx``, ``IBxz``, ``IBzz`` of the
        frame; likewise with ``H`` of fork and handlebar, and with ``F`` of the front wheel.

    Returns
    -------
    dict from str to array, shape (..., 2, 2)
        ``M`` [kg·m²], ``C1`` [kg·m], ``K0`` [kg·m], and ``K2`` [kg].

    References
    ----------
    :cite:p:`Meijaard2007`, appendix A.
    """
    p = dict(parameters)
    p |= {"xR": 0 * p["w"], "zR": -p["rR"], "IRxz": 0 * p["w"], "IRzz": p["IRxx"]}
    p |= {"xF": p["w"], "zF": -p["rF"], "IFxz": 0 * p["w"], "IFzz": p["IFxx"]}
    m_T, x_T, z_T, (ITxx, ITxz, ITzz) = _together(p, "RBHF", 0.0, 0.0)
    m_A, x_A, z_A, (IAxx, IAxz, IAzz) = _together(p, "HF")
    sin, cos = np.sin(p["lam"]), np.cos(p["lam"])
    mu, along = p["c"] / p["w"] * cos, cos / p["w"]
    u_A = (x_A - p["w"] - p["c"]) * cos - z_A * sin
    about_axis = m_A * u_A**2 + IAxx * sin**2 + 2 * IAxz * sin * cos + IAzz * cos**2
    with_x = -m_A * u_A * z_A + IAxx * sin + IAxz * cos
    with_z = m_A * u_A * x_A + IAxz * sin + IAzz * cos
    S_F = p["IFyy"] / p["rF"]
    S_T = S_F + p["IRyy"] / p["rR"]
    S_A = m_A * u_A + mu * m_T * x_T
    mixed, gyro, zero = with_x + mu * ITxz, mu * S_T + S_F * cos, 0 * S_A
    lean_C1, steer_C1 = ITxz * along - mu * m_T * z_T, with_z * along + mu * (S_A + ITzz * along)
    entries = {
        "M": (ITxx, mixed, mixed, about_axis + 2 * mu * with_z + mu**2 * ITzz),
        "C1": (zero, gyro + lean_C1, -gyro, steer_C1),
        "K0": (m_T * z_T, -S_A, -S_A, -S_A * sin),
        "K2": (zero, (S_T - m_T * z_T) * along, zero, (S_A + S_F * sin) * along),
    }
    return {
        name: np.stack(np.broadcast_arrays(*four), axis=-1).reshape(*np.shape(zero), 2, 2)
        for name, four in entries.items()
    }


def _together(
    p: Mapping[str, float | Array], parts: str, x: Any = None, z: Any = None
) -> tuple[Any, Any, Any, tuple[Any, Any, Any]]:
    """Return mass, center of mass, and I_xx, I_xz, I_zz about (x, z) or else that center."""
    m = sum(p["m" + part] for part in parts)
    x_C, z_C = (sum(p["m" + k] * p[axis + k] for k in parts) / m for axis in "xz")
    x, z = (x_C if x is None else x), (z_C if z is None else z)
    away = [(p["m" + k], p["x" + k] - x, p["z" + k] - z) for k in parts]
    xx = sum(p[f"I{k}xx"] + m_k * c**2 for k, (m_k, _, c) in zip(parts, away))
    xz = sum(p[f"I{k}xz"] - m_k * a * c for k, (m_k, a, c) in zip(parts, away))
    zz = sum(p[f"I{k}zz"] + m_k * a**2 for k, (m_k, a, _) in zip(parts, away))
    return m, x_C, z_C, (xx, xz, zz)
