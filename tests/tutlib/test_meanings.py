"""What the symbols of a model mean, in words."""

import pytest

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
    assert model.meaning("theta_2") == "angle of the second link relative to the first link"
    assert model.meaning("l_12") == "length of link 12"
    rate = model.equations.u[0]
    assert model.meaning(rate) == "angular velocity of the first link"
    assert model.with_names({rate: "spin"}).meaning(rate) == "spin"
    assert pendulum().with_names({"l": "rod"}).meaning("l_dot") == "rate of the rod"
    assert model.meaning("nonsense") == ""
