"""The recursion is the chain: link by link, in both conventions, with every force."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tutlib.models import chain, chain_recursion

pytestmark = pytest.mark.slow

TIME = me.dynamicsymbols._t


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


@pytest.mark.parametrize("orientation", ["absolute", "relative"])
@pytest.mark.parametrize("n", [1, 2, 6])
def test_it_is_the_chain(n, orientation, both_machines):
    model, values, inputs = case(n, orientation)
    states = [np.random.default_rng(k).uniform(-2, 2, 2 * n) for k in range(5)]

    def rates(make):
        f = make()
        return np.array([f(0.3 * k, x) for k, x in enumerate(states)])

    dense, dense_printed = both_machines(lambda: rates(model.compile))
    compiled, printed = both_machines(
        lambda: rates(lambda: chain_recursion(n, orientation, inputs, values))
    )
    np.testing.assert_array_equal(dense_printed, dense)
    np.testing.assert_array_equal(printed, compiled)
    np.testing.assert_allclose(compiled, dense, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "at least 1"),
        ({"n": 2, "orientation": "up"}, "unknown orientation"),
        ({"n": 2, "inputs": {"tau_3": 1}}, "no such input: tau_3"),
        ({"n": 2, "values": {"l_3": 1}}, "no such parameter: l_3"),
    ],
)
def test_what_makes_no_sense_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        chain_recursion(**arguments)


@pytest.mark.parametrize(("n", "orientation"), [(8, "relative"), (16, "absolute")])
def test_long_chains_by_matrix_and_by_recursion(n, orientation):
    by_matrix = chain(n, orientation).free().compile()
    by_recursion = chain_recursion(n, orientation)
    for seed in range(3):
        x = np.random.default_rng(seed).uniform(-2, 2, 2 * n)
        expected = by_matrix(0.0, x)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(by_recursion(0.0, x), expected, rtol=0, atol=1e-12 * scale)


def test_a_mass_matrix_that_is_never_made_is_refused():
    f = chain_recursion(2)
    with pytest.raises(ValueError, match=r"no mass matrix: ChainRecursion .* without one; compile"):
        f.mass_matrix(0, [0.1, 0.2, 0.3, 0.4])
    assert f.singular_direction(0, [0.1, 0.2, 0.3, 0.4]) is None
