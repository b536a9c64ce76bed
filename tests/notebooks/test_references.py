"""What points elsewhere points to the right place: chapters, sections, sources."""

import ast
import re
import unicodedata
from functools import cache

import pytest

from course.desk.chapter_requirements import says
from course.desk.course_record import chapter_of, name_of
from tests.texts import (
    CHAPTERS,
    CLAUSE,
    NOTEBOOKS,
    PAGES,
    PARAGRAPH,
    RECORD,
    ROOT,
    SENTENCE,
    around,
    cells_of_chapter,
    markdown,
    paragraphs,
)

REASON = "the book's own packages are not installed"
parse_file = pytest.importorskip("pybtex.database", reason=REASON).parse_file
latex = pytest.importorskip("pybtex.richtext", reason=REASON).Text.from_latex

# What a text speaks of when it sends a reader to a chapter. A word belongs to one chapter alone.
SUBJECTS = {number: chapter.subjects for number, chapter in RECORD.items()}
FIELDS = {
    "article": {"author", "title", "journal", "year", "volume", "pages"},
    "book": {"author", "title", "publisher", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "misc": {"title", "howpublished"},
}
CHAPTER = re.compile(
    r"\[([^]]*)\]\((?:\.\./notebooks/|notebooks/|\.\./)?((\d\d)-[\w-]+(?:/[\w-]+)?\.ipynb)\)"
)
CITATION = re.compile(r"(?::cite(?::\w+)?:|\{cite(?::\w+)?\})`([^`]+)`")
TEXTS = [*NOTEBOOKS, *PAGES]
# The change log names chapters by number and title; tests/test_pages.py compares them.
LINKED = [path for path in TEXTS if path.name != "CHANGELOG.md"]
PUBLISHED = re.findall(
    r"automodule:: ([\w.]+)",
    "".join(path.read_text("utf-8") for path in sorted((ROOT / "book").glob("*.md"))),
)
MODULES = [ROOT / f"{name.replace('.', '/')}.py" for name in PUBLISHED]


def pointers(pattern, borders):
    """Return every pointer in the texts: paragraph, what matched, and what surrounds it."""
    for path in TEXTS:
        for paragraph in paragraphs(path):
            found = list(pattern.finditer(paragraph.text))
            for pointer in found:
                yield paragraph, pointer, around(paragraph.text, found, pointer, borders)


def docstrings(path):
    """Return a module's docstrings, and the comments for the book, each with what it describes."""
    text = path.read_text(encoding="utf-8")
    module = ast.parse(text)
    yield from re.findall(r"(?:^#:.*\n)+.*", text, re.MULTILINE)
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            name = re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", node.name)
            texts = [ast.get_docstring(module) or "", name, ast.get_docstring(node) or ""]
            yield " ".join("\n".join(texts).split())


class TestChapters:
    def test_a_mention_is_a_link(self):
        for paragraph in (each for path in LINKED for each in paragraphs(path)):
            plain = CHAPTER.sub("", paragraph.text)
            unlinked = re.search(r"\bchapters? \d|\b(next|last|previous) chapter\b", plain, re.I)
            assert not unlinked, f"{paragraph.place} says {unlinked[0]!r} without a link"

    def test_a_link_has_the_number_of_its_target(self):
        for paragraph, link, _ in pointers(CHAPTER, (PARAGRAPH, SENTENCE, CLAUSE)):
            number = int(link[3])
            assert (ROOT / "notebooks" / link[2]).is_file(), paragraph.place
            own = int(paragraph.file[10:12]) if paragraph.cell else None
            if link[1] == "the next chapter":
                assert number == own + 1, paragraph.place
            else:
                assert re.fullmatch(rf"([Cc]hapter )?{number}", link[1]), paragraph.place
            assert number != own, f"{paragraph.place} points to itself"

    def test_the_words_around_a_link_are_the_target_s_subject(self):
        for paragraph, link, scope in pointers(CHAPTER, (PARAGRAPH, SENTENCE, CLAUSE)):
            if "**It builds on**" not in paragraph.text:
                words = CHAPTER.sub("", scope)
                assert says(words, SUBJECTS[int(link[3])]), f"{paragraph.place}\nreads: {scope}"

    def test_a_module_names_chapters_that_use_it_or_its_subject(self):
        for path in MODULES:
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            text = " ".join(text.replace("from chapter 1 on", "").split())
            mentions = re.findall(r"[Cc]hapters? (\d+)(?:,? (?:and|to) (\d+))?", text)
            for number in {int(digit) for mention in mentions for digit in mention if digit}:
                used = code_of(number)
                uses = any(re.search(rf"\b{name}\b", used) for name in public_names(path))
                assert uses or says(text, SUBJECTS[number]), f"{path.stem}: chapter {number}"


@cache
def code_of(number):
    return "\n".join(c.source for c in cells_of_chapter(number) if c.cell_type == "code")


def public_names(path):
    """Return a module's own names for functions, classes and constants that others may use."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("number", CHAPTERS, ids=[RECORD[k].name for k in CHAPTERS])
def test_an_exercise_sends_back_to_a_section_of_its_own_chapter_that_came_before_it(number):
    chapter = chapter_of(name_of(CHAPTERS[number][0]))
    module = ROOT / "course/exercises" / f"{chapter.replace('-', '_')}.py"
    index = {}
    for i, (_, source) in enumerate(text for path in CHAPTERS[number] for text in markdown(path)):
        index |= {line.strip("# "): i for line in source.splitlines() if line.startswith("#")}
        index |= dict.fromkeys(re.findall(rf"\(`({chapter}-\d+)`\)", source), i)
    for call in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        values = {k.arg: k.value for k in getattr(call, "keywords", ())}
        if "section" in values:
            name, section = values["name"].value, values["section"].value
            assert name in index, f"{name} has no prompt in a notebook"
            assert section in index, f"{name}: no heading of the chapter is {section!r}"
            assert index[section] <= index[name], f"{name} comes before its section {section!r}"


@cache
def bibliography():
    return parse_file(str(ROOT / "book" / "references.bib")).entries


def folded(text):
    """Return a name in plain letters, without accents, braces and blanks."""
    letters = unicodedata.normalize("NFKD", text.replace("ø", "o").replace("Ø", "O"))
    return "".join(letter for letter in letters if letter.isascii() and letter.isalpha())


def surnames(entry):
    people = entry.persons.get("author", [])
    names = [" ".join(person.prelast_names + person.last_names) for person in people]
    return [str(latex(name)) for name in names]


@cache
def subjects_of(key):
    """Return what a source is cited for, and the names that may stand in the text instead."""
    entry = bibliography()[key]
    words = [word.strip() for word in entry.fields["keywords"].split(",")]
    return words, surnames(entry)


class TestBibliography:
    """Key and fields say the same: who, and when."""

    def test_a_key_is_made_of_the_authors_and_the_year(self):
        for key, entry in bibliography().items():
            assert re.sub(r"\D", "", key) == entry.fields.get("year", ""), key
            names = [folded(name) for name in surnames(entry)]
            first, *others = names or [key]
            rest = re.sub(r"\d", "", key).removeprefix(first)
            short = {"", "EtAl"} if len(names) > 2 or "others" in names else set()
            assert key.startswith(first), key
            assert rest in {"".join(others), *short} or not names, key

    def test_an_entry_says_what_its_kind_must_say_and_writes_numbers_alike(self):
        alike = {"volume": r"\d+", "number": r"\d+", "edition": r"2nd|3rd|[4-9]th"}
        alike |= {"pages": r"\d+--\d+|e\d+", "title": r"[A-Z{`].*"}
        for key, entry in bibliography().items():
            fields = entry.fields
            assert FIELDS[entry.type] | {"keywords"} <= {*fields, *entry.persons}, key
            assert all(value.strip(" .,") == value for value in fields.values()), key
            for name, pattern in alike.items():
                assert name not in fields or re.fullmatch(pattern, fields[name], re.DOTALL), key
            first, dash, last = fields.get("pages", "").partition("--")
            assert not dash or int(first) < int(last), key


class TestCitations:
    def test_a_source_is_cited_for_its_subject(self):
        strange = []
        for paragraph, citation, scope in pointers(CITATION, (SENTENCE, CLAUSE)):
            for key in citation[1].split(","):
                words, names = subjects_of(key)
                if not says(CITATION.sub("", scope), [*words, *names]):
                    strange.append(f"{paragraph.place}\n{key} is not about: {scope}")
        assert not strange, "\n".join(strange)

    def test_a_docstring_cites_a_source_for_its_subject(self):
        for text in (text for path in MODULES for text in docstrings(path)):
            words = CITATION.sub("", text)
            for key in CITATION.findall(text):
                known, names = subjects_of(key)
                assert says(words, [*known, *names]), f"{key} is not about: {words[:200]}"
