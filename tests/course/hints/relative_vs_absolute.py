"""Mistakes of chapter 3 and their hints."""

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tests.course.hints import names
from tutlib.mechanics import EquationsOfMotion

NAMES = names("l_1 l_2 l_3 m_1 m_2 m_3 m k beta", "theta_1 theta_2 theta_3 tau")
COSINE = "cos(theta_1 - theta_2)"
OVER = "Max(theta_2 - theta_1 - beta, 0)"


def only_angles(x):
    n = len(x) // 2
    return np.r_[np.add.accumulate(x[:n]), x[n:]]


def back(x):
    n = len(x) // 2
    step = np.eye(n) - np.eye(n, k=-1)
    return np.r_[step @ x[:n], step @ x[n:]]


def by_links(beside=1, turning=1, centrifugal=1, square=2, lifted=1):
    """Return a function for links of their own, summed entry by entry, with a mistake."""

    def rates(theta, omega, l, d, m, inertia):
        n = len(theta)
        a = np.zeros((n, n))
        for i in range(n):
            for j in range(i):
                a[i, j] = l[j] if beside else l[i]
            a[i, i] = d[i] * l[i]
        M, F = np.diag(turning * np.array(inertia)), np.zeros(n)
        for j in range(n):
            for i in range(n):
                F[j] -= 9.81 * m[i] * a[i, j] * np.sin(theta[j]) * (lifted or i == j)
                for k in range(n):
                    M[j, k] += m[i] * a[i, j] * a[i, k] * np.cos(theta[j] - theta[k])
                    pull = m[i] * a[i, j] * a[i, k] * np.sin(theta[j] - theta[k])
                    F[j] -= centrifugal * pull * omega[k] ** square
        return np.linalg.solve(M, F)

    return rates


def slider(base=1, pushed=1, motor=1, weight=1):
    """Return a block with two points in Cartesian places of the first and an angle of the last."""
    s, phi, bend, F, tau = me.dynamicsymbols("s phi bend F_x tau")
    M, m_1, m_2, l_1, l_2, g = sm.symbols("m_0 m_1 m_2 l_1 l_2 g")
    t = me.dynamicsymbols._t
    one = sm.Matrix([s - l_1 * sm.cos(phi), -l_1 * sm.sin(phi)])  # from the left, counter-clockwise
    last = phi - sm.pi / 2 + bend
    two = one + l_2 * sm.Matrix([sm.sin(last), -sm.cos(last)])
    T = base * M * s.diff(t) ** 2 / 2
    T += sum(m * r.diff(t).dot(r.diff(t)) / 2 for m, r in ((m_1, one), (m_2, two)))
    V = weight * g * (m_1 * one[1] + m_2 * two[1])
    works = F * (s if pushed else two[0]) + tau * (bend if motor else last)
    forces = {q: works.diff(q) for q in (s, phi, bend)}
    equations = EquationsOfMotion.from_lagrangian(T, V, [s, phi, bend], forces)
    places = {"x_1": one[0], "y_1": one[1], "x_2": two[0], "y_2": two[1]}
    return equations, {"x_0": s, **places, "E": T + V}


def swinger(middle=0.5, turning=1, whole=1, reaction=1, weight=1):
    """Return three rods by relative angles, the first from the x axis, with a mistake."""
    a, b, c, tau_2, tau_3 = me.dynamicsymbols("a b c tau_2 tau_3")
    g, *sizes = sm.symbols("g m_1 m_2 m_3 l_1 l_2 l_3")
    t, at, T, V, outputs = me.dynamicsymbols._t, sm.zeros(2, 1), 0, 0, {}
    for i, (m, l) in enumerate(zip(sizes[:3], sizes[3:])):
        along = sum((a, b, c)[: i + 1])
        rod = l * sm.Matrix([sm.cos(along), sm.sin(along)])
        speed = (at + middle * rod).diff(t)
        own = along if whole else (a, b, c)[i]
        T += m * speed.dot(speed) / 2 + turning * m * l**2 / 24 * own.diff(t) ** 2
        V += weight * m * g * (at + middle * rod)[1]
        at = at + rod
        outputs |= {f"x_{i + 1}": at[0], f"y_{i + 1}": at[1]}
    works = tau_2 * (b if reaction else a + b) + tau_3 * (c if reaction else a + b + c)
    forces = {z: works.diff(z) for z in (a, b, c)}
    return EquationsOfMotion.from_lagrangian(T, V, [a, b, c], forces), {**outputs, "E": T + V}


