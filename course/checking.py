"""``check("pendulum-3", answer)``: right, or the hint that fits the mistake."""

from __future__ import annotations

from typing import Any

from course.exercises import find
from course.judge import Exercise, Feedback, judged


def check(exercise: str | Exercise, answer: Any, show: bool = False) -> Feedback:
    """Say whether an answer is right, and if not, give the hint that fits.

    A wrong answer is told one thing at the first try: the hint for this mistake where the course
    knows it; else the first that is found of these: no value, units, sign and factor, a limit or
    special case, a part that is missing or too much. At the second try it is told one thing more,
    if there is one; if not, which section to read again. From the third on it is told both, the
    section, and that the solution may be opened. Where nothing better is known than that it is
    wrong, the section is told at once.

    A try is a wrong answer that could be read and differs from those before: the same one again
    counts no new try. Tries are counted for each exercise as long as Python runs; a right answer
    begins anew, and so does `stages.forget_tries`. Nobody can tell where an answer comes from:
    whoever prints the solution has it, and a check of it says no more than that it is right.

    Parameters
    ----------
    exercise : str or Exercise
        Its name, such as ``"pendulum-3"``, or an exercise of your own.
    answer : Any
        What the exercise asks for; ``...`` as long as you have none.
    show : bool
        Whether your answer is set in motion beside the true one, where there is motion.

    Returns
    -------
    Feedback
        Shows itself; it is true if the answer is right.

    Raises
    ------
    TypeError
        If ``exercise`` is neither, or ``show`` not True or False.
    ValueError
        If there is no exercise of that name.
    """
    return judged(exercise if isinstance(exercise, Exercise) else find(exercise), answer, show)
