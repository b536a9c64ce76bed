"""About how tall a section is: read from its markup, when the site is built."""

import pytest

sections = pytest.importorskip("publishing.sphinx.section_heights")
PAGE = '<article><section id="all"><h1>All</h1><section id="one">{}</section></section></article>'


def tall(content):
    """Return the heights of a section that holds this, on a wide screen and on a phone."""
    return sections.Heights(PAGE.format(content)).sections[1]


def test_parts_add_up():
    parts = "<p>One line.</p>", "<pre>x = 1\ny = 2\n</pre>"
    assert tall("".join(parts)) == pytest.approx([sum(both) for both in zip(*map(tall, parts))])


def test_a_picture_is_as_tall_as_its_width_says():
    picture = '<svg viewBox="0 0 200 100" style="max-width: 400px"><text>seen</text></svg>'
    assert tall(picture) == pytest.approx([200, 179])


def test_what_is_folded_is_not_seen():
    folded = f"<details><summary>Show</summary><pre>{'x' * 40}</pre></details>"
    assert tall(folded) == tall("<details><summary>Show</summary></details>")


def test_frames_are_as_tall_as_they_say_whatever_they_hold():
    frame = '<iframe style="height: 760px" srcdoc="<section id=&quot;no&quot;>"></iframe>'
    page = sections.with_heights(PAGE.format(frame))
    assert frame in page
    assert '<section style="--tall: 760; --tall-on-a-phone: 760" id="one">' in page
    assert page.count("--tall:") == 2
