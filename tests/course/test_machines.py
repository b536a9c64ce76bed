"""Machines of a reader's own: the same in any coordinates, and each slip found by its test."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from course import check
from course.exercises.kane import cart_by_vectors, from_scratch
from course.judge import Exercise, Misconception, machines
from tutlib import EquationsOfMotion
from tutlib.mechanics import ConstrainedEquations

pytestmark = pytest.mark.slow

t = me.dynamicsymbols._t
s, theta, alpha, F = me.dynamicsymbols("s theta alpha F")
X, Y, Z = me.dynamicsymbols("X Y Z")
M, m, l, g = sm.symbols("M m l g", positive=True)


def cart(coordinate=theta, angle=theta, mass=m, arm=l, gravity=g, coupling=1, forces=None):
    """Return a cart on rails with a pendulum, and its outputs."""
    x, y = s + arm * sm.sin(angle), -arm * sm.cos(angle)
    square = x.diff(t) ** 2 + y.diff(t) ** 2
    crossed = 2 * s.diff() * arm * sm.sin(angle).diff(t)
    T = M * s.diff() ** 2 / 2 + mass * (square + (coupling - 1) * crossed) / 2
    V = mass * gravity * y
    equations = EquationsOfMotion.from_lagrangian(
        T, V, [s, coordinate], {s: F} if forces is None else forces
    )
    return equations, {"x_c": s, "x_p": x, "y_p": y, "E": T + V}


def cut_open():
    """Return a cart and a mass at any place, the rod that binds them, and the outputs."""
    T = (M * Z.diff() ** 2 + m * (X.diff() ** 2 + Y.diff() ** 2)) / 2
    equations = EquationsOfMotion.from_lagrangian(T, m * g * Y, [Z, X, Y], {Z: F})
    loop = ConstrainedEquations(equations, [(X - Z) ** 2 + Y**2 - l**2])
    return loop, {"x_c": Z, "x_p": X, "y_p": Y, "E": T + m * g * Y}


def with_outputs(**changed):
    equations, outputs = cart()
    return equations, {**outputs, **changed}


KIND = from_scratch.answer
EXERCISE = Exercise(
    "own-1",
    KIND,
    (
        Misconception(lambda: cart(forces={}), "Who pushes the cart?"),
        Misconception(lambda: cart(coupling=0), "The mass moves with the cart."),
    ),
    "A cart",
    "Two masses, one rod.",
)


def message(answer):
    feedback = check(EXERCISE, answer)
    assert not feedback
    return feedback.message


def with_lagranges_method():
    T = (M * s.diff() ** 2 + m * (X.diff() ** 2 + Y.diff() ** 2)) / 2
    N, P = me.ReferenceFrame("N"), me.Point("P")
    P.set_vel(N, s.diff() * N.x)
    method = me.LagrangesMethod(
        T - m * g * Y,
        [s, X, Y],
        frame=N,
        forcelist=[(P, F * N.x)],
        hol_coneqs=[(X - s) ** 2 + Y**2 - l**2],
    )
    method.form_lagranges_equations()
    return method, {"x_c": s, "x_p": X, "y_p": Y, "E": T + m * g * Y}


class TestRight:
    @pytest.mark.parametrize(
        "answer",
        [
            lambda: cart(alpha, -2 * alpha),
            cut_open,
            cart_by_vectors,
            with_lagranges_method,
        ],
        ids=[
            "half an angle, backward",
            "with a constraint",
            "Kane",
            "LagrangesMethod",
        ],
    )
    def test_in_any_coordinates(self, answer):
        assert check(EXERCISE, answer).message == "Right. Two masses, one rod."

    def test_as_what_the_function_returns(self):
        assert check(EXERCISE, cart_by_vectors())

    def test_it_holds_wherever_it_is_tried(self, monkeypatch):
        monkeypatch.setattr(machines, "DRAWN", 20)
        monkeypatch.setattr(machines, "_generator", np.random.default_rng(3))
        assert KIND.same(KIND.read(cut_open()), KIND.read(cart()))


class TestWrong:
    @pytest.mark.parametrize(
        ("answer", "told"),
        [
            (lambda: (cut_open()[0].equations, cut_open()[1]), "3 degrees of freedom (3 speeds, n"),
            (
                lambda: with_outputs(y_p=-2 * l * sm.cos(theta)),
                "cannot reach the position hang",
            ),
            (
                lambda: with_outputs(x_p=l * sm.sin(theta)),
                "cannot move with the required velocity",
            ),
            (
                lambda: cart(forces={s: F + g}),
                "Hanging still, the machine should be at rest, but yo",
            ),
            (lambda: cart(gravity=-g), "swings at 0.508 Hz, and yours falls away"),
            (lambda: cart(gravity=g / 2), "swings at 0.508 Hz, and yours swings at 0.3592 Hz"),
            (
                lambda: cart(forces={s: F - s.diff()}),
                "(hanging still). After a small displacement, the right machine swings",
            ),
            (
                lambda: with_outputs(E=cart()[1]["E"].subs(g, 0)),
                "so the potential energy is wrong",
            ),
            (
                lambda: with_outputs(E=cart()[1]["E"].subs(M, 0)),
                "right at rest, so the kinetic energy is wrong",
            ),
            (lambda: cart(forces={s: F, theta: F * l}), "With only F = 4 N, at x_c = 0 m"),
            (lambda: cart(forces={s: F + m * theta.diff() ** 2}), "At rest it is right. At x_c = "),
            (lambda: cart(arm=sm.Rational(13, 10)), "Does it contain a number instead of a symbol"),
            (lambda: cart(arm=sm.Rational(13, 10)), "Nothing in it depends on l."),
            (lambda: cart(forces={s: sm.S(1)}), "Nothing in it depends on F."),
            (lambda: cart(mass=0 * m), "matrix is singular. Does every moving part have a mass?"),
            (
                lambda: cart(forces={s: F + M * sm.Max(0, s - 3)}),
                "departs from the right motion at 2 s: at 3 s, x_c should be 7.14 m",
            ),
        ],
    )
    def test_the_first_test_that_fails_is_told(self, answer, told):
        assert told in message(answer)

    def test_mistakes_are_known_by_what_they_do(self):
        """In other coordinates than those in which they were listed, whatever E is."""
        coupled = "The mass moves with the cart."
        assert "Who pushes the cart?" in message(cart(alpha, alpha + 1, forces={}))
        assert coupled in message(cart(alpha, 3 * alpha, coupling=0))
        assert coupled in message((cart(coupling=0)[0], cart()[1]))


class TestUnreadable:
    @pytest.mark.parametrize(
        ("answer", "told"),
        [
            (lambda: cart()[0], 'as (equations, {"x_c": ..., "x_p": ..., "y_p": ..., "E": ...})'),
            (lambda: (cart()[0], {"x_c": s, "E": M}), "The outputs x_p and y_p are missing"),
            (lambda: (3, cart()[1]), "Your machine is of type int. Give an EquationsOfMotion (bef"),
            (
                lambda: with_outputs(x_c=s.diff()),
                "it is a position, so it depends only on coordinates",
            ),
            (
                lambda: with_outputs(E=s.diff(t, 2)),
                "contains a derivative that is not one of your speeds",
            ),
            (lambda: cart(mass=sm.Symbol("m1")), "m1 is not a parameter named in the prompt"),
            (
                lambda: (cut_open()[0].with_multipliers(), cut_open()[1]),
                "Give ConstrainedEquations(equations, constrai",
            ),
        ],
    )
    def test_what_is_in_the_way(self, answer, told):
        assert told in message(answer)
