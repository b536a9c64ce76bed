"""Execute notebooks, each once, several at a time: ``execute_notebooks.py [NOTEBOOK...]``.

The executed copy, ``_build/executed/NAME.ipynb``, serves the book and every test of the notebooks.
Beside it is a record, ``NAME.json``: values of names, figures, and whether the solutions are right
answers. A copy is kept while its key is the same: a digest of its code, of versions, and of the
files that the code can use (`publishing.dependencies`). Pages of the book with code are executed in
the same way, but for the site only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import active_children, get_context
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell

from course.desk import cells_of, course_notebooks, read_notebook
from course.desk.course_record import chapter_of, name_of
from publishing.dependencies import EXERCISES, Dependencies
from publishing.exercise_cells import in_running_order

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "_build" / "executed"
#: Time limit of a cell [s], which only an endless one exceeds, even on the slowest computer.
CELL_TIMEOUT = 3600
#: Exit code after Ctrl-C.
STOPPED = 130
VERSIONS = ("numpy", "scipy", "scikit-sundae", "sympy", "matplotlib", "wasmtime", "ipykernel")
#: What executes notebooks; and the companion in their kernels, with everything that it imports.
TOOLS = ("publishing/execute_notebooks.py", "publishing/kernel_server.py")
COMPANION = "publishing/kernel_companion.py"
#: Sources of the code cells in pages of the book, besides the package.
SHOWN = ("course", "notebooks", "CITATION.cff")


@cache
def versions() -> bytes:
    """Return a digest of the versions of Python and of the packages that compute."""
    digest = hashlib.sha256(sys.version.encode())
    for name in VERSIONS:
        try:
            digest.update(f"{name} {version(name)}".encode())
        except PackageNotFoundError:
            digest.update(f"no {name}".encode())
    return digest.digest()


@cache
def project() -> Dependencies:
    """Return the files of the project, as they are at the first call."""
    return Dependencies(ROOT)


def dependencies(notebook: Path) -> list[str]:
    """Return the files that an execution can depend on: for a page, all that readers import."""
    files = project().files
    if notebook.suffix == ".md":
        code, used = [], {file for file in files if not file.startswith("publishing/")}
    else:
        code = [cell["source"] for cell in cells_of(notebook) if "outputs" in cell]
        chapter = chapter_of(name_of(notebook)).replace("-", "_")
        used = {f"{EXERCISES}/{chapter}.py"} & files
    return [*TOOLS, *project().of(code, {COMPANION, *used})]


def key(notebook: Path) -> str:
    """Return a digest of what the outputs depend on: code, versions, and files that it can use."""
    if notebook.suffix == ".md":
        own = shown_in_pages() + notebook.read_bytes()
    else:
        cells = [cell for cell in cells_of(notebook) if "outputs" in cell]
        code = [(cell["id"], cell["source"], cell["metadata"].get("tags")) for cell in cells]
        own = json.dumps(code).encode()
    used = project().digest(dependencies(notebook))
    return hashlib.sha256(versions() + used + own).hexdigest()


@cache
def shown_in_pages() -> bytes:
    """Return a digest of the sources that pages of the book show."""
    digest = hashlib.sha256()
    for path in sorted(p for name in SHOWN for p in [ROOT / name, *(ROOT / name).rglob("*")]):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.digest()


def pages_with_code(folder: Path = ROOT) -> list[Path]:
    """Return the pages of the book with code cells."""
    pages = sorted((folder / "book").glob("*.md"))
    return [page for page in pages if "{code-cell}" in page.read_text(encoding="utf-8")]


def content_of(notebook: Path) -> Any:
    """Return the content of a notebook, or of a page as the site will read it."""
    if notebook.suffix != ".md":
        return read_notebook(notebook)
    from myst_nb.core.read import read_myst_markdown_notebook

    text = notebook.read_text(encoding="utf-8")
    content = read_myst_markdown_notebook(text, add_source_map=True, path=notebook)
    content.metadata.language_info = {"name": "python", "pygments_lexer": "ipython3"}
    return content


def name_of_copy(notebook: Path) -> str:
    """Return the name of the executed copy in its folder, without an ending."""
    return f"book/{notebook.stem}" if notebook.suffix == ".md" else name_of(notebook)


def recorded(notebook: Path, folder: Path = FOLDER) -> dict[str, Any] | None:
    """Return the record of a notebook, or None if it is missing or outdated."""
    path = folder / f"{name_of_copy(notebook)}.json"
    if not path.exists():
        return None
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record if record["key"] == key(notebook) else None


def kernel_environment(scratch: str) -> dict[str, str]:
    """Return an environment that neither reads a user's settings nor writes to their home."""
    settings = {
        "PYTHONPATH": str(ROOT),
        "IPYTHONDIR": scratch,
        "JUPYTER_RUNTIME_DIR": scratch,
        "PYTHONUTF8": "1",
        "TQDM_DISABLE": "1",  # no progress bars in outputs, even on a slow computer
    }
    return {**os.environ, **settings, **matplotlib_environment()}


