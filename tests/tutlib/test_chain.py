"""The chain of n links, against Lagrange, an independent program, and the research code."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.helpers import free
from tutlib import integrate
from tutlib.models import chain, chain_recursion

TIME = me.dynamicsymbols._t


def test_three_free_links_against_an_articulated_body_program():
    """Pinocchio 4.1, integrated by DOP853 to 1e-13: l = m = 1, d = 0.5, In = 0.08, g = 9.81."""
    states = {
        0.5: [0.14296266274731373, 0.23764708164045145, 0.5213934746244864,
              -0.7116960517847677, -1.4187711468715418, -0.5881586296664874],
        2.0: [-0.17346621486184347, -0.17608391784797417, -0.32686898924008917,
              0.8712321696987338, 1.482719028475075, 0.22074925543013801],
    }  # fmt: skip
    t = np.linspace(0, 2, 4001)
    trajectory = integrate(free(chain(3)).compile(), t, [0.5, 0.5, 0.5, 0, 0, 0])
    for time, expected in states.items():
        np.testing.assert_allclose(trajectory.x[round(time * 2000)], expected, atol=1e-10)


@pytest.mark.parametrize(
    ("n", "orientation", "angles", "rates"),
    [
        (1, "relative", [-0.10135548946613929], [-1.0947121941929678]),
        (
            2,
            "absolute",
            [-0.013930612002714312, 0.1141395879641071],
            [-0.16960213671495872, -0.5943819466443382],
        ),
        (
            2,
            "relative",
            [-0.013930612002714426, 0.12807019996682178],
            [-0.16960213671495755, -0.4247798099293826],
        ),
    ],
)
def test_the_published_experiment_is_repeated(n, orientation, angles, rates):
    """The research code's own loop: F_x = 5 sin(8πt), semi-implicit Euler, 100 steps of 0.01 s."""
    model = chain(n, orientation)
    inputs = dict.fromkeys(model.equations.inputs, 0) | {
        me.dynamicsymbols("F_x"): 5 * sm.sin(8 * sm.pi * TIME)
    }
    t = np.arange(101) * 0.01
    rhs = model.with_inputs(inputs).compile()
    end = integrate(rhs, t, np.zeros(2 * n), method="semi_implicit_euler").x[-1]
    np.testing.assert_allclose(end, [*angles, *rates], atol=1e-12)


def case(n, orientation):
    """Return a chain with numbers that are all different, and forces of every kind."""
    rng = np.random.default_rng(n)
    model = chain(n, orientation)
    values = {str(symbol): float(rng.uniform(0.3, 1.5)) for symbol in model.parameters}
    q = model.equations.q
    inputs = {
        "F_x": 5 * sm.sin(8 * TIME),
        "F_y": 2 - q[0].diff(),
        **{f"tau_{i + 1}": sm.cos(i * TIME) - 3 * q[i] for i in range(n)},
    }
    return model.with_parameters(values).with_inputs(inputs), values, inputs


@pytest.mark.slow
class TestRecursion:
    """It is the chain: link by link, in both conventions, with every force."""

    @pytest.mark.parametrize("orientation", ["absolute", "relative"])
    @pytest.mark.parametrize("n", [1, 2, 6])
    def test_it_is_the_chain(self, n, orientation):
        model, values, inputs = case(n, orientation)
        states = [np.random.default_rng(k).uniform(-2, 2, 2 * n) for k in range(5)]

        def rates(f):
            return np.array([f(0.3 * k, x) for k, x in enumerate(states)])

        recursive = rates(chain_recursion(n, orientation, inputs, values))
        np.testing.assert_allclose(recursive, rates(model.compile()), rtol=1e-11, atol=1e-11)
