"""Mistakes of chapter 6 and their hints."""

from dataclasses import replace

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tests.course.hints import names
from tutlib.mechanics import ConstrainedEquations, EquationsOfMotion

NAMES = names("l_a l_b l_c l_n t_s alpha phi_0", "q_1 q_2 q_3 u_1")
RATIO = "l_a*sin(q_2 + q_3)/(l_b*sin(q_3))"
THIRD = "u_1*(l_a/l_c*sin(q_2)/sin(q_3) + l_a/l_b*sin(q_2 + q_3)/sin(q_3))"
COUPLER, OUTPUT = -39.65095, 151.38363  # deg


def closed(x="-l_n", y="0", angles=("q_1", "q_1 + q_2", "q_1 + q_2 + q_3")):
    """Return both lines of the loop: the links with their angles, and the end."""
    lines = []
    for function, end in (("cos", x), ("sin", y)):
        links = zip(("l_a", "l_b", "l_c"), angles)
        lines.append(
            " + ".join([f"{length}*{function}({angle})" for length, angle in links] + [end])
        )
    return f"[{lines[0]}, {lines[1]}]"


def gap(p, l):
    return (p[0] ** 2 + p[1] ** 2 - l**2) / 2


def slider_crank(slider=1, weight=1, rod=1, held=False):
    """Return a crank and a rod by their angles, cut open at the slider, and what closes them."""
    crank, tilt, tau = me.dynamicsymbols("crank tilt tau")
    l_a, l_b, m_1, m_2, g = sm.symbols("l_a l_b m_1 m_2 g")
    x, y = l_a * sm.cos(crank), l_a * sm.sin(crank)
    end = x + l_b * sm.cos(tilt)
    along = (x + rod * l_b * sm.cos(tilt)).diff(me.dynamicsymbols._t)
    T = m_1 * (l_a * crank.diff()) ** 2 / 2 + slider * m_2 * along**2 / 2
    forces = {crank: tau, tilt: -tau if held else 0}
    V = weight * m_1 * g * y
    equations = EquationsOfMotion.from_lagrangian(T, V, [crank, tilt], forces)
    loop = ConstrainedEquations(equations, [y + l_b * sm.sin(tilt)])
    return loop, {"x_1": x, "y_1": y, "x_2": end, "E": T + V}


def by_the_crank_alone():
    """Return the same by the speed of the crank."""
    loop, outputs = slider_crank()
    return loop.with_independent_speeds(loop.equations.u[0]), outputs


def without_squares():
    """Return the same, with a constraint whose gradients were held where they change."""
    equations, outputs = by_the_crank_alone()
    return replace(equations, forcing=equations.forcing.subs(equations.u[0], 0)), outputs


def wheels(rod=1, weight=1, level=True, motors=1, up=1):
    """Return two cranks and a rod by the place of a pin, on its circle."""
    x, y, tau = me.dynamicsymbols("x y tau")
    l_a, l_n, m_1, m_2, m, g = sm.symbols("l_a l_n m_1 m_2 m g")
    square = x.diff() ** 2 + y.diff() ** 2
    tilt = 0 if level else m * l_n**2 / 12 * square / l_a**2
    T = (m_1 + m_2 + rod * m) * square / 2 + tilt / 2
    V = up * (m_1 + m_2 + weight * m) * g * y
    pushes = {x: -motors * tau * y / l_a**2, y: motors * tau * x / l_a**2}
    free = EquationsOfMotion.from_lagrangian(T, V, [x, y], pushes)
    outputs = {"x_1": x, "y_1": y, "x_2": l_n + x, "y_2": y, "E": T + V}
    return ConstrainedEquations(free, [x**2 + y**2 - l_a**2]), outputs


def rows(x, rates, mu=1, force=1, down=1):
    """Return the residual of a bob on a circle of 2 m, row by row."""
    X, Y, v_x, v_y, lam, push = x
    return [
        rates[0] - v_x - mu * push * X,
        rates[1] - v_y - mu * push * Y,
        rates[2] - force * lam * X,
        rates[3] + 9.81 * down - force * lam * Y,
        (X**2 + Y**2 - 4) / 2,
        X * v_x + Y * v_y,
    ]


def torque(q, speed, first=1, second=1, inertia=1):
    """Return the motor's torque by differences: power of weights and of kinetic energy."""

    def ratio(q):
        return 0.8 * np.sin(q[1]) / np.sin(q[2])

    rates = np.array([1.0, -1 - 0.8 * np.sin(q[1] + q[2]) / (2 * np.sin(q[2])), 0.0])
    rates[2] = ratio(q) - rates[0] - rates[1]
    step = 1e-20j
    slope = np.imag(ratio(np.asarray(q) + step * rates)) / 1e-20
    rising = 0.8 * first * np.cos(q[0]) - second * ratio(q) * np.cos(np.sum(q))
    return inertia * ratio(q) * slope * speed**2 + 9.81 * rising


