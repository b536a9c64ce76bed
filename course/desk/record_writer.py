"""Writer of the record of chapters to other files: ``python -m course write``.

In README.md, in the table of contents, and in the paper, it fills the lines between two marks; in a
notebook, the title, the question, what it builds on, the hours, and the link to the next one. The
paper's bibliography gets the entries that the paper cites from the book's.
"""

from __future__ import annotations

import json
import posixpath
import re
import textwrap
from itertools import pairwise
from pathlib import Path

from course.desk.chapters import finished
from course.desk.copies import course_folder
from course.desk.course_record import Chapter, Section, read_record

_WORDS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_MARKED = re.compile(
    r"(from course/course\.toml, by python -m course write(?: -->)?\n)(.*?)(\s*(?:<!--|#) so far)",
    re.DOTALL,
)
_OPENING = re.compile(r"\A# .*\n\n\*[^*]+\*")
_TAKES = re.compile(
    r"(?:\*\*It builds on\*\*\s(.*?)\.\s+)?\*\*It\s+takes\*\*\s+about\s+\S+\s+hours?\b", re.DOTALL
)
_NEXT = re.compile(r"\n\n\*\*Next,\*\*(?:.(?!\n\n))*.", re.DOTALL)
_ENTRY = re.compile(r"^@\w+\{(\w+),\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_KEYWORDS = re.compile(r"^ *keywords *= .*\n", re.MULTILINE)


def write_record() -> list[str]:
    """Write the record to all files that contain it; return a line for each changed file.

    Raises
    ------
    FileNotFoundError
        If the course or one of the files is missing.
    ValueError
        If the record cannot be read, or a file lacks the marks.
    """
    folder = course_folder()
    lines = []
    for name, text in written(folder).items():
        path = folder / name
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            lines.append(f"wrote {name}")
    return lines or ["All files say what course/course.toml says."]


def written(folder: Path) -> dict[str, str]:
    """Return the files that contain parts of the record, with their new text.

    Parameters
    ----------
    folder : Path
        Folder of the course.

    Raises
    ------
    FileNotFoundError
        If one of the files is missing.
    ValueError
        If the record cannot be read, or a file lacks the marks.
    """
    chapters = read_record(folder)
    ready = list(finished(chapters).values())
    marked = {"README.md": _table, "_toc.yml": _contents, "paper/paper.md": _titles}
    files = {}
    for name, part in marked.items():
        files[name] = _between(folder / name, part(chapters if name == "_toc.yml" else ready))
    book = (folder / "book/references.bib").read_text(encoding="utf-8")
    files["paper/paper.bib"] = _cited(files["paper/paper.md"], _KEYWORDS.sub("", book))
    return files | _notebooks(chapters, folder)


def in_words(number: int) -> str:
    """Return a number in words up to twenty, and in digits beyond.

    Parameters
    ----------
    number : int
    """
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)


def _between(path: Path, part: str) -> str:
    """Return the text of a file with a new part between its two marks."""
    text = path.read_text(encoding="utf-8")
    if not _MARKED.search(text):
        raise ValueError(
            f'{path.name} has no place for the chapters: write "from course/course.toml, by python '
            '-m course write" and, below, "so far", both in comments'
        )
    return _MARKED.sub(lambda marked: marked[1] + part + marked[3], text)


def _table(chapters: list[Chapter]) -> str:
    rows = (
        f"| [{c.number}](notebooks/{c.sections[0].notebook}.ipynb) | {c.title} | {c.question} |"
        for c in chapters
    )
    first = f"There are {in_words(len(chapters))} chapters, and each begins with a question:"
    return "\n".join([first, "", "| | chapter | question |", "|---|---|---|", *rows])


def _contents(chapters: list[Chapter]) -> str:
    lines = []
    for first, *rest in (chapter.sections for chapter in chapters):
        lines.append(f"      - file: notebooks/{first.notebook}")
        lines += ["        sections:"] * bool(rest)
        lines += [f"          - file: notebooks/{section.notebook}" for section in rest]
    return "\n".join(lines)