HINTS = {
    "relative-vs-absolute-1": [
        ("[[1, 0, 0], [-1, 1, 0], [0, -1, 1]]", "takes absolute angles to relative ones"),
        ("[[1, 1, 1], [0, 1, 1], [0, 0, 1]]", "Which links does the first joint turn?"),
        ("[[1, 0, 0], [1, 1, 0], [0, 1, 1]]", "the third link turns as well"),
        ("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "nothing changes"),
    ],
    "relative-vs-absolute-2": [
        (lambda x: [sum(x[: k + 1]) for k in range(len(x))], "runs on from the angles"),
        (only_angles, "The rates change with the angles"),
        (back, "the way back, from absolute to relative"),
    ],
    "relative-vs-absolute-3": [
        (f"m_2*l_1*l_2*{COSINE}", "What hangs from the second link"),
        (f"(m_1 + m_2 + m_3)*l_1*l_2*{COSINE}", "does not move the first mass"),
        (f"m_3*l_1*l_2*{COSINE}", "The second mass is moved by both angles"),
        ("(m_2 + m_3)*l_1*l_2*cos(theta_2)", "with relative angles"),
        ("(m_2 + m_3)*l_1*l_2*sin(theta_1 - theta_2)", "Is yours largest there?"),
        ("(m_2 + m_3)*l_1*l_2", "how both links stand to each other"),
    ],
    "relative-vs-absolute-4": [
        ("[0, 0, tau]", "with relative angles"),
        ("[-tau, 0, tau]", "on the link before it, and not on the first one"),
        ("[0, tau, tau]", "To every torque there is an opposite one"),
        ("[0, tau, -tau]", "turns the outer link toward positive angles"),
        ("[-tau, -tau, tau]", "touches two links only"),
    ],
    "relative-vs-absolute-5": [
        ("b", "a sum of state and slope"),
        ("c", "one law in two languages"),
        ("d", "Stability belongs to the motion and the method"),
    ],
    "relative-vs-absolute-6": [
        (lambda: swinger(turning=0), "made of points"),
        (lambda: swinger(middle=1), "Yours weigh at their ends"),
        (lambda: swinger(turning=4), "about the end of a rod", "the turning about the center"),
        (lambda: swinger(whole=0), "turns with all joints before it"),
        (lambda: swinger(reaction=0), "What do the muscles push against?"),
        (lambda: swinger(weight=-1), "Your weights pull upward"),
    ],
    "relative-vs-absolute-7": [
        ("a", "a cosine that stands there many times"),
        ("b", "Closer"),
        ("d", "has more terms, not fewer"),
    ],
    "relative-vs-absolute-8": [
        ("k*(theta_2 - theta_1 - beta)**2/2", "Your stop pulls as well"),
        ("k*Max(theta_2 - beta, 0)**2/2", "limits the angle from the vertical"),
        (f"k*{OVER}**2", "a factor of one half"),
        (f"k*{OVER}", "the torque of the spring"),
        ("k*Max(theta_1 - theta_2 - beta, 0)**2/2", "the limit on the other side"),
    ],
    "relative-vs-absolute-9": [
        (by_links(beside=0), "On the way to the third center", "the first link and the second"),
        (by_links(turning=0), "Your links are points"),
        (by_links(centrifugal=-1), "On which side of the equation"),
        (by_links(square=1), "by the square of the rate"),
        (by_links(lifted=0), "by all that an angle lifts", "its own link alone"),
    ],
    "relative-vs-absolute-10": [
        ("m", "feel along the rod"),
        ("m - m/4", "what you do not feel"),
        ("m*Rational(1, 3)", "one end while the other is on a hinge"),
        ("m/2", "does not move by half"),
        ("m - (m/2)**2/(m/12)", "ahead of your hand", "About which point is D"),
        ("m - m", "A rod is not a point"),
    ],
    "relative-vs-absolute-11": [
        ("m_1*l_1**2 + m_2*l_1**2", "the entry of the mass matrix", "as if the second mass"),
        (f"l_1**2*(m_1 + m_2*{COSINE}**2)", "felt along the string"),
        ("m_1*l_1**2", "without the second link"),
        ("l_1**2*(m_1 + m_2*sin(theta_1 - theta_2))", "twice: once as you push, once as it"),
        ("m_1 + m_2*sin(theta_1 - theta_2)**2", "D is an inertia"),
    ],
    "relative-vs-absolute-12": [
        ("a", "mass times two arms, summed"),
        ("c", "What is it made of?"),
        ("d", "the energy would change"),
        ("e", "for the arms that it is given"),
        ("f", "Make one link long, and ask which centers"),
    ],
    "relative-vs-absolute-13": [
        ([137, 24], "First with the mass matrix"),
        ([25, 138], "the first that take too long"),
        ([30, 137], "Filling the matrix takes operations, too"),
        ([30, 136], "each link of the recursion alike; the first ones take fewer"),
        ([24, 136], "Each link takes 66 operations more, but the first ones"),
    ],
    "relative-vs-absolute-14": [
        (lambda: slider(base=0), "Does your block have a mass?"),
        (lambda: slider(motor=0), "It stands on the first link"),
        (lambda: slider(pushed=0), "not on the free end"),
        (lambda: slider(weight=-1), "pull upward", "in which place of rest"),
    ],
}
