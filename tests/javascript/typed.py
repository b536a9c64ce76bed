"""Right answers as people type them: units, lists without commas, names, bounds.

They are generated for every exercise whose answer a page reads.
"""

import numpy as np
import sympy as sm

from course.judge import Equation, Expression, Number, NumberArray
from tests.javascript.corpus import GREEK, plainly, written

#: Of a unit that a prompt names: how else it is written, and others of its kind with their size.
UNITS = {
    "seconds": (["s", "sec"], {"ms": 1e-3, "min": 60}),
    "meters": (["m", "metres"], {"cm": 1e-2, "km": 1e3}),
    "m": (["m", "meters"], {"mm": 1e-3}),
    "kilograms": (["kg"], {"grams": 1e-3}),
    "newtons": (["N"], {"kN": 1e3}),
    "degrees": (["°", "deg", "^\\circ"], {"rad": 180 / np.pi}),
    "rad": (["rad", "radians"], {"°": np.pi / 180}),
    "percent": (["%", "percent", "\\%"], {}),
    "rad/s": (["rad s^-1", "1/s", "radians per second"], {"°/s": np.pi / 180, "rpm": np.pi / 30}),
    "°/h": (["°/h", "degrees per hour"], {"°/s": 3600, "°/day": 1 / 24}),
    "kg·m²": (["kg m^2", "kg*m**2", "kgm²"], {"g·m²": 1e-3}),
    "N·m/rad": (["Nm/rad", "N·m"], {"kN·m/rad": 1e3}),
    "newton meters per radian": (["N·m/rad", "newton meters per radian"], {"kNm/rad": 1e3}),
    "": ([], {}),
}


def spelled(value):
    return f"{float(value):.12g}"


def numbers(kind):
    own, others = UNITS[kind.unit]
    value = float(kind.value) * (1 - 1e-9 * kind.at_most)
    text = spelled(value)
    yield from (f"x = {text}", f"≈ {text}", f"2 · {spelled(value / 2)} = {text}")
    if value < 0:
        yield f"minus {text[1:]}"
    if "." in text and not ("e" in text or len(text.partition(".")[2]) == 3):
        yield text.replace(".", ",")
    for sign in own:
        yield from (f"{text} {sign}", f"T = {text}{sign}")
    yield from (f"{spelled(value / size)} {sign}" for sign, size in others.items())
    if kind.bound:
        sign, word = ("<", "less") if kind.bound == "most" else (">", "more")
        yield from (f"k {sign} {text}", f"k {sign}= {text} {kind.unit}", f"{word} than {text}")


def lists(kind):
    own, others = UNITS[kind.unit]
    value = np.array(kind.value, float)
    rows = [[spelled(v) for v in row] for row in np.atleast_2d(value)]
    cells = [cell for row in rows for cell in row]
    yield from (" ".join(cells), ", ".join(cells))
    if value.ndim == 2:
        yield "; ".join(", ".join(row) for row in rows)
        yield "[[" + "] [".join(" ".join(row) for row in rows) + "]]"
        yield as_latex(rows)
        return
    short = not any("e" in cell for cell in cells)
    if min(value) >= 0 and short:
        yield from ("–".join(cells), " to ".join(cells))
    yield from ("; ".join(cells), " | ".join(cells), ", ".join(cells[:-1]) + " and " + cells[-1])
    yield ", ".join(f"b_{k} = {cell}" for k, cell in enumerate(cells, 1))
    yield as_latex([[cell] for cell in cells])
    if short and "." in "".join(cells):
        yield "; ".join(cells).replace(".", ",")
    for sign in own:
        yield from (", ".join(f"{cell} {sign}" for cell in cells), f"[{', '.join(cells)}] {sign}")
    for sign, size in others.items():
        yield ", ".join(f"{spelled(v / size)} {sign}" for v in value)
    if kind.bound:
        yield f"{cells[0]} < x < {cells[1]}"


def as_latex(rows):
    body = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def glued(name, order):
    base, _, index = name.partition("_")
    return f"{GREEK.get(base, base)}{index}" + (f"{(order > 1) * 'd'}dot" if order else "")


def as_omega(name, order):
    if name.startswith("theta") and order:
        return "ω" + name[5:].replace("_", "") + "'" * (order - 1)
    return name + "'" * order


def tables(kind, value):
    """Yield texts of a matrix with symbols."""
    rows = [[written(e, (as_omega, plainly)) for e in row] for row in value.tolist()]
    yield "; ".join(", ".join(row) for row in rows)
    yield as_latex(rows)
    if value.shape[1] == 1 and not isinstance(kind, Equation):
        yield ", ".join(f"Q_{k} = {row[0]}" for k, row in enumerate(rows, 10))
        yield "[" + ", ".join(row[0] for row in rows) + "]^T"
        yield " ".join(row[0].replace(" ", "") for row in rows)


def symbols(kind):
    value = kind.value
    if isinstance(value, sm.MatrixBase):
        yield from tables(kind, value)
        return
    text, other = (written(value, (hand, plainly)) for hand in (glued, as_omega))
    yield from (text, other)
    if isinstance(value, sm.Expr):
        yield sm.latex(value)
        if value != 0 and not isinstance(kind, Equation):
            yield from (f"{label} = {other}" for label in ("f_0", "F^*", "|f|"))
    if kind.bound:
        below, above = ("<", "≥") if kind.bound == "most" else (">", "≤")
        yield from (f"c {below} {text}", f"{text} {above} c")


def typed(exercises):
    """Return right answers as people type them: (exercise, text)."""
    makers = {Number: numbers, NumberArray: lists, Expression: symbols, Equation: symbols}
    return [
        (exercise.name, text)
        for exercise in exercises
        if type(exercise.answer) in makers
        for text in makers[type(exercise.answer)](exercise.answer)
    ]