def _titles(chapters: list[Chapter]) -> str:
    titles = "; ".join(f"*{chapter.short_title}*" for chapter in chapters)
    return textwrap.fill(titles, 100, break_on_hyphens=False)


def _cited(paper: str, book: str) -> str:
    """Return the entries of the book's bibliography that the paper cites, sorted by key."""
    entries = {entry[1]: entry[0] for entry in _ENTRY.finditer(book)}
    return "\n".join(entries[key] for key in sorted({*re.findall(r"@(\w+)", paper)} & {*entries}))


def _notebooks(chapters: list[Chapter], folder: Path) -> dict[str, str]:
    """Return the notebooks with new openings, and new links at their ends."""
    every = [(chapter, section) for chapter in chapters for section in chapter.sections]
    ready = [section for _, section in every if not section.draft]
    following = {section.notebook: after for section, after in pairwise(ready)}
    files = {}
    for chapter, section in every:
        file = f"notebooks/{section.notebook}.ipynb"
        notebook = json.loads((folder / file).read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
        texts = ["".join(cell["source"]) for cell in cells]
        _open(texts, section, file)
        first = section is chapter.sections[0]
        before = _builds_on(chapter, chapters, section) if first else ""
        _say_what_it_takes(texts, section, before, file)
        _lead_on(texts, section, following.get(section.notebook))
        for cell, text in zip(cells, texts):
            cell["source"] = text.splitlines(keepends=True)
        files[file] = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    return files


def _open(texts: list[str], section: Section, file: str) -> None:
    opening = _OPENING.match(texts[0]) if texts else None
    if opening is None:
        raise ValueError(f"{file} must begin with # and its title, and its question in asterisks")
    texts[0] = _put(texts[0], opening, f"# {section.title}\n\n*{section.question}*")


def _say_what_it_takes(texts: list[str], section: Section, before: str, file: str) -> None:
    for k, text in enumerate(texts):
        if takes := _TAKES.search(text):
            hours = f"{in_words(section.hours)} hour{'s' * (section.hours > 1)}"
            before = before or takes[1]
            builds = f"**It builds on** {before}. " if before else ""
            texts[k] = _put(text, takes, f"{builds}**It takes** about {hours}")
            return
    raise ValueError(f'{file} must say "**It takes** about two hours"')


def _lead_on(texts: list[str], section: Section, following: Section | None) -> None:
    """Put the link to the next section at the end, or in place of the present link."""
    link = ""
    if following:
        chapter, target = (int(s.notebook[:2]) for s in (section, following))
        title = following.title if chapter == target else f"chapter {target}"
        link = f"\n\n**Next,** [{title}]({_link(section, following)}): {following.preview}"
    last = next((k for k, text in enumerate(texts) if _NEXT.search(text)), len(texts) - 1)
    old = _NEXT.search(texts[last])
    texts[last] = _put(texts[last], old, link) if old else texts[last] + link


def _put(text: str, old: re.Match[str], new: str) -> str:
    """Replace words, unless they differ only by line breaks."""
    if old[0].split() == new.split():
        return text
    return text[: old.start()] + new + text[old.end() :]


def _link(section: Section, target: Section) -> str:
    """Return the link to another section's notebook, relative to a section's."""
    return posixpath.relpath(f"{target.notebook}.ipynb", posixpath.dirname(section.notebook))


def _builds_on(chapter: Chapter, chapters: list[Chapter], section: Section) -> str:
    """Return links to the chapters that a chapter builds on; empty if there are none."""
    links = [f"[{k}]({_link(section, chapters[k - 1].sections[0])})" for k in chapter.builds_on]
    if len(links) == 1:
        return f"[chapter {links[0][1:]}"
    if len(links) > 2:
        links[-1] = f"and {links[-1]}"
        return f"chapters {', '.join(links)}"
    return f"chapters {' and '.join(links)}" if links else ""
