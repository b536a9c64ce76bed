"""The course as one book: what a site's pages show becomes an EPUB that is whole."""

import base64
import re
import zipfile
from xml.etree import ElementTree

import pytest

from publishing.epub import write_book
from publishing.pages import pages_of
from publishing.xhtml import lettered
from tests.epubs import check_book

TOC = {
    "root": "book/intro",
    "parts": [
        {"chapters": [{"file": "notebooks/01-one"}, {"file": "book/panels"}]},
    ],
}
SETTINGS = {"title": "Motion & rest", "author": "Somebody"}
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>'
STILL = "data:image/svg+xml;base64," + base64.b64encode(DRAWING.encode()).decode()
INTRO = """<article class="bd-article"><section id="motion"><h1>Motion &amp; rest</h1>
<p>Begin <a href="../notebooks/01-one.html#two">here</a>, or see
<a href="panels.html">the package</a>,
<a href="#motion">this</a> or <a href="#gone">that</a>.<br>
<img src="../_images/dot.png?v=1" alt="A dot"></p></section></article>"""
CHAPTER = f"""<article class="bd-article"><section id="one"><h1>1. One</h1>
<p>Let <mjx-container><mjx-math aria-hidden="true"><mjx-c></mjx-c></mjx-math><mjx-assistive-mml>\
<math xmlns="http://www.w3.org/1998/Math/MathML"><mi mathvariant="bold-italic">x</mi>\
<mi>x</mi></math></mjx-assistive-mml>\
</mjx-container> &lt; 1.</p>
<iframe class="tutlib-live" srcdoc="&lt;script&gt;go()&lt;/script&gt;" loading="lazy">\
<img alt="A rod." src="{STILL}"><p>It moves.</p></iframe>
<div class="cell tag_hide-input"><details class="hide"><summary><p>Show the code</p></summary>
<pre>import numpy</pre></details><p>Drawn.</p></div>
<section id="two"><h2>1.1. Two<a class="headerlink" href="#two">#</a></h2>
<div class="cell tag_solution"><details class="hide"><summary><p>Show the solution</p></summary>
<pre>x = 1</pre><button>Copy</button></details></div>
<div class="cell tag_answer"><div><pre>answer = ...</pre></div></div>
<div class="tutlib-answer" data-exercise="one-1"></div>
<svg class="tutlib-figure" viewbox="0 0 2 1"><defs><clippath id="c"></clippath></defs></svg>
</section></section></article><script>go()</script>"""


@pytest.fixture
def book(tmp_path):
    for name, text in (("book/intro", INTRO), ("notebooks/01-one", CHAPTER)):
        path = tmp_path / f"{name}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"<!doctype html><html><body>{text}</body></html>", encoding="utf-8")
    (tmp_path / "_images").mkdir()
    (tmp_path / "_images" / "dot.png").write_bytes(b"a picture")
    write_book(tmp_path, tmp_path / "book.epub", TOC, SETTINGS)
    return tmp_path / "book.epub"


def text_of(book, name):
    with zipfile.ZipFile(book) as archive:
        return archive.read(name).decode()


def test_it_is_whole(book):
    assert check_book(book) == ["book/intro.xhtml", "notebooks/01-one.xhtml"]


def test_the_reference_stays_on_the_site():
    assert pages_of(TOC) == ["book/intro", "notebooks/01-one", "book/panels"]


def test_a_formula_is_mathml_alone(book):
    chapter = text_of(book, "notebooks/01-one.xhtml")
    assert re.search(r"Let <math xmlns=\S+><mi>𝒙</mi><mi>x</mi></math> &lt; 1\.", chapter)
    assert "mjx" not in chapter


def test_a_still_stands_for_what_moves(book):
    chapter = text_of(book, "notebooks/01-one.xhtml")
    (source,) = re.findall(r'<img alt="A rod." src="\.\./(stills/\w+\.svg)"/>', chapter)
    assert text_of(book, source) == DRAWING
    assert "It moves." not in chapter
    assert not re.search("iframe|script|go\\(\\)", chapter)


@pytest.mark.parametrize(
    ("text", "variant", "letters"),
    [
        ("rω", "bold-italic", "𝒓𝝎"),
        ("M0θ", "bold", "𝐌𝟎𝛉"),
        ("ϵϕ", "bold-italic", "𝝐𝝓"),
        ("Rn⋅", "double-struck", "ℝ𝕟⋅"),
    ],
)
def test_a_style_of_letters_is_in_the_letters(text, variant, letters):
    assert lettered(text, variant) == letters


def test_what_is_folded_stays_there_but_solutions_and_what_needs_hands_is_gone(book):
    chapter = text_of(book, "notebooks/01-one.xhtml")
    assert "Drawn." in chapter
    assert "numpy" not in chapter
    assert "<p>Solution</p>" in chapter
    assert "<pre>x = 1</pre>" in chapter
    assert not re.search("details|button|Copy|answer|#</a>", chapter)


def test_names_of_svg_have_their_case_back(book):
    chapter = text_of(book, "notebooks/01-one.xhtml")
    assert 'viewBox="0 0 2 1"' in chapter
    assert '<clipPath id="c"></clipPath>' in chapter


def test_links_lead_to_pages_of_the_book_or_are_none(book):
    intro = text_of(book, "book/intro.xhtml")
    assert re.findall(r'<a(?: href="(.*?)")?>(\w[\w ]*)</a>', intro) == [
        ("../notebooks/01-one.xhtml#two", "here"),
        ("", "the package"),
        ("intro.xhtml#motion", "this"),
        ("", "that"),
    ]


def test_contents_name_pages_and_their_sections(book):
    nav = ElementTree.fromstring(text_of(book, "nav.xhtml"))
    links = list(nav.iter("{http://www.w3.org/1999/xhtml}a"))
    assert [(a.get("href"), a.text) for a in links] == [
        ("book/intro.xhtml", "Motion & rest"),
        ("notebooks/01-one.xhtml", "1. One"),
        ("notebooks/01-one.xhtml#two", "1.1. Two"),
    ]
