"""Simulations of answers: the true motion, and beside it one that the page's answer drives.

Each exercise whose answer has a motion gets a page of its own, which its box shows in a frame.
"""

from __future__ import annotations

from typing import Any

from course.boxes.comparison import SideBySide, moving_names
from course.judge.exercise import Exercise
from course.judge.symbolic_answers import Expression
from panels.drawing.bundle import script
from panels.drawing.frames import as_literal, document
from panels.simulations.packing import STYLE, constants
from straightline.arguments import instance
from tutlib.reading.names import leaf_name


def answer_motion(exercise: Exercise) -> tuple[dict[str, Any], str] | None:
    """Return the data for an answer box to simulate an answer, and the page of the simulation.

    Parameters
    ----------
    exercise : Exercise

    Returns
    -------
    tuple of dict and str, or None
        For JSON, the ``names`` that an answer with a motion may contain, which of them are
        ``accelerations``, the ``functions`` that the page needs, and the frame's ``title``; and the
        page. None if the exercise has no motion.

    Raises
    ------
    TypeError
        If it is not an exercise.
    """
    instance(exercise, "exercise", Exercise)
    show, kind = exercise.show, exercise.answer
    if not isinstance(show, SideBySide) or not isinstance(kind, Expression):
        return None
    moving = moving_names(exercise.right, kind.samples.leaf_by_name.values())
    panel = show.awaiting(exercise.right, moving)
    names = [leaf_name(name) for name in moving]
    motion = {
        "names": names,
        "accelerations": [name for name in names if name.endswith("''")],
        "functions": list(panel.program["outside"]),
        "title": f"Simulation: {show.description}",
    }
    # its Python code would contain the right answer, and its address cannot restore the reader's
    data = {**panel.specification, "python": None, "waits": True}
    start = as_literal({"exercise": exercise.name, "names": names})
    module = (
        script("course/boxes/driven_simulation.js")
        + constants(data, panel.program)
        + f'await mountDriven(document.querySelector("main"), specification, program, {start});'
    )
    return motion, document(show.description, "", module, styles=[STYLE])
