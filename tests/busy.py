"""``python -m tests.busy [NAME ...]``: right answers on one core, which three endless loops share.

All are right, however long they wait: each solution, and each further form of it. Without names
every exercise has its turn, which takes some minutes.
"""

import os
import subprocess
import sys
import time

from course import check
from course.exercises import every_exercise, find
from tests.javascript.corpus import other_forms

LOOPS = 3


def refused(exercises):
    """Yield what is said of each right answer that is not right here; print how long each takes."""
    for exercise in exercises:
        name, right = exercise.name, exercise.answer.value
        for answer in (right, *exercise.forms, *other_forms(exercise.answer, right)):
            begin, used = time.monotonic(), time.process_time()
            feedback = check(name, answer)
            times = f"{time.monotonic() - begin:6.2f} s, {time.process_time() - used:.2f} s here"
            print(f"{times}  {name}", flush=True)
            if not feedback:
                yield str(feedback)


def main(names):
    """Share a core with the loops, check, and return 1 where something right is refused."""
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})  # what is started from here stays there as well
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(LOOPS)]
    try:
        found = [*refused(map(find, names) if names else every_exercise())]
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    print(*found, f"{len(found)} right answers were refused", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
