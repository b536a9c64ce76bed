"""Motions in space: turned by mouse and keys, stepped on the group."""

import numpy as np
import pytest

from panels import live_in_space
from tutlib.models import rigid_body

from .panel import Panel

FILM = "notebooks/08-lie-group-integrators/1-off-the-sphere.html"


@pytest.fixture
def open_box(show):
    """Open a simulation of a box that tumbles, alone on a page."""
    start = np.concatenate([np.eye(3).ravel(), [0.02, 5.0, 0.02]])
    rate = {"Ω₁": (lambda t, x, **p: x[9], "rad/s")}
    box = live_in_space(rigid_body(), start, "A box tumbles.", readouts=rate, name="box")
    return lambda **options: Panel(show(box, **options), "box", plays=not options)


def drag(page, canvas, across, down):
    box = canvas.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y + down, steps=4)
    page.mouse.up()


def test_mouse_and_keys_turn_a_film_that_waits(open_film):
    page, frame = open_film(FILM, reduced_motion="reduce")
    canvas = frame.locator("canvas")
    before = canvas.evaluate("e => e.toDataURL()")
    drag(page, canvas, 60, 20)
    dragged = canvas.evaluate("e => e.toDataURL()")
    assert dragged != before
    canvas.focus()
    page.keyboard.press("ArrowLeft")
    assert canvas.evaluate("e => e.toDataURL()") != dragged
    assert frame.locator(".mark").is_visible()  # turned, and not yet played


def test_a_simulation_in_space_moves_and_keeps_its_energy(open_box):
    panel = open_box()
    before = panel.values()
    panel.run(0.6)
    assert panel.values()["t"] > before["t"] + 0.5
    assert panel.values()["Ω₁"] != before["Ω₁"]
    assert panel.drift().endswith("harmless")
