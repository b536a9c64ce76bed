"""Log of one's own answers: commands to switch it on or off, show it, or copy it.

``python -m course log on|off|show|export`` runs them; `check` writes to the log.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from course.desk.copies import work_folder
from course.desk.files import text_of
from course.judge.log import NAME
from straightline.arguments import instance

#: Name of the file while the log is off.
REST = "answers.off.jsonl"
ACTIONS = ("on", "off", "show", "export")


def change_log(action: str, target: str = "", folder: str | Path | None = None) -> list[str]:
    """Switch the log of one's own answers on or off, show it, or copy it to a file.

    Parameters
    ----------
    action : {"on", "off", "show", "export"}
    target : str
        New file to copy the log to.
    folder : path, optional
        Folder of the notebooks; unless given, ``work`` in the folder of the course, or the current
        folder if only the package is installed.

    Returns
    -------
    list of str
        Messages, or the lines of the log.

    Raises
    ------
    FileNotFoundError
        If the folder does not exist, or there is no log to show.
    FileExistsError
        If the file to copy to exists.
    OSError
        If the folder is not writable.
    ValueError
        If the action is unknown.
    """
    notebooks = work_folder(folder)
    if not notebooks.is_dir():
        raise FileNotFoundError(f"there is no folder {notebooks}: name yours with --folder")
    log, rest = notebooks / NAME, notebooks / REST
    match instance(action, "action", str):
        case "on":
            return _on(log, rest)
        case "off":
            return _off(log, rest)
        case "show":
            return [*map(_shown, read_log(_existing(log, rest)))] or ["The log is empty so far."]
        case "export":
            return _exported(_existing(log, rest), target)
    raise ValueError(f"action must be one of {', '.join(ACTIONS)}; got {action!r}")


def read_log(path: Path) -> list[dict[str, str]]:
    """Return the answers of a log; damaged lines are left out.

    Parameters
    ----------
    path : Path

    Returns
    -------
    list of dict
        Each with ``exercise``, ``answer``, ``verdict``, ``stage``, ``message``, and ``day``.
    """
    answers = []
    for line in text_of(path).splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):  # part of a line, because the disk was full
            continue
        if isinstance(entry, dict) and {"exercise", "answer", "verdict"} <= set(entry):
            answers.append({key: str(value) for key, value in entry.items()})
    return answers


def _on(log: Path, rest: Path) -> list[str]:
    if not log.exists() and rest.exists():
        rest.rename(log)
    log.touch()
    return [f"From now on, every answer that you check in {log.parent} is recorded in {log.name}."]


def _off(log: Path, rest: Path) -> list[str]:
    if not log.exists():
        return ["The log is off."]
    if rest.exists():
        with rest.open("a", encoding="utf-8") as file:
            file.write(log.read_text(encoding="utf-8"))
        log.unlink()
    else:
        log.rename(rest)
    return [f"The log is off. Your earlier answers are in {rest}; delete that file if you like."]


def _existing(log: Path, rest: Path) -> Path:
    for path in (log, rest):
        if path.exists():
            return path
    raise FileNotFoundError('there is no log: start one with "python -m course log on"')


def _exported(log: Path, target: str) -> list[str]:
    if not target:
        raise ValueError("name the file to copy the log to: python -m course log export FILE")
    if Path(target).exists():
        raise FileExistsError(f"{target} already exists: name another file")
    shutil.copyfile(log, target)
    return [
        f"{len(read_log(log))} answers were copied to {target}. Nobody sees them unless you "
        "send that file."
    ]


def _shown(entry: dict[str, str]) -> str:
    shown = {key: printable(value) for key, value in entry.items()}
    return (
        f"{shown.get('day', ''):10}  {shown['verdict']:5}  {shown['exercise']}  {shown['answer']}"
    )


def printable(text: str) -> str:
    """Return a text on one line, with control characters escaped."""
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
