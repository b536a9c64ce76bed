"""Verification of the models in a file: ``python -m course verify FILE``.

The notebook or program is executed in its folder; then `verification` checks each model that a name
is bound to.
"""

from __future__ import annotations

import json
import math
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.desk.command_line import LIMIT
from course.desk.files import program_of, read_notebook
from straightline.arguments import path_of

if TYPE_CHECKING:
    from nbformat import NotebookNode


#: Time limit of a cell on a slow computer, in multiples of the time to import the course.
TIMES = 10
_AT_THE_BEGINNING = "import tutlib"
_MARK = "machines: "
_AT_THE_END = f"""
import builtins as _builtins
import json as _json
from course.desk.verify_names import verify_names as _verify_names
_builtins.print({_MARK!r} + _json.dumps(_verify_names(dict(globals()))))
"""


# As Python runs a program: without a kernel's options, and with exits of its own.
_PROGRAM = """\
import sys
__file__, sys.argv = {path!r}, [{path!r}]
try:
    exec(compile({text!r}, __file__, "exec"))
except SystemExit as _end:
    if _end.code not in (None, 0):
        raise
"""


def verify_file(file: str | Path, limit: float | None = None) -> tuple[list[str], bool]:
    """Execute a notebook or a program, and verify the models that its names are bound to.

    Parameters
    ----------
    file : path
        Notebook, ``.ipynb``, or program, ``.py``.
    limit : float, optional
        Time limit of each cell, or of the program [s]; `LIMIT` or more unless given.

    Returns
    -------
    list of str, bool
        The report's lines, and whether no check failed.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    ModuleNotFoundError
        If notebooks cannot be executed on this computer.
    TypeError
        If the file is not a path.
    ValueError
        If it is of another kind, does not run to its end, exceeds the time limit, or has no name
        that is bound to a model.
    """
    from nbformat import v4

    path = path_of(file, "file", "work/my-machine.ipynb")
    notebook = _to_execute(path)
    notebook.cells.append(v4.new_code_cell(_AT_THE_END))
    execute(notebook, path, limit)
    rows = _results(notebook)
    if not rows:
        raise ValueError(f"{path} has no model: assign a Model or an EquationsOfMotion to a name")
    lines = [line for name, _, table in rows for line in (f"{name}", "", *table.splitlines(), "")]
    failed = [name for name, passed, _ in rows if not passed]
    count = f"{len(rows)} model{'s' * (len(rows) > 1)}"
    ending = (
        f"{count}: checks failed for {', '.join(failed)}."
        if failed
        else (f"{count}: no check failed.")
    )
    return [*lines, ending], not failed


def _to_execute(path: Path) -> NotebookNode:
    """Return a notebook, or a notebook whose only cell runs a program."""
    if path.suffix == ".ipynb":
        return read_notebook(path)
    if path.suffix != ".py":
        raise ValueError(f"a notebook ends with .ipynb, a program with .py; got {path}")
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    from nbformat import v4

    text = _PROGRAM.format(path=str(path.resolve()), text=program_of(path))
    return v4.new_notebook(cells=[v4.new_code_cell(text)])


def execute(notebook: NotebookNode, path: Path, limit: float | None = None) -> None:
    """Execute a notebook in the folder of a path, and keep the outputs of its cells.

    Parameters
    ----------
    whole : NotebookNode
    path : Path
    limit : float, optional
        Time limit of each cell [s]; `LIMIT` or more unless given.

    Raises
    ------
    ModuleNotFoundError
        If notebooks cannot be executed on this computer.
    ValueError
        If it does not run to its end, or exceeds the time limit.
    """
    try:
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'to execute notebooks, run "pip install nbclient ipykernel"',
            name=error.name,
        ) from error
    start_times: list[float] = []
    client = _client(notebook, path, limit, start_times)
    try:
        client.execute(stderr=subprocess.DEVNULL)  # of the kernel, whose end is reported below
    except CellTimeoutError:
        raise ValueError(
            f"{path} did not finish: {_location(path, start_times)} was stopped after "
            f"{client.timeout:.3g} s; --limit {10 * client.timeout:.3g} lets it run longer"
        ) from None
    except DeadKernelError:
        raise ValueError(f"{path} crashed Python in {_location(path, start_times)}") from None
    except CellExecutionError as error:
        raise ValueError(f"{path} does not run to its end: {error.ename}: {error.evalue}") from None
    finally:
        del notebook.cells[0]


def _client(
    notebook: NotebookNode, path: Path, limit: float | None, start_times: list[float]
) -> Any:
    """Add a first cell, and return the client that executes a notebook and times its cells."""
    from nbclient import NotebookClient
    from nbformat import v4

    def record_start(cell: NotebookNode, cell_index: int) -> None:
        start_times.append(time.monotonic())
        if cell_index == 1:
            client.timeout = math.ceil(
                limit or max(LIMIT, TIMES * (start_times[1] - start_times[0]))
            )
        if cell.source == _AT_THE_END:  # the verification runs each model many times
            client.timeout *= TIMES

    notebook.cells.insert(0, v4.new_code_cell(_AT_THE_BEGINNING))
    client: Any = NotebookClient(
        notebook,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        on_cell_start=record_start,
        resources={"metadata": {"path": str(path.resolve().parent)}},
    )
    return client


def _location(path: Path, start_times: list[float]) -> str:
    return "the program" if path.suffix == ".py" else f"cell {len(start_times) - 1}"


def _results(notebook: NotebookNode) -> list[tuple[str, bool, str]]:
    """Return the results that the last cell of an executed notebook has printed."""
    printed = "".join(output.get("text", "") for output in notebook.cells[-1].outputs)
    (line,) = [line for line in printed.splitlines() if line.startswith(_MARK)]
    return [(name, passed, table) for name, passed, table in json.loads(line[len(_MARK) :])]
