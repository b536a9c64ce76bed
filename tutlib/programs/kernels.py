"""A right-hand side's readable text, rewritten for the compiler.

The text that codegen prints is for people and for plain Python. Numba gets the same with its own
sine and cosine, and with small systems M u' = F solved in so many words: that is most of what
makes chapter 3's simulations fast. Names that are made here begin with an underscore, which those
of a reader's symbols never do.
"""

from __future__ import annotations

import re

#: Larger systems are solved by the loops of ``linear_solve``.
LARGEST_WRITTEN_OUT = 6

_KERNEL_HEADER = """\
import math

from numba import njit
from numpy import zeros

from tutlib.programs.compiled import KERNEL, solve_general, solve_symmetric
from tutlib.programs.trigonometry import cosine as _cosine
from tutlib.programs.trigonometry import sine as _sine


@njit(KERNEL, cache=True, error_model="numpy", fastmath={"contract"})
"""
_LANES_HEADER = """\
import math

from numba import njit

from tutlib.programs.lanes import KERNEL, LANES
from tutlib.programs.trigonometry import cosine as _cosine
from tutlib.programs.trigonometry import sine as _sine


@njit(KERNEL, cache=True, error_model="numpy", fastmath={"contract"}, nogil=True)
"""
_ADAPTIVE_HEADER = """\
import math

from numba import njit
from numpy import zeros as _zeros

from tutlib.programs.compiled_adaptive import INLINED
from tutlib.programs.compiled_adaptive import control as _control
from tutlib.programs.compiled_adaptive import error_of as _error_of
from tutlib.programs.compiled_adaptive import fill as _fill
from tutlib.programs.trigonometry import cosine as _cosine
from tutlib.programs.trigonometry import sine as _sine


@njit(INLINED, cache=True, error_model="numpy", fastmath={"contract"})
def run_adaptive(p, x, _K, _state, _end, _wanted, _T, _X, _c, _A, _E, _P, _exponent, _rtol, _atol):
"""
# One copy of the right-hand side serves the stages of the step and those of its dense output.
_ADAPTIVE_LOOP = """\
_s = _E.shape[1]
_y = _zeros(len(x))
_rows = 0
_i = 1
t = _state[0]
_h = min(_state[1], _end - t)
_following = t + _h
while _rows < len(_T):
{sums}
    for _j in range(_i):
        _weight = _A[_i, _j]
{additions}
{states}
    _now = t + _c[_i] * _h
{right_hand_side}
    _i += 1
    if _i == _s:
{results}
        _following = t + _h if _h < _end - t else _end
        _error = _error_of(_K, _h, x, _y, _E, _rtol, _atol)
        _accepted = _control(_error, _h, _following, _exponent, _state)
        _inside = _accepted and len(_wanted) > _rows and _wanted[_rows] <= _following
        if _inside and len(_c) > _s:
            continue
    elif _i < len(_c):
        continue
    else:
        _accepted = _inside = True
    if _inside:
        _rows += _fill(t, _h, _following, x, _K, _P, _wanted[_rows:], _T[_rows:], _X[_rows:])
    elif _accepted and len(_wanted) == 0:
        _T[_rows] = _following
        _X[_rows] = _y
        _rows += 1
    if _accepted:
        x[:] = _y
        _K[0] = _K[_s - 1]
    t = _state[0]
    _h = min(_state[1], _end - t)
    _i = 1
    if t >= _end or _state[1] < 1e-15 * abs(t):
        break
return _rows"""
_TRIGONOMETRY = [(r"math\.sin\(", "_sine("), (r"math\.cos\(", "_cosine(")]


def kernel_source(scalar_source: str, signature: str = "KERNEL") -> str:
    """Rewrite a right-hand side's text, or a projection's, for Numba.

    Parameters
    ----------
    scalar_source : str
        As `RightHandSide` or `Projection` holds it.
    signature : str
        Its name in ``compiled``.

    Returns
    -------
    str
        Text of a module with the same function.
    """
    rules = _solve_rules(scalar_source) if can_be_inlined(scalar_source) else []
    header = _KERNEL_HEADER.replace("KERNEL", signature)
    return header + _rewrite(scalar_source, [*rules, *_TRIGONOMETRY])


