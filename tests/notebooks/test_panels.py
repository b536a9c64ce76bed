"""What the live simulations of all chapters say of their numbers: units, ranges, and settings."""

import html
import math
import re
from urllib.parse import parse_qsl

import nbformat
import pytest

from course.desk.course_record import name_of
from tests.helpers import record
from tests.texts import NOTEBOOKS

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)]

#: What sliders set and readouts show, by its unit.
SHOWN = {
    "": "friction needed, right, size",
    "1/rad": "d",
    "1/s": "b, α",
    "N": "F_max, F₀, blade, drive, rod, slope, sum, weight, winch, −m a, λ₁, λ₂",
    "N·m": "M_max, motor, torque, torque that it would order, torque never late, τ, τ_max",
    "N·m/(rad·s)": "k_i",
    "N·m/rad": "k_p",
    "N·m·s/rad": "damping, k_d",
    "kg": "m₁, m₂, m₃, m₄, m₅",
    "kg·m²": "J₂",
    "m": "distance to the goal, e₁, e₂, height, height of the load, l, l_a, l_d, l₁, up, x_d, "
    "y₁, y₃",
    "m/s": "v",
    "m/s²": "g",
    "rad/s": "u₂, u₃, Ω₁, Ω₂, Ω₃, ω₀",
    "rad/s²": "f",
    "°": "error, goal₁, goal₂, lean, q₂, z, α, θ, θ_d, θ₁, θ₂, φ",
}
# An address that sets a panel: see panels/simulations/setting.js.
SET = re.compile(r'href="#live&([^"]*)"')


def panels_of(path):
    """Return the specification of each live simulation of an executed chapter."""
    return record(name_of(path))["simulations"]


def test_values_are_shown_in_their_units_and_have_names_in_words(path):
    for data in panels_of(path):
        states = [state for state in data["states"] if "label" in state]
        for item in [*data["sliders"], *states]:
            degrees = item["unit"].startswith("°")
            assert item["scale"] == pytest.approx(180 / math.pi if degrees else 1), item
            assert item["meaning"], item
        for item in [*data["sliders"], *data.get("readouts", [])]:
            assert item["label"] in SHOWN[item["unit"]].split(", "), item


def test_a_slider_holds_the_value_to_begin_with(path):
    for data in panels_of(path):
        for slider in data["sliders"]:
            values = data["parameters"] if slider["target"] == "p" else data["x0"]
            value = values[slider["index"]]
            value = slider["scale"] * (value["value"] if isinstance(value, dict) else value)
            assert slider["low"] - 1e-9 <= value <= slider["high"] + 1e-9, slider["label"]


def knows(data, key, value):
    """Tell whether a live simulation can be set so."""
    among = {
        "method": [method["name"] for method in data["methods"]],
        "preset": [preset["label"] for preset in data.get("presets", [])],
        "choice": [value],
    }
    if key in among:
        return value in among[key]
    settable = [*data["parameters"], *data["states"], *data.get("arrows", [])]
    numbers = ["h", "trace", "portrait", *(item.get("name") for item in settable)]
    return key in numbers and math.isfinite(float(value))


def test_what_a_phrase_of_the_text_sets_is_there(path):
    """A preset, a method or a parameter that is misspelled would silently set nothing."""
    shown = {}
    for data in panels_of(path):
        shown.setdefault(data["name"], []).append(data)
    cells = nbformat.read(path, as_version=4).cells
    for address in SET.findall("\n".join(cell.source for cell in cells)):
        for name, value in parse_qsl(html.unescape(address), strict_parsing=True):
            panel, _, key = name.partition(".")
            assert any(knows(data, key, value) for data in shown[panel]), f"{name}={value}"
