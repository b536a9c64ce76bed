"""Arguments are read in one place for each kind: what is meant is taken, all else told."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sm

from straightline.arguments import (
    real_array,
    real_number,
    whole_number,
)


@pytest.mark.parametrize(
    "value", [3, 3.0, np.float32(3), np.int64(3), np.array(3), Fraction(3), sm.Integer(3)]
)
def test_a_number_may_come_from_anywhere(value):
    for found in (real_number(value, "h"), whole_number(value, "n")):
        assert found == 3
        assert type(found) in (int, float)
    assert real_array([value, 0.5], "x0", (2,)).tolist() == [3.0, 0.5]


@pytest.mark.parametrize(
    "value",
    ["3", b"3", True, np.True_, 3j, np.complex64(3), None, [3], np.array([3.0]), sm.pi * 1j],
)
def test_what_is_no_real_number_is_told(value):
    with pytest.raises(TypeError, match="the mass must be a real number; got"):
        real_number(value, "the mass")
    with pytest.raises(TypeError, match="n must be a whole number; got"):
        whole_number(value, "n")


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        (["1", 2], TypeError, "A must contain real numbers; got dtype <U"),
        ([None, 2], TypeError, "A must contain real numbers; got dtype object"),
        ([1j, 2], TypeError, "A must contain real numbers; got dtype complex128"),
        (np.ones(2, np.complex64), TypeError, "got dtype complex64"),
        ([[1, 2], [3]], ValueError, "A has rows of different lengths"),
        ([[1, 2], [3, 4], [5, 6]], ValueError, r"A must have shape \(m, 3\); got shape \(3, 2\)"),
        ([1, 2, 3], ValueError, r"A must have shape \(m, 3\); got shape \(3,\)"),
        (
            np.ma.array([1.0, -999.0], mask=[0, 1]),
            ValueError,
            "A must contain .* entries are masked",
        ),
        ([np.ma.array([1.0, 1e20], mask=[0, 1])], ValueError, "some entries are masked"),
        ([1.0, np.ma.masked], ValueError, r"some entries are masked: \[1.0, masked\]. Remove"),
        ([[1, 2, np.nan]], ValueError, "every entry of A must be finite; entry 0, 2 is nan"),
    ],
)
def test_an_array_of_another_kind_is_told(value, kind, message):
    with pytest.raises(kind, match=message):
        real_array(value, "A", ("m", 3))
