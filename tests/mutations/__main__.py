"""Plant every fault in a copy of the course, run the test that must see it, and name survivors.

``python -m tests.mutations [WORD...]``: all, or those whose name or file has one of the words.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from typing import Any

from tests.mutations.faults import Fault, all_faults

ROOT = Path(__file__).resolve().parents[2]
EXECUTED, SITE = "_build/executed", "_build/html"
SEEN = (1, 2)  # pytest: tests failed, or could not even be collected


def copy_course(target: Path) -> Path:
    """Copy all files that git knows or would add, and what was built."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    for name in (EXECUTED, SITE):
        restore(target, name)
    return target


def restore(target: Path, name: str) -> None:
    """Put back a folder of built files; a fault may have changed it."""
    shutil.rmtree(target / name, ignore_errors=True)
    if (ROOT / name).is_dir():
        shutil.copytree(ROOT / name, target / name)


def fails(test: str, folder: Path) -> str:
    """Run a test in a copy; return what it prints if it fails, or an empty text."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test]
    settings = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=settings)
    return done.stdout + done.stderr if done.returncode in SEEN else ""


def is_seen(fault: Fault, folder: Path) -> bool:
    """Plant a fault, return whether its test sees it, and leave the copy as it was."""
    path = folder / fault.file
    sound = path.read_bytes()
    path.write_text(fault.changed(sound.decode("utf-8")), encoding="utf-8", newline="\n")
    try:
        return bool(fails(fault.test, folder))
    finally:
        path.write_bytes(sound)
        restore(folder, EXECUTED)


class Copies:
    """As many copies of the course as the computer has cores; each serves one at a time."""

    def __init__(self, folder: str) -> None:
        self.pool = ThreadPoolExecutor(os.cpu_count())
        self.free: Queue[Path] = Queue()
        for number in range(os.cpu_count() or 1):
            self.free.put(copy_course(Path(folder, str(number))))

    def each(self, action: Callable[..., Any], arguments: list[Any]) -> Any:
        """Yield what the action returns for each argument and some copy, in order."""

        def borrow(argument: Any) -> Any:
            folder = self.free.get()
            try:
                return action(argument, folder)
            finally:
                self.free.put(folder)

        return self.pool.map(borrow, arguments)


def main(words: list[str]) -> int:
    faults = [f for f in all_faults() if not words or any(w in f.name + f.file for w in words)]
    survivors = 0
    with TemporaryDirectory() as scratch:
        copies = Copies(scratch)
        tests = sorted({fault.test for fault in faults})
        broken = {t: found for t, found in zip(tests, copies.each(fails, tests)) if found}
        for test, found in broken.items():
            print(f"fails without any fault: {test}\n{found[-2000:]}")
        for fault, seen in zip(faults, copies.each(is_seen, faults)):
            print(f"{'seen' if seen else 'SURVIVES':9s} {fault.name} · {fault.file}", flush=True)
            survivors += not seen
    print(f"{len(faults)} faults, {survivors} survive")
    return int(survivors > 0 or bool(broken))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
