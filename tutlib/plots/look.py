"""The look of every picture of the course: colors by role, widths, radii, glyphs, in one place.

Figures, sketches, stills, and style sheets read ``look.json`` here. Scripts of pages read the file
itself.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

#: All of it: ``colors`` by theme and role; ``widths``, ``radii`` and ``dashes`` in pixels;
#: ``tints`` as parts of one; ``glyphs`` as paths of SVG, arrow heads pointing to the right.
LOOK: dict[str, Any] = json.loads(
    (resources.files("tutlib.plots") / "look.json").read_text(encoding="utf-8")
)
#: How many colors there are for things that are compared.
SERIES = sum(role.startswith("series-") for role in LOOK["colors"]["light"])
