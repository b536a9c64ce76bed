"""The machines of the capstones by other ways: coordinates, loops and methods of a reader's own."""

import sympy as sm
import sympy.physics.mechanics as me

from tutlib import EquationsOfMotion
from tutlib.mechanics import ConstrainedEquations

t = me.dynamicsymbols._t


# ---- slider-crank


def crank_by_two_angles(tilting=1, weight=1):
    """Return the crank and the rod by their angles, cut open at the slider."""
    one, two, tau, F = me.dynamicsymbols("one two tau F")
    l_a, l_b, d, m_b, J_b, m_c, J_a, g = sm.symbols("l_a l_b d m_b J_b m_c J_a g")
    pin = l_a * sm.Matrix([sm.cos(one), sm.sin(one)])
    rod = sm.Matrix([sm.cos(two), sm.sin(two)])
    center, end = pin + d * rod, pin + l_b * rod
    T = sum(m * r.diff(t).dot(r.diff(t)) for m, r in ((m_b, center), (m_c, end)))
    T = (T + J_a * one.diff() ** 2 + tilting * J_b * two.diff() ** 2) / 2
    V = weight * m_b * g * center[1]
    pushed = {q: tau * one.diff(q) + F * end[0].diff(q) for q in (one, two)}
    cut = EquationsOfMotion.from_lagrangian(T, V, [one, two], pushed)
    outputs = {"x_1": pin[0], "y_1": pin[1], "x_2": end[0], "E": T + V}
    return ConstrainedEquations(cut, [end[1]]), outputs


# ---- Chaplygin sleigh


def sleigh_held_by_its_blade(reaction=1):
    """Return a sleigh by its center's place, and its blade as a velocity constraint."""
    X, Y, phi, psi, tau = me.dynamicsymbols("X Y phi psi tau")
    m, J, a, m_w, J_w, b = sm.symbols("m J a m_w J_w b")
    ahead, left = sm.Matrix([sm.cos(phi), sm.sin(phi)]), sm.Matrix([-sm.sin(phi), sm.cos(phi)])
    blade = sm.Matrix([X, Y]) - a * ahead
    T = (m + m_w) * (X.diff() ** 2 + Y.diff() ** 2) + J * phi.diff() ** 2
    T = (T + J_w * (phi + psi).diff(t) ** 2) / 2
    glide = blade.diff(t).dot(ahead)
    loads = {q: -b * glide * blade.diff(q).dot(ahead) for q in (X, Y, phi)}
    loads[phi] += (1 - reaction) * tau
    free = EquationsOfMotion.from_lagrangian(T, 0, [X, Y, phi, psi], {**loads, psi: tau})
    held = ConstrainedEquations(free, (), (blade.diff(t).dot(left),))
    return held, {"x_b": blade[0], "y_b": blade[1], "phi": phi, "psi": psi, "E": T}


# ---- trifilar pendulum


def plate_on_wires(rising=1, weight=1):
    """Return the plate by its turn and its height: a wire binds them."""
    turn, z, tau = me.dynamicsymbols("turn z tau")
    R, r, l, m, J, g = sm.symbols("R r l m J g")
    T = (J * turn.diff(t) ** 2 + rising * m * z.diff() ** 2) / 2
    free = EquationsOfMotion.from_lagrangian(T, weight * m * g * z, [turn, z], {turn: tau})
    corner = sm.Matrix([r * sm.cos(turn) - R, r * sm.sin(turn), z])
    outputs = {"phi": turn, "z": z, "E": T + m * g * z}
    return ConstrainedEquations(free, [corner.dot(corner) - l**2]), outputs


# ---- tethered drone


def drone_by_its_lean_to_the_tether(turned=1, leaning=1):
    """Return the drone by the tether's angle from upright and its own against the tether."""
    tilt, lean, F_1, F_2 = me.dynamicsymbols("tilt lean F_1 F_2")
    l, h, b, m, J, g = sm.symbols("l h b m J g")
    turn = tilt + lean
    axis, along = sm.Matrix([-sm.sin(turn), sm.cos(turn)]), sm.Matrix([sm.cos(turn), sm.sin(turn)])
    center = l * sm.Matrix([-sm.sin(tilt), sm.cos(tilt)]) + h * axis
    spin = lean.diff() + turned * tilt.diff()
    T = (m * center.diff(t).dot(center.diff(t)) + J * spin**2) / 2
    V = m * g * center[1]
    rotors = [(F_1, center - b * along), (F_2, center + b * along)]
    loads = {q: sum(F * axis.dot(r.diff(q)) for F, r in rotors) for q in (tilt, lean)}
    straightened = (1 - leaning) * (F_1 + F_2) * (sm.Matrix([0, 1]) - axis)
    loads = {q: load + straightened.dot(center.diff(q)) for q, load in loads.items()}
    equations = EquationsOfMotion.from_lagrangian(T, V, [tilt, lean], loads)
    return equations, {"x": center[0], "y": center[1], "phi": turn, "E": T + V}


# ---- double cart


def carts_by_places(turning=1, damped=1):
    """Return carts and a free pendulum, which two constraints hold at its pin."""
    x_1, x_2, X, Y, q, F = me.dynamicsymbols("x_1 x_2 X Y q F")
    m_1, m_2, m_p, J_p, a, s_0, k, c, g = sm.symbols("m_1 m_2 m_p J_p a s_0 k c g")
    T = m_1 * x_1.diff() ** 2 + m_2 * x_2.diff() ** 2 + turning * J_p * q.diff() ** 2
    T = (T + m_p * (X.diff() ** 2 + Y.diff() ** 2)) / 2
    V = k * (x_2 - x_1 - s_0) ** 2 / 2 + m_p * g * Y
    slowing = damped * c * (x_2 - x_1).diff(t)
    loads = {x_1: F + slowing, x_2: -slowing}
    free = EquationsOfMotion.from_lagrangian(T, V, [x_1, x_2, X, Y, q], loads)
    held = [X - a * sm.sin(q) - x_2, Y + a * sm.cos(q)]
    return ConstrainedEquations(free, held), {"x_1": x_1, "x_2": x_2, "theta": q, "E": T + V}


