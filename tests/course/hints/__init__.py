"""Which hint answers which mistake, said a second time.

A module for each chapter. HINTS holds for each exercise one row a mistake: what a reader would
give, in the reader's own form, and the words by which its hint is known. An answer in symbols is
text in the chapter's NAMES: ``theta_dot`` is the derivative of ``theta``.
"""

import sympy as sm


def names(constants="", varying=""):
    """Return a reader's own symbols by name, without assumptions, and derivatives."""
    found = {name: sm.Symbol(name) for name in constants.split()}
    t = sm.Symbol("t")
    for name in varying.split():
        found[name] = sm.Function(name)(t)
        found[f"{name}_dot"] = found[name].diff(t)
        found[f"{name}_ddot"] = found[name].diff(t, 2)
    return found
