"""Files of the workbench page: its scripts, its style, and its data."""

from __future__ import annotations

import json
from typing import Any

from panels.drawing.bundle import resource, script
from panels.drawing.frames import panel_css
from panels.simulations.packing import STYLE
from panels.simulations.specification import label_of_method
from tutlib.methods.integration import METHODS
from tutlib.methods.tableaus import ButcherTableau

#: Methods that the page can run: explicit tableaus, and these.
_PARTITIONED = ("semi_implicit_euler", "velocity_verlet")


def workbench_files() -> dict[str, str]:
    """Return the files that the page of the workbench loads, by name."""
    gallery = json.loads(resource("course/workbench/gallery.json"))
    data = {"methods": methods(), "gallery": gallery}
    start = (
        "const own = document.currentScript.src;\n"
        f"const data = {json.dumps(data, ensure_ascii=False)};\n"
        'data.worker = new URL("worker.js", own).href;\n'
        'addEventListener("DOMContentLoaded", () =>\n'
        '  workbench(document.querySelector("#workbench"), data));\n'
    )
    return {
        "workbench.js": f"(() => {{\n{script('course/workbench/page.js')}{start}}})();\n",
        "worker.js": script("course/workbench/worker.js"),
        "workbench.css": panel_css(STYLE) + resource("course/workbench/workbench.css"),
    }


def methods() -> list[dict[str, Any]]:
    """Return the methods that the page offers, with their tableaus as floats."""
    methods: list[dict[str, Any]] = []
    for name, method in METHODS.items():
        if isinstance(method, ButcherTableau):
            if not method.is_explicit:
                continue
            tableau = {
                "A": [[float(entry) for entry in row] for row in method.A],
                "b": [float(entry) for entry in method.b],
                "c": [float(entry) for entry in method.c],
            }
            methods.append({"name": name, "label": method.name, "tableau": tableau})
        elif name in _PARTITIONED:
            methods.append({"name": name, "label": label_of_method(name, method)})
    return methods
