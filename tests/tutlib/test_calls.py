"""A model keeps the call that made it, and what its symbols mean."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import sympy as sm

from tutlib.models import (
    bicycle,
    chain,
    double_pendulum,
    four_bar,
    pendulum,
    rigid_body,
    rolling_disc,
    servo_arm,
    spherical_pendulum,
)

MAKERS = (
    pendulum, double_pendulum, servo_arm, four_bar, rolling_disc, bicycle, rigid_body,
    spherical_pendulum,
)  # fmt: skip


def again(call):
    """Make a model anew from the call that it keeps."""
    return call.function(*call.arguments, **call.options)


@pytest.mark.parametrize("make", [*MAKERS, chain], ids=lambda make: make.__name__)
def test_every_model_keeps_its_call(make):
    source = make().source
    assert source.function is make
    assert (source.arguments, source.options) == ((), {})


def test_the_calls_of_methods_follow_one_another():
    model = chain(2, orientation="relative").with_parameters({"g": 1.0}).free()
    assert again(model.source) == model
    before = model.source.arguments[0]
    assert before.source.options == {}
    assert before.source.arguments[0].source.options == {"orientation": "relative"}
    assert model.source.is_method
    assert not chain().source.is_method


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.with_multipliers(3),
        lambda m: m.with_independent_speeds([sm.Derivative(m.equations.q[0])]),
        lambda m: m.with_names({"q_1": "angle of the crank"}),
        lambda m: m.with_equations(m.equations),
    ],
)
def test_each_change_of_a_model_is_kept(change):
    model = four_bar()
    changed = change(model)
    assert changed.source.arguments[0] is model
    assert again(changed.source) == changed


def test_a_model_put_together_in_another_way_keeps_no_call():
    assert replace(pendulum(), name="clock").source is None
    assert replace(rigid_body(), name="box").source is None


def test_what_is_changed_later_is_not_in_the_call():
    values, inertia = {"g": 1.0}, np.array([0.1, 0.2, 0.3])
    model, body = pendulum().with_parameters(values), rigid_body(inertia)
    values["g"] = inertia[0] = 2.0
    assert again(model.source).parameters == model.parameters
    assert again(body.source).field.parameters == body.field.parameters


def test_models_with_calls_can_be_pickled():
    model = pendulum().free()
    assert pickle.loads(pickle.dumps(model)) == model


@pytest.mark.parametrize("make", [*MAKERS[:5], lambda: chain(12, "relative")])
def test_every_state_parameter_and_input_has_a_name(make):
    model = make()
    eom = model.equations
    symbols = [*eom.states, *model.parameters, *eom.inputs]
    names = [model.meaning(symbol) for symbol in symbols]
    assert all(names)
    assert len({*names}) == len(names)


@pytest.mark.parametrize("make", [rigid_body, spherical_pendulum])
def test_every_parameter_of_a_model_in_space_has_a_name(make):
    model = make()
    assert all(map(model.meaning, model.field.parameters))


def test_names_of_links_and_rates():
    model = chain(12, "relative")
    assert model.meaning("theta_1") == "angle of the first link"
    assert model.meaning("theta_2") == "angle of the second link against the first link"
    assert model.meaning("l_12") == "length of link 12"
    rate = model.equations.u[0]
    assert model.meaning(rate) == "angular velocity of the first link"
    assert model.with_names({rate: "spin"}).meaning(rate) == "spin"
    assert pendulum().with_names({"l": "rod"}).meaning("l_dot") == "rate of the rod"
    assert model.meaning("nonsense") == ""


def test_names_follow_a_model_through_its_changes():
    k_p = sm.Symbol("k_p")
    (theta,), (tau,) = pendulum().equations.q, pendulum().equations.inputs
    arm = pendulum().with_inputs({tau: -k_p * theta}, parameters={k_p: 1.0})
    assert arm.meaning(theta) == "angle of the arm"
    assert arm.meaning(k_p) == ""
    named = arm.with_names({k_p: "stiffness"})
    assert named.with_parameters({"k_p": 2.0}).meaning("k_p") == "stiffness"
    assert named == arm, "names are for people"


@pytest.mark.parametrize("make", [pendulum, rigid_body])
def test_names_must_be_text(make):
    with pytest.raises(TypeError, match="the name of m must be a str; got 3"):
        make().with_names({"m": 3})
    with pytest.raises(TypeError, match="names must be a Mapping"):
        make().with_names(["mass"])
