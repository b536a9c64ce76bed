"""Butcher tableaux: exact coefficients, the order they have, and what is no method."""

from fractions import Fraction

import pytest

from tutlib.methods import (
    DOP853,
    DORMAND_PRINCE,
    EULER,
    HEUN,
    KUTTA3,
    MIDPOINT,
    RK4,
    ButcherTableau,
    rooted_trees,
)
from tutlib.methods.trees import tree_order

GAUSS = ButcherTableau(
    "Gauss, two stages",
    c=[0.5 - 3**0.5 / 6, 0.5 + 3**0.5 / 6],
    A=[[0.25, 0.25 - 3**0.5 / 6], [0.25 + 3**0.5 / 6, 0.25]],
    b=[0.5, 0.5],
)


ORDERS = {EULER: 1, MIDPOINT: 2, HEUN: 2, KUTTA3: 3, RK4: 4, GAUSS: 4, DORMAND_PRINCE: 5, DOP853: 8}


@pytest.mark.parametrize("tableau", ORDERS, ids=lambda tableau: tableau.name)
def test_the_order_follows_from_the_coefficients(tableau):
    assert tableau.order == ORDERS[tableau]


def test_one_wrong_weight_lowers_the_order():
    """All row sums still hold; a condition of the third order does not."""
    broken = ButcherTableau("broken", RK4.c, RK4.A, ["1/6", "1/2", "1/6", "1/6"])
    assert broken.order == 2


def test_rooted_trees_are_counted():
    """The sequence A000081 of the On-Line Encyclopedia of Integer Sequences."""
    assert [len(set(rooted_trees(p))) for p in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]
    assert {tree_order(tree) for tree in rooted_trees(5)} == {5}


def test_coefficients_are_exact():
    assert RK4.b == (Fraction(1, 6), Fraction(1, 3), Fraction(1, 3), Fraction(1, 6))
    assert ButcherTableau("floats", [0, 0.5, 0.5, 1], [[], [0.5], [0, 0.5], [0, 0, 1]],
                          [1 / 6, 1 / 3, 1 / 3, 1 / 6]).b == RK4.b  # fmt: skip
    assert RK4.order == 4
    assert RK4.stages == 4


@pytest.mark.parametrize(
    ("c", "A", "b", "message"),
    [
        ([0, 1], [[], [1]], ["1/2", "1/3"], "weights b must sum to 1; they sum to 5/6"),
        ([0, "1/2"], [[], [1]], [0, 1], "row 2 of A sums to 1, but c is 1/2"),
        ([0, 1], [[], ["one"]], [0, 1], "must be a number or a fraction; got 'one'"),
    ],
)
def test_what_is_no_method_is_refused(c, A, b, message):
    with pytest.raises(ValueError, match=message):
        ButcherTableau("bad", c, A, b)