HINTS = {
    "holonomic-constraints-1": [
        (closed(angles=("q_1", "q_2", "q_3")), "Each angle counts from the link before"),
        (closed(x="0"), "back to the first joint"),
        (closed(x="l_n"), "*subtract* the place"),
        (closed(x="0", y="-l_n"), "The fourth joint lies on the x axis"),
    ],
    "holonomic-constraints-2": [
        ([6.575266, -OUTPUT], "the one you had"),
        ([COUPLER * np.pi / 180, OUTPUT * np.pi / 180], "Those are radians"),
        ([-6.575266, OUTPUT], "a crank at -10°"),
        ([COUPLER, OUTPUT - 360], "turned once around", "between -180° and 180°"),
    ],
    "holonomic-constraints-3": [
        ("l_c*l_b*cos(q_3)", "the determinant must vanish"),
        ("l_c*l_b*sin(-q_3)", "Up to the order of the rows"),
        ("l_c*l_b*sin(q_3 + q_2)", "that is one coordinate"),
        ("l_c*l_b*sin(q_3 + q_2 + q_1)", "A turn of the whole picture", "the two links"),
    ],
    "holonomic-constraints-4": [
        (f"u_1 + u_1*{RATIO}", "when the crank turns forward"),
        (f"-u_1*{RATIO}", "the coupler's own rate, from the x axis"),
        (THIRD, "the other one, u_3"),
        ("-u_1 - u_1*l_a*sin(q_2)/(l_b*sin(q_3))", "which angle lies between it and the crank"),
    ],
    "holonomic-constraints-5": [
        ("a", "Who would put the solver's own state back"),
        ("c", "Rates never close a gap"),
        ("d", "from the solver's point of view"),
    ],
    "holonomic-constraints-6": [
        (lambda p, l: [a - a * gap(p, l) for a in p], "the square of the gradient's length"),
        (lambda p, l: [a * l / np.hypot(*p) for a in p], "all the way to the circle"),
        (lambda p, l: [p[0], p[1] - gap(p, l) / p[1]], "That keeps x"),
        (lambda p, l: [a - 2 * a * gap(p, l) / np.dot(p, p) for a in p], "twice too far", "½"),
    ],
    "holonomic-constraints-7": [
        ("phi_0*exp(-alpha*t_s)", "That starts with the speed -α φ₀"),
        ("phi_0*exp(-alpha*t_s)**2", "s² + 2αs + α² = 0. Which s?"),
        ("(phi_0 - phi_0*alpha*t_s)*exp(-alpha*t_s)", "At t = 0 its rate is -2α φ₀"),
        ("phi_0*cos(alpha*t_s)", "Without the middle term"),
        ("phi_0*alpha*t_s*exp(-alpha*t_s)", "What is that at t = 0?"),
    ],
    "holonomic-constraints-8": [
        ([2, 3], "in some order of the equations. Place 3 holds u_1"),
        ([2, 1], "Those are the two. Give the smaller one first"),
        ([0, 1], "The rate of q_1 stands in the first row. Counting starts at 0"),
        ([1, 3], "The rate of u_1 stands in the last row"),
    ],
    "holonomic-constraints-9": [
        (lambda: slider_crank(slider=0), "Your slider weighs nothing"),
        (lambda: slider_crank(rod=0), "the rod swings meanwhile"),
        (without_squares, "squares of speeds"),
        (lambda: slider_crank(held=True), "The motor stands on the ground"),
        (lambda: slider_crank(weight=-1), "Your crank falls upward"),
        (lambda: slider_crank(weight=0), "Nothing pulls your crank down"),
    ],
    "holonomic-constraints-10": [
        (lambda x, v: rows(x, v, mu=0), "where does μ stand in yours"),
        (lambda x, v: rows(x, v, mu=-1), "μ pushes the coordinates"),
        (lambda x, v: rows(x, v, force=-1), "The sign of λ"),
        (lambda x, v: rows(x, v, down=-1), "Your bob falls upward"),
        (lambda x, v: rows(x, v, mu=2, force=2), "φ has a factor ½"),
        (lambda x, v: [rows(x, v)[k] for k in (0, 1, 2, 3, 5, 4)], "Give φ first"),
    ],
    "holonomic-constraints-11": [
        (lambda q, u: -torque(q, u), "what the linkage does to the motor"),
        (lambda q, u: torque(q, u, inertia=0), "the output link does not"),
        (lambda q, u: torque(q, u, first=0, second=0), "who lifts the weights"),
        (lambda q, u: torque(q, u, second=0), "The particle on the output link"),
        (lambda q, u: torque(q, u, inertia=-1), "the inertia force in step 9"),
    ],
    "holonomic-constraints-12": [
        ([1, 0, 1, 1, 0], "try other lengths"),
        ([1, 0, 0, 1, 1], "the array that you gave it"),
        ([1, 1, 0, 1, 0], "again and again"),
        ([1, 0, 0, 0, 0], "a longer way"),
        ([0, 1, 1, 0, 1], "1 is for those that may stand"),
    ],
    "holonomic-constraints-13": [
        ([4.0311289, 5], "longer than the ground"),
        ([1, 2.5], "the cranks first"),
        ([2.5, 0.5], "half of the coupler"),
        ([2.0615528, 1], "which end belongs to which crank"),
    ],
    "holonomic-constraints-14": [
        (lambda: wheels(rod=0), "but no inertia"),
        (lambda: wheels(weight=0), "but no weight"),
        (lambda: wheels(level=False), "It stays level"),
        (lambda: wheels(motors=2), "does its work twice"),
        (lambda: wheels(up=-1), "fall upward"),
    ],
}
