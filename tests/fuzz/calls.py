"""Calls, right and wrong: chosen at random from a seed, each written as one line of Python."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.fuzz.corruptions import KINDS, NOT_FINITE
from tests.fuzz.samples import owner_of, sample
from tests.fuzz.targets import Target, targets

#: How often two arguments are wrong, an optional one is given, and what is no finite number comes.
TWO, GIVEN, RARE = 0.3, 0.4, 0.1
#: Calls of these take long, so that fewer are made.
SLOW = {
    "animate": 3,
    "chain": 3,
    "four_bar": 3,
    "live": 2,
    "live_in_space": 3,
    "live_one_of": 3,
    "linearize": 2,
    "verify": 4,
}


@dataclass(frozen=True)
class Call:
    """A call as text: what is called, and with what.

    ``finite`` tells whether no argument is nan or inf.
    """

    target: str
    function: str
    arguments: str
    finite: bool = True

    def __str__(self) -> str:
        return f"{self.function}({self.arguments})"


def right_calls() -> list[Call]:
    """Return two right calls of everything: with all arguments, and with the needed ones."""
    every = [(target, {p.name for p in target.parameters}) for target in targets()]
    least = [(target, {p.name for p in target.parameters if not p.optional}) for target, _ in every]
    return list(dict.fromkeys(_written(target, given, {}) for target, given in every + least))


def wrong_calls(count: int, seed: int) -> list[Call]:
    """Return so many calls with one or two wrong arguments."""
    possible = [target for target in targets() if target.parameters]
    weights = [1 / SLOW.get(target.name, 1) for target in possible]
    return [_wrong(random.Random(f"{seed}:{i}"), possible, weights) for i in range(count)]


def _wrong(chance: random.Random, possible: list[Target], weights: list[float]) -> Call:
    (target,) = chance.choices(possible, weights)
    names = [p.name for p in target.parameters]
    spoiled = chance.sample(names, min(len(names), 2 if chance.random() < TWO else 1))
    kinds = {name: _kind(chance) for name in spoiled}
    given = {p.name for p in target.parameters if not p.optional or chance.random() < GIVEN}
    return _written(target, given | {*spoiled}, kinds)


def _kind(chance: random.Random) -> str:
    return chance.choice([*(NOT_FINITE if chance.random() < RARE else KINDS)])


def _written(target: Target, given: set[str], kinds: dict[str, str]) -> Call:
    """Write a call whose given arguments are right, but for those of some kinds."""
    ways, arguments = KINDS | NOT_FINITE, []
    by_place = any(p.variadic for p in target.parameters)
    for parameter in target.parameters:
        name = parameter.name
        if name not in given:
            continue
        right = sample(target, parameter)
        texts = right if isinstance(right, list) else [right]
        if name in kinds:
            texts = [ways[kinds[name]].format(texts[0] if texts else "None"), *texts[1:]]
        arguments += texts if by_place else [f"{name}={text}" for text in texts]
    function = target.text.format(owner_of(target)) if target.owner else target.text
    finite = not {*kinds.values()} & {*NOT_FINITE}
    return Call(target.name, function, ", ".join(arguments), finite)
