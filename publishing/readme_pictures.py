"""Screenshots of the built site for the README: ``python -m publishing.readme_pictures``.

One is a page on a phone, the other a wrong answer with its motion beside the true one. Run it after
`make book`, with the browser of the site's tests.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from publishing.execute_notebooks import ROOT

SITE, FOLDER = ROOT / "_build" / "html", ROOT / ".github"
#: Page, exercise, and wrong answer.
PAGE, EXERCISE = "notebooks/01-pendulum/1-one-equation.html", "pendulum-1"
WRONG = "m*g*cos(theta)"
PHONE_SIZE, ANSWER_SIZE = (390, 844), (760, 1400)
#: Height of the answer and its motion, without the settings below [px].
SHOWN = 690
#: Time for which a motion runs before the screenshot [ms].
MOVES = 2500


def phone(page: Any) -> bytes:
    """Return the first screen of a page on a phone, with its simulation."""
    page.goto((SITE / PAGE).as_uri())
    page.wait_for_timeout(2 * MOVES)
    return bytes(page.screenshot())


def answer(page: Any) -> bytes:
    """Return the picture of a wrong answer, from its prompt to its motion."""
    page.goto((SITE / PAGE).as_uri())
    box_of_exercise = page.locator(f"[data-exercise={EXERCISE}]")
    box_of_exercise.scroll_into_view_if_needed()
    field = box_of_exercise.get_by_role("textbox")
    field.fill(WRONG)
    field.press("Enter")
    box_of_exercise.locator("iframe").scroll_into_view_if_needed()
    page.wait_for_timeout(MOVES)
    box = box_of_exercise.bounding_box()
    page.evaluate(f"scrollBy(0, {box['y'] - 100})")
    page.wait_for_timeout(MOVES // 5)
    return bytes(page.screenshot(clip=box_of_exercise.bounding_box() | {"height": SHOWN}))


def main() -> int:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    taken: dict[str, bytes] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name, take, (width, height) in (
            ("phone", phone, PHONE_SIZE),
            ("answer", answer, ANSWER_SIZE),
        ):
            size = {"width": width, "height": height}
            context = browser.new_context(viewport=size, device_scale_factor=2)
            taken[name] = take(context.new_page())
            context.close()
        browser.close()
    for name, picture in taken.items():
        _write(FOLDER / f"{name}.png", picture)
    return 0


def _write(path: Path, picture: bytes) -> None:
    """Write a picture with a palette of few colors."""
    from io import BytesIO

    from PIL import Image

    with Image.open(BytesIO(picture)) as taken:
        taken.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
