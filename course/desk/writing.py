"""``python -m course write``: takes what `course.toml` says of chapters to the files that say it.

In README.md, in the table of contents and in the paper it stands between two marks; in a notebook,
in its title, its question, what it builds on, its hours, and the link to the next one. The paper's
bibliography has the entries of the book's that it cites.
"""

from __future__ import annotations

import json
import re
import textwrap
from itertools import pairwise
from pathlib import Path

from course.desk.chapters import finished
from course.desk.contents import Chapter, Section, read_record
from course.desk.copies import course_folder
from tutlib.reading.words import listed

_WORDS = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
]  # fmt: skip
_MARKED = re.compile(
    r"(from course/course\.toml, by python -m course write(?: -->)?\n)(.*?)(\s*(?:<!--|#) so far)",
    re.DOTALL,
)
_OPENING = re.compile(r"\A# .*\n\n\*[^*]+\*")
_TAKES = re.compile(
    r"\*\*It builds on\*\*\s(.*?)\.\s+\*\*It\s+takes\*\*\s+about\s+\S+\s+hours?\b", re.DOTALL
)
_NEXT = re.compile(r"\n\n\*\*Next,\*\*(?:.(?!\n\n))*.", re.DOTALL)
_ENTRY = re.compile(r"^@\w+\{(\w+),\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_KEYWORDS = re.compile(r"^ *keywords *= .*\n", re.MULTILINE)


def write_record() -> list[str]:
    """Write what the record says into all files that say it; return a line for each that changed.

    Raises
    ------
    FileNotFoundError
        If the course is not here, or one of the files.
    ValueError
        If the record cannot be read, or a file has no place for what it says.
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
    """Return the files that say something of the record, with the text that they should have.

    Parameters
    ----------
    folder : Path
        That of the course.

    Raises
    ------
    FileNotFoundError
        If one of the files is not there.
    ValueError
        If the record cannot be read, or a file has no place for what it says.
    """
    chapters = read_record(folder)
    ready = list(finished(chapters).values())
    marked = {"README.md": _table, "_toc.yml": _contents, "paper/paper.md": _titles}
    files = {}
    for name, part in marked.items():
        files[name] = _between(folder / name, part(chapters if name == "_toc.yml" else ready))
    book = (folder / "book/references.bib").read_text(encoding="utf-8")
    files["paper/paper.bib"] = _cited(files["paper/paper.md"], _KEYWORDS.sub("", book))
    return files | _notebooks(chapters, ready, folder)


def in_words(number: int) -> str:
    """Return a number as a text says it, up to twenty; else its digits.

    Parameters
    ----------
    number : int
    """
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)


def _between(path: Path, part: str) -> str:
    """Return the text of a file, with another part between its two marks."""
    text = path.read_text(encoding="utf-8")
    if not _MARKED.search(text):
        raise ValueError(
            f'{path.name} has no place for the chapters: write "from course/course.toml, by python '
            '-m course write" and, below, "so far", both in comments'
        )
    return _MARKED.sub(lambda found: found[1] + part + found[3], text)


def _table(chapters: list[Chapter]) -> str:
    rows = (
        f"| [{c.number}](notebooks/{c.sections[0].notebook}.ipynb) | {c.title} | {c.question} |"
        for c in chapters
    )
    first = f"There are {in_words(len(chapters))} chapters, and each begins with a question:"
    return "\n".join([first, "", "| | chapter | question |", "|---|---|---|", *rows])


def _contents(chapters: list[Chapter]) -> str:
    files = (f"      - file: notebooks/{s.notebook}" for c in chapters for s in c.sections)
    return "\n".join(files)


def _titles(chapters: list[Chapter]) -> str:
    titles = "; ".join(f"*{chapter.short_title}*" for chapter in chapters)
    return textwrap.fill(titles, 100, break_on_hyphens=False)


def _cited(paper: str, book: str) -> str:
    """Return the entries of the book's bibliography that the paper cites, by their keys."""
    entries = {entry[1]: entry[0] for entry in _ENTRY.finditer(book)}
    return "\n".join(entries[key] for key in sorted({*re.findall(r"@(\w+)", paper)} & {*entries}))


def _notebooks(chapters: list[Chapter], ready: list[Chapter], folder: Path) -> dict[str, str]:
    """Return the notebooks with their openings and the links at their ends."""
    chapter_of = {s.notebook: c for c in chapters for s in c.sections}
    names = [s.notebook for c in ready for s in c.sections]
    following = dict(pairwise(names))
    files = {}
    for name, chapter in chapter_of.items():
        next_one = chapter_of.get(following.get(name, ""))
        (section,) = (s for s in chapter.sections if s.notebook == name)
        link = _link(next_one, following[name]) if next_one else ""
        file = f"notebooks/{name}.ipynb"
        notebook = json.loads((folder / file).read_text(encoding="utf-8"))
        texts = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
        sources = ["".join(cell["source"]) for cell in texts]
        for cell, source in zip(texts, _reworded(sources, section, chapter, link, chapters)):
            cell["source"] = source.splitlines(keepends=True)
        files[file] = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    return files


def _link(chapter: Chapter, notebook: str) -> str:
    (section,) = (s for s in chapter.sections if s.notebook == notebook)
    return f"\n\n**Next,** [chapter {chapter.number}]({notebook}.ipynb): {section.preview}"


def _reworded(
    texts: list[str], section: Section, chapter: Chapter, link: str, chapters: list[Chapter]
) -> list[str]:
    """Return the texts of a notebook's cells, as the record has them."""
    where = f"notebooks/{section.notebook}.ipynb"
    opening = _OPENING.match(texts[0]) if texts else None
    if opening is None:
        raise ValueError(f"{where} must begin with # and its title, and its question in asterisks")
    texts = [_put(texts[0], opening, f"# {section.title}\n\n*{section.question}*"), *texts[1:]]
    place = next((k for k, text in enumerate(texts) if _TAKES.search(text)), None)
    if place is None:
        raise ValueError(f'{where} must say "**It builds on** …. **It takes** about two hours"')
    takes = _TAKES.search(texts[place])
    assert takes is not None
    builds = _builds_on(chapter, chapters) or takes[1]
    hours = f"{in_words(section.hours)} hour{'s' * (section.hours > 1)}"
    texts[place] = _put(
        texts[place], takes, f"**It builds on** {builds}. **It takes** about {hours}"
    )
    place = next((k for k, text in enumerate(texts) if _NEXT.search(text)), len(texts) - 1)
    old = _NEXT.search(texts[place])
    texts[place] = _put(texts[place], old, link) if old else texts[place] + link
    return texts


def _put(text: str, old: re.Match[str], new: str) -> str:
    """Put words in place of others, unless they are the same, however they are wrapped."""
    if old[0].split() == new.split():
        return text
    return text[: old.start()] + new + text[old.end() :]


def _builds_on(chapter: Chapter, chapters: list[Chapter]) -> str:
    """Return links to the chapters before; nothing if there are none."""
    links = [f"[{k}]({chapters[k - 1].sections[0].notebook}.ipynb)" for k in chapter.builds_on]
    if len(links) == 1:
        return f"[chapter {links[0][1:]}"
    return f"chapters {listed(links)}" if links else ""
