"""Answers to every exercise, right and wrong, as SymPy has them and as a reader would type them.

Right ones are rewritten, wrong ones have a slip; both are written in one of several hands. What no
reader types, functions and machines, is given in other forms by `other_forms`.
"""

import random
import re
from itertools import cycle, islice

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from course.judge import Choice, Equation, Expression, Function, Machine, Number, NumberArray
from course.judge.machine_reading import pair_of
from tutlib.mechanics import EquationsOfMotion
from tutlib.reading.names import leaves

GREEK = dict(zip(["alpha", "beta", "delta", "omega", "phi", "tau", "theta"], "αβδωφτθ"))


# ---- how a reader writes


def by_sympy(name, order):
    return f"Derivative({name}(t), (t, {order}))" if order else name


def with_diff(name, order):
    return f"{name}.diff(t, {order})" if order > 1 else f"{name}.diff()" if order else name


def with_words(name, order):
    return f"{name}_{'d' * (order - 1)}dot" if order else name


def with_dots(name, order):
    base, _, index = name.partition("_")
    mark = {0: "", 1: "\u0307", 2: "\u0308"}[order]
    lowered = index.translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    return GREEK.get(base, base) + mark + (lowered if index.isdigit() else index and f"_{index}")


def with_primes(name, order):
    return name.replace("_", "") + "'" * order


def plainly(text):
    return text


def with_sm(text):
    return re.sub(r"\b(sin|cos|sqrt|exp|pi|Abs|log|Max)\b", r"sm.\1", text)


def with_carets(text):
    return text.replace("**", "^").replace("-", "−").replace("*", "·")


def raised(text):
    """Return a text with whole powers above the line, and products without a sign."""
    text = re.sub(
        r"\*\*(\d+)", lambda f: f[1].translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")), text
    )
    return re.sub(r"(?<!\d)\*|\*(?!\d)", " ", text.replace("**", "^"))


HANDS = [
    (by_sympy, plainly),
    (with_diff, with_sm),
    (with_words, with_carets),
    (with_dots, raised),
    (with_primes, with_carets),
    (with_words, plainly),
]


def written(expression, hand):
    """Return an expression as text."""
    spell, finish = hand
    known = leaves(expression)
    marks = {leaf: sm.Symbol(f"Q{k}Q") for k, leaf in enumerate(known)}
    text = finish(sm.sstr(sm.sympify(expression).xreplace(marks)))
    for leaf, mark in marks.items():
        name = known[leaf]
        text = text.replace(mark.name, spell(name.strip("'"), name.count("'")))
    return text


def written_out(answer, hand):
    """Return an answer as text: an expression, a matrix of them, or an equation."""
    if isinstance(answer, sm.MatrixBase):
        rows = [[written(entry, hand) for entry in row] for row in answer.tolist()]
        inside = [", ".join(row) for row in rows]
        return f"[{', '.join(inside if answer.shape[1] == 1 else [f'[{row}]' for row in inside])}]"
    if isinstance(answer, sm.Equality):
        sides = [written(side, hand) for side in answer.args]
        return " = ".join(sides) if hand[1] is not plainly else f"Eq({', '.join(sides)})"
    return written(answer, hand)


# ---- right answers


def half_angles(expression):
    wild = sm.Wild("x")
    return expression.replace(sm.sin(wild), 2 * sm.sin(wild / 2) * sm.cos(wild / 2))


def squared_half(expression):
    wild = sm.Wild("x")
    return expression.replace(sm.cos(wild), 1 - 2 * sm.sin(wild / 2) ** 2)


def shifted(expression):
    hold = sm.Function("hold")
    found = expression.replace(sm.cos, lambda x: hold(x + sm.pi / 2))
    return found.replace(hold, lambda x: sm.sin(x, evaluate=False))


def expanded_product(expression):
    factor = max(leaves(expression), key=str, default=sm.S.One) ** 2 + 3
    return sm.expand(expression * factor) / factor


REWRITES = [
    lambda e: e,
    sm.expand,
    sm.factor,
    lambda e: sm.expand(e, trig=True),
    sm.together,
    half_angles,
    squared_half,
    shifted,
    expanded_product,
    lambda e: sm.expand(squared_half(e)),
    lambda e: sm.expand(half_angles(e), trig=True),
    lambda e: sm.collect(sm.expand(e), sorted(leaves(e), key=str)[:1]),
    lambda e: e * sm.Rational(3, 7) + sm.expand(e) * sm.Rational(4, 7),
    lambda e: (sm.sin(1) ** 2 + sm.cos(1) ** 2) * e,
    lambda e: sm.expand((e + 1) ** 2) - e**2 - 1 - e,
    lambda e: sm.expand(-2 * e) / -2,
    lambda e: e * sm.Float("0.5") * 2,
]


