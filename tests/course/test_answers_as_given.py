"""Answers as readers give them, what of them is right, and what is said of the rest."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.course.test_chapter_exercises import EXERCISES, said

pytestmark = pytest.mark.slow

t = me.dynamicsymbols._t
x, y, v_x, v_y = me.dynamicsymbols("x y v_x v_y")
M, g, l, h, error, p = sm.symbols("M g l h error p", positive=True)
angle, tolerance = sm.symbols("theta tolerance", positive=True)


def test_what_means_the_same_is_right():
    loop = EXERCISES["holonomic-constraints-1"].answer.value
    for name, *answers in (
        ("kane-8", (x**2 + y**2).diff(t, 2), (x * v_x + y * v_y).diff(t)),
        ("holonomic-constraints-1", -loop, [sm.Eq(loop[0], 0), sm.Eq(0, loop[1])]),
        ("lie-group-integrators-3", np.array([2, 0, 0, -4, 3, 0]), sm.Matrix([2, 0, 0, -4, 3, 0])),
        (
            "lie-group-integrators-4",
            sm.series((1 - angle / 2 * sm.cot(angle / 2)) / angle**2, angle, 0, 3),
        ),
        ("linearization-7", sm.Matrix([[0, 0, 1 / M, -1 / (M * l)]])),
    ):
        for answer in answers:
            feedback = said(name, answer)
            assert feedback, feedback
