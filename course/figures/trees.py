"""Drawings of rooted trees, with the root at the bottom.

Chapter 4 uses them to count the order conditions of a tableau.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from panels.drawing.svg import element, paint, path
from panels.sketches.diagram import WIDTH, Sketch, drawing
from straightline.arguments import instance, several
from tutlib.methods.trees import Tree, density, tree_order

#: Node radius, gaps between neighbors, levels, and trees, and room for the label below [px].
_NODE, _ACROSS, _UP, _APART, _TEXT = 5.5, 22.0, 26.0, 24.0, 30.0
#: Largest width of a row of trees [px].
_ROW = WIDTH - 20


def draw_trees(trees: Sequence[Tree] | Tree, labels: Sequence[str] | None = None) -> Sketch:
    """Draw rooted trees in rows, the roots below.

    Parameters
    ----------
    trees : sequence of Tree
        Such as ``rooted_trees(4)``.
    labels : sequence of str, optional
        Text below each tree; its density γ unless given.

    Returns
    -------
    Sketch

    Raises
    ------
    TypeError
        If they are not a sequence, or one of them is not a tree.
    ValueError
        If there is no tree, or the numbers of labels and trees differ.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.2.
    """
    drawn = several(trees, "trees", lambda tree: (tree_order(tree), tree)[1])
    if not drawn:
        raise ValueError("there is no tree to draw")
    texts = [f"γ = {density(tree)}" for tree in drawn]
    if labels is not None:
        texts = several(labels, "labels", lambda label: instance(label, "a label", str))
    if len(texts) != len(drawn):
        raise ValueError(f"{len(drawn)} trees need {len(drawn)} labels; got {len(texts)}")
    elements, top = [], 0.0
    widths = [max(_leaves(tree) * _ACROSS, 8.5 * len(text)) for tree, text in zip(drawn, texts)]
    for row in _rows(widths):
        height = max(_height(drawn[k]) for k in row) * _UP
        left = (_ROW - sum(widths[k] for k in row) - _APART * (len(row) - 1)) / 2
        for k in row:
            elements.append(_draw(drawn[k], texts[k], left + widths[k] / 2, top + height))
            left += widths[k] + _APART
        top += height + _TEXT + 18
    height = top - 8 + 2 * _NODE
    return drawing(
        "".join(elements), (_ROW - WIDTH) / 2, -2 * _NODE, height, _in_words(drawn, texts)
    )


def _rows(room: Sequence[float]) -> Iterator[list[int]]:
    """Yield the indices of the trees in each row, given their widths."""
    row: list[int] = []
    used = 0.0
    for k, width in enumerate(room):
        if row and used + width > _ROW:
            yield row
            row, used = [], 0.0
        row.append(k)
        used += width + _APART
    yield row


def _leaves(tree: Tree) -> int:
    return sum(map(_leaves, tree)) or 1


def _height(tree: Tree) -> int:
    return 1 + max(map(_height, tree)) if tree else 0


def _draw(tree: Tree, label: str, middle: float, bottom: float) -> str:
    edges: list[str] = []
    nodes: list[tuple[float, float]] = []
    _add_nodes(tree, middle - _leaves(tree) * _ACROSS / 2, bottom, edges, nodes)
    lines = element("path", d="".join(edges), **paint(stroke="ink"), stroke_width=2)
    dots = [
        element("circle", cx=x, cy=y, r=_NODE, **paint(role, "ink"), stroke_width=2)
        for (x, y), role in zip(reversed(nodes), ["paper"] + ["ink"] * len(nodes))
    ]
    words = element(
        "text",
        html.escape(label),
        x=middle,
        y=bottom + _TEXT,
        text_anchor="middle",
        font_size=15,
        font_family="system-ui, sans-serif",
        **paint("ink"),
    )
    return element("g", *([lines] if edges else []), *dots, words)


def _add_nodes(
    tree: Tree, left: float, bottom: float, edges: list[str], nodes: list[tuple[float, float]]
) -> tuple[float, float]:
    """Add the nodes of a tree, with the root last, centered below its subtrees."""
    position = left + _leaves(tree) * _ACROSS / 2, bottom
    for subtree in tree:
        edges.append(path([position, _add_nodes(subtree, left, bottom - _UP, edges, nodes)]))
        left += _leaves(subtree) * _ACROSS
    nodes.append(position)
    return position


def _in_words(trees: Sequence[Tree], labels: Sequence[str]) -> str:
    words = [f"{_words(tree)}, {label}" for tree, label in zip(trees, labels)]
    return f"{len(trees)} rooted tree{'s' * (len(trees) > 1)}: {'; '.join(words)}."


def _words(tree: Tree) -> str:
    """Return a tree in words."""
    if not tree:
        return "a single node"
    if _leaves(tree) == 1:
        return f"a stem of {tree_order(tree)} nodes"
    if not any(tree):
        return f"a node that carries {len(tree)} leaves"
    return f"a node that carries {' and '.join(f'({_words(subtree)})' for subtree in tree)}"