def on_all(rewrite, value):
    if isinstance(value, sm.MatrixBase):
        return value.applyfunc(rewrite)
    return rewrite(value)


def multiples(value):
    """Yield equations that are as good as one."""
    yield sm.Eq(value, 0, evaluate=False)
    terms = sm.Add.make_args(sm.expand(value))
    yield sm.Eq(sm.Add(*terms[1:]), -terms[0], evaluate=False)
    yield -value
    yield sm.expand(3 * value)
    constant = next((leaf for leaf in sorted(leaves(value), key=str) if leaf.is_Symbol), 2)
    yield value / constant
    yield sm.expand(value * constant)


def right_symbols(kind, value):
    found = [on_all(rewrite, value) for rewrite in REWRITES]
    if isinstance(kind, Equation) and not isinstance(value, sm.MatrixBase):
        found += multiples(value)
    return found


# ---- wrong answers


def slips(expression):
    """Yield expressions with one slip, all through: a sign, a factor, an exponent, a name."""
    own = sorted(leaves(expression), key=str)
    marks = {leaf: sm.Dummy() for leaf in own}
    back, marked = {mark: leaf for leaf, mark in marks.items()}, expression.xreplace(marks)

    def instead(part):
        if isinstance(part, sm.Add):
            return [changed for term in part.args for changed in (part - 2 * term, part - term)]
        if isinstance(part, sm.Pow) and part.exp.is_number:
            return [part.base ** (part.exp + 1), part.base]
        if isinstance(part, sm.sin | sm.cos):
            other = sm.cos if isinstance(part, sm.sin) else sm.sin
            return [other(part.args[0]), part.args[0]]
        if part in back:
            following = own[(own.index(back[part]) + 1) % len(own)]
            return [2 * part, sm.Integer(1), marks[following]]
        return []

    for part in sm.preorder_traversal(marked):
        yield from (marked.xreplace({part: other}).xreplace(back) for other in instead(part))
    yield from (-expression, 2 * expression, expression + 1, sm.Integer(0))
    yield sm.Symbol("zeta") * expression


def wrong_symbols(value):
    if not isinstance(value, sm.MatrixBase):
        return list(slips(value))
    found = [-value, 2 * value]
    for k, entry in enumerate(value):
        for slip in islice(slips(entry), 6):
            changed = value.as_mutable()
            changed[k] = slip
            found.append(changed)
    return found


# ---- the corpus


def numbers(kind):
    """Return right and wrong numbers, each as a value and as text."""
    value, unit, tolerance = float(kind.value), kind.unit, kind.tolerance
    above = 1 if kind.at_most else 1 + 0.9 * tolerance
    near = [value, value * above, value * (1 - 0.9 * tolerance)]
    right = [(v, repr(v)) for v in near]
    if kind.digits:
        place = 10.0 ** (np.floor(np.log10(abs(value))) + 1 - kind.digits)
        cut = float(np.trunc(value / place) * place)
        right += [(cut, repr(cut))]
    right += [
        (value, f"{value!r} {unit}"),
        (value, f"{'-' * (value < 0)}sqrt({abs(value)!r}^2)"),
        (value, f"{2 * value!r}/2"),
    ]
    factors = (-1, 2, 0.5, 60, 1 / 60, np.pi / 180, 180 / np.pi, 2 * np.pi, 9.81, 1e-3, 0.97, 0)
    wrong = [(float(value * f), repr(float(value * f))) for f in factors]
    wrong += [
        (float(1 / value), f"1/{value!r}"),
        ([value], f"[{value!r}]"),
        (complex(value, 5), f"{value!r} + 5 I"),
    ]
    wrong += [(sm.Symbol("x") * value, f"{value!r} x")]
    wrong += [(value * 1.002, repr(value * 1.002))] * kind.at_most
    return right, wrong


def arrays(kind):
    value = np.array(kind.value, float)
    right = [(value, str(value.tolist())), (value * (1 + 1e-15), f"np.array({value.tolist()})")]
    right += [
        (value, f"sm.Matrix({value.tolist()})"),
        (value, str(value.tolist()).replace("-", "−")),
    ]
    wrong = []
    for k in range(value.size):
        for change in (1, -0.03, 20):
            changed = value.copy()
            changed.flat[k] += change
            wrong.append((changed, str(changed.tolist())))
    others = [-value, value * 1.002, value[::-1], value.ravel()[:-1], np.stack([value, value])]
    wrong += [(v, str(v.tolist())) for v in others]
    wrong += [(sm.Symbol("x"), "x"), (float(value.flat[0]), repr(float(value.flat[0])))]
    return right, wrong


