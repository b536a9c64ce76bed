"""Verbal descriptions of the modes of small motions."""

from __future__ import annotations

import numpy as np

from straightline.aliases import Array
from tutlib.reading.names import listed


def modes_in_words(values: Array, digits: int = 4) -> str:
    """Describe the modes of small motions, slowest first: frequencies and growth rates.

    Parameters
    ----------
    values : array of complex, shape (n,)
        The eigenvalues [1/s].
    digits : int
        Significant digits of the numbers.
    """
    largest = max(float(np.abs(values).max()), np.finfo(float).tiny)
    tolerance, phrases = largest * 10.0**-digits, []

    def growth_text(real: float) -> str:
        verb = "growing" if real > 0 else "dying out"
        return f", {verb} by {abs(real):.{digits}g} 1/s" if abs(real) > tolerance else ""

    oscillating = sorted((v.imag / (2 * np.pi), v.real) for v in values if v.imag > 1e-4 * largest)
    real_values = sorted(v.real for v in values if abs(v.imag) <= 1e-4 * largest)
    growing_rates = [r for r in real_values if r > 1e-4 * largest]
    decaying_rates = [
        -r
        for r in reversed(real_values)
        if r < -1e-4 * largest
        and min((abs(r + growing) for growing in growing_rates), default=largest) > tolerance
    ]
    if oscillating:
        texts = [f"{f:.{digits}g} Hz{growth_text(real)}" for f, real in oscillating]
        if not any(growth_text(real) for _, real in oscillating):
            texts = [text.removesuffix(" Hz") for text in texts[:-1]] + texts[-1:]
        phrases.append(f"swings at {listed(texts)}")
    for rates, phrase in (
        (growing_rates, "falls away, growing by"),
        (decaying_rates, "creeps to rest by"),
    ):
        if rates:
            phrases.append(f"{phrase} {listed([f'{r:.{digits}g}' for r in rates])} 1/s")
    return listed(phrases) or "neither swings nor falls"
