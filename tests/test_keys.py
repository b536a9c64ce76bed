"""Instructions name the keys and buttons that the panels have."""

import ast
import json
import re

import tutlib.methods
from tests.texts import CLAUSE, NOTEBOOKS, PAGES, ROOT, cells, paragraphs
from tutlib.methods import METHODS

TEXTS = [*NOTEBOOKS, *PAGES]
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
# Of JupyterLab and the keyboard, and of the player of animations.
FOREIGN = {"restart kernel and run all cells", "shift", "enter", "replay"}

DATA = json.loads((ROOT / "panels/simulations/controls.json").read_text(encoding="utf-8"))
CONTROLS = DATA["controls"]
#: The key of each control; what plays also pauses.
KEYS = {name: c["key"] for name, c in CONTROLS.items() if "key" in c and name != "pause"}
#: The words on buttons, boxes and sliders, in small letters.
LABELS = {control["label"].strip("◀▶ ").lower() for control in CONTROLS.values()}


def keys_of(notebook):
    """Return the keys of each panel in a notebook: to the label or parameter that it moves."""
    found = {}
    for cell in cells(notebook):
        if cell.cell_type != "code" or "live" not in cell.source:
            continue
        for call in ast.walk(ast.parse(cell.source)):
            named = {k.arg: k.value for k in getattr(call, "keywords", ())}
            for table in (named.get("sliders"), named.get("switches")):
                if isinstance(table, ast.Dict):
                    for name, values in zip(table.keys, table.values):
                        found |= keys_in(name, [ast.literal_eval(v) for v in values.elts])
    return found


def keys_in(name, values):
    """Return the keys of a slider (low, high, unit, keys) or a switch (label, key)."""
    if len(values) == 2:
        return {values[1]: values[0]}
    return dict.fromkeys("".join(values[3:]), ast.unparse(name))


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


class TestInstructions:
    def test_how_to_work_names_the_key_of_every_action(self):
        told = {
            key: clause for clause, keys in mentions(ROOT / "book/how-to-work.md") for key in keys
        }
        assert set(told) == set(KEYS.values())
        for name, key in KEYS.items():
            assert SAID[name] in told[key], f"{key} does {name}"
        assert re.search(r"\*a\* and \*d\* push", told["a"]), "first to the left, then to the right"

    def test_a_key_does_what_the_words_around_it_say(self):
        for path in TEXTS:
            own = keys_of(path) if path in NOTEBOOKS else {}
            for clause, keys in mentions(path):
                meant = {key for name, key in KEYS.items() if says(clause, SAID[name])}
                if not meant:
                    meant = {key for key, name in own.items() if says(clause, name)}
                if not meant:
                    sliders = [name for key, name in own.items() if key in keys]
                    meant = {key for key, name in own.items() if sliders and name == sliders[0]}
                assert set(keys) == meant, f"{path.name}: {clause}"

    def test_a_button_that_is_named_is_there(self):
        for paragraph in every_paragraph():
            named = re.findall(
                r"(?:[Pp]ress|[Cc]hoose|[Oo]pen|[Uu]nder|\ba) \*([A-Z][\w ]+)\*", paragraph.text
            )
            named += re.findall(r"(?<!\*)\*([A-Za-z][\w ]+)\* shows", paragraph.text)
            named += re.findall(r"\*(Copy [\w ]+)\*", paragraph.text)
            for name in named:
                assert name.lower() in LABELS | FOREIGN, paragraph.place

    def test_a_slider_that_is_named_is_there(self):
        for path in NOTEBOOKS:
            code = "\n".join(c.source for c in cells(path) if c.cell_type == "code")
            code += "".join(f'"{label}"' for label in LABELS)
            for paragraph in paragraphs(path):
                for name in re.findall(r"\b(?:[Ss]lider|[Mm]ove the) \*([\w ]+)\*", paragraph.text):
                    assert f'"{name}' in code, paragraph.place

    def test_a_method_or_a_step_to_choose_is_one_that_there_is(self):
        tableaus = [value for value in vars(tutlib.methods).values() if hasattr(value, "name")]
        methods = {tableau.name for tableau in tableaus}
        for paragraph in every_paragraph():
            plain = paragraph.text.replace("\N{EN DASH}", "-")
            chosen = set(re.findall(r"\b[Cc]hoose ([A-Z][\w-]+)", plain))
            assert chosen <= methods, paragraph.place
            set_by_links = re.findall(r"\.method=(\w+)", paragraph.text)
            assert set(set_by_links) <= {*METHODS}, paragraph.place
            steps = re.findall(r"\b[Cc]hoose [^.]*? a step of ([\d.]+) s\b", paragraph.text)
            assert {*map(float, steps)} <= {*DATA["stepSizes"]}, paragraph.place


def every_paragraph():
    return (paragraph for path in TEXTS for paragraph in paragraphs(path))


def says(clause, words):
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", clause, re.IGNORECASE)
