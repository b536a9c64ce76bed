"""Rules for what a live simulation shows of its values: units, ranges, starts, labels."""

import math

from tests.notebooks.dimensions import of_unit


def unit_faults(data):
    """Name units that are not SI, and scales that do not fit them."""
    found = []
    shown = [*data["sliders"], *states(data)]
    axes = [data["chart"][side] for side in "xy"] if "chart" in data else []
    for item in [*shown, *axes]:
        degrees = item["unit"].startswith("°")
        if not math.isclose(item["scale"], 180 / math.pi if degrees else 1):
            found.append(f"{item['label']} [{item['unit']}] is scaled by {item['scale']}")
    for item in [*shown, *data["readouts"]]:
        try:
            of_unit(item["unit"])
        except ValueError:
            found.append(f"{item['label']}: no such unit, {item['unit']!r}")
    return found


def range_faults(data):
    """Name sliders whose range leaves out the value to begin with, or is one of another unit."""
    found = []
    for slider in data["sliders"]:
        values = data["parameters"] if slider["target"] == "p" else data["x0"]
        value = values[slider["index"]]
        value = slider["scale"] * (value["value"] if isinstance(value, dict) else value)
        low, high = slider["low"], slider["high"]
        if not low - 1e-9 <= value <= high + 1e-9:
            found.append(f"{slider['label']} begins at {value:.3g}, outside of {low} to {high}")
        if slider["unit"] == "rad" and max(abs(low), abs(high)) > 7:
            found.append(f"{slider['label']} from {low} to {high} rad")
        if slider["unit"] == "°" and high - low < 7:
            found.append(f"{slider['label']} from {low} to {high} degrees")
    return found


def states(data):
    """Return the states that are shown."""
    return [state for state in data["states"] if "label" in state]


def name_faults(data):
    """Name what has a letter, and no name in words."""
    shown = [*data["sliders"], *states(data)]
    return [f"{item['label']} has no name in words" for item in shown if not item["meaning"]]


def label_faults(data):
    """Name sliders, states and readouts of one name whose units differ."""
    units = {}
    for item in [*data["sliders"], *states(data), *data["readouts"]]:
        name = item["label"].removesuffix(" at the start").split()[-1]
        for digit, low in zip("0123456789", "₀₁₂₃₄₅₆₇₈₉"):
            name = name.replace(f"_{digit}", low)
        units.setdefault(name, set()).add(item["unit"])
    return [f"{name} in {sorted(found)}" for name, found in units.items() if len(found) > 1]
