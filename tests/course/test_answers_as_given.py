"""Answers as readers give them, what of them is right, and what is said of the rest."""

import numpy as np
import pytest
import scipy.linalg
import sympy as sm
import sympy.physics.mechanics as me

from tests.course.test_chapter_exercises import EXERCISES, said

pytestmark = pytest.mark.slow

t = me.dynamicsymbols._t
x, y, v_x, v_y = me.dynamicsymbols("x y v_x v_y")
M, g, l, h, error, p = sm.symbols("M g l h error p", positive=True)
angle, tolerance = sm.symbols("theta tolerance", positive=True)


def riccati(A, B, Q, R):
    return scipy.linalg.solve_continuous_are(A, B, Q, R)


def exponential_by_thirty_terms(w):
    W, total, term = np.cross(np.eye(3), w), np.eye(3), np.eye(3)
    for n in range(1, 30):
        term = term @ W / n
        total = total + term
    return total


def test_what_means_the_same_is_right():
    loop = EXERCISES["holonomic-constraints-1"].answer.value
    for name, *answers in (
        ("kane-8", (x**2 + y**2).diff(t, 2), (x * v_x + y * v_y).diff(t)),
        ("holonomic-constraints-1", -loop, [sm.Eq(loop[0], 0), sm.Eq(0, loop[1])]),
        ("lie-group-integrators-3", lambda q, w, a: [*w, *(np.cross(q, a) + 7 * q)]),
        (
            "lie-group-integrators-4",
            sm.series((1 - angle / 2 * sm.cot(angle / 2)) / angle**2, angle, 0, 3),
        ),
        ("linearization-7", sm.Matrix([[0, 0, 1 / M, -1 / (M * l)]])),
    ):
        for answer in answers:
            feedback = said(name, answer)
            assert feedback, feedback


def test_what_is_wrong_is_told_how():
    for name, answer, words in (
        ("pendulum-1", M * g, "M does not belong here. What is known: g, l, m, θ and θ̇."),
        (
            "integrators-8",
            h * (tolerance / error) ** (1 / (p + 2)),
            "Only a constant factor of one term is wrong",
        ),
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