def matplotlib_environment() -> dict[str, str]:
    """Return the environment that Matplotlib reads when it is imported."""
    folder = ROOT / "_build" / "cache" / "matplotlib"
    folder.mkdir(parents=True, exist_ok=True)
    return {
        "MPLCONFIGDIR": str(folder),
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }


def kernel_client(notebook: Path, content: Any) -> Any:
    """Return a client whose kernel is this Python."""
    from ipykernel.kernelspec import get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec
    from nbclient import NotebookClient

    from publishing import kernel_server

    client = NotebookClient(
        content,
        kernel_manager_class=kernel_server.manager,
        timeout=CELL_TIMEOUT,
        record_timing=False,
        resources={"metadata": {"path": str(notebook.parent)}},
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    )
    client.create_kernel_manager()
    client.km._kernel_spec = KernelSpec(**get_kernel_dict())
    if os.name == "posix":  # a free TCP port may be taken a moment later
        client.km.transport, client.km.ip = "ipc", f"{gettempdir()}/k{os.getpid()}-{id(client)}"
    return client


def run_cells(notebook: Path, content: Any, result: Path) -> str:
    """Run all cells in a new kernel, author cells last; return an error message, or nothing."""
    from nbclient.exceptions import CellControlSignal, DeadKernelError

    begin = "from publishing.kernel_companion import Companion as _C; _companion = _C({!r})"
    cells, running = content.cells, in_running_order(content.cells)
    first, last = map(new_code_cell, (begin.format(str(notebook)), "_companion.write({!r})"))
    last.source = last.source.format(str(result))
    accompanied = notebook.suffix != ".md"
    content.cells = [first, *running, last]
    client, failure, alive = kernel_client(notebook, content), "", True
    with TemporaryDirectory() as scratch, client.setup_kernel(env=kernel_environment(scratch)):
        if accompanied:
            client.execute_cell(first, 0, store_history=False)
        try:
            for index, cell in enumerate(running, 1):
                client.execute_cell(cell, index)
        except (CellControlSignal, DeadKernelError) as error:
            failure, alive = f"{cell.id}: {error}", not isinstance(error, DeadKernelError)
        if accompanied and alive:
            client.execute_cell(last, len(cells) + 1, store_history=False)
    content.cells = cells
    return failure or warned(cells)


def warned(cells: Sequence[Any]) -> str:
    """Return the first warning that a cell has written to stderr, or an empty text."""
    for cell in cells:
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                return f"{cell.id}: written to stderr: {output.text.strip()}"
    return ""