def choices(kind):
    right = [
        (form, form) for form in map(str.format, ("{}", "({})", " {}.", "{})"), cycle([kind.value]))
    ]
    right.append((kind.value.upper(), kind.value.upper()))
    wrong = [(letter, letter) for letter in kind.options if letter != kind.value]
    return right, [*wrong, ("z", "z"), ("yes", "yes")]


def in_hands(answers, generator):
    hands = list(HANDS)
    generator.shuffle(hands)
    return [(answer, written_out(answer, hand)) for answer, hand in zip(answers, cycle(hands))]


def corpus(exercises):
    """Return right and wrong answers: lists of (exercise, value, text)."""
    right, wrong = [], []
    for exercise in exercises:
        kind, generator = exercise.answer, random.Random(exercise.name)
        if isinstance(kind, Expression):
            mistakes = [m.answer for m in exercise.misconceptions]
            rewritten = [on_all(sm.expand, m) for m in mistakes if isinstance(m, sm.Expr)]
            found = (
                in_hands(right_symbols(kind, kind.value) * 2, generator),
                in_hands([*mistakes, *rewritten, *wrong_symbols(kind.value)], generator),
            )
        elif isinstance(kind, Number | NumberArray | Choice):
            makers = {Number: numbers, NumberArray: arrays, Choice: choices}
            found = makers[type(kind)](kind)
            mistakes = [m.answer for m in exercise.misconceptions]
            found[1].extend((m, str(np.asarray(m).tolist())) for m in mistakes)
        else:
            continue
        for answers, told in zip((right, wrong), found):
            answers += [(exercise.name, value, text) for value, text in told]
    return right, wrong


# ---- the same answer in other forms, as a cell takes it


def other_forms(kind, answer):
    """Return a right or wrong answer in other forms: of other types, symbols or coordinates."""
    if isinstance(kind, Machine):
        return [in_other_coordinates(*pair_of(answer), kind.energies)]
    if isinstance(kind, Function):
        return [lambda *given: np.asarray(answer(*given)).tolist()]
    if isinstance(kind, Expression):
        plain = in_plain_symbols(answer)
        lists = isinstance(plain, sm.MatrixBase)
        return [plain, plain.tolist(), np.array(plain)] if lists else [plain]
    if isinstance(kind, Choice):
        return [f" {answer.upper()}.", f"({answer})"]
    array = np.asarray(answer, float)
    if array.ndim:
        more = [sm.Matrix(array), array[None]] if array.ndim == 1 else []
        return [array.tolist(), tuple(array.tolist()), *more]
    return [float(array), np.float64(array), sm.Float(float(array))]


def in_plain_symbols(answer):
    """Return an expression in a reader's own symbols: the same names, without assumptions."""
    expression = sm.sympify(sm.Matrix(answer) if isinstance(answer, list | np.ndarray) else answer)
    t, own = sm.Symbol("t"), {}
    for leaf, name in leaves(expression).items():
        varying = sm.Function(name.strip("'"))(t).diff(t, name.count("'"))
        own[leaf] = sm.Symbol(name) if isinstance(leaf, sm.Symbol) else varying
    return expression.xreplace(own)


def in_other_coordinates(machine, outputs, energies):
    """Return a machine in mixed coordinates and own symbols, its energies from elsewhere."""
    n, k, t = len(machine.q), len(machine.u), me.dynamicsymbols._t
    z, own = sm.Matrix(me.dynamicsymbols(f"z_1:{n + 1}")), isinstance(machine.u[0], sm.Derivative)
    mixed = sm.eye(n) * 2 - sm.ones(n, n).upper_triangular(1)
    w = z.diff(t) if own else sm.Matrix(me.dynamicsymbols(f"w_1:{k + 1}"))
    turned = mixed if own else -2 * sm.eye(k)
    places = dict(zip(machine.q, mixed * z + sm.ones(n, 1) / 3))
    speeds = dict(zip(machine.u, turned * w))
    symbols = {s: sm.Symbol(s.name) for s in machine.parameters}

    def seen(expression):
        return sm.sympify(expression).xreplace(speeds).xreplace(places).xreplace(symbols)

    equations = EquationsOfMotion(
        tuple(z),
        tuple(w),
        turned.T * seen(machine.mass_matrix) * turned,
        turned.T * seen(machine.forcing),
        None if own else mixed.inv() * seen(machine.kinematic_matrix) * turned,
    )
    return equations, {name: seen(e) + 7 * (name in energies) for name, e in outputs.items()}
