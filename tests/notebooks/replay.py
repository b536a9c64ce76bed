"""nbval judges what has been executed already: in place of a kernel, it listens to a recording.

The recording is the executed copy of the notebook, made when the notebook or anything it uses was
last changed. nbval sends each cell and hears the outputs that the cell had; it compares by its own
rules. Notebooks elsewhere get a kernel as usual.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from queue import Empty

import nbformat
from nbval.plugin import IPyNbFile

from course.desk.course_record import name_of
from publishing.execute_notebooks import FOLDER as COPIES
from publishing.execute_notebooks import ROOT, up_to_date

FOLDER = ROOT / "notebooks"
start_kernel = IPyNbFile.setup


class Recording:
    """What nbval asks of a kernel, answered from the cells of an executed notebook."""

    def __init__(self, cells, failure=""):
        self.cells = [cell for cell in cells if cell.cell_type == "code"]
        self.failure = failure
        self.messages = []
        self.place = 0
        self.number = count(1)

    def execute_cell_input(self, source, allow_stdin=None):
        """Find the cell in the recording, from the last one on; return the request's number."""
        order = range(self.place, self.place + len(self.cells))
        places = [k % len(self.cells) for k in order]
        found = [k for k in places if self.cells[k].source == source]
        if not found:
            raise RuntimeError("this cell is not in the recording")
        cell, self.place = self.cells[found[0]], found[0] + 1
        if source.strip() and cell.execution_count is None:
            raise RuntimeError(f"this cell was not executed, because of {self.failure}")
        request = str(next(self.number))
        for output in cell.outputs:
            content = {k: v for k, v in output.items() if k != "output_type"}
            self.messages.append(message(request, output.output_type, content))
        self.messages.append(message(request, "status", {"execution_state": "idle"}))
        return request

    def get_message(self, stream, timeout=None):
        if stream != "iopub" or not self.messages:
            raise Empty
        return self.messages.pop(0)

    def await_reply(self, request, timeout=None):
        """Return at once: the cell has run."""

    def await_idle(self, request, timeout=None):
        self.messages.clear()

    def is_alive(self):
        return True

    def stop(self):
        self.messages.clear()


def message(request, kind, content):
    return {"msg_type": kind, "parent_header": {"msg_id": request}, "content": content}


def setup(file):
    """Let nbval's file of a notebook of the course begin with a recording."""
    path = Path(file.path)
    if FOLDER not in path.parents:
        start_kernel(file)
        return
    record = up_to_date(path, COPIES)
    cells = nbformat.read(COPIES / f"{name_of(path)}.ipynb", as_version=4).cells
    file.kernel = Recording(cells, record["failure"])
    file.setup_sanitize_files()


IPyNbFile.setup = setup
