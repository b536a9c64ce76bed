"""Mistakes of chapter 11 and their hints."""

import math

import numpy as np

from tests.course.hints import names

NAMES = names("d omega")


def line(x, y):
    """Return the slope of the line that fits best, by its normal equations."""
    x, y = np.asarray(x) - np.mean(x), np.asarray(y)
    return x @ y / (x @ x)


def joined(n_a, mean_a, sum_a, n_b, mean_b, sum_b, weigh=True, between=None):
    n = n_a + n_b
    mean = (n_a * mean_a + n_b * mean_b) / n if weigh else (mean_a + mean_b) / 2
    share = n_a * n_b / n if between is None else between(n_a, n_b)
    return n, mean, sum_a + sum_b + share * (mean_a - mean_b) ** 2


HINTS = {
    "many-pendulums-1": [
        ("b", "Is anything added across motions here?"),
        ("c", "Does another thread make one?"),
        ("d", "Does it decide what?"),
    ],
    "many-pendulums-2": [
        (64, "When did it end?"),
        (56, "a least and a greatest"),
        (9, "each takes 8 bytes"),
        (8 * (1 + 4 * 1001 + 4), "You keep every state on the way"),
        (40, "What is observed is missing"),
    ],
    "many-pendulums-3": [
        (line, "a line through the shares"),
        (lambda eps, shares: line(np.log10(shares), np.log10(eps)), "Your axes are exchanged"),
        (
            lambda eps, shares: math.log10(shares[-1] / shares[0]) / math.log10(eps[-1] / eps[0]),
            "the first and the last alone",
        ),
        (lambda eps, shares: line(np.log(eps), shares), "you took one"),
    ],
    "many-pendulums-4": [
        (10, "for a smooth border"),
        (10**0.45, "if you know it ten times better"),
        (10 ** (-1 / 0.45), "how large may the error still be?"),
        (22.2, "and not in proportion"),
    ],
    "many-pendulums-5": [
        ("a", "Half the step changes nothing"),
        ("b", "Then the times would be too long"),
        ("d", "It is found within the step"),
        ("e", "Neighbors are much alike"),
    ],
    "many-pendulums-6": [
        ("pi/omega", "when it turns back"),
        ("pi/omega/2", "A quarter of a swing would be right without a brake"),
        ("atan(omega/d)/omega", "does a brake make it quicker?"),
        ("atan(d/omega)/omega", "Which branch of the arctangent"),
    ],
    "many-pendulums-7": [
        (2000, "you left out the second factor"),
        (1900**0.5, "That is the root of it"),
        (9.5, "so it stands there squared"),
        (10000, "are enough for any share"),
    ],
    "many-pendulums-8": [
        (lambda q, confidence: int(math.log(1 - confidence, q)), "One run too few"),
        (lambda q, confidence: math.ceil(1 / (1 - q)), "beyond it on average"),
        (lambda q, confidence: math.ceil(math.log(1 - q, confidence)), "changed their places"),
        (lambda q, confidence: math.ceil(math.log(confidence, q)), "Ask that one does not"),
    ],
    "many-pendulums-9": [
        ("a", "a rotor that is weak"),
        ("c", "Chance averages out"),
        ("d", "its interval shrinks"),
    ],
    "many-pendulums-10": [
        (lambda *given: joined(*given, weigh=False), "The larger part counts for more"),
        (lambda *given: joined(*given, between=lambda a, b: 0), "they deviate from another"),
        (lambda *given: joined(*given, between=lambda a, b: a * b), "is your sum too large?"),
    ],
    "many-pendulums-11": [
        (1 / 9 / 999, "Give it in percent"),
        (10, "nothing would be won beyond ten cores"),
        (0.01, "stands below its fraction line"),
        (100 / 9, "So it is for two cores"),
    ],
}
