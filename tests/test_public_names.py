"""Public names: an open cell of some chapter uses each of them, apart from exceptions."""

import ast
from functools import cache

from tests.test_architecture import DOORS, FILES, package_of, public_names
from tests.texts import NOTEBOOKS, cells

#: The packages that a student imports; `course` has `check` alone.
PACKAGES = ("tutlib", "panels", "verification")
STUDENT_DOORS = [door for door in DOORS if package_of(door) in PACKAGES]
PUBLIC = {name: door for door in STUDENT_DOORS for name in public_names(door)}
#: Tags of cells that a page does not show open.
FOLDED = {"hide-input", "hide-cell", "remove-cell"}
#: Little more than a hundred names are enough.
MOST = 123

#: Public names that no open cell uses: errors and warnings, what folded code of pictures and checks
#: needs, what a public function returns or takes, and what exercises, benchmarks and the book need.
EXCEPTIONS = """
    EnsembleError ImplicitEquations Interrupted InterruptedEnsemble NoTrimWarning OpenLoopWarning
    RedundantConstraintWarning SingularPoseWarning StoreWarning UnreadableError
    UnstableWarning
    Angle Center EndTimes Force Length Torque animate bicycle_views compare
    explore live_in_space plot_spreads rolling_disc_in_space
    sketch_in_space unit_vectors
    Estimates MotionFit plot_residuals read_recording
    Product R density Field Verification figure_as_html plot_curves METHODS label_lines
"""


def imported(trees):
    """Return the public names and the modules that a notebook imports, by their local names."""
    names, modules = {}, {}
    statements = [node for tree in trees for node in ast.walk(tree)]
    for node in statements:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                local, whole = alias.asname or alias.name, f"{node.module}.{alias.name}"
                if node.module in STUDENT_DOORS and alias.name in public_names(node.module):
                    names[local] = alias.name
                elif {whole, f"{whole}.__init__"} & {*FILES}:
                    modules[local] = whole
        elif isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names}
    return names, {local: name for local, name in modules.items() if package_of(name) in PACKAGES}


@cache
def opened():
    """Return the public names that some open cell uses, other than to import them."""
    found = set()
    for notebook in NOTEBOOKS:
        code = [cell for cell in cells(notebook) if cell.cell_type == "code"]
        trees = [ast.parse(cell.source) for cell in code]
        names, modules = imported(trees)
        for cell, tree in zip(code, trees):
            if FOLDED & set(cell.metadata.get("tags", [])):
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.Name) and node.id in names:
                    found.add(names[node.id])
                elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in modules:
                    found.add(node.attr)
    return found


def test_every_public_name_is_used_in_an_open_cell_or_is_an_exception():
    assert sorted(PUBLIC.keys() - opened()) == sorted(EXCEPTIONS.split())
    assert len(PUBLIC) <= MOST
