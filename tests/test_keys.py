"""Instructions name the keys and buttons that the panels have."""

import json
import re

from tests.texts import CLAUSE, ROOT, paragraphs

# What an instruction says of a control that has a key.
SAID = {
    "play": "plays and pauses",
    "step": "takes a single step",
    "reset": "resets",
    "say": "says in words",
    "pushLeft": "push",
    "pushRight": "push",
    "trace": "the trace",
    "portrait": "the phase portrait",
}

DATA = json.loads((ROOT / "panels/simulations/controls.json").read_text(encoding="utf-8"))
CONTROLS = DATA["controls"]
#: The key of each control; what plays also pauses.
KEYS = {name: c["key"] for name, c in CONTROLS.items() if "key" in c and name != "pause"}


def mentions(path):
    """Return each clause that names keys, with the keys."""
    for paragraph in paragraphs(path):
        for clause in CLAUSE.split(paragraph.text):
            keys = re.findall(r"(?<!\*)\*(\w|Space)\*(?!\*)", clause)
            if keys:
                yield clause, keys


def test_a_key_does_one_thing():
    assert sorted(KEYS.values()) == sorted({*KEYS.values()})
    assert CONTROLS["pause"]["key"] == CONTROLS["play"]["key"]
    assert {*KEYS} == {*SAID}


def test_how_to_work_names_the_key_of_every_action():
    told = {key: clause for clause, keys in mentions(ROOT / "book/how-to-work.md") for key in keys}
    assert set(told) == set(KEYS.values())
    for name, key in KEYS.items():
        assert SAID[name] in told[key], f"{key} does {name}"
    assert re.search(r"\*a\* and \*d\* push", told["a"]), "first to the left, then to the right"
