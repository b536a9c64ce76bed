"""Wrong arguments are answered by a sentence: a ValueError or TypeError that names the argument.

``FUZZ_CALLS=30000 python -m pytest tests/fuzz`` makes so many calls, with several wrong arguments.
"""

import importlib
import inspect
import os
import pkgutil
import random
import re
import warnings

import numpy as np
import pytest

import course
import panels
import straightline
import tutlib
import verification
from tests.fuzz.right_calls import right_calls

pytestmark = pytest.mark.slow
CALLS = int(os.environ.get("FUZZ_CALLS", "300"))
CORRUPTIONS = (None, "nonsense", object(), -1, [], np.full((2, 3), np.nan))
#: What messages call an argument, where that is neither its name nor the singular of it.
WORDS = {
    "accelerations": "angular acceleration",
    "also": "not an expression with a value",
    "arguments": "not iterable",
    "balance": "angular acceleration",
    "exercise": "name",
    "expressions": "not iterable",
    "forcing": "entry of F",
    "l_a": "input link",
    "l_b": "coupler",
    "l_c": "output link",
    "l_n": "ground",
    "mass_matrix": "mass matrix",
    "model": "what is simulated",
    "name": "no exercise",
    "named": "not an expression with a value",
    "parameters": "truth value",
    "points": "not iterable",
    "q": "coordinates|function of time",
    "span": "t must",
    "states": "state's number",
    "text": "earlier version",
    "trajectories": "trajectories|no trajectory",
    "u": "speeds|function of time",
    "value": "not an expression in symbols|One expression|one expression",
    "values": "a chart",
    "x": "the point",
}


def public_names():
    """Return public functions and classes by name."""
    modules = [straightline, tutlib, panels, verification, course]
    for package in (tutlib, course):
        for info in pkgutil.iter_modules(package.__path__):
            if info.ispkg:
                modules.append(importlib.import_module(f"{package.__name__}.{info.name}"))
    named = {
        name: getattr(module, name) for module in modules for name in getattr(module, "__all__", ())
    }
    return {name: thing for name, thing in named.items() if callable(thing)}


PUBLIC = public_names()
RIGHT = {name: given for name, given in right_calls().items() if name in PUBLIC}


def is_named(argument, message):
    """Return whether a message names an argument, or one of its entries."""
    words = rf"\b{argument.removesuffix('s')}|{WORDS.get(argument, argument)}"
    return bool(re.search(words, message))


def trouble(name, wrong):
    """Return what is bad about the answer to a call with some wrong arguments."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            PUBLIC[name](**RIGHT[name] | wrong)
        except (TypeError, ValueError, FileNotFoundError) as error:
            return "" if any(is_named(name, str(error)) for name in wrong) else repr(error)
        except Exception as error:
            return repr(error)
    return ""


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_call_is_taken(name):
    taken = inspect.signature(PUBLIC[name]).parameters
    assert set(RIGHT[name]) <= set(taken)
    assert not trouble(name, {})


@pytest.mark.parametrize("name", RIGHT)
def test_a_wrong_argument_is_named(name):
    for argument in RIGHT[name]:
        for value in CORRUPTIONS:
            told = trouble(name, {argument: value})
            assert not told, f"{name}({argument}={value!r}): {told}"


def test_several_wrong_arguments_are_answered():
    chance = random.Random(1)
    for _ in range(CALLS):
        name = chance.choice([*RIGHT])
        given = RIGHT[name]
        wrong = {
            argument: chance.choice(CORRUPTIONS)
            for argument in chance.sample([*given], chance.randint(1, len(given)))
        }
        told = trouble(name, wrong)
        assert not told, f"{name}({wrong}): {told}"
