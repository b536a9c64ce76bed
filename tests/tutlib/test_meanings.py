"""What the symbols of a model mean, in words."""

import pytest
import sympy as sm

from tutlib.models import (
    chain,
    double_pendulum,
    four_bar,
    pendulum,
    rigid_body,
    rolling_disc,
    servo_arm,
    spherical_pendulum,
)

MAKERS = (pendulum, double_pendulum, servo_arm, four_bar, rolling_disc)


@pytest.mark.parametrize("make", [*MAKERS, lambda: chain(12, "relative")])
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
