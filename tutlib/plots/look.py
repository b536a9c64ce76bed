"""The look of all figures: colors by role, widths, radii, glyphs.

``look.json`` holds it. This module reads it for sketches, plots, and style sheets, and drawing.js
reads it for animations.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

#: The whole look: ``colors`` by theme and role; ``widths``, ``radii``, and ``dashes`` in pixels;
#: ``tints`` as fractions; ``glyphs`` as SVG paths, with arrowheads pointing to the right.
LOOK: dict[str, Any] = json.loads(
    (resources.files("tutlib.plots") / "look.json").read_text(encoding="utf-8")
)
#: Number of colors for series.
SERIES = sum(role.startswith("series-") for role in LOOK["colors"]["light"])
