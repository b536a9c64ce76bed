"""Say where the built site is, after making sure that all of it is there."""

import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"


def pages() -> list[str]:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    return [toc["root"], *(chapter["file"] for chapter in chapters)]


def main() -> int:
    wanted = ["index.html", *(f"{page}.html" for page in pages())]
    missing = [page for page in wanted if not (SITE / page).is_file()]
    sources = [path for page in pages() for path in ROOT.glob(f"{page}.*")]
    marker = "TO" + "DO"
    unfinished = [path.name for path in sources if marker in path.read_text(encoding="utf-8")]
    if missing or unfinished:
        print(f"missing pages: {missing}; pages with a {marker}: {unfinished}")
        return 1
    print(f"The site is at {(SITE / 'index.html').as_uri()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
