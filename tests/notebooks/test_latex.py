"""Formulas are read as they are meant, and whole."""

import pytest

from tests.notebooks.latex import read
from tests.notebooks.meanings import case
from tests.notebooks.worth import all_hold

NUMBERS = {
    "a": 2.0,
    "b": 3.0,
    "c": 5.0,
    "h": 0.1,
    "x": 0.7,
    r"\theta": 0.4,
    r"\theta_1": 0.3,
    r"\dot\theta_1": 1.1,
    "x_{n+1}": 7.0,
    "f": lambda x: x + 1,
    "v": [1.0, 2.0, 3.0],
    "w": [0.0, 1.0, -1.0],
    "M": [[1.0, 2.0], [3.0, 4.0]],
    "u": [1.0, -1.0],
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"ab/c", 6 / 5),
        (r"a/2b", 1 / 3),
        (r"\frac ab c", 10 / 3),
        (r"\tfrac12a^2b", 6),
        (r"-a^2 + b", -1),
        (r"a\,f(b) + c", 13),
        (r"a(b + c)", 16),
        (r"f(a)\sqrt{a b^2 / 2}", 9),
        (r"|a - b|^2 c", 5),
        (r"\sin^2", None),
        (r"a\dot\theta_1^2", 2 * 1.1**2),
        (r"2x_{n+1} - 7", 7),
        (r"a e^{b - 3}", 2),
        (r"\sum_i i^2", 14),
        (r"|v\times w|^2", 27),
        (r"v\cdot\hat v w", 0),
        (r"u^{\mathsf T}M u", 0),
        (r"u^\mathsf{T} M^{-1}u", -5),
        (r"\int_0^a (c - s)\,\mathrm{d}s", 8),
        (r"\begin{aligned}a &+ b\\ &- c\end{aligned}", 0),
        (r"{}-\frac{\sin 30°}{a}", -0.25),
        (r"\frac{d}{dt}t^2\cdot\frac1t", 2),
        (r"u^\mathsf{T}\begin{bmatrix}a & b\\c & h\end{bmatrix}u", 2 - 3 - 5 + 0.1),
        (r"\operatorname{tr}\left(\begin{bmatrix}M & 0\\M & 2M\end{bmatrix}\right) + a", 17),
        (r"|\begin{bmatrix}u\\v\end{bmatrix}|^2", 16),
        (r"\underbrace{a b}_{\text{both}} + \big(c\big)", 11),
    ],
)
def test_a_formula_is_worth_what_a_reader_takes_it_for(text, value):
    names = NUMBERS | {r"\sum_i": [{"i": 1}, {"i": 2}, {"i": 3}]}
    if value is None:
        with pytest.raises(Exception, match=r"missing|come before|not read"):
            read(f"{text} = 0")
        return
    assert all_hold(read(f"{text} = y."), case(names, {"y": value}))


@pytest.mark.parametrize("text", ["a = b)", "a = b ! c", "a =", "a = b + ", r"a = \frac{b}", "a b"])
def test_what_cannot_be_read_whole_is_refused(text):
    with pytest.raises(SyntaxError):
        read(text)


def test_a_symbol_without_a_meaning_is_refused():
    with pytest.raises(KeyError, match="has no meaning"):
        all_hold(read(r"a = a\,\foo"), case(NUMBERS))