def execute(notebook: Path, folder: Path = FOLDER) -> dict[str, Any]:
    """Execute a notebook, write its executed copy and its record, and return the record."""
    content = content_of(notebook)
    for cell in content.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    target = folder / name_of_copy(notebook)
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f"tmp-{os.getpid()}-", dir=folder) as scratch:
        result, copy = (Path(scratch, name) for name in ("record.json", "copy.ipynb"))
        failure = run_cells(notebook, content, result)
        record = json.loads(result.read_text(encoding="utf-8")) if result.exists() else {}
        record |= {"key": key(notebook), "failure": failure}
        content.metadata.pop("widgets", None)
        nbformat.write(content, copy)
        result.write_text(json.dumps(record, indent=1), encoding="utf-8")
        os.replace(copy, f"{target}.ipynb")
        os.replace(result, f"{target}.json")
    return record


def up_to_date(notebook: Path, folder: Path = FOLDER) -> dict[str, Any]:
    """Return the record of a notebook, after executing it if it is outdated."""
    return recorded(notebook, folder) or execute(notebook, folder)


def with_outputs(notebook: Path, folder: Path = FOLDER) -> Any:
    """Return a notebook as it is written now, with the outputs of its executed copy."""
    content = read_notebook(notebook)
    copy = nbformat.read(folder / f"{name_of(notebook)}.ipynb", as_version=4)
    ran = {cell.id: cell for cell in copy.cells if cell.cell_type == "code"}
    for cell in content.cells:
        if cell.cell_type == "code":
            cell.outputs = ran[cell.id].outputs
            cell.execution_count = ran[cell.id].execution_count
    return content


def attempted(notebook: Path, again: bool) -> dict[str, Any]:
    """Return the record of a notebook, or one with an error message if it cannot be read."""
    try:
        return execute(notebook) if again else up_to_date(notebook)
    except ValueError as error:
        return {"failure": str(error)}


def begin() -> None:
    """Prepare a process that executes notebooks one after the other; Ctrl-C is for its parent."""
    from publishing import kernel_server

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        kernel_server.prepare(matplotlib_environment())


def execute_all(notebooks: Sequence[Path] = (), again: bool = False) -> int:
    """Execute notebooks, by default all; print a line for each, and return 1 if any failed.

    Notebooks that are up to date are executed only if ``again``. Ctrl-C stops all of them.
    """
    paths = [path for path in notebooks or course_notebooks(ROOT) if again or is_outdated(path)]
    if not paths:
        return 0
    print(f"Executing {len(paths)} notebooks ...", flush=True)
    # Later chapters take longer; with the longest first, all cores finish at about the same time.
    # A worker that is forked has a fork server of its own, on which `begin` depends.
    context = get_context("fork" if sys.platform == "linux" else None)
    failed = False
    with ProcessPoolExecutor(os.cpu_count(), context, begin) as pool:
        tried = partial(attempted, again=again)
        running = {pool.submit(tried, path): path for path in paths[::-1]}
        try:
            for number, future in enumerate(as_completed(running), 1):
                notebook, record = running[future], future.result()
                name = name_of_copy(notebook) + notebook.suffix
                line = f"notebook {number} of {len(paths)}: {name}"
                print(line, record["failure"], sep=" " * bool(record["failure"]), flush=True)
                failed = failed or bool(record["failure"])
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                worker.terminate()
                worker.join()
                for left in FOLDER.glob(f"tmp-{worker.pid}-*"):
                    shutil.rmtree(left, ignore_errors=True)
            print("Stopped. What was executed is kept: run the same command again to continue.")
            return STOPPED
    return int(failed)


def is_outdated(notebook: Path) -> bool:
    """Return whether a notebook is to be executed: it has changed, failed, or cannot be read."""
    try:
        record = recorded(notebook)
    except ValueError:
        return True
    return record is None or bool(record["failure"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--again", action="store_true", help="also those that are up to date")
    arguments = parser.parse_args()
    return execute_all([path.resolve() for path in arguments.notebooks], arguments.again)


if __name__ == "__main__":
    sys.exit(main())
