"""Answers as readers give them, what of them is right, and what is said of the rest."""

import math

import numpy as np
import pytest
import scipy.linalg
import sympy as sm
import sympy.physics.mechanics as me

from tests.course.test_chapter_exercises import EXERCISES, said

pytestmark = pytest.mark.slow

t = me.dynamicsymbols._t
theta = me.dynamicsymbols("theta")
theta_1, theta_2 = me.dynamicsymbols("theta_1 theta_2")
x, y, v_x, v_y, q_3 = me.dynamicsymbols("x y v_x v_y q_3")
M, m, g, l, S, k, beta, h, error, p = sm.symbols("M m g l S k beta h error p", positive=True)
omega, delta, angle, tolerance = sm.symbols("omega delta theta tolerance", positive=True)
J_1, J_2, J_3 = sm.symbols("J_1:4", positive=True)
CONSTRAINT = x * v_x.diff(t) + y * v_y.diff(t) + v_x**2 + v_y**2


def riccati(A, B, Q, R):
    return scipy.linalg.solve_continuous_are(A, B, Q, R)


def exponential_by_thirty_terms(w):
    W, total, term = np.cross(np.eye(3), w), np.eye(3), np.eye(3)
    for n in range(1, 30):
        term = term @ W / n
        total = total + term
    return total


def test_what_means_the_same_is_right():
    second, loop = (
        EXERCISES[name].answer.value for name in ("double-pendulum-2", "holonomic-constraints-1")
    )
    first = theta_1.diff(t, 2)
    for name, *answers in (
        ("pendulum-1", sm.Eq(S, m * l * theta.diff(t) ** 2 + m * g * sm.cos(theta))),
        ("pendulum-2", EXERCISES["pendulum-2"].answer.value * theta.diff(t)),
        ("pendulum-5", -4.95),
        (
            "double-pendulum-2",
            sm.Eq(first, sm.solve(second, first)[0]),
            sm.expand(second / sm.cos(theta_1 - theta_2)),
        ),
        (
            "kane-8",
            2 * CONSTRAINT,
            (x**2 + y**2).diff(t, 2),
            (x * v_x + y * v_y).diff(t),
        ),
        ("holonomic-constraints-1", -loop, [sm.Eq(loop[0], 0), sm.Eq(0, loop[1])]),
        ("lie-group-integrators-3", lambda q, w, a: [*w, *(np.cross(q, a) + 7 * q)]),
        (
            "lie-group-integrators-4",
            sm.series((1 - angle / 2 * sm.cot(angle / 2)) / angle**2, angle, 0, 3),
        ),
        (
            "lie-group-integrators-7",
            omega * sm.sqrt(J_2 - J_1) * sm.sqrt(J_3 - J_2) / sm.sqrt(J_1 * J_3),
        ),
        ("linearization-4", sm.series(l * (1 - sm.cos(delta)), delta, 0, 3)),
        ("linearization-7", sm.Matrix([[0, 0, 1 / M, -1 / (M * l)]])),
        ("quadrotors-1", sm.Matrix([[13, 42, 30]])),
    ):
        for answer in answers:
            feedback = said(name, answer)
            assert feedback, feedback


def test_what_is_wrong_is_told_how():
    for name, answer, words in (
        ("pendulum-1", M * g, "M does not belong here. What is known: g, l, m, θ and θ̇."),
        (
            "double-pendulum-4",
            sm.Matrix(me.dynamicsymbols("tauu1 tauu2")),
            "Write tau_1 for tauu1.",
        ),
        ("double-pendulum-8", lambda x, y: [math.nan, 1.0], "yours returns [nan, 1]"),
        (
            "relative-vs-absolute-8",
            -k / 2 * sm.Max(0, theta_2 - theta_1 - beta) ** 2,
            "Only the sign of the whole is wrong.",
        ),
        (
            "integrators-8",
            h * (tolerance / error) ** (1 / (p + 2)),
            "With h it changes as it should, but not with error, p and tolerance",
        ),
        ("kane-7", q_3, "it gives a pure number, where 1/s is asked for"),
        ("kane-8", CONSTRAINT + v_x**2, "Look at the terms with"),
        ("linearization-5", 2 * np.pi / np.linalg.eigvals([[0, 1], [-12.4, 0]])[0], "abs(...)"),
        ("linearization-8", lambda A, B, Q, R: B.T @ riccati(A, B, Q, R) / R, "R = [[0.5, 0.1]"),
        ("lie-group-integrators-2", exponential_by_thirty_terms, "For w = [12, -20, 9]"),
    ):
        feedback = said(name, answer)
        assert feedback.verdict == ("unread" if feedback.stage == "reading" else "wrong")
        assert words in feedback.message


@pytest.mark.parametrize("name", ["kane-7", "kane-2", "relative-vs-absolute-3"])
def test_what_a_prompt_names_is_not_refused_and_what_it_does_not_is_not_listed(name):
    kind = EXERCISES[name].answer
    for named in kind.named:
        assert "does not belong" not in said(name, named).message
    listed = said(name, sm.Symbol("nobody_knows_this")).message
    assert "What is known: " in listed
