"""HTML report of a notebook: ``python -m course report FILE`` writes it.

Live panels, animations, and formulas run in any browser, without a kernel or a network.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from course.desk.copies import course_folder
from course.desk.files import read_notebook
from course.desk.verify_file import execute
from straightline.arguments import path_of
from tutlib.reading.files import write_whole

#: MIME type of outputs that need a kernel; a panel without kernel is stored beside it.
_KERNEL = "application/vnd.jupyter.widget-view+json"
#: First line of a report, so that a report may be overwritten, and no other file.
_MARK = "<!-- a report by tutlib -->\n"
_TEMPLATE = """\
{% extends "index.html.j2" %}
{% block html_head_js %}{% endblock %}
{% block jupyter_widgets %}{% endblock %}
{% block html_head_js_mermaidjs %}{% endblock %}
"""
_AT_THE_END = "{% block footer_js %}<script>{{ resources.frames }}</script>{% endblock %}\n"
_WITH_FORMULAS = "{% block html_head_js_mathjax %}{{ resources.formulas }}{% endblock %}\n"
_DELIMITERS = """\
<script>
MathJax = {tex: {inlineMath: [["$", "$"], ["\\\\(", "\\\\)"]], processEscapes: true, tags: "ams"}};
</script>
"""


def report_file(
    file: str | Path, output: str | Path | None = None, limit: float | None = None
) -> list[str]:
    """Execute a notebook and write it as HTML.

    Parameters
    ----------
    file : path
        Notebook, which stays unchanged.
    output : path, optional
        File to write; beside the notebook unless given. An existing file is overwritten only if it
        is a report.
    limit : float, optional
        Time limit of each cell [s]; half a minute or more unless given.

    Returns
    -------
    list of str
        Lines on what was done.

    Raises
    ------
    FileExistsError
        If the file to write exists and is not a report.
    FileNotFoundError
        If the notebook does not exist.
    ModuleNotFoundError
        If notebooks cannot be executed or exported on this computer.
    TypeError
        If the file is not a path.
    ValueError
        If it is not a notebook, does not run to its end, or exceeds the time limit.
    """
    path = path_of(file, "file", "work/slider-crank.ipynb")
    if path.suffix != ".ipynb":
        raise ValueError(f"a report is made from a notebook, .ipynb; got {path}")
    notebook = read_notebook(path)
    target = (
        path.with_suffix(".html")
        if output is None
        else path_of(output, "output", "work/report.html")
    )
    _refuse_to_lose(target)
    execute(notebook, path, limit)
    notebook.cells = [cell for cell in notebook.cells if cell.source.strip()]
    formulas = _formulas()
    text = _MARK + _as_html(notebook, path.stem, formulas)
    write_whole(target, text.encode(errors="replace"))
    missing = "Its formulas need a network. To include them: pip install sphinx-mathjax-offline"
    return [f"wrote {target}", *([] if formulas else [missing])]


def _refuse_to_lose(target: Path) -> None:
    """Reject a target that exists and is not a report."""
    if not target.exists():
        return
    with target.open("rb") as file:
        if file.read(len(_MARK)) == _MARK.encode():
            return
    raise FileExistsError(
        f"{target} already exists and is not a report: give another name with --output FILE.html"
    )


def _as_html(notebook: Any, title: str, formulas: str) -> str:
    """Return a notebook as HTML, with panels that need no kernel."""
    try:
        from nbconvert import HTMLExporter
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'to write reports, install nbconvert: "pip install nbconvert"', name=error.name
        ) from error
    template = _TEMPLATE + _AT_THE_END + (_WITH_FORMULAS if formulas else "")
    exporter = HTMLExporter(raw_template=template, template_name="lab")
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(_KERNEL, None)
    notebook.metadata["title"] = title
    frames = (course_folder() / "book" / "_static" / "frames.js").read_text(encoding="utf-8")
    scripts = {"formulas": formulas, "frames": frames}
    body, _ = exporter.from_notebook_node(notebook, resources=scripts)
    return str(body)


def _formulas() -> str:
    """Return a script that sets formulas without a network; empty if it is not installed."""
    try:
        package = distribution("sphinx-mathjax-offline")
    except PackageNotFoundError:
        return ""
    source = package.locate_file("sphinx-mathjax-offline/static/mathjax/tex-svg.js")
    script = Path(str(source)).read_text(encoding="utf-8")
    return f"{_DELIMITERS}<script>{script}</script>"
