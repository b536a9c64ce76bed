"""What weight is in the potential energy: one constant times mass times height, of every body.

Whatever it is called: what holds no mass is what springs hold, and is not asked here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import sympy as sm

from tutlib.mechanics.derivations import symbols_in
from tutlib.reading.names import label_of
from verification.differentiation import slope
from verification.sentences import NEAR, rounded
from verification.subject import INSTANT, Subject

#: What a mass weighs on the Moon, Mars, Venus, the Earth, Jupiter [N/kg]; and 1, where units do not
#: count. A number near one of them is taken for gravity.
_KNOWN = (1.0, 1.62, 3.71, 8.87, 9.81, 10.0, 24.8)
_NEAR_KNOWN = 0.006
NO_WEIGHT = "V holds none"


@dataclass(frozen=True)
class Weight:
    """What was found of weight.

    Parameters
    ----------
    pull : float
        What a mass weighs [N/kg]; 0 if that is not known, and all of V is taken for springs.
    wrong : str
        What is wrong with it.
    unasked : str
        Why it was not asked.
    """

    pull: float = 0.0
    wrong: str = ""
    unasked: str = ""


def upward(subject: Subject) -> int:
    """Return which of the three axes points up."""
    return 2 if subject.bodies[0].in_space else 1


@lru_cache(maxsize=4)
def weight(subject: Subject) -> Weight:
    """Find the constant by which V grows with mass times height, and say whether it is one."""
    if subject.gravity is not None:
        value = subject.nominal.get(subject.gravity, 1.0)
        label = label_of(subject.gravity)
        wrong = (
            f"{label} is {rounded(value)}: with that weight pulls upward, for heights grow upward"
        )
        return Weight(subject.values[subject.gravity], wrong if value < 0 else "")
    if subject.energies is None or subject.moves_potential:
        return Weight(unasked="no potential energy is known")
    fits = [fit for fit in _fits(subject) if fit is not None]
    pulls = [pull for _, pull, sideways, off in fits if not off and not sideways and pull]
    if not any(pull or sideways or off for _, pull, sideways, off in fits):
        sentence = f"V holds none, and gravity is {subject.pull}" if subject.pull else ""
        return Weight(wrong=sentence, unasked=NO_WEIGHT)
    for mass, _, sideways, off in fits:
        if off or sideways:
            if not (pulls or sideways):
                return Weight(unasked=f"in V stands {mass} otherwise than in weight")
            how = "otherwise" if off else f"sideways, with {rounded(sideways)} N/kg"
            return Weight(wrong=f"in V {mass} pulls {how}, and not by its height alone")
    (name, first, *_), *others = fits
    for mass, pull, *_ in others:
        if not abs(pull - first) <= NEAR * max(abs(pull), abs(first)):
            pair = f"{rounded(first)} N/kg for {name}, and {rounded(pull)} for {mass}"
            return Weight(wrong=f"in V weight is {pair}")
    return _sized(subject, first)


Fit = tuple[str, float, float, bool]


def _fits(subject: Subject) -> list[Fit | None]:
    """Return for each mass how V grows with its height, and sideways, and whether otherwise."""
    assert subject.energies is not None
    masses = [body.mass for body in subject.bodies]
    up, V = upward(subject), subject.energies[1]
    symbols = sorted(symbols_in(masses) & {*subject.symbols}, key=str)
    centers = [
        sm.Add(*(body.mass * body.place[i] for body in subject.bodies))
        for i in (up, *({0, 1, 2} - {up}))
    ]
    if not symbols:
        fit = _fit(subject, "a mass", [V, *centers])
        return [None if fit and fit[-1] else fit]  # what springs hold cannot be told from it
    return [_fit(subject, label_of(s), [e.diff(s) for e in (V, *centers)]) for s in symbols]


def _fit(subject: Subject, mass: str, asked: list[sm.Expr]) -> Fit | None:
    """Fit the slopes of one expression by those of a height and of what lies across."""
    formulas, columns = subject.formulas(asked), []
    for x, way in product(subject.states, np.eye(len(subject.states[0]))):
        if np.any(way[: len(subject.equations.q)]):
            columns.append(slope(formulas, INSTANT, x, way, subject.numbers))
    rows = np.array(columns)
    V, places = rows[:, 0], rows[:, 1:]
    size = np.abs(rows).max()
    if not np.abs(rows[:, :2]).max() > NEAR * size:
        return None  # it stays level, and has no weight in V
    for use in ([0], [0, 1, 2]):
        held = np.where(np.isin(range(3), use), places, 0.0)
        pulls = np.linalg.lstsq(held, V, rcond=1e-9)[0]
        if np.abs(held @ pulls - V).max() <= NEAR * size:
            across = pulls[1:][np.argmax(np.abs(pulls[1:]))] if len(use) > 1 else 0.0
            return mass, float(pulls[0]), float(across), False
    return mass, float(pulls[0]), 0.0, True


def _sized(subject: Subject, pull: float) -> Weight:
    """Say whether a constant is one that weight can be per mass."""
    assert subject.energies is not None
    text = rounded(pull)
    if pull < 0:
        return Weight(wrong=f"in V a mass weighs {text} N/kg, upward: heights grow upward")
    if subject.pull is not None:
        right = abs(pull - subject.pull) <= NEAR * abs(pull)
        sentence = f"in V a mass weighs {text} N/kg, and gravity is {rounded(subject.pull)}"
        return Weight(pull, "" if right else sentence)
    numbers = np.array(
        [subject.values[s] for s in symbols_in([subject.energies[1]]) if s in subject.values]
    )
    known = [a * b for a in numbers for b in (1.0, *np.sin(numbers), *np.cos(numbers))]
    if np.any(np.abs(np.array(known) / pull - 1) < NEAR):
        return Weight(pull)
    if np.any(np.abs(np.array(_KNOWN) / pull - 1) < _NEAR_KNOWN):
        return Weight(pull)
    return Weight(
        pull,
        f"in V a mass weighs {text} N/kg, which is no parameter and on no planet: "
        f"if it is right, say gravity={text}",
    )
