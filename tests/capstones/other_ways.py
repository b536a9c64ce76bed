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


def crank_by_places():
    """Return rod and slider at any places and any tilt, and what holds them at their pins."""
    x, y, tilt, s, one, tau, F = me.dynamicsymbols("x y tilt s one tau F")
    l_a, l_b, d, m_b, J_b, m_c, J_a, g = sm.symbols("l_a l_b d m_b J_b m_c J_a g")
    T = m_b * (x.diff() ** 2 + y.diff() ** 2) + J_b * tilt.diff() ** 2 + m_c * s.diff() ** 2
    T = (T + J_a * one.diff() ** 2) / 2
    V = m_b * g * y
    free = EquationsOfMotion.from_lagrangian(T, V, [x, y, tilt, s, one], {one: tau, s: F})
    rod, center = sm.Matrix([sm.cos(tilt), sm.sin(tilt)]), sm.Matrix([x, y])
    pin = l_a * sm.Matrix([sm.cos(one), sm.sin(one)])
    held = [*(center - d * rod - pin), *(center + (l_b - d) * rod - sm.Matrix([s, 0]))]
    outputs = {"x_1": pin[0], "y_1": pin[1], "x_2": s, "E": T + V + 3 * m_b * g * l_a}
    return ConstrainedEquations(free, held), outputs


# ---- Chaplygin sleigh


def sleigh_by_absolute_rates(bends=1):
    """Return the sleigh with the wheel's angle against the table."""
    x, y, phi, chi, n, w, W, tau = me.dynamicsymbols("x y phi chi n w W tau")
    m, J, a, m_w, J_w, b = sm.symbols("m J a m_w J_w b")
    whole, about = m + m_w, J + (m + m_w) * a**2
    equations = EquationsOfMotion(
        [x, y, phi, chi],
        [n, w, W],
        sm.diag(whole, about, J_w),
        sm.Matrix([bends * whole * a * w**2 - b * n, -bends * whole * a * n * w - tau, tau]),
        sm.Matrix([[sm.cos(phi), 0, 0], [sm.sin(phi), 0, 0], [0, 1, 0], [0, 0, 1]]),
    )
    energy = (whole * n**2 + about * w**2 + J_w * W**2) / 2
    return equations, {"x_b": x, "y_b": y, "phi": phi, "psi": chi - phi, "E": energy}


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


def plate_on_wires(length=1, rising=1, weight=1):
    """Return the plate by a turn, or the way of a corner, and its height: a wire binds them."""
    s, z, tau = me.dynamicsymbols("s z tau")
    R, r, l, m, J, g = sm.symbols("R r l m J g")
    turn = s / length
    T = (J * turn.diff(t) ** 2 + rising * m * z.diff() ** 2) / 2
    free = EquationsOfMotion.from_lagrangian(T, weight * m * g * z, [s, z], {s: tau / length})
    corner = sm.Matrix([r * sm.cos(turn) - R, r * sm.sin(turn), z])
    outputs = {"phi": turn, "z": z, "E": T + m * g * z}
    return ConstrainedEquations(free, [corner.dot(corner) - l**2]), outputs


def plate_by_its_corner():
    """Return the plate by the way of a corner along its circle."""
    return plate_on_wires(sm.Symbol("r"))


# ---- tethered drone


def drone_by_its_lean_to_the_tether(relative=0):
    """Return the drone by the tether's angle from upright and its own against the tether."""
    tilt, lean, F_1, F_2 = me.dynamicsymbols("tilt lean F_1 F_2")
    l, h, b, m, J, g = sm.symbols("l h b m J g")
    turn = tilt + lean
    axis, along = sm.Matrix([-sm.sin(turn), sm.cos(turn)]), sm.Matrix([sm.cos(turn), sm.sin(turn)])
    center = l * sm.Matrix([-sm.sin(tilt), sm.cos(tilt)]) + h * axis
    spin = lean.diff() if relative else turn.diff(t)
    T = (m * center.diff(t).dot(center.diff(t)) + J * spin**2) / 2
    V = m * g * center[1]
    rotors = [(F_1, center - b * along), (F_2, center + b * along)]
    loads = {q: sum(F * axis.dot(r.diff(q)) for F, r in rotors) for q in (tilt, lean)}
    equations = EquationsOfMotion.from_lagrangian(T, V, [tilt, lean], loads)
    return equations, {"x": center[0], "y": center[1], "phi": turn, "E": T + V}


def drone_by_places(upright=0):
    """Return a free drone by its center's place and its pitch, and a tether that binds its hook."""
    X, Y, phi, F_1, F_2 = me.dynamicsymbols("X Y phi F_1 F_2")
    l, h, b, m, J, g = sm.symbols("l h b m J g")
    axis = sm.Matrix([-sm.sin(phi), sm.cos(phi)])
    push = (F_1 + F_2) * (sm.Matrix([0, 1]) if upright else axis)
    T = (m * (X.diff() ** 2 + Y.diff() ** 2) + J * phi.diff() ** 2) / 2
    loads = {X: push[0], Y: push[1], phi: b * (F_2 - F_1)}
    free = EquationsOfMotion.from_lagrangian(T, m * g * Y, [X, Y, phi], loads)
    hook = sm.Matrix([X, Y]) - h * axis
    outputs = {"x": X, "y": Y, "phi": phi, "E": T + m * g * Y}
    return ConstrainedEquations(free, [hook.dot(hook) - l**2]), outputs


