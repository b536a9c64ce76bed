"""Animation in the README, ``.github/film.svg``: two methods, one double pendulum.

Both start from the same state with the same step size, and the angles that they compute rotate the
drawn links. The animation plays in real time, pauses at its end, and is one SVG file without a
script; readers who prefer reduced motion see its last frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tutlib import integrate
from tutlib.models import chain
from tutlib.plots.look import LOOK

FILM = Path(__file__).resolve().parent.parent / ".github" / "film.svg"
STEP, DURATION, HOLD = 0.01, 8.0, 2.0  # s
EVERY = 2  # steps from one picture to the next
START = [2.0, 2.5, 0.0, 0.0]  # rad, rad/s
METHODS = {"euler": "explicit Euler", "rk4": "Runge-Kutta, order 4"}
LENGTH = 62  # of a link, in units of the picture
CENTERS, TOP = {"euler": 175, "rk4": 525}, 175
STRIP = {"left": 50, "width": 560, "bottom": 420, "height": 70}
PAINTS = {"ink": "ink", "soft": "soft", "euler": "series-3", "rk4": "series-2", "paper": "paper"}
DESCRIPTION = (
    "Two double pendulums start from the same angles, with steps of {step} s. One is advanced by "
    "explicit Euler, the other by the classical Runge-Kutta method. A strip below shows their "
    "energies over {duration:.0f} s: Runge-Kutta keeps {kept} J; Euler ends with {gained} J."
)


def runs() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return angles [rad], shape (frames, 2), and energy [J] for each method."""
    model = chain(2).free()
    t = STEP * np.arange(round(DURATION / STEP) + 1)
    by_method = {}
    for method in METHODS:
        motion = integrate(model.compile(), t, START, method=method)
        energy = model.energies(motion.t, motion.x).sum(axis=1)
        by_method[method] = motion.x[::EVERY, :2], energy[::EVERY]
    return by_method


def keyframes(name: str, values: list[str]) -> str:
    """Return a CSS animation that shows one value after the other, and holds the last."""
    played = 100 * DURATION / (DURATION + HOLD)
    shares = np.linspace(0, played, len(values))
    frames = "".join(f"{share:.2f}%{{{value}}}" for share, value in zip(shares, values))
    return f"@keyframes {name}{{{frames}100%{{{values[-1]}}}}}"


def turns(angles: np.ndarray) -> list[str]:
    """Return CSS rotations, which are clockwise, for counterclockwise angles."""
    return [f"transform:rotate({-angle:.1f}deg)" for angle in np.degrees(angles)]


def trace(angles: np.ndarray) -> str:
    """Return the path of the second link's end."""
    x, y = LENGTH * np.sin(angles).sum(axis=1), LENGTH * np.cos(angles).sum(axis=1)
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y))


def shown_part(angles: np.ndarray) -> list[str]:
    """Return the drawn part of the trace in each frame, in thousandths."""
    ends = LENGTH * np.stack([np.sin(angles).sum(axis=1), np.cos(angles).sum(axis=1)], axis=1)
    distance = np.cumsum(np.r_[0, np.linalg.norm(np.diff(ends, axis=0), axis=1)])
    return [f"stroke-dashoffset:{1000 - 1000 * part:.1f}" for part in distance / distance[-1]]


def pendulum(method: str, angles: np.ndarray) -> str:
    """Return one pendulum: its trace, and two links, the second nested in the first."""
    link = (
        f'<path d="M0 0V{LENGTH}" stroke-width="11" stroke-linecap="round" opacity="0.55"/>'
        '<circle r="4" fill="var(--paper)" stroke-width="2"/>'
    )
    first, second = turns(angles[:, 0])[-1], turns(angles[:, 1] - angles[:, 0])[-1]
    return f"""\
<g transform="translate({CENTERS[method]} {TOP})" stroke="var(--{method})" fill="none">
<text y="-145" fill="var(--ink)" stroke="none" text-anchor="middle">{METHODS[method]}</text>
<path class="{method}-trace" pathLength="1000" stroke-dasharray="1000" stroke-width="1.5"
 opacity="0.6" d="{trace(angles)}"/>
<path d="M-26 -9H26M-22 -9l-5 -7M-11 -9l-5 -7M0 -9l-5 -7M11 -9l-5 -7M22 -9l-5 -7"
 stroke="var(--ink)" stroke-width="1.5"/>
<g class="{method}-first" style="{first}">
<g transform="translate(0 {LENGTH})"><g class="{method}-second" style="{second}">{link}</g></g>
{link}</g></g>"""


