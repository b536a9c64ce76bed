"""Pendulum with a motor at its hinge, m l² θ̈ + m g l sin θ = τ: chapter 1's one swinging arm."""

from __future__ import annotations

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array, real_number
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.bodies import Body, Load
from tutlib.models.model import Model
from tutlib.models.skeleton import Angle, Length, Skeleton, Torque

#: Meanings of the symbols.
NAMES = {
    "theta": "angle of the arm",
    "tau": "motor torque",
    "m": "mass",
    "l": "length of the arm",
    "g": "gravity",
}
#: Units of the symbols.
UNITS = {"theta": "rad", "tau": "N·m", "m": "kg", "l": "m", "g": "m/s²"}


def pendulum() -> Model:
    """Return a point mass m on a massless arm of length l, with a motor torque τ at the pivot.

    The state is x = [θ, θ̇]: θ [rad] counterclockwise from hanging straight down. The parameters
    are m = 1 kg, l = 1 m, g = 9.81 m/s²; the one input is the torque ``tau`` [N·m].

    Returns
    -------
    Model
    """
    theta, tau = me.dynamicsymbols("theta tau")
    m, l = sm.symbols("m l", positive=True)
    g = sm.Symbol("g", real=True)
    kinetic = m * (l * theta.diff()) ** 2 / 2
    potential = m * g * l * (1 - sm.cos(theta))
    mass, down = (l * sm.sin(theta), -l * sm.cos(theta)), (sm.S.Zero, sm.S.NegativeOne)
    return Model(
        name="pendulum",
        equations=EquationsOfMotion.from_lagrangian(
            kinetic, potential, [theta], forces={theta: tau}
        ),
        kinetic_energy=kinetic,
        potential_energy=potential,
        skeleton=Skeleton(
            points=((sm.S.Zero, sm.S.Zero), mass),
            lines=((0, 1),),
            bodies=(1,),
            pivots=(0,),
            masses=(m,),
            names=("O", "P"),
            marks=(Angle(theta, 0, down, 1), Length(l, 0, 1), Torque(tau, 0)),
            ceiling=True,
        ),
        parameters={m: 1.0, l: 1.0, g: 9.81},
        names=NAMES,
        bodies=(Body(m, mass),),
        loads=(Load(tau, theta),),
        units=UNITS,
    )


def exact_period(amplitude: float, l: float = 1.0, g: float = 9.81) -> float:
    """Return the period [s] of a free pendulum with a given ``amplitude``.

    T = 4 √(l/g) K(sin² ½θ₀), with the complete elliptic integral K of parameter m = k².

    Parameters
    ----------
    amplitude : float
        Largest angle θ₀ [rad], between 0 and π, both excluded.
    l : float
        Length [m].
    g : float
        Gravity [m/s²].

    Raises
    ------
    ValueError
        If the amplitude is not between 0 and π, or l or g is not positive.

    References
    ----------
    :cite:p:`DLMF`, sections 19.2 and 22.19.
    """
    from scipy.special import ellipkm1

    amplitude, l, g = _check(amplitude, l, g)
    return float(4 * np.sqrt(l / g) * ellipkm1(np.cos(amplitude / 2) ** 2))


def exact_motion(t: ArrayLike, amplitude: float, l: float = 1.0, g: float = 9.81) -> Array:
    """Return the exact motion of a free pendulum released from rest at ``amplitude``.

    sin ½θ = k cd(ω₀ t, k) with k = sin ½θ₀ and ω₀ = √(g/l), by Jacobi's elliptic functions.

    Parameters
    ----------
    t : array, shape (m,)
        Times [s].
    amplitude, l, g : float
        As for `exact_period`.

    Returns
    -------
    array, shape (m, 2)
        Angle [rad] and angular velocity [rad/s].

    Raises
    ------
    ValueError
        As for `exact_period`.

    References
    ----------
    :cite:p:`DLMF`, section 22.19(i).
    """
    from scipy.special import ellipj

    times = real_array(t, "t")
    amplitude, l, g = _check(amplitude, l, g)
    k, omega = np.sin(amplitude / 2), np.sqrt(g / l)
    sn, cn, dn, _ = ellipj(omega * times, k**2)
    theta = 2 * np.arcsin(k * cn / dn)
    rate = -2 * k * omega * np.sqrt(1 - k**2) * sn / dn
    return np.stack([theta, rate], axis=-1)


def _check(amplitude: object, l: object, g: object) -> tuple[float, float, float]:
    amplitude = real_number(amplitude, "the amplitude (between 0 and π)")
    l, g = real_number(l, "l"), real_number(g, "g")
    if not 0 < amplitude < np.pi:
        raise ValueError(f"the amplitude must lie between 0 and π rad; got {amplitude}")
    if not (l > 0 and g > 0):
        raise ValueError(f"l and g must be positive; got l = {l}, g = {g}")
    return amplitude, l, g
