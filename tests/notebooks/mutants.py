"""Faults that a formula could have: a sign, a lost term or factor, an exponent, an index."""

from dataclasses import replace

from tests.notebooks.latex_tokens import Name

OTHER_SIGN = {
    "add": "sub",
    "sub": "add",
    "plus-minus": "minus-plus",
    "minus-plus": "plus-minus",
}
OTHER_FUNCTION = {r"\sin": r"\cos", r"\cos": r"\sin", r"\cot": r"\tan"}


def mutants(statement, names):
    """Return a statement with one fault, for every fault that it could have.

    Parameters
    ----------
    statement : list
        As read.
    names : container of Name
        Symbols that may be taken for one another.
    """
    for side in range(0, len(statement), 2):
        sign = [("neg", statement[side])] if ("number", 0) not in statement else []
        for fault in (*sign, *faults(statement[side], names)):
            yield [*statement[:side], fault, *statement[side + 1 :]]


def faults(node, names):
    kind, *parts = node
    if kind in OTHER_SIGN:
        yield (OTHER_SIGN[kind], *parts)
        if parts[0] != ("number", 0):  # a sign without anything before it
            yield (kind, ("neg", parts[0]), parts[1])
        yield parts[0]
        yield parts[1]
    elif kind in ("mul", "dot", "cross"):
        yield parts[0]
        yield parts[1]
    elif kind in ("neg", "abs", "transpose", "vee", "hat"):
        yield parts[0]
    elif kind == "div":
        yield ("div", parts[1], parts[0])
        yield parts[0]
    elif kind == "number":
        yield ("number", parts[0] + 1)
    elif kind == "name":
        yield from (("name", name) for name in slips(parts[0], names))
        return
    elif kind == "list":
        yield from (("list", swapped) for swapped in exchanges(parts[0]))
    for i, part in enumerate(parts if kind not in ("number", "slope") else ()):
        if (kind, i) == ("call", 0) or (kind, i) == ("sum", 0):
            continue
        for fault in inner_faults(part, names):
            yield (kind, *parts[:i], fault, *parts[i + 1 :])
    if kind == "call" and parts[0][1].base in OTHER_FUNCTION:
        yield ("call", ("name", Name(OTHER_FUNCTION[parts[0][1].base])), parts[1])


def inner_faults(part, names):
    """Return faults of a part: of a tree, or of one entry in a list of trees."""
    if part and isinstance(part[0], str):
        yield from faults(part, names)
        return
    for i, entry in enumerate(part):
        for fault in faults(entry, names):
            yield (*part[:i], fault, *part[i + 1 :])


def slips(name, names):
    """Return other names that differ in a dot, or in a number or letter of the index."""
    if name.accents:
        yield replace(name, accents=name.accents[1:])
    for other in names:
        if not isinstance(other, Name) or other == name:
            continue
        same = replace(other, subscript=name.subscript) == name
        if same and name.subscript and other.subscript:
            yield other


def exchanges(entries):
    for i in range(len(entries) - 1):
        yield (*entries[:i], entries[i + 1], entries[i], *entries[i + 2 :])
