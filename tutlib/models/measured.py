"""Pendulums whose motions were measured: a single one, a double one, and one with two motors.

Chapter 12 fits them to recordings. Their constants are those that a motion can determine; the
default values are the published ones.
"""

from __future__ import annotations

import sympy as sm
import sympy.physics.mechanics as me

from tutlib.models.bodies import Load
from tutlib.models.model import Model
from tutlib.models.skeleton import Angle, Mark, Skeleton, Torque
from tutlib.models.symbol_meanings import numbered

#: Lengths of the links in the drawings [m].
LENGTHS = {"single": (0.2,), "double": (0.173, 0.2), "geared": (0.2, 0.3)}
_GRAVITY = 9.81


def measured_pendulum() -> Model:
    """Return the free single pendulum with viscous friction, dry friction, and drag.

    θ̈ = −ω₀² sin(θ − z) − b θ̇ − f tanh(θ̇/w) − d θ̇ abs(θ̇). All constants are per moment of inertia
    about the pivot, because a free motion determines no others: ``omega_0`` [rad/s], ``b`` [1/s],
    ``f`` [rad/s²], ``d`` [1/rad]. The encoder shows ``z`` [rad] when the pendulum hangs straight
    down, and ``w`` = 0.05 rad/s is the width of the smooth step of dry friction. The default values
    are the published ones, which have viscous friction only. The model has no units, because its
    energies are divided by the moment of inertia, too.

    Returns
    -------
    Model

    References
    ----------
    :cite:p:`KahemanEtAl2022`.
    """
    theta = me.dynamicsymbols("theta")
    omega_0, b, f, d, z, w = sm.symbols("omega_0 b f d z w", real=True)
    rate, (length,) = theta.diff(), LENGTHS["single"]
    return Model.of(
        rate**2 / 2,
        -(omega_0**2) * sm.cos(theta - z),
        theta,
        {
            **dict(zip((omega_0, b), _single())),
            f: 0.0,
            d: 0.0,
            z: 0.0,
            w: 0.05,
        },
        (),
        (Load(_friction(rate, b, f, d, w), theta),),
        name="measured pendulum",
        skeleton=_skeleton([theta], [length], ()),
        names={
            "theta": "angle of the pendulum",
            "omega_0": "natural frequency",
            "b": "viscous friction",
            "f": "dry friction",
            "d": "drag",
            "z": "zero of the encoder",
            "w": "width of the step of dry friction",
        },
    )


def measured_double_pendulum(motors: bool = False) -> Model:
    """Return a double pendulum in the constants that its motion can determine.

    The angles ``theta_1, theta_2`` [rad] are relative: that of the second link is measured from the
    first. The mass matrix is [[J_1 + 2 J_c cos, J_12 + J_c cos], [J_12 + J_c cos, J_2]] with the
    cosine of θ₂, and the first moments of mass ``s_1, s_2`` [kg·m] multiply gravity. Each joint has
    viscous friction ``b_i``, dry friction ``f_i``, drag ``d_i``, and an encoder whose zero is
    ``z_i``. Without motors, J_12 = J_2.

    Parameters
    ----------
    motors : bool
        Whether a motor drives each joint, with torques ``tau_1, tau_2`` [N·m]. The default values
        are then those published for the machine with gears, otherwise those of the free one.

    Returns
    -------
    Model

    References
    ----------
    :cite:p:`KahemanEtAl2022`; with motors :cite:p:`WiebeEtAl2024`.
    """
    q = theta_1, theta_2 = me.dynamicsymbols("theta_1 theta_2")
    u = [angle.diff() for angle in q]
    J_1, J_12, J_2, J_c, g, w = sm.symbols("J_1 J_12 J_2 J_c g w", real=True)
    s, b, f, d, z = (sm.symbols(f"{letter}_1:3", real=True) for letter in "sbfdz")
    first, second = theta_1 - z[0], theta_2 - z[1]
    kinetic = (
        J_1 * u[0] ** 2 / 2
        + (J_12 if motors else J_2) * u[0] * u[1]
        + J_2 * u[1] ** 2 / 2
        + J_c * sm.cos(second) * u[0] * (u[0] + u[1])
    )
    potential = -g * (s[0] * sm.cos(first) + s[1] * sm.cos(first + second))
    loads = [Load(_friction(u[i], b[i], f[i], d[i], w), q[i]) for i in (0, 1)]
    torques = me.dynamicsymbols("tau_1 tau_2") if motors else ()
    loads += [Load(torque, angle) for torque, angle in zip(torques, q)]
    values = {name: 0.0 for letter in (f, d, z) for name in letter}
    values |= dict(zip((J_1, J_2, J_c, *s, *b), _geared() if motors else _free()))
    values |= {g: _GRAVITY, w: 0.1 if motors else 0.05}
    if motors:
        values[J_12] = values[J_2]
    return Model.of(
        kinetic,
        potential,
        q,
        values,
        (),
        loads,
        name="measured double pendulum",
        skeleton=_skeleton(q, LENGTHS["geared" if motors else "double"], torques),
        names=_names(motors),
        units={
            "J_1": "kg·m²",
            "J_12": "kg·m²",
            "J_2": "kg·m²",
            "J_c": "kg·m²",
            "g": "m/s²",
            "w": "rad/s",
        }
        | {
            f"{letter}_{i}": unit
            for letter, unit in {
                "theta": "rad",
                "tau": "N·m",
                "s": "kg·m",
                "b": "N·m·s/rad",
                "f": "N·m",
                "d": "kg·m²",
                "z": "rad",
            }.items()
            for i in (1, 2)
            if motors or letter != "tau"
        },
    )