# ---- walking linkage


def leg_by_three_angles(tilting=1, weight=1):
    """Return the leg by the angles of crank, coupler and rocker, cut open at the middle."""
    one, two, three, tau, F_x, F_y = me.dynamicsymbols("one two three tau F_x F_y")
    l_a, l_b, l_n, h, m_b, m_c, m_f, J_a, g = sm.symbols("l_a l_b l_n h m_b m_c m_f J_a g")
    pin = l_a * sm.Matrix([sm.cos(one), sm.sin(one)])
    half, rocker = (l_b * sm.Matrix([sm.cos(q), sm.sin(q)]) for q in (two, three))
    middle, foot = pin + half, pin + 2 * half - sm.Matrix([0, h])
    T = m_b * middle.diff(t).dot(middle.diff(t)) + m_f * foot.diff(t).dot(foot.diff(t))
    T += J_a * one.diff() ** 2 + tilting * m_b * l_b**2 / 3 * two.diff() ** 2
    T = (T + m_c * l_b**2 / 3 * three.diff() ** 2) / 2
    V = g * (m_b * middle[1] + m_c * rocker[1] / 2 + weight * m_f * foot[1])
    pushed = {q: F_x * foot[0].diff(q) + F_y * foot[1].diff(q) for q in (one, two)}
    pushed[one] += tau
    cut = EquationsOfMotion.from_lagrangian(T, V, [one, two, three], pushed)
    outputs = {"x_1": pin[0], "y_1": pin[1], "x_f": foot[0], "y_f": foot[1], "E": T + V}
    return ConstrainedEquations(cut, [*(middle - rocker - sm.Matrix([l_n, 0]))]), outputs


# ---- measured arm


def arm_by_its_encoder(rubbed=1, geared=1, zeroed=1):
    """Return the arm in terms of the encoder's counts, by the torques about its shaft."""
    c, i, r = me.dynamicsymbols("c i r")
    m, a, g, N, n, J, k, z = sm.symbols("m a g N n J k z")
    per = 2 * sm.pi / n
    angle = per * c + zeroed * z
    torques = (1 + geared * (N - 1)) * k * i + (2 * rubbed - 1) * r - m * g * a * sm.sin(angle)
    equations = EquationsOfMotion([c], [c.diff()], sm.Matrix([J * per]), sm.Matrix([torques]))
    energy = J * (per * c.diff()) ** 2 / 2 - m * g * a * sm.cos(angle)
    return equations, {"theta": angle, "c": c, "E": energy}


# ---- triple pendulum


def pendulum_by_absolute_angles(relative=1, weight=1):
    """Return the pendulum in the absolute angles of its links, by the inertias of its joints."""
    p = me.dynamicsymbols("p_1:4")
    m, a, I, k = (sm.symbols(f"{letter}_1:4") for letter in "maIk")
    (L_1, L_2), g = sm.symbols("L_1:3"), sm.Symbol("g")
    moments = [m[0] * a[0] + (m[1] + m[2]) * L_1, m[1] * a[1] + m[2] * L_2, m[2] * a[2]]
    carried = [(m[1] + m[2]) * L_1**2, m[2] * L_2**2, 0]
    T = sum((I[i] + m[i] * a[i] ** 2 + carried[i]) * p[i].diff() ** 2 for i in range(3)) / 2
    for i, j, length in ((0, 1, L_1), (0, 2, L_1), (1, 2, L_2)):
        T += length * moments[j] * sm.cos(p[i] - p[j]) * p[i].diff() * p[j].diff()
    V = -g * sum(s * sm.cos(angle) for s, angle in zip(moments, p))
    rates = [p[0].diff(), *(p[i].diff() - relative * p[i - 1].diff() for i in (1, 2))]
    rubbed = [-k[i] * rates[i] for i in range(3)]
    loads = {p[i]: rubbed[i] - relative * sum(rubbed[i + 1 : i + 2]) for i in range(3)}
    equations = EquationsOfMotion.from_lagrangian(T, weight * V, p, loads)
    outputs = {"theta_1": p[0], "theta_2": p[1] - p[0], "theta_3": p[2] - p[1], "E": T + V}
    return equations, outputs


#: Each machine, and what makes it wrong, by words of the hint that it meets then.
OTHER_WAYS = {
    "slider-crank": (
        crank_by_two_angles,
        {"rotates as well": "tilting", "have a weight": "weight"},
    ),
    "trifilar-pendulum": (
        plate_on_wires,
        {"rises without inertia": "rising", "It has a weight": "weight"},
    ),
    "chaplygin-sleigh": (sleigh_held_by_its_blade, {"has no reaction": "reaction"}),
    "tethered-drone": (
        drone_by_its_lean_to_the_tether,
        {"not relative to the tether": "turned", "stays vertical": "leaning"},
    ),
    "double-cart": (carts_by_places, {"are not damped": "damped", "It rotates as well": "turning"}),
    "walking-linkage": (
        leg_by_three_angles,
        {"It rotates as well": "tilting", "but no weight": "weight"},
    ),
    "measured-arm": (
        arm_by_its_encoder,
        {
            "without a gear": "geared",
            "has the wrong sign": "rubbed",
            "zero when the arm hangs": "zeroed",
        },
    ),
    "triple-pendulum": (
        pendulum_by_absolute_angles,
        {"absolute angular velocity": "relative", "have no weight": "weight"},
    ),
}