def lanes_source(scalar_source: str) -> str:
    """Rewrite a right-hand side's text so that it works on many states side by side.

    Parameters
    ----------
    scalar_source : str
        As `RightHandSide` holds it.

    Returns
    -------
    str
        Text of a module with ``right_hand_side(t, x, p, dx)``, t of shape (LANES,), x and dx
        (k, LANES). Its linear solve is written out, and sin and cos are polynomials: nothing in
        the loop over the lanes is a call or a branch.

    Raises
    ------
    ValueError
        If the mass matrix is not symmetric.
    """
    if "solve_general" in scalar_source:
        raise ValueError("an ensemble needs a symmetric mass matrix")
    lanes = [(r"\b(d?x)\[(\d+)\]", r"\1[\2, _lane]"), (r"\bt\b", "t[_lane]")]
    before, body = _state_by_state(scalar_source, lanes)
    head = "def right_hand_side(t, x, p, dx):"
    loop = ["    for _lane in range(LANES):", *(f"    {line}" for line in body)]
    return _LANES_HEADER + "\n".join([head, *before, *loop, ""])


def can_be_inlined(scalar_source: str) -> bool:
    """Tell whether the solve may be written out: small, symmetric, and without loops."""
    return "solve_symmetric" in scalar_source and _speeds(scalar_source) <= LARGEST_WRITTEN_OUT


def adaptive_source(scalar_source: str, k: int) -> str:
    """Write the loop of adaptive steps with a right-hand side inside it, state by state.

    Parameters
    ----------
    scalar_source : str
        As `RightHandSide` holds it.
    k : int
        The number of states.

    Returns
    -------
    str
        Text of a module with ``run_adaptive``, for pairs whose last stage is the next one's first.
    """
    local = [(r"\bdx\[(\d+)\]", r"_K[_i, \1]"), (r"\bx\[(\d+)\]", r"_y\1"), (r"\bt\b", "_now")]
    before, body = _state_by_state(scalar_source, local)
    each = {
        "sums": "    _a{r} = 0.0",
        "additions": "        _a{r} += _weight * _K[_j, {r}]",
        "states": "    _y{r} = x[{r}] + _h * _a{r}",
        "results": "        _y[{r}] = _y{r}",
    }
    lines = {key: "\n".join(line.format(r=r) for r in range(k)) for key, line in each.items()}
    loop = _ADAPTIVE_LOOP.format(**lines, right_hand_side="\n".join(body))
    indented = [f"    {line}" for line in loop.splitlines()]
    return _ADAPTIVE_HEADER + "\n".join([*before, *indented, ""])


def _state_by_state(source: str, rules: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Split a text into docstring and parameters, and the rest with its solve written out."""
    _, docstring, *lines = source.strip().splitlines()
    parameters = [line for line in lines if re.search(r"= p\[\d+\]$", line)]
    rest = "".join(f"{line}\n" for line in lines if line not in parameters)
    body = _rewrite(rest, [*_solve_rules(source), *_TRIGONOMETRY, *rules])
    return [docstring, *parameters], body.splitlines()


def _speeds(source: str) -> int:
    entries = re.findall(r"^ +F\[(\d+)\] = ", source, re.MULTILINE)
    return 1 + max(map(int, entries), default=0)


def _solve_rules(source: str) -> list[tuple[str, str]]:
    """Give every entry of M and F a name of its own, and solve for u'."""
    solve = "".join(rf"\1{line}\n" for line in _written_out_solve(_speeds(source)))
    return [(r"( +)solve_symmetric\(M, F\).*\n", solve), (r"\b([MF])\[(\d+)\]", r"_\1\2")]


def _rewrite(text: str, rules: list[tuple[str, str]]) -> str:
    for pattern, replacement in rules:
        text = re.sub(pattern, replacement, text)
    return text


def _written_out_solve(n: int) -> list[str]:
    """Write `solve_symmetric` without loops, for numbers _M0, _M1, ...; _F0, _F1, ... become u'."""
    lines: list[str] = []

    def entry(i: int, j: int) -> str:
        return f"_M{i * n + j}"

    for j in range(n):
        for i in range(j, n):
            known = "".join(f" - _L{i}_{k} * _L{j}_{k} * _D{k}" for k in range(j))
            if i == j:
                lines.append(f"_D{j} = {entry(j, j)}{known}")
                regular = f"abs(_D{j}) > 1e-14 * abs({entry(j, j)})"
                lines.append(f"_R{j} = 1.0 / _D{j} if {regular} else math.nan")
            else:
                lines.append(f"_L{i}_{j} = ({entry(i, j)}{known}) * _R{j}")
    for i in range(n):
        lines += [f"_F{i} = _F{i} - _L{i}_{j} * _F{j}" for j in range(i)]
    for i in reversed(range(n)):
        lines.append(f"_F{i} = _F{i} * _R{i}")
        lines += [f"_F{i} = _F{i} - _L{j}_{i} * _F{j}" for j in range(i + 1, n)]
    return lines
