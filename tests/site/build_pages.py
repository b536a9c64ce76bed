"""Build small books, each in a process of its own but with all that it needs imported once.

``python -m tests.site.build_pages FOLDER...`` builds each folder as `make book` does; beside it
stand then FOLDER.log with what was said, and FOLDER.code with the exit code.
"""

import contextlib
import multiprocessing
import sys
import traceback
from pathlib import Path

import jupyter_book.sphinx
import myst_nb.sphinx_ext
import nbclient
import sphinx.ext.autodoc
import sphinx.ext.mathjax
import sphinx_book_theme
import sphinx_design
import sphinxcontrib.bibtex
from jupyter_book.cli.main import main

IMPORTED = (
    jupyter_book,
    myst_nb,
    nbclient,
    sphinx,
    sphinx_book_theme,
    sphinx_design,
    sphinxcontrib,
)


def build(folder: str) -> None:
    code: object = 1
    with (
        open(f"{folder}.log", "w", encoding="utf-8") as log,
        contextlib.redirect_stdout(log),
        contextlib.redirect_stderr(log),
    ):
        try:
            main(["build", folder, "-W", "-n", "--keep-going"])
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            traceback.print_exc()
    Path(f"{folder}.code").write_text(str(code if isinstance(code, int) else 1), encoding="utf-8")


if __name__ == "__main__":
    known = multiprocessing.get_all_start_methods()
    fork = multiprocessing.get_context("fork" if "fork" in known else "spawn")
    for folder in sys.argv[1:]:
        process = fork.Process(target=build, args=(folder,))
        process.start()
        process.join()
