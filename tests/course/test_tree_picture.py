"""Rooted trees as pictures: as many nodes and edges as they have, the root below."""

from xml.etree import ElementTree

import numpy as np
import pytest

from course.figures import draw_trees
from tutlib.methods import density, rooted_trees
from tutlib.methods.trees import tree_order


def groups(picture):
    """Return of each tree its nodes (the root first), its edges and its label."""
    found = []
    for group in ElementTree.fromstring(picture.svg):
        if not group.tag.endswith("}g"):
            continue
        nodes = [(float(c.get("cx")), float(c.get("cy"))) for c in group if c.get("cx")]
        edges = [
            np.array([list(map(float, at.split())) for at in piece.split("L")])
            for path in group
            if path.get("d")
            for piece in path.get("d").split("M")[1:]
        ]
        found.append((nodes, edges, group[-1].text))
    return found


@pytest.mark.parametrize("order", range(1, 7))
def test_a_tree_has_its_nodes_and_edges(order):
    trees = list(rooted_trees(order))
    drawn = groups(draw_trees(trees))
    assert len(drawn) == len(trees)
    for tree, (nodes, edges, label) in zip(trees, drawn):
        assert len(set(nodes)) == len(nodes) == tree_order(tree)
        assert len(edges) == len(nodes) - 1
        assert label == f"γ = {density(tree)}"
        root = nodes[0]
        assert all(root[1] > y for _, y in nodes[1:])
        assert sum(tuple(edge[0]) == root for edge in edges) == len(tree)
        for lower, upper in edges:
            assert lower[1] > upper[1]
            assert tuple(lower) in nodes
            assert tuple(upper) in nodes
