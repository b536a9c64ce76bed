"""Right answers as people type them: units, lists without commas, names, bounds.

They are generated for every exercise whose answer a page reads.
"""

import numpy as np
import sympy as sm

from course.judge import Equation, Expression, Number, NumberArray
from tests.javascript.corpus import GREEK, plainly, written

#: Of a unit that a prompt names: how else it is written, others of its kind with their size in it,
#: and one of another kind.
UNITS = {
    "seconds": (["s", "sec", "second"], {"ms": 1e-3, "min": 60, "milliseconds": 1e-3}, "m"),
    "meters": (["m", "metres"], {"cm": 1e-2, "mm": 1e-3, "km": 1e3, "centimeters": 1e-2}, "kg"),
    "m": (["m", "meters"], {"cm": 1e-2, "mm": 1e-3}, "s"),
    "kilograms": (["kg", "kilogram"], {"g": 1e-3, "grams": 1e-3, "t": 1e3}, "N"),
    "newtons": (["N", "newton"], {"kN": 1e3, "mN": 1e-3}, "m"),
    "degrees": (["°", "deg", "degree", "^\\circ", "Grad"], {"rad": 180 / np.pi}, "m"),
    "rad": (["rad", "radians"], {"°": np.pi / 180, "mrad": 1e-3}, "s"),
    "percent": (["%", "percent", "\\%"], {}, "N"),
    "rad/s": (
        ["rad/s", "rad s^-1", "1/s", "rad/sec", "radians per second"],
        {"deg/s": np.pi / 180, "°/s": np.pi / 180, "rpm": np.pi / 30},
        "m/s",
    ),
    "°/h": (
        ["°/h", "deg/h", "degrees per hour", "Grad/h"],
        {"rad/h": 180 / np.pi, "°/s": 3600, "°/day": 1 / 24},
        "m/h",
    ),
    "kg·m²": (["kg m²", "kg m^2", "kg*m**2", "kgm²"], {"g·m²": 1e-3}, "kg·m"),
    "N·m/rad": (["N·m/rad", "Nm/rad", "N m / rad", "N·m"], {"kN·m/rad": 1e3}, "N/m"),
    "newton meters per radian": (
        ["N·m/rad", "Nm/rad", "newton meters per radian"],
        {"kNm/rad": 1e3},
        "N/rad",
    ),
    "": ([], {}, None),
}


def spelled(value):
    return f"{float(value):.12g}"


def with_comma(text):
    return text.replace(".", ",")


def numbers(kind):
    own, others, _ = UNITS[kind.unit]
    exact = kind.digits is None

    def forms(value):
        text = spelled(value)
        yield f"x = {text}"
        yield f"≈ {text}"
        yield f"about {text}." if not exact else f"= {text}"
        yield f"2 · {spelled(float(value) / 2)} = {text}"
        yield f"a factor of {text}"
        yield f"x = sqrt(y) = {text}"
        yield f"2 k/m = {text}"
        if value < 0:
            yield f"minus {text[1:]}"
        if "." in text and not ("e" in text or len(text.partition(".")[2]) == 3):
            yield with_comma(text)
        for sign in own:
            yield f"{text} {sign}"
            yield f"T = {text}{sign}"
        for sign, size in others.items():
            yield f"{spelled(float(value) / size)} {sign}"
        if not kind.unit:
            yield f"{text} times"
        if kind.bound:
            sign = "<" if kind.bound == "most" else ">"
            yield f"k {sign} {text}"
            yield f"k {sign}= {text} {kind.unit}"
            yield f"{text} {'>' if sign == '<' else '<'} k"
            yield f"{sign} {text}"
            yield f"{'less' if sign == '<' else 'more'} than {text}"

    return forms(float(kind.value) * (1 - 1e-9 * kind.at_most))


