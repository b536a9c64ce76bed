"""Four-bar linkage of chapter 6: three links and the ground in a loop."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sm
import sympy.physics.mechanics as me

from straightline.arguments import real_number
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.bodies import Body
from tutlib.models.model import Model
from tutlib.models.skeleton import Angle, Length, Skeleton

#: Meanings of the symbols.
NAMES = {
    "q_1": "angle of the input link",
    "q_2": "angle of the coupler relative to the input link",
    "q_3": "angle of the output link relative to the coupler",
    "l_a": "length of the input link",
    "l_b": "length of the coupler",
    "l_c": "length of the output link",
    "l_n": "distance between the pivots",
    "m": "mass at each moving joint",
    "Lambda_1": "horizontal impulse of the closing joint",
    "Lambda_2": "vertical impulse of the closing joint",
    "g": "gravity",
}
#: Units of the symbols.
UNITS = {
    **dict.fromkeys(("q_1", "q_2", "q_3"), "rad"),
    **dict.fromkeys(("l_a", "l_b", "l_c", "l_n"), "m"),
    "m": "kg",
    "g": "m/s²",
}


def four_bar() -> Model:
    """Return a four-bar linkage in a vertical plane, cut open at its last joint.

    Three massless links of lengths ``l_a`` = 0.8 m, ``l_b`` = 2 m, and ``l_c`` = 1 m follow one
    another from the origin; the model's two ``constraints`` hold the last joint at the distance
    ``l_n`` = 2 m on the x axis. The two moving joints each carry a particle of ``m`` = 1 kg;
    gravity is ``g`` = 9.81 m/s². The angles ``q_1, q_2, q_3`` [rad] are counterclockwise: the first
    from the x axis, the others from the link before. The last drawn body is a point of the coupler,
    0.3 of its length to the left of its middle.

    Returns
    -------
    Model
        Its equations are those of the open chain: `Model.with_multipliers` and
        `Model.with_independent_speeds` close it.

    References
    ----------
    :cite:p:`Moore2026`, chapter "Equations of Motion with Holonomic Constraints".
    """
    t, q = me.dynamicsymbols._t, me.dynamicsymbols("q_1:4")
    l_a, l_b, l_c, l_n, m = sm.symbols("l_a l_b l_c l_n m", positive=True)
    g = sm.Symbol("g", real=True)
    joints = [sm.zeros(2, 1)]
    for i, length in enumerate((l_a, l_b, l_c)):
        angle = sum(q[: i + 1])
        joints.append(joints[-1] + length * sm.Matrix([sm.cos(angle), sm.sin(angle)]))
    ground = sm.Matrix([l_n, 0])
    first, second = l_a * q[0].diff(t), l_b * (q[0] + q[1]).diff(t)
    kinetic = m / 2 * (2 * first**2 + 2 * first * second * sm.cos(q[1]) + second**2)
    potential = m * g * (joints[1][1] + joints[2][1])
    return Model(
        name="four-bar linkage",
        equations=EquationsOfMotion.from_lagrangian(kinetic, potential, q),
        kinetic_energy=kinetic,
        potential_energy=potential,
        skeleton=_skeleton(q, joints, ground, (l_a, l_b, l_c, l_n), m),
        parameters=dict(zip([l_a, l_b, l_c, l_n, m, g], [0.8, 2.0, 1.0, 2.0, 1.0, 9.81])),
        constraints=tuple(joints[3] - ground),
        names=NAMES,
        bodies=tuple(Body(m, tuple(joint)) for joint in joints[1:3]),
        units=UNITS,
    )


def _skeleton(
    q: Sequence[sm.Expr],
    joints: Sequence[sm.Matrix],
    ground: sm.Matrix,
    lengths: Sequence[sm.Symbol],
    m: sm.Symbol,
) -> Skeleton:
    link = joints[2] - joints[1]
    coupler = joints[1] + link / 2 + sm.Rational(3, 10) * sm.Matrix([-link[1], link[0]])
    zeros = [(sm.S.One, sm.S.Zero), *(tuple(joints[i] - joints[i - 1]) for i in (1, 2))]
    angles = [Angle(angle, i, zeros[i], i + 1) for i, angle in enumerate(q)]
    sides = [(0, 1), (1, 2), (2, 3), (0, 4)]
    return Skeleton(
        points=tuple((x, y) for x, y in [*joints, ground, coupler]),
        lines=((0, 1, 2, 3), (1, 5, 2)),
        bodies=(1, 2, 5),
        pivots=(0, 4),
        thin=(1,),
        joints=(3,),
        masses=(m, m, None),
        names=("P_1", "P_2", "P_3", "P_4", "", "C"),
        marks=(*angles, *(Length(length, *ends) for length, ends in zip(lengths, sides))),
    )


def grashof(l_a: float, l_b: float, l_c: float, l_n: float) -> str:
    """Return the type of a four-bar linkage by Grashof's condition, s + l < p + q.

    Parameters
    ----------
    l_a, l_b, l_c, l_n : float
        Lengths of the input link, the coupler, the output link and the ground [m].

    Returns
    -------
    str
        ``"crank-rocker"`` (the input makes full revolutions), ``"rocker-crank"`` (the output
        does), ``"double-crank"``, ``"double-rocker"`` (the coupler does), ``"triple-rocker"`` (no
        link does), or ``"change point"`` (it can be laid flat).

    Raises
    ------
    ValueError
        If a length is not positive and finite, or too long for the others to close the loop.

    References
    ----------
    :cite:p:`Norton2011`, section 2.12.
    """
    lengths = {"input link": l_a, "coupler": l_b, "output link": l_c, "ground": l_n}
    for name, length in lengths.items():
        lengths[name] = real_number(length, f"the length of the {name}")
        if not lengths[name] > 0:
            raise ValueError(f"the {name} needs a positive length; got {length}")
    longest = max(lengths, key=lambda name: lengths[name])
    shortest = min(lengths, key=lambda name: lengths[name])
    total = sum(lengths.values())
    if lengths[longest] > total - lengths[longest]:
        raise ValueError(
            f"the linkage cannot close: the {longest} of {lengths[longest]:g} m is longer than the "
            f"other three together, {total - lengths[longest]:g} m"
        )
    excess = 2 * (lengths[shortest] + lengths[longest]) - total
    if abs(excess) <= 1e-12 * total:
        return "change point"
    if excess > 0:
        return "triple-rocker"
    names = ("crank-rocker", "double-rocker", "rocker-crank", "double-crank")
    return dict(zip(lengths, names))[shortest]