def strip(energies: dict[str, np.ndarray]) -> str:
    """Return both energies against time, on one scale, in a window that opens with time."""
    values = np.concatenate(list(energies.values()))
    low, high = values.min(), values.max()
    left, width, bottom, height = STRIP.values()
    axes = (
        f'<path d="M{left} {bottom}H{left + width}M{left} {bottom}V{bottom - height}" '
        'stroke="var(--ink)" fill="none"/>'
        f'<text x="{left}" y="{bottom - height - 9}" fill="var(--ink)">energy</text>'
        f'<text x="{left + width}" y="{bottom + 20}" fill="var(--ink)" text-anchor="end">'
        f"{DURATION:.0f} s</text>"
    )
    curves, ends = [], []
    for method, energy in energies.items():
        x = left + width * np.linspace(0, 1, len(energy))
        y = bottom - 6 - (height - 10) * (energy - low) / (high - low)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
        dashes = ' stroke-dasharray="9 5"' if method == "euler" else ""
        curves.append(
            f'<polyline points="{points}" fill="none" stroke="var(--{method})" '
            f'stroke-width="2.5"{dashes}/>'
        )
        ends.append(
            f'<text x="{left + width + 8}" y="{y[-1] + 5:.1f}" fill="var(--{method})">'
            f"{energy[-1]:.1f} J</text>"
        )
    return f'{axes}\n<g class="strip">{"".join(curves)}</g><g class="ends">{"".join(ends)}</g>'


def style(angles: dict[str, np.ndarray]) -> Iterator[str]:
    """Yield the rules of both themes, and of the animation."""
    seconds = DURATION + HOLD
    for theme, rule in (
        ("light", ":root{%s}"),
        ("dark", "@media(prefers-color-scheme:dark){:root{%s}}"),
    ):
        paints = (f"--{name}:{LOOK['colors'][theme][paint]}" for name, paint in PAINTS.items())
        yield rule % ";".join(paints)
    yield "text{font:600 17px system-ui,sans-serif}"
    moving = ["strip", "ends"]
    for method, both in angles.items():
        yield keyframes(f"{method}-first", turns(both[:, 0]))
        yield keyframes(f"{method}-second", turns(both[:, 1] - both[:, 0]))
        yield keyframes(f"{method}-trace", shown_part(both))
        moving += [f"{method}-{part}" for part in ("first", "second", "trace")]
    yield keyframes(
        "strip", ["clip-path:inset(-9px 100% -9px 0)", "clip-path:inset(-9px 0 -9px 0)"]
    )
    yield keyframes("ends", [*["opacity:0"] * 40, "opacity:1"])
    rules = "".join(f".{part}{{animation:{part} {seconds:g}s linear infinite}}" for part in moving)
    yield f"@media(prefers-reduced-motion:no-preference){{{rules}}}"


def description(energies: dict[str, np.ndarray]) -> str:
    """Return the description of the animation, with the computed energies."""
    kept, gained = (f"{energies[method][-1]:.1f}".replace("-", "−") for method in ("rk4", "euler"))
    return DESCRIPTION.format(step=STEP, duration=DURATION, kept=kept, gained=gained)


def film() -> str:
    """Return the animation as SVG."""
    by_method = runs()
    angles = {method: both for method, (both, _) in by_method.items()}
    energies = {method: energy for method, (_, energy) in by_method.items()}
    pictures = "\n".join(pendulum(method, both) for method, both in angles.items())
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 450" role="img"
 aria-labelledby="title what">
<title id="title">Which of them can be believed?</title>
<desc id="what">{description(energies)}</desc>
<style>{"".join(style(angles))}</style>
<rect width="700" height="450" rx="12" fill="var(--paper)"/>
{pictures}
{strip(energies)}
</svg>
"""


if __name__ == "__main__":
    FILM.write_text(film(), encoding="utf-8", newline="\n")
