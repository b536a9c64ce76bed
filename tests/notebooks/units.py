"""Units as the course writes them, in words and in symbols."""

import re

UNITS = {
    "s": ["s", "seconds?"],
    "ms": ["ms", "milliseconds?"],
    "µs": ["µs", "microseconds?"],
    "min": ["min", "minutes?"],
    "h": ["hours?"],
    "kg": ["kg", "kilograms?"],
    "g": ["g", "grams?"],
    "m": ["m", "meters?"],
    "km": ["km", "kilometers?"],
    "cm": ["cm", "centimeters?"],
    "mm": ["mm", "millimeters?"],
    "µm": ["µm", "micrometers?"],
    "N": ["N", "newtons?"],
    "J": ["J", "joules?"],
    "W": ["W", "watts?"],
    "V": ["V", "volts?"],
    "N·m/A": ["N·m/A"],
    "Ω": ["Ω", "ohms?"],
    "rad": ["rad", "radians?"],
    "deg": ["°", "deg", "degrees?(?! of freedom)"],
    "%": ["%", "percent"],
    "rad/s": ["rad/s", "radians? (?:a|per) second"],
    "deg/s": ["°/s", "deg/s", "degrees? (?:a|per) second"],
    "m/s": ["m/s", "meters? (?:a|per) second"],
    "m/s²": ["m/s²", r"m/s\^2", r"m/s\*\*2"],
    "N·m": ["N·m", "N m", "newton meters?"],
    "N·m/rad": ["N·m/rad", "N m/rad"],
    "N·m·s": ["N·m·s", "N m s", "N·m·s/rad", "N m s/rad"],
    "N/m": ["N/m"],
    "1/s": ["1/s", "Hz", "hertz", r"[a-z]+ (?:a|per|each) second", "(?:per|each) second"],
    "lines": ["lines"],
    "kg·m²": ["kg·m²", "kg m²", r"kg m\^2"],
}
# A part or a multiple: the unit in which code has the same quantity, and the factor.
IN_CODE = {
    "ms": ("s", 1e-3),
    "µs": ("s", 1e-6),
    "min": ("s", 60.0),
    "cm": ("m", 1e-2),
    "mm": ("m", 1e-3),
    "µm": ("m", 1e-6),
    "km": ("m", 1e3),
    "g": ("kg", 1e-3),
    "%": (None, 1e-2),
}

FORMS = {form: unit for unit, forms in UNITS.items() for form in forms}
LONGEST_FIRST = sorted(FORMS, key=lambda form: ("[a-z]+" in form, -len(form)))
ANY_UNIT = re.compile(rf"(?:{'|'.join(LONGEST_FIRST)})(?![\w·/²^])")


def unit_at(text: str, position: int = 0) -> str | None:
    """Return the unit that stands at a place of a text, or nothing."""
    found = ANY_UNIT.match(text, position)
    return whole_unit(found[0]) if found else None


def without_brackets(unit: str) -> str:
    """Return N·m/rad/s for N·m/(rad·s)."""
    return re.sub(r"/\((.*?)\)", lambda under: "/" + under[1].replace("·", "/"), unit)


def whole_unit(text: str) -> str | None:
    """Return the unit that a text is, or nothing."""
    return next((unit for form, unit in FORMS.items() if re.fullmatch(form, text)), None)
