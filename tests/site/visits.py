"""Visits: a page is opened once, and all that tests ask about it is noted as plain values.

Axe looks at every page with all its rules, wide in the light theme and narrow in the dark one.
Contrast, which would be most of its time, depends on the color of a text, the ground below it, its
size and its weight alone, and for links on the text around: up to three texts of each such kind are
looked at in each theme, and a kind that was judged on one page is known on the others.
"""

import contextlib
import re
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import TimeoutError

from .panel import PATIENCE

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
NARROW, WIDE = 390, 1280
ENLARGED = 320  # what is left of 1280 pixels at four times the size
# Widths lay out and themes color, one does nothing to the other: two looks see all four.
STATES = [("light", WIDE), ("dark", NARROW)]
# The page lets the keyboard reach what scrolls, a moment after the width has changed.
REACHED = "(e) => e.scrollWidth <= e.clientWidth + 1 || e.tabIndex === 0"
ALL_REACHED = f"""[...document.querySelectorAll('pre')].every(
    (e) => !e.checkVisibility() || ({REACHED})(e))"""
NOT_CONTRAST = {name: {"enabled": False} for name in ("color-contrast", "link-in-text-block")}
SCRIPT = Path(__file__).parent / "visits.js"


def watch(page):
    """Return the page, and a list that fills with what goes wrong on it."""
    complaints = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def asked(request):
        own = ("http://127.0.0.1:", "data:", "blob:", "about:")
        if not request.url.startswith(own):
            complaints.append(f"asked {request.url}")

    def answered(response):
        if response.status >= 400:
            complaints.append(f"{response.status} {response.url}")

    page.on("request", asked)
    page.on("response", answered)
    return page, complaints


def prepare(frame):
    """Bring axe and the questions of visits.js along, and have what is far away set, too."""
    frame.evaluate(AXE.read_text(encoding="utf-8") + ";undefined")
    frame.evaluate(SCRIPT.read_text(encoding="utf-8") + ";undefined")
    frame.evaluate("() => visits.setAll()")


def violations(frame, **options):
    """Return what axe finds wrong, one text for each place."""
    return frame.evaluate("(options) => visits.axe(options)", options)


def known(judged):
    """Return the kinds of text that axe has judged, or twice could not."""
    return [kind for kind, found in judged.items() if isinstance(found, list) or found > 1]


def contrast(frame, judged):
    """Return what axe says about the contrast of the texts that can be seen."""
    kinds = frame.evaluate("(known) => visits.showKinds(known)", known(judged))
    if any(kind not in known(judged) for kind in kinds):
        for kind, found in frame.evaluate("() => visits.contrast()").items():
            judged[kind] = found
        for kind in kinds:
            judged.setdefault(kind, 0)
            judged[kind] = judged[kind] + 1 if isinstance(judged[kind], int) else judged[kind]
    frame.evaluate("() => visits.showAll()")
    found = [text for kind in kinds if isinstance(judged[kind], list) for text in judged[kind]]
    return {"kinds": len(kinds), "found": found}


def wear(page, scheme, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_function(
        "(theme) => document.documentElement.dataset.theme === theme", arg=scheme
    )
    with contextlib.suppress(TimeoutError):  # axe says what is wrong
        page.wait_for_function(ALL_REACHED, timeout=3000)


def theme_of(frame, wanted):
    """Return the theme of a frame once it is the wanted one, or what it is after a while."""
    theme = "(theme) => document.querySelector('main').dataset.theme === theme"
    with contextlib.suppress(TimeoutError):  # the test says what is wrong
        frame.wait_for_function(theme, arg=wanted, timeout=PATIENCE)
    return frame.evaluate("document.querySelector('main').dataset.theme")


def frames_of(page):
    """Bring each frame of a page on the screen, where it comes to life; return them."""
    frames = []
    for element in page.locator("iframe.tutlib-animation, iframe.tutlib-live").all():
        element.scroll_into_view_if_needed()
        frame = element.element_handle().content_frame()
        frame.wait_for_function(
            "[...document.querySelectorAll('output')].some((e) => e.textContent.includes('t ='))"
        )
        frames.append(frame)
    return frames


def see_page(page, complaints, address, judged):
    """Visit a page; return what was found as plain values."""
    complaints.clear()
    page.set_viewport_size({"width": WIDE, "height": 900})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = see_first(page, address)
    prepare(page)
    page.evaluate("() => visits.loadPictures()")
    found |= page.evaluate("() => visits.page()")
    for scheme, width in STATES:
        found[scheme] = see_state(page, scheme, width, judged)
    page.set_viewport_size({"width": ENLARGED, "height": 900})
    found["enlarged"] = page.evaluate("document.documentElement.scrollWidth")
    found["exercises"] = page.evaluate("() => visits.exercises()")
    page.wait_for_load_state("networkidle")  # whatever was asked for has been answered, or not
    return found | {"complaints": list(complaints)}


def see_first(page, address):
    """Open a page and go through it; return how many frames it has."""
    page.goto(address)
    found = {"frames": len(frames_of(page))}
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    return found


def see_state(page, scheme, width, judged):
    """Return what is found in one theme at one width."""
    wear(page, scheme, width)
    return {
        "width": page.evaluate("document.documentElement.scrollWidth"),
        "figures": page.evaluate("() => visits.figures()"),
        "wide tables": page.evaluate("() => visits.wideTables()"),
        "contrast": contrast(page, judged[scheme]),
        "axe": violations(page, rules=NOT_CONTRAST),
    }


def untypeset(text):
    """Return the first piece of LaTeX that is still to be read in a text, or None."""
    return re.search(r"\\\(|\\\[|\\dot|\\theta", text)
