"""The weekly check of links, against a server of our own."""

import pytest

from publishing import check_links
from tests.servers import Quiet, served

pytestmark = pytest.mark.tools


class Answers(Quiet):
    """Answers with the number that the address ends in."""

    def do_GET(self):
        self.send_response(int(self.path.rpartition("/")[2]))
        self.end_headers()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("nothing"), Answers) as address:
        yield address


def test_it_finds_addresses_and_identifiers(tmp_path):
    text, books = tmp_path / "text.md", tmp_path / "books.bib"
    text.write_text("See [this](https://example.org/a), or <https://example.org/b>.\n")
    books.write_text("  doi = {10.1000/182},\n  url = {https://example.org/a},\n")
    assert check_links.addresses([text, books]) == {
        "https://example.org/a": text,
        "https://example.org/b": text,
        "https://doi.org/10.1000/182": books,
    }


@pytest.mark.parametrize(("code", "told"), [(200, ""), (403, ""), (404, "404"), (500, "500")])
def test_it_tells_what_is_gone_from_what_is_not_for_programs(server, code, told):
    reason = check_links.trouble(f"{server}{code}")
    assert bool(reason) == bool(told)
    assert told in reason


def test_nobody_there_is_told_in_one_line(tmp_path):
    with served(tmp_path, Answers) as address:
        pass
    assert "does not answer" in check_links.trouble(f"{address}200", seconds=2)


def test_an_address_of_every_kind_of_text_is_seen(monkeypatch, capsys):
    monkeypatch.setattr(check_links, "trouble", lambda address: "is gone" * ("dlmf" in address))
    assert check_links.main() == 1
    told = capsys.readouterr().out
    assert "book/references.bib: https://dlmf.nist.gov/ is gone" in told
    assert ", 1 with problems" in told
