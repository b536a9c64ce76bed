"""The function `check` of the notebooks: ``check("pendulum-3", answer)``."""

from __future__ import annotations

from typing import Any

from course.exercises import find
from course.judge import Exercise, Feedback, judged


def check(exercise: str | Exercise, answer: Any, show: bool = False) -> Feedback:
    """Judge an answer and, if it is wrong, give the hint that fits the mistake.

    A wrong answer gets one message at the first try: the hint for this mistake if the course knows
    it; otherwise the first finding among no value, units, sign and factor, a limit or special case,
    a missing or extra term. The second try adds another finding or, if there is none, the section
    to read again. From the third try on, it gives all of these, and says that the solution may be
    opened. If nothing is known except that the answer is wrong, the section is given at once.

    A try is a wrong answer that can be read and differs from those before: repeating an answer does
    not count. Tries are counted for each exercise while Python runs; a right answer resets the
    count, and so does `stages.forget_tries`. A check cannot know where an answer comes from: the
    printed solution is right, too.

    Parameters
    ----------
    exercise : str or Exercise
        Its name, such as ``"pendulum-3"``, or an exercise of your own.
    answer : Any
        The answer to the exercise; ``...`` if you have none yet.
    show : bool
        Whether to animate your answer beside the true one, if the exercise has a motion.

    Returns
    -------
    Feedback
        A message that displays itself; it is true if the answer is right.

    Raises
    ------
    TypeError
        If ``exercise`` is neither, or ``show`` is not a bool.
    ValueError
        If no exercise has that name.
    """
    return judged(exercise if isinstance(exercise, Exercise) else find(exercise), answer, show)