def _friction(rate: sm.Expr, b: sm.Expr, f: sm.Expr, d: sm.Expr, w: sm.Expr) -> sm.Expr:
    return -b * rate - f * sm.tanh(rate / w) - d * rate * sm.Abs(rate)


def _single() -> tuple[float, float]:
    """Return ω₀ and b of the published single pendulum: m, a, I, friction, and gravity."""
    m, a, inertia, friction, gravity = (
        0.147584572,
        0.147754901,
        1.09118505e-4,
        2.23940125e-4,
        9.81001,
    )
    about_pivot = inertia + m * a**2
    return (m * gravity * a / about_pivot) ** 0.5, friction / about_pivot


def _free() -> tuple[float, ...]:
    """Return J_1, J_2, J_c, s_1, s_2, b_1, b_2 of the published free pendulum.

    The source gives masses, distances of the centers of mass, moments of inertia about them, the
    length of the first link, and viscous friction, for g = 9.80858 m/s².
    """
    (m_1, m_2), (a_1, a_2), l = (0.0938439748, 0.13759597), (0.108565215, 0.116779018), 0.172719204
    lower = 1.26882939e-3 + m_2 * a_2**2
    upper = 4.3752943e-4 + m_1 * a_1**2 + m_2 * l**2
    share = 9.80858 / _GRAVITY
    s_1, s_2 = share * (m_1 * a_1 + m_2 * l), share * m_2 * a_2
    return upper + lower, lower, m_2 * l * a_2, s_1, s_2, 2.37142783e-4, 1e-5


def _geared() -> tuple[float, ...]:
    """Return J_1, J_2, J_c, s_1, s_2, b_1, b_2 of the published pendulum with gears.

    The source gives masses, distances of the centers of mass, moments of inertia about the joints,
    and the length of the first link.
    """
    (m_1, m_2), (r_1, r_2), l = (0.5234602, 0.6255677), (0.2, 0.2556931), 0.2
    upper, lower = 0.0318872 + m_2 * l**2, 0.0508698
    return upper + lower, lower, m_2 * l * r_2, m_1 * r_1 + m_2 * l, m_2 * r_2, 0.0, 0.0


def _names(motors: bool) -> dict[str, str]:
    names = {
        "J_1": "moment of inertia of both links about the first joint, without the coupling",
        "J_2": "moment of inertia of the second link about its joint",
        "J_c": "inertia that couples the links",
        "g": "gravity",
        "w": "width of the step of dry friction",
        "theta_1": "angle of the first link",
        "theta_2": "angle of the second link relative to the first",
        "s_1": "first moment of mass about the first joint",
        "s_2": "first moment of mass about the second joint",
    }
    for i in (1, 2):
        joint = numbered(i, "joint")
        names |= {
            f"b_{i}": f"viscous friction of {joint}",
            f"f_{i}": f"dry friction of {joint}",
            f"d_{i}": f"drag at {joint}",
            f"z_{i}": f"zero of the encoder at {joint}",
        }
        if motors:
            names[f"tau_{i}"] = f"motor torque at {joint}"
    if motors:
        names["J_12"] = "inertia of the second link and its motor against the first link"
    return names


def _skeleton(
    q: list[sm.Expr] | tuple[sm.Expr, ...],
    lengths: list[float] | tuple[float, ...],
    torques: tuple[sm.Expr, ...],
) -> Skeleton:
    points, angle = [(sm.S.Zero, sm.S.Zero)], sm.S.Zero
    marks: list[Mark] = []
    for i, (coordinate, length) in enumerate(zip(q, lengths)):
        along = (sm.sin(angle), -sm.cos(angle))
        marks.append(Angle(coordinate, i, along, i + 1))
        angle += coordinate
        x, y = points[-1]
        points.append((x + length * sm.sin(angle), y - length * sm.cos(angle)))
    marks += [Torque(torque, i) for i, torque in enumerate(torques)]
    count = len(q)
    return Skeleton(
        points=tuple(points),
        lines=tuple((i, i + 1) for i in range(count)),
        bodies=(count,),
        joints=tuple(range(1, count)),
        pivots=(0,),
        names=("O", *[""] * count),
        marks=tuple(marks),
        ceiling=True,
    )
