"""Copy what the site is built from, without the solutions: ``without_solutions.py FOLDER``."""

import shutil
import sys
from pathlib import Path

from tutlib.copies import without_solutions

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("_config.yml", "_toc.yml", "CHANGELOG.md", "book", "notebooks")


def main(target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignored = shutil.ignore_patterns(".*", "__pycache__")
            shutil.copytree(source, target / part, ignore=ignored)
        else:
            shutil.copy(source, target / part)
    for notebook in target.glob("notebooks/*.ipynb"):
        text = without_solutions(notebook.read_text(encoding="utf-8"))
        notebook.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
