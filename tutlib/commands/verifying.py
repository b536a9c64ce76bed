"""Are the machines of a notebook right? ``python -m tutlib verify FILE`` says it, check by check.

The notebook, or the program, is executed where it lies, and then `tutlib.verify` tries each model.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tutlib.programs.arguments import path_of

_MARK = "machines: "
_AT_THE_END = f"""
import json as _json
from tutlib.verification import verify_names as _verify_names
print({_MARK!r} + _json.dumps(_verify_names(dict(globals()))))
"""


def verify_file(file: str | Path) -> tuple[list[str], bool]:
    """Execute a notebook or a program, and verify the machines that its names are bound to.

    Parameters
    ----------
    file : path
        Of a notebook, ``.ipynb``, or a program, ``.py``.

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
        If it is neither, cannot be executed to its end, or no name of it is a machine.
    """
    from nbformat import v4

    path = path_of(file, "file", "work/my-machine.ipynb")
    whole = read_notebook(path)
    whole.cells.append(v4.new_code_cell(_AT_THE_END))
    execute(whole, path)
    found = _told_at_the_end(whole)
    if not found:
        raise ValueError(
            f"{path} has no machine: bind a Model, or an EquationsOfMotion, to a name of its own"
        )
    lines = [line for name, _, told in found for line in (f"{name}", "", *told.splitlines(), "")]
    failed = [name for name, passed, _ in found if not passed]
    count = f"{len(found)} machine{'s' * (len(found) > 1)}"
    ending = f"{count}: to mend {', '.join(failed)}." if failed else f"{count}: no check failed."
    return [*lines, ending], not failed


def read_notebook(path: Path) -> Any:
    """Return a notebook, or one whose only cell is a program.

    Parameters
    ----------
    path : Path
        Of a notebook, ``.ipynb``, or a program, ``.py``.

    Raises
    ------
    FileNotFoundError
        If it is not there.
    ValueError
        If it is neither.
    """
    import nbformat

    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        cell = nbformat.v4.new_code_cell(f"__file__ = {str(path)!r}\n{text}")
        return nbformat.v4.new_notebook(cells=[cell])
    if path.suffix != ".ipynb":
        raise ValueError(f"a notebook ends with .ipynb, a program with .py; got {path}")
    try:
        whole = nbformat.reads(text, as_version=4)
        nbformat.validate(whole)
    except (AttributeError, TypeError, ValueError, nbformat.ValidationError) as error:
        raise ValueError(f"{path} is no notebook") from error
    return whole


def execute(whole: Any, path: Path) -> None:
    """Execute a notebook as if it lay at a path, and keep what its cells put out.

    Parameters
    ----------
    whole : NotebookNode
    path : Path

    Raises
    ------
    ModuleNotFoundError
        If notebooks cannot be executed here.
    ValueError
        If it cannot be executed to its end.
    """
    try:
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'notebooks cannot be executed here: "pip install nbclient ipykernel"', name=error.name
        ) from error
    client = NotebookClient(
        whole, timeout=None, kernel_name="python3",
        resources={"metadata": {"path": str(path.resolve().parent)}},
    )  # fmt: skip
    try:
        client.execute()
    except CellExecutionError as error:
        raise ValueError(f"{path} does not run to its end: {error.ename}: {error.evalue}") from None


def _told_at_the_end(whole: Any) -> list[tuple[str, bool, str]]:
    """Return what the last cell of an executed notebook tells."""
    printed = "".join(one.get("text", "") for one in whole.cells[-1].outputs)
    (line,) = [line for line in printed.splitlines() if line.startswith(_MARK)]
    return [(name, passed, told) for name, passed, told in json.loads(line[len(_MARK) :])]
