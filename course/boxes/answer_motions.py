"""Motions that an answer box sets going: the true one, and beside it one that the page drives.

Each exercise whose answer moves has a page of its own, which the box puts into a frame. The book's
chapters serve them beside their answer boxes.
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
    """Return what an answer box must know to set an answer in motion, and the page where it moves.

    Parameters
    ----------
    exercise : Exercise

    Returns
    -------
    tuple of dict and str, or None
        For JSON, ``names`` that may stand in an answer that moves, those of them that are
        ``accelerations``, the ``functions`` that the page asks for and the frame's ``title``; and
        the page. None where nothing moves.

    Raises
    ------
    TypeError
        If it is no exercise.
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
    # its code would hold the right answer, and its address cannot bring the reader's back
    data = {**panel.specification, "python": None, "waits": True}
    start = as_literal({"exercise": exercise.name, "names": names})
    module = (
        script("course/boxes/driven_simulation.js")
        + constants(data, panel.program)
        + f'await mountDriven(document.querySelector("main"), specification, program, {start});'
    )
    return motion, document(show.description, "", module, styles=[STYLE])
