"""Mistakes of chapter 3 and their hints."""

import numpy as np

from tests.unit.hints import names

NAMES = names("l_1 l_2 l_3 m_1 m_2 m_3 k beta", "theta_1 theta_2 theta_3 tau")
COSINE = "cos(theta_1 - theta_2)"
OVER = "Max(theta_2 - theta_1 - beta, 0)"


def only_angles(x):
    n = len(x) // 2
    return np.r_[np.add.accumulate(x[:n]), x[n:]]


def back(x):
    n = len(x) // 2
    step = np.eye(n) - np.eye(n, k=-1)
    return np.r_[step @ x[:n], step @ x[n:]]


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
        (10 * 10, "counts all entries"),
        (10 * 9, "count each pair once"),
        (10 * 11 / 2, "On the diagonal stands no cosine"),
        (10 - 1, "Not only neighbors"),
        (10, "one for each link"),
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
}
