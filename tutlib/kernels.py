"""A right-hand side's readable text, rewritten for the compiler.

The text that codegen prints is for people and for plain Python. Numba gets the same with its own
sine and cosine, and with small systems M u' = F solved in so many words: that is most of what
makes chapter 3's simulations fast.
"""

from __future__ import annotations

import re

#: Larger systems are solved by the loops of ``linear_solve``.
LARGEST_WRITTEN_OUT = 6

_KERNEL_HEADER = """\
import math

from numba import njit
from numpy import zeros

from tutlib.compiled import KERNEL, solve_general, solve_symmetric
from tutlib.trigonometry import cosine, sine


@njit(KERNEL, cache=True, error_model="numpy", fastmath={"contract"})
"""
_LANES_HEADER = """\
import math

from numba import njit

from tutlib.lanes import KERNEL, LANES
from tutlib.trigonometry import cosine, sine


@njit(KERNEL, cache=True, error_model="numpy", fastmath={"contract"}, nogil=True)
"""
_ADAPTIVE_HEADER = """\
import math

from numba import njit
from numpy import zeros

from tutlib.compiled_adaptive import INLINED, control, error_of, fill
from tutlib.trigonometry import cosine, sine


@njit(INLINED, cache=True, error_model="numpy", fastmath={"contract"})
def run_adaptive(p, x, K, state, end, wanted, T, X, c, A, E, P, exponent, rtol, atol):
"""
# One copy of the right-hand side serves the stages of the step and those of its dense output.
_ADAPTIVE_LOOP = """\
s = E.shape[1]
y = zeros(len(x))
rows = 0
i = 1
t = state[0]
h = min(state[1], end - t)
following = t + h
while rows < len(T):
{sums}
    for j in range(i):
        weight = A[i, j]
{additions}
{states}
    now = t + c[i] * h
{right_hand_side}
    i += 1
    if i == s:
{results}
        following = t + h if h < end - t else end
        accepted = control(error_of(K, h, x, y, E, rtol, atol), h, following, exponent, state)
        inside = accepted and len(wanted) > rows and wanted[rows] <= following
        if inside and len(c) > s:
            continue
    elif i < len(c):
        continue
    else:
        accepted = inside = True
    if inside:
        rows += fill(t, h, following, x, K, P, wanted[rows:], T[rows:], X[rows:])
    elif accepted and len(wanted) == 0:
        T[rows] = following
        X[rows] = y
        rows += 1
    if accepted:
        x[:] = y
        K[0] = K[s - 1]
    t = state[0]
    h = min(state[1], end - t)
    i = 1
    if t >= end or state[1] < 1e-15 * abs(t):
        break
return rows"""
_TRIGONOMETRY = [(r"math\.sin\(", "sine("), (r"math\.cos\(", "cosine(")]


def kernel_source(scalar_source: str) -> str:
    """Rewrite a right-hand side's text for Numba.

    Parameters
    ----------
    scalar_source : str
        As `RightHandSide` holds it.

    Returns
    -------
    str
        Text of a module with ``right_hand_side(t, x, p, dx, M, F)``.
    """
    rules = _solve_rules(scalar_source) if can_be_inlined(scalar_source) else []
    return _KERNEL_HEADER + _rewrite(scalar_source, [*rules, *_TRIGONOMETRY])


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
    lanes = [(r"\b(d?x)\[(\d+)\]", r"\1[\2, lane]"), (r"\bt\b", "t[lane]")]
    before, body = _state_by_state(scalar_source, lanes)
    head = "def right_hand_side(t, x, p, dx):"
    loop = ["    for lane in range(LANES):", *(f"    {line}" for line in body)]
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
    local = [(r"\bdx\[(\d+)\]", r"K[i, \1]"), (r"\bx\[(\d+)\]", r"y\1"), (r"\bt\b", "now")]
    before, body = _state_by_state(scalar_source, local)
    each = {
        "sums": "    a{r} = 0.0",
        "additions": "        a{r} += weight * K[j, {r}]",
        "states": "    y{r} = x[{r}] + h * a{r}",
        "results": "        y[{r}] = y{r}",
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
    return len(re.findall(r"^ +F\[\d+\] = ", source, re.MULTILINE))


def _solve_rules(source: str) -> list[tuple[str, str]]:
    """Give every entry of M and F a name of its own, and solve for u'."""
    solve = "".join(rf"\1{line}\n" for line in _written_out_solve(_speeds(source)))
    return [(r"( +)solve_symmetric\(M, F\).*\n", solve), (r"\b([MF])\[(\d+)\]", r"\1\2")]


def _rewrite(text: str, rules: list[tuple[str, str]]) -> str:
    for pattern, replacement in rules:
        text = re.sub(pattern, replacement, text)
    return text


def _written_out_solve(n: int) -> list[str]:
    """Write `solve_symmetric` without loops, for numbers M0, M1, ...; F0, F1, ... become u'."""
    lines: list[str] = []

    def entry(i: int, j: int) -> str:
        return f"M{i * n + j}"

    for j in range(n):
        for i in range(j, n):
            known = "".join(f" - L{i}_{k} * L{j}_{k} * D{k}" for k in range(j))
            if i == j:
                lines.append(f"D{j} = {entry(j, j)}{known}")
                regular = f"abs(D{j}) > 1e-14 * abs({entry(j, j)})"
                lines.append(f"R{j} = 1.0 / D{j} if {regular} else math.nan")
            else:
                lines.append(f"L{i}_{j} = ({entry(i, j)}{known}) * R{j}")
    for i in range(n):
        lines += [f"F{i} = F{i} - L{i}_{j} * F{j}" for j in range(i)]
    for i in reversed(range(n)):
        lines.append(f"F{i} = F{i} * R{i}")
        lines += [f"F{i} = F{i} - L{j}_{i} * F{j}" for j in range(i + 1, n)]
    return lines
