"""Whether a book is whole: what a reader's program asks of an EPUB."""

import posixpath
import zipfile
from urllib.parse import unquote, urldefrag
from xml.etree import ElementTree


def check_book(book):
    """Fail unless an EPUB is whole; return its pages in reading order.

    Every file is listed and there, markup is well-formed XML, pages need no script, and links and
    pictures lead to a place in the book.
    """
    opf, anchors, wanted = "{http://www.idpf.org/2007/opf}", {}, []
    with zipfile.ZipFile(book) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert archive.read("mimetype") == b"application/epub+zip"
        container = ElementTree.fromstring(archive.read("META-INF/container.xml"))
        assert [e.get("full-path") for e in container.iter() if e.get("full-path")] == [
            "package.opf"
        ]
        package = ElementTree.fromstring(archive.read("package.opf"))
        items = {item.get("id"): item for item in package.iter(f"{opf}item")}
        listed = [item.get("href") for item in items.values()]
        rest = {"mimetype", "META-INF/container.xml", "package.opf"}
        assert sorted(listed) == sorted({*archive.namelist()} - rest)
        for item in items.values():
            name = item.get("href")
            if name.endswith((".xhtml", ".svg")):
                root = ElementTree.fromstring(archive.read(name))
                anchors[name] = [e.get("id") for e in root.iter() if e.get("id")]
                tags = {e.tag.rpartition("}")[2] for e in root.iter()}
                assert not tags & {"script", "iframe", "button", "input", "details"}, name
                properties = (item.get("properties") or "").split()
                assert ("mathml" in properties) == ("math" in tags), name
                links = [e.get("href") or e.get("src") for e in root.iter()]
                wanted += [(name, link) for link in links if link]
    for name, link in wanted:
        target, anchor = urldefrag(link)
        if ":" not in target and not link.startswith("data:"):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(target)))
            path = path if target else name
            assert path in listed, (name, link)
            assert not anchor or anchor in anchors[path], (name, link)
    return [items[e.get("idref")].get("href") for e in package.iter(f"{opf}itemref")]