def lists(kind):
    own, others, _ = UNITS[kind.unit]
    flat = np.ndim(kind.value) == 1

    def forms(value):
        rows = [[spelled(v) for v in row] for row in np.atleast_2d(value)]
        cells = [cell for row in rows for cell in row]
        for between in (" ", ", "):
            yield between.join(cells)
        yield ", ".join(f"body {cell}" for cell in cells)
        if not flat:
            yield "; ".join(" ".join(row) for row in rows)
            yield "; ".join(", ".join(row) for row in rows)
            yield "[" + "; ".join(" ".join(row) for row in rows) + "]"
            yield "[[" + "] [".join(" ".join(row) for row in rows) + "]]"
            body = r" \\ ".join(" & ".join(row) for row in rows)
            yield rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
            return
        yield "; ".join(f"k{k}: {cell}" for k, cell in enumerate(cells))
        for between in (";", "; ", " | ", "|"):
            yield between.join(cells)
        if min(value) >= 0 and not any("e" in cell for cell in cells):
            yield from ("–".join(cells), " to ".join(cells), "from " + "…".join(cells))
        yield "(" + " ".join(cells) + ")"
        yield "{" + ", ".join(cells) + "}"
        yield ", ".join(cells[:-1]) + " and " + cells[-1]
        yield ", ".join(f"b_{k} = {cell}" for k, cell in enumerate(cells, 1))
        yield "; ".join(f"k{letter}={cell}" for letter, cell in zip("pdabcefghijklm", cells))
        body = r" \\ ".join(cells)
        yield rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
        if any("." in cell for cell in cells) and not any("e" in cell for cell in cells):
            yield "; ".join(map(with_comma, cells))
            yield " ".join(map(with_comma, cells))
        for sign in own:
            yield ", ".join(f"{cell} {sign}" for cell in cells)
            yield f"[{', '.join(cells)}] {sign}"
            if min(value) >= 0 and not any("e" in cell for cell in cells):
                yield " to ".join(f"{cell} {sign}" for cell in cells)
            yield f"{' and '.join(cells)} {sign}"
        for sign, size in others.items():
            yield ", ".join(f"{spelled(v / size)} {sign}" for v in np.ravel(value))
        if kind.bound:
            yield f"{cells[0]} < x < {cells[1]}"
            yield f"{cells[1]} >= k >= {cells[0]}"

    return forms(np.array(kind.value, float))


def glued(name, order):
    base, _, index = name.partition("_")
    return (
        f"{GREEK.get(base, base)}{index}{(order > 1) * 'd'}dot"
        if order
        else f"{GREEK.get(base, base)}{index}"
    )


def as_omega(name, order):
    if name.startswith("theta") and order:
        return "ω" + name[5:].replace("_", "") + "'" * (order - 1)
    return name + "'" * order


def tables(kind, value):
    """Yield texts of a matrix with symbols."""

    def entry(e):
        return written(e, (as_omega, plainly))

    rows = [[entry(e) for e in row] for row in value.tolist()]
    yield "[" + "; ".join(", ".join(row) for row in rows) + "]"
    yield "; ".join(", ".join(row) for row in rows)
    body = r" \\ ".join(" & ".join(row) for row in rows)
    yield rf"\begin{{pmatrix}}{body}\end{{pmatrix}}"
    yield rf"\left[\begin{{matrix}}{body}\end{{matrix}}\right]"
    if value.shape[1] == 1 and not isinstance(kind, Equation):
        yield ", ".join(f"Q_{k} = {row[0]}" for k, row in enumerate(rows, 10))
        yield " and ".join(row[0] for row in rows)
        yield "[" + ", ".join(row[0] for row in rows) + "]^T"
        yield " ".join(row[0].replace(" ", "") for row in rows)
        yield "; ".join(f"[{row[0]}]" for row in rows)
    if all(e.is_number for e in value):
        yield "; ".join(" ".join(row) for row in rows)
        yield " ".join(cell for row in rows for cell in row)


def symbols(kind):
    def forms(value):
        if isinstance(value, sm.MatrixBase):
            yield from tables(kind, value)
            return
        for hand in (glued, as_omega):
            yield written(value, (hand, plainly))
        if isinstance(value, sm.Expr):
            yield sm.latex(value)
            if value != 0 and not isinstance(kind, Equation):
                plain = written(value, (as_omega, plainly))
                yield from (f"{label} = {plain}" for label in ("f_0", "F^*", "f(q)", "|f|"))
        if kind.bound:
            text = written(value, (glued, plainly))
            yield f"c > {text}"
            yield f"{text} ≤ c"

    return forms(kind.value)


def typed(exercises):
    """Return right answers as people type them: (exercise, text)."""
    found = []
    for exercise in exercises:
        kind = exercise.answer
        makers = {Number: numbers, NumberArray: lists, Expression: symbols, Equation: symbols}
        if type(kind) in makers:
            found += [(exercise.name, text) for text in makers[type(kind)](kind)]
    return found


def of_another_kind(exercises):
    """Return (exercise, text) with the unit of another quantity."""
    found = []
    for exercise in exercises:
        kind = exercise.answer
        if isinstance(kind, Number | NumberArray) and kind.unit:
            cells = [f"{spelled(v)} {UNITS[kind.unit][2]}" for v in np.ravel(kind.value)]
            found.append((exercise.name, ", ".join(cells)))
    return found
