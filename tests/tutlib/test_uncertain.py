"""Quadrotors with constants that vary fly as quadrotors of those constants do."""

from dataclasses import replace

import numpy as np

from tutlib.methods import ensemble
from tutlib.models.quadrotors import LoadController, two_quadrotors
from tutlib.models.uncertain import uncertain_quadrotors
from tutlib.spaces import with_derivatives

PAIR = two_quadrotors()
FORMATION = np.array([[0.5, 0, 0.75**0.5], [-0.5, 0, 0.75**0.5]])
CARRY = LoadController(
    PAIR, with_derivatives(lambda t: [np.sin(t), 0.0, 0.0]), FORMATION, np.array([0, -1.0, 0])
)


def control(t, s):
    """Push as the load's controller wants, with a moment that depends on the attitude."""
    return CARRY(t, s), s.attitudes[:, 0] / 9


def start():
    """Return a state in which everything moves."""
    x = PAIR.start([0.1, 0.2, 0.3], FORMATION)
    x[3:6] = 0.3, -0.2, 0.1
    x[15:18] = x[27:30] = 0.5, 0.4, -0.3
    x[33:36] = 0, 0.7, 0
    return x


def test_each_flight_is_that_of_quadrotors_with_its_constants():
    other = replace(
        PAIR,
        load=0.5,
        mass=PAIR.mass * [1.1, 0.9],
        length=np.array([0.7, 0.9]),
        inertia=PAIR.inertia * [[1.2, 0.8, 1.1], [0.9, 1.3, 1.0]],
    )
    field, exact = uncertain_quadrotors(PAIR, control), uncertain_quadrotors(other, control)
    varied = {name: [value, exact.parameters[name]] for name, value in field.parameters.items()}
    found = ensemble(field, start(), 0.5, 0.01, parameters=varied, method="cf4")
    for x, quadrotors in zip(found.x, (PAIR, other)):
        alone = uncertain_quadrotors(quadrotors, control)
        once = ensemble(alone, [start()], 0.5, 0.01, method="cf4").x[0]
        np.testing.assert_allclose(x, once, rtol=0, atol=1e-13)
    assert np.abs(found.x[0] - found.x[1]).max() > 1e-3
