"""Pictures after a choice: what each label and each description says is what its curve does.

The exercise's record says which words of the description are about which curve, and what must be
true of that curve and of no other.
"""

import importlib
import re
from dataclasses import dataclass
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course.exercises import UNITS, pendulum
from tests.course.test_chapter_exercises import CHAPTERS, EXERCISES
from tutlib import integrate

pytestmark = pytest.mark.slow

#: In which the course computes, and so draws.
DRAWN_IN = {
    *UNITS.values(),
    *(unit.removesuffix("/rad") for unit in UNITS.values()),
    "deg",
    "J",
    "1",
}


def drawn(name, letter=None):
    """Return the figure and its description, as they would be shown after a choice."""
    return redrawn(name, letter or EXERCISES[name].answer.value)


def pictured(chapter):
    """Return the names of a chapter's exercises that show a picture after a choice."""
    return [exercise.name for exercise in CHAPTERS[chapter].EXERCISES if exercise.reveal]


@cache
def redrawn(name, letter):
    exercise = EXERCISES[name]
    chapter = importlib.import_module(exercise.reveal.__module__)
    kept = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(chapter, "figure_as_html", lambda *given: kept.extend(given) or "")
        exercise.reveal(letter)
    plt.close(kept[0])
    return kept


@dataclass
class Curve:
    """A line or a set of bars, with its label."""

    label: str
    x: np.ndarray
    y: np.ndarray
    dotted: bool = False


def curves(figure):
    """Return what is drawn in the only axes of a figure: lines, or bars."""
    (ax,) = figure.axes
    bars = [
        Curve(bar.get_label(), np.arange(len(bar)), np.array([patch.get_height() for patch in bar]))
        for bar in ax.containers
    ]
    lines = [
        Curve(line.get_label(), *map(np.asarray, line.get_data()), line.get_linestyle() == "None")
        for line in ax.lines
    ]
    return bars + lines


@pytest.mark.parametrize("chapter", CHAPTERS)
class TestPictures:
    def test_the_axes_are_in_units_of_the_course_and_the_description_names_them(self, chapter):
        for name in pictured(chapter):
            figure, description = drawn(name)
            (ax,) = figure.axes
            for label in (ax.get_xlabel(), ax.get_ylabel()):
                quantity, _, unit = label.partition(" [")
                assert not unit or re.sub(r"^1/", "", unit.rstrip("]")) in DRAWN_IN, (name, label)
                for part in quantity.split(" / "):
                    assert part in description.lower(), f"{name}: {label}"

    def test_every_curve_has_one_label_and_what_is_said_of_it_is_true_of_it_alone(self, chapter):
        """Or of those alone that have the same law: the point may be that curves are alike."""
        for name in pictured(chapter):
            figure, description = drawn(name)
            wanted = EXERCISES[name].curves
            assert wanted, f"{name}: say in curves= what must be true of each curve of the picture"
            lines = curves(figure)
            seen = [c for c in lines if not c.label.startswith("_")] if any(wanted) else lines
            labels = [c.label if any(wanted) else "" for c in seen]
            assert labels == list(wanted), f"{name}: a label, and not one row of curves="
            for label, (words, law) in wanted.items():
                assert words in description, f"{name}: {words}"
                alike = [other for other, (_, same) in wanted.items() if same is law]
                lawful = [one for one, curve in zip(labels, seen) if law(curve)]
                assert lawful == alike, f"{name}: {label}"

    def test_the_title_alone_says_what_was_chosen_and_how_it_went(self, chapter):
        for name in pictured(chapter):
            answer, descriptions = EXERCISES[name].answer, {drawn(name)[1]}
            wrong = next(letter for letter in answer.options if letter != answer.value)
            for letter, outcome in ((answer.value, "that is what happens"), (wrong, "look again")):
                figure, description = drawn(name, letter)
                descriptions.add(description)
                title = " ".join(figure.axes[0].get_title().split())
                assert title.startswith(f"You said: {answer.options[letter]}: {outcome}"), name
            assert len(descriptions) == 1, name


def test_the_rod_of_the_right_motion_keeps_its_length_for_a_minute():
    arm = pendulum
    tension = arm.m * arm.l * arm.omega**2 + arm.m * arm.g * arm.cosine
    times = np.arange(12_001) * 0.005
    motion = integrate(arm.held_by(tension).compile(), times, [1.0, -0.75, 0.0, 0.0])
    assert np.abs(np.hypot(*motion.x[:, :2].T) - 1.25).max() < 1e-4
