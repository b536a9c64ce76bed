"""Tables: with headers for those who listen, aligned for those who read text."""

from xml.etree import ElementTree

from tutlib.plots import Table

ROWS = [["RK4", 4, "1e-05"], ["Heun & co.", 2, "3e-02"]]
SMALL = Table(["method", "order", "error [m]"], ROWS)


def test_headers_say_what_they_are_of():
    root = ElementTree.fromstring(SMALL._repr_html_())
    found = [(e.text, e.get("scope")) for e in root.iter("th")]
    columns = [("method", "col"), ("order", "col"), ("error [m]", "col")]
    assert found == [*columns, ("RK4", "row"), ("Heun & co.", "row")]
    assert [e.text for e in root.iter("td")] == ["4", "1e-05", "2", "3e-02"]


def test_as_text_its_columns_stand_below_each_other():
    assert repr(SMALL).splitlines() == [
        "method      order  error [m]",
        "RK4             4      1e-05",
        "Heun & co.      2      3e-02",
    ]


def test_a_column_of_sentences_is_set_as_text():
    told = Table(["part", "points", "for"], [["model", 20, "what moves is said"], ["run", 5, "it"]])
    root = ElementTree.fromstring(told._repr_html_())
    found = [(e.text, e.get("class")) for e in root.iter() if e.tag in ("th", "td")]
    assert [text for text, kind in found if kind == "words"] == ["for", "what moves is said", "it"]
    assert 'class="words"' not in SMALL._repr_html_()
