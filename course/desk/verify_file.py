"""Are the machines of a notebook right? ``python -m course verify FILE`` says it, check by check.

The notebook, or the program, is executed where it lies, and then `tutlib.verify` tries each model.
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


#: So many times as long as importing the course takes a cell may run on a slow computer.
TIMES = 10
_AT_THE_BEGINNING = "import tutlib"
_MARK = "machines: "
_AT_THE_END = f"""
import builtins as _builtins
import json as _json
from verification import verify_names as _verify_names
_builtins.print({_MARK!r} + _json.dumps(_verify_names(dict(globals()))))
"""


# As Python itself runs a program: without a kernel's options, and to an end that it chooses.
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
    """Execute a notebook or a program, and verify the machines that its names are bound to.

    Parameters
    ----------
    file : path
        Of a notebook, ``.ipynb``, or a program, ``.py``.
    limit : float, optional
        So many seconds a cell, or the program, may run; `LIMIT` or more unless given.

    Returns
    -------
    list of str, bool
        The report's lines, and whether no check failed.

    Raises
    ------
    FileNotFoundError
        If it is not there.
    ModuleNotFoundError
        If notebooks cannot be executed here.
    TypeError
        If the file is no path.
    ValueError
        If it is neither, cannot be executed to its end, has not finished in time, or no name of it
        is a machine.
    """
    from nbformat import v4

    path = path_of(file, "file", "work/my-machine.ipynb")
    whole = _to_execute(path)
    whole.cells.append(v4.new_code_cell(_AT_THE_END))
    execute(whole, path, limit)
    rows = _told_at_the_end(whole)
    if not rows:
        raise ValueError(
            f"{path} has no machine: bind a Model, or an EquationsOfMotion, to a name of its own"
        )
    lines = [line for name, _, table in rows for line in (f"{name}", "", *table.splitlines(), "")]
    failed = [name for name, passed, _ in rows if not passed]
    count = f"{len(rows)} machine{'s' * (len(rows) > 1)}"
    ending = f"{count}: to mend {', '.join(failed)}." if failed else f"{count}: no check failed."
    return [*lines, ending], not failed


def _to_execute(path: Path) -> NotebookNode:
    """Return a notebook, or one whose only cell runs a program."""
    if path.suffix == ".ipynb":
        return read_notebook(path)
    if path.suffix != ".py":
        raise ValueError(f"a notebook ends with .ipynb, a program with .py; got {path}")
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    from nbformat import v4

    text = _PROGRAM.format(path=str(path.resolve()), text=program_of(path))
    return v4.new_notebook(cells=[v4.new_code_cell(text)])


def execute(whole: NotebookNode, path: Path, limit: float | None = None) -> None:
    """Execute a notebook as if it lay at a path, and keep what its cells put out.

    Parameters
    ----------
    whole : NotebookNode
    path : Path
    limit : float, optional
        So many seconds each cell may run; `LIMIT` or more unless given.

    Raises
    ------
    ModuleNotFoundError
        If notebooks cannot be executed here.
    ValueError
        If it cannot be executed to its end, or has not finished in time.
    """
    try:
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'notebooks cannot be executed here: "pip install nbclient ipykernel"', name=error.name
        ) from error
    begun: list[float] = []
    client = _client(whole, path, limit, begun)
    try:
        client.execute(stderr=subprocess.DEVNULL)  # of the kernel: what ends it is told here
    except CellTimeoutError:
        raise ValueError(
            f"{path} has not finished: {_place(path, begun)} was stopped after "
            f"{client.timeout:.3g} s; --limit {10 * client.timeout:.3g} lets it run longer"
        ) from None
    except DeadKernelError:
        raise ValueError(f"{path} has ended Python itself, in {_place(path, begun)}") from None
    except CellExecutionError as error:
        raise ValueError(f"{path} does not run to its end: {error.ename}: {error.evalue}") from None
    finally:
        del whole.cells[0]


def _client(whole: NotebookNode, path: Path, limit: float | None, begun: list[float]) -> Any:
    """Put a cell in front, and return what executes a notebook and writes down what has begun."""
    from nbclient import NotebookClient
    from nbformat import v4

    def begins(cell: NotebookNode, cell_index: int) -> None:
        begun.append(time.monotonic())
        if cell_index == 1:
            client.timeout = math.ceil(limit or max(LIMIT, TIMES * (begun[1] - begun[0])))
        if cell.source == _AT_THE_END:  # it tries each machine in many ways
            client.timeout *= TIMES

    whole.cells.insert(0, v4.new_code_cell(_AT_THE_BEGINNING))
    client: Any = NotebookClient(
        whole,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        on_cell_start=begins,
        resources={"metadata": {"path": str(path.resolve().parent)}},
    )
    return client


def _place(path: Path, begun: list[float]) -> str:
    return "the program" if path.suffix == ".py" else f"cell {len(begun) - 1}"


def _told_at_the_end(whole: NotebookNode) -> list[tuple[str, bool, str]]:
    """Return what the last cell of an executed notebook tells."""
    printed = "".join(one.get("text", "") for one in whole.cells[-1].outputs)
    (line,) = [line for line in printed.splitlines() if line.startswith(_MARK)]
    return [(name, passed, table) for name, passed, table in json.loads(line[len(_MARK) :])]
