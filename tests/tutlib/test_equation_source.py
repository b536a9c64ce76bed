"""The printed equations: valid names, common parts, and numbers as compiled."""

import keyword

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import given
from hypothesis import strategies as st

from tutlib import EquationsOfMotion
from tutlib.mechanics import eliminate_common_subexpressions
from tutlib.reading.names import identifiers

q, w = me.dynamicsymbols("q w", real=True)
a = sm.Symbol("a", real=True)


@pytest.mark.parametrize("name", ["lambda", "x", "p", "M", "F", "c0", "math", "in", "dx", "1a"])
def test_any_name_of_a_symbol_compiles(name):
    """The rates are known: every name stands for 2."""
    s, states = sm.Symbol(name), ([q, w], [q.diff(), w.diff()])
    force = sm.Matrix([s * q, s * sm.sin(q) + sm.sin(q) ** 2])
    rhs = EquationsOfMotion(*states, sm.diag(2, 1), force).compile({name: 2.0})
    known = [0.0, 0.0, 1.0, 2 * np.sin(1) + np.sin(1) ** 2]
    for _ in range(2):
        np.testing.assert_allclose(rhs(0.0, [1.0, 0.0, 0.0, 0.0]), known, rtol=4e-16)
    compile(rhs.source, "source", "exec")
    with pytest.raises(ValueError, match="not a real number"):
        EquationsOfMotion(*states, sm.diag(2, 1), sm.I * force).compile({name: 2.0})


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=3, unique=True))
def test_identifiers_are_valid_and_distinct(names):
    given_names = identifiers([sm.Symbol(name) for name in names])
    printed = [str(symbol) for symbol in given_names.values()]
    assert len(set(printed)) == len(given_names)
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in printed)


def test_common_parts_are_computed_once_and_only_those_of_expressions():
    s = sm.sin(q + w)
    assignments, reduced = eliminate_common_subexpressions([s**2 + s, s * a])
    assert sum(value.has(sm.sin) for _, value in assignments) == 1
    assert not any(expression.has(sm.sin) for expression in reduced)
    back = [e.subs(list(reversed(assignments))) for e in reduced]
    assert back == [s**2 + s, s * a]
    for wrong in ("x", 3, [q, "x"], [None]):
        with pytest.raises(TypeError, match=r"expressions must .*; got"):
            eliminate_common_subexpressions(wrong)
    for wrong in ("a b", 3, [[q]]):
        with pytest.raises(TypeError, match=r"symbols must be a sequence|a symbol must be an Expr"):
            identifiers(wrong)
