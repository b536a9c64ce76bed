"""Values as Python: what is written makes the same again, in an empty namespace."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import given
from hypothesis import strategies as st

from tutlib import EquationsOfMotion, integrate
from tutlib.live.written import Writer
from tutlib.methods import RK4, ButcherTableau
from tutlib.models import Model, Skeleton, chain, four_bar, pendulum, rigid_body, rolling_disc
from tutlib.models.quadrotors import two_quadrotors
from tutlib.spaces import TangentSO3

x, y = sm.symbols("x y", positive=True)
k = sm.Symbol("lambda", real=True)
theta, u = me.dynamicsymbols("theta u")
t = me.dynamicsymbols._t
length = 3.0


def again(value):
    """Return what the code makes that is written for a value, and the code."""
    writer = Writer()
    text = writer.value(value)
    code = f"{writer.above()}\n\nvalue = {text}"
    assert not writer.missing
    space = {}
    exec(compile(code, "<pasted>", "exec"), space)
    return space["value"], code


@pytest.mark.parametrize(
    "value",
    [
        None, True, 3, -2.5, 1e-300, "text", 'it says "no"\n\\', "θ\u2028", (1,), (), [],
        {"a": [1.0]}, {"m": (0.5, 3, "kg")}, np.float64(0.1), np.int64(3), np.bool_(True),
        float("inf"),
    ],
)  # fmt: skip
def test_plain_values(value):
    assert again(value)[0] == value


def test_arrays_and_what_is_no_number():
    array = np.array([[0.1, np.nan], [np.inf, -np.inf]])
    np.testing.assert_array_equal(again(array)[0], array)
    assert math.isnan(again(math.nan)[0])


@pytest.mark.parametrize(
    "expression",
    [
        x / 2 + sm.Rational(1, 3), sm.sqrt(x) / sm.sqrt(2), x**-2 * y ** sm.Rational(3, 2),
        -x - 2 * y, sm.sin(theta) * theta.diff() - u, theta.diff().diff() / x, sm.pi / 4 + sm.E * x,
        sm.Piecewise((x, x < 1), (y, True)), sm.Max(-k, sm.Min(k, theta)), sm.Abs(theta),
        sm.Float(0.1) * x, sm.Float("0.1", 40) * x, 2**x, sm.Rational(1, 2) ** y, sm.exp(-x) / x,
        sm.atan2(x, y), sm.sin(8 * sm.pi * t), x + t, sm.Eq(x, y), sm.Ne(x, 2),
        sm.And(x < 1, y > 2), sm.Heaviside(theta), sm.sign(theta), -(x + y) * (x - y) / (k * 3),
        sm.Integer(7), sm.oo,
        1 / (x + y), (x / y) ** -3, sm.sqrt(x + 1) ** -1, (-2) ** sm.Symbol("n", integer=True),
        sm.Symbol("np") + sm.Symbol("x y"), sm.acos(sm.Rational(-1, 3)), sm.log(x, evaluate=False),
    ],
    ids=str,
)  # fmt: skip
def test_expressions(expression):
    assert again(expression)[0] == expression


symbols = st.sampled_from([x, y, k, theta, theta.diff(), t])
numbers = st.fractions(-9, 9, max_denominator=9).map(
    lambda f: sm.Rational(f.numerator, f.denominator)
)


def grow(inner):
    two = st.tuples(inner, inner)
    return st.one_of(
        two.map(lambda p: p[0] + p[1]), two.map(lambda p: p[0] * p[1]),
        two.map(lambda p: p[0] - p[1]), inner.map(sm.sin), inner.map(sm.cos),
        st.tuples(inner, st.sampled_from([2, 3, -1, -2, sm.S.Half])).map(lambda p: p[0] ** p[1]),
    )  # fmt: skip


@given(st.recursive(st.one_of(symbols, numbers), grow, max_leaves=8))
def test_any_expression(expression):
    if not expression.has(sm.zoo, sm.nan, sm.oo, sm.I):
        assert again(expression)[0] == expression


def test_symbols_keep_what_they_were_declared_to_be():
    found, code = again([x, k, theta, me.dynamicsymbols("v", real=True)])
    assert found[0].is_positive
    assert found[3] == me.dynamicsymbols("v", real=True)
    assert 'x = sm.Symbol("x", positive=True)' in code
    assert "lambda_ = sm.Symbol('lambda', real=True)" in code


OWN = Model(
    "rod", EquationsOfMotion.from_lagrangian(x * theta.diff() ** 2, y * sm.cos(theta), [theta]),
    x * theta.diff() ** 2, y * sm.cos(theta), Skeleton(((x, y), (0, x)), ((0, 1),)), {x: 1.0, y: 2},
    names={"x": "length"},
)  # fmt: skip


@pytest.mark.parametrize(
    "model",
    [
        pendulum().free(), chain(3, "relative").with_parameters({"g": 1.5}), rolling_disc(), OWN,
        four_bar().with_multipliers(damping=k, parameters={k: 2.0}),
        replace(pendulum(), name="arm"),
        four_bar().with_independent_speeds([four_bar().equations.u[0]]),
        replace(rolling_disc(), name="coin"), replace(chain(2).free(), name="two"),
        replace(four_bar().with_multipliers(), name="linkage"),
    ],
    ids=lambda model: model.name,
)  # fmt: skip
def test_models(model):
    found, _ = again(model)
    assert found == model
    assert found.names == model.names


def test_a_model_is_written_as_it_was_made():
    k_p = sm.Symbol("k_p")
    arm = pendulum().with_inputs({"tau": -k_p * theta}, parameters={k_p: 1.0})
    assert again(arm)[1].endswith(
        'value = pendulum().with_inputs({"tau": -k_p*theta}, parameters={k_p: 1.0})'
    )


def test_a_model_in_space_and_its_parts():
    box = rigid_body([0.1, 0.2, 0.25]).with_parameters({"J_1": 0.15})
    assert again(box)[0].field.parameters == box.field.parameters
    pair = again(two_quadrotors())[0]
    np.testing.assert_array_equal(pair.inertia, two_quadrotors().inertia)


def test_what_is_public_is_imported_from_its_door():
    assert again([RK4, TangentSO3, integrate, np.sin, math.sin])[0] == [
        RK4, TangentSO3, integrate, np.sin, math.sin,
    ]  # fmt: skip
    _, code = again([RK4, integrate])
    assert "from tutlib import integrate\nfrom tutlib.methods import RK4" in code
    ralston = ButcherTableau("Ralston", c=[0, "2/3"], A=[[], ["2/3"]], b=["1/4", "3/4"])
    assert again(ralston)[0] == ralston


def reach(a):
    return [length * part for part in (lambda b: b + offset)(np.array([a, 1.0]))]


offset = np.array([1.0, 2.0])
reach.__module__ = "__main__"  # as in a notebook


def test_a_function_brings_along_what_it_uses():
    found, code = again(reach)
    assert found(2.0) == reach(2.0)
    assert "length = 3.0" in code
    assert code.count("def reach") == 1


def test_lambdas_and_partials():
    found, _ = again({"a": (lambda a, **p: a[0] + length, "m"), "b": (lambda b: 2 * b, "s")})
    assert found["a"][0]([1.0]) == 4.0
    assert found["b"][0](3) == 6
    assert again(partial(reach, 1.0))[0]() == reach(1.0)


def test_what_a_function_closes_over():
    def make(factor):
        def times(a):
            return factor * a

        return times

    assert again(make(7))[0](2) == 14


def test_a_thing_has_one_name_and_a_name_one_thing():
    writer = Writer()
    writer.define("pair", offset)
    assert writer.value(offset) == "pair"
    with pytest.raises(TypeError, match="pair would stand for two things"):
        writer.define("pair", np.zeros(2))
    assert writer.free_name("model") == "model"
    assert writer.free_name("model") == "model_"


def test_a_function_without_a_text_is_named():
    space = {}
    exec("def nowhere(a): return a", space)
    writer = Writer()
    assert writer.value(space["nowhere"]) == "nowhere"
    assert writer.missing == ["nowhere"]


def test_nobody_can_tell_how_some_things_were_made():
    with pytest.raises(TypeError, match="nobody can tell how object was made"):
        Writer().value(object())