# ---- double cart


def carts_by_the_center_of_all(damped=1):
    """Return the carts by the place of the center of mass of all, the stretch and the angle."""
    X, s, q, F = me.dynamicsymbols("X s q F")
    m_1, m_2, m_p, J_p, a, s_0, k, c, g = sm.symbols("m_1 m_2 m_p J_p a s_0 k c g")
    swung = a * sm.sin(q)
    left = X - ((m_2 + m_p) * (s + s_0) + m_p * swung) / (m_1 + m_2 + m_p)
    right = left + s + s_0
    T = m_1 * left.diff(t) ** 2 + m_2 * right.diff(t) ** 2 + J_p * q.diff() ** 2
    T = (T + m_p * ((right + swung).diff(t) ** 2 + (a * sm.cos(q)).diff(t) ** 2)) / 2
    V = k * s**2 / 2 - m_p * g * a * sm.cos(q)
    loads = {z: F * left.diff(z) - damped * c * s.diff() * s.diff(z) for z in (X, s, q)}
    equations = EquationsOfMotion.from_lagrangian(T, V, [X, s, q], loads)
    return equations, {"x_1": left, "x_2": right, "theta": q, "E": T + V}


def carts_by_places(turning=1):
    """Return carts and a free pendulum, which two constraints hold at its pin."""
    x_1, x_2, X, Y, q, F = me.dynamicsymbols("x_1 x_2 X Y q F")
    m_1, m_2, m_p, J_p, a, s_0, k, c, g = sm.symbols("m_1 m_2 m_p J_p a s_0 k c g")
    T = m_1 * x_1.diff() ** 2 + m_2 * x_2.diff() ** 2 + turning * J_p * q.diff() ** 2
    T = (T + m_p * (X.diff() ** 2 + Y.diff() ** 2)) / 2
    V = k * (x_2 - x_1 - s_0) ** 2 / 2 + m_p * g * Y
    slowing = c * (x_2 - x_1).diff(t)
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


def leg_by_places():
    """Return the leg by the crank's angle and the foot's place: two lengths are held."""
    one, x, y, tau, F_x, F_y = me.dynamicsymbols("one x y tau F_x F_y")
    l_a, l_b, l_n, h, m_b, m_c, m_f, J_a, g = sm.symbols("l_a l_b l_n h m_b m_c m_f J_a g")
    pin, end = l_a * sm.Matrix([sm.cos(one), sm.sin(one)]), sm.Matrix([x, y + h])
    middle, rod = (pin + end) / 2, end - pin
    arm = middle - sm.Matrix([l_n, 0])
    T = (m_b + m_c / 3) * middle.diff(t).dot(middle.diff(t)) + m_f * (x.diff() ** 2 + y.diff() ** 2)
    T = (T + m_b * rod.diff(t).dot(rod.diff(t)) / 12 + J_a * one.diff() ** 2) / 2
    V = g * ((m_b + m_c / 2) * middle[1] + m_f * y)
    free = EquationsOfMotion.from_lagrangian(T, V, [one, x, y], {one: tau, x: F_x, y: F_y})
    outputs = {"x_1": pin[0], "y_1": pin[1], "x_f": x, "y_f": y, "E": T + V}
    return ConstrainedEquations(free, [rod.dot(rod) - 4 * l_b**2, arm.dot(arm) - l_b**2]), outputs


#: Further forms of the right machine, and wrong ones with words of the hint that they meet.
FORMS = {
    "slider-crank": [crank_by_two_angles, crank_by_places],
    "trifilar-pendulum": [plate_on_wires, plate_by_its_corner],
    "chaplygin-sleigh": [sleigh_by_absolute_rates, sleigh_held_by_its_blade],
    "tethered-drone": [drone_by_its_lean_to_the_tether, drone_by_places],
    "double-cart": [carts_by_the_center_of_all, carts_by_places],
    "walking-linkage": [leg_by_three_angles, leg_by_places],
}
WRONG = {
    "slider-crank": [
        (lambda: crank_by_two_angles(tilting=0), "it turns as well"),
        (lambda: crank_by_two_angles(weight=0), "has a weight"),
    ],
    "trifilar-pendulum": [
        (lambda: plate_on_wires(rising=0), "rises without inertia"),
        (lambda: plate_on_wires(weight=0), "it has a weight"),
    ],
    "chaplygin-sleigh": [
        (lambda: sleigh_by_absolute_rates(bends=0), "do not know of each other"),
        (lambda: sleigh_held_by_its_blade(reaction=0), "pushes against nothing"),
    ],
    "tethered-drone": [
        (lambda: drone_by_its_lean_to_the_tether(relative=1), "not against the tether"),
        (lambda: drone_by_places(upright=1), "stays upright"),
    ],
    "double-cart": [
        (lambda: carts_by_the_center_of_all(damped=0), "are not damped"),
        (lambda: carts_by_places(turning=0), "it turns as well"),
    ],
    "walking-linkage": [
        (lambda: leg_by_three_angles(tilting=0), "it turns as well"),
        (lambda: leg_by_three_angles(weight=0), "has no weight"),
    ],
}
