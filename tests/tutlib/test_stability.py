"""R(z) is what one step makes of x' = λx, and its border is where the books have it."""

import numpy as np
import pytest
from scipy.optimize import brentq

from tutlib.methods import (
    DOP853,
    DORMAND_PRINCE,
    EULER,
    HEUN,
    KUTTA3,
    MIDPOINT,
    RK4,
    ButcherTableau,
    stability_function,
    stability_polynomial,
    step,
)

EXPLICIT = [EULER, MIDPOINT, HEUN, KUTTA3, RK4, DORMAND_PRINCE, DOP853]
IMPLICIT_MIDPOINT = ButcherTableau("implicit midpoint", ["1/2"], [["1/2"]], [1])
BACKWARD_EULER = ButcherTableau("backward Euler", [1], [[1]], [1])


@pytest.mark.parametrize("tableau", EXPLICIT, ids=lambda tableau: tableau.name)
def test_a_step_multiplies_by_it(tableau):
    for z in (-0.7, 1.3, -2.5):
        stepped = step(lambda t, x, z=z: z * x, 0.0, [1.0], 1.0, tableau)[0]
        assert stability_function(tableau, z).real == pytest.approx(stepped, rel=1e-11)
        polynomial = sum(float(a) * z**k for k, a in enumerate(stability_polynomial(tableau)))
        assert polynomial == pytest.approx(stepped, rel=1e-11)


def test_limits_of_the_books():
    def border(tableau, direction, low, high):
        def excess(r):
            return float(np.abs(stability_function(tableau, direction * r)) - 1)

        return brentq(excess, low, high, xtol=1e-13)

    assert border(EULER, -1, 1, 3) == pytest.approx(2)
    assert border(RK4, -1, 2, 4) == pytest.approx(2.785293563405282)
    assert border(RK4, 1j, 2, 4) == pytest.approx(2 * np.sqrt(2))
    assert border(KUTTA3, 1j, 1, 2.5) == pytest.approx(np.sqrt(3))


def test_implicit_methods():
    z = np.array([-1e6, -1, 3j, 1000j])
    np.testing.assert_allclose(
        stability_function(IMPLICIT_MIDPOINT, z), (1 + z / 2) / (1 - z / 2), rtol=1e-9
    )
    np.testing.assert_allclose(stability_function(BACKWARD_EULER, z), 1 / (1 - z), rtol=1e-9)
    with pytest.raises(ValueError, match="not a polynomial"):
        stability_polynomial(BACKWARD_EULER)
