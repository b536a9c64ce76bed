"""The code that a panel needs, of the cells of a notebook that ran before it."""

import sys
from textwrap import dedent

import pytest
from IPython.core.interactiveshell import InteractiveShell

from panels.simulations.notebook_code import cells_so_far, needed

PANEL = "show(arm)"


def code(*cells):
    """Return what the last of some cells needs, each given with its lines indented."""
    return needed([dedent(cell).strip("\n") for cell in cells])


def test_what_is_not_needed_stays_behind():
    assert code("import numpy as np", "length = 2.0\nmass = 3.0", "print(mass)", "length") == (
        "length = 2.0\n\nlength"
    )


def test_imports_bring_along_what_is_used():
    cells = (
        "from math import cos, pi as half_turn, sin\nimport os, os.path as place",
        "sin(half_turn)",
    )
    assert code(*cells) == "from math import pi as half_turn, sin\n\nsin(half_turn)"
    assert code("import numpy.linalg as la, os", "la.inv") == "import numpy.linalg as la\n\nla.inv"
    assert code("from math import *", "pi") == "from math import *\n\npi"


def test_the_last_of_several_bindings_counts():
    assert code("a = 1", "a = 2", "a") == "a = 2\n\na"
    assert code("a = 1", "a = a + 1", "a") == "a = 1\n\na = a + 1\n\na"
    assert code("a = {}", "a |= {1: 2}", "a") == "a = {}\n\na |= {1: 2}\n\na"
    assert code("a = 1", "if today: a = 2", "today = True", "a") == "a = 1\n\nif today: a = 2\n\na"


@pytest.mark.parametrize(
    "change", ["arm[0] = 1", "arm.length = 1", "arm.set(1)", "arm.parts.append(1)", "del arm[0]"]
)
def test_what_is_changed_in_place(change):
    assert code("arm = make()", change, "other = arm.set(1)", PANEL) == (
        f"arm = make()\n\n{change}\n\n{PANEL}"
    )


def test_what_a_loop_changes():
    loop = "for frame in (arm, leg):\n    frame.turn(1)"
    assert code("arm = leg = 1", loop, PANEL) == f"arm = leg = 1\n\n{loop}\n\n{PANEL}"
    assert code("arm = leg = 1", "for frame in (arm, leg):\n    print(frame)", PANEL) == (
        f"arm = leg = 1\n\n{PANEL}"
    )
    loop = loop.replace("frame", "each")
    assert code("each = 1", loop, "arm") == f"{loop}\n\narm"


def test_functions_of_modules_and_what_is_tried_change_nothing():
    tried = "try:\n    arm.set(-1)\nexcept ValueError as error:\n    print(error)"
    cells = "import plots", "arm = plots.new()", "plots.show(arm)", tried, "plots.add(arm)"
    assert code(*cells) == "import plots\n\narm = plots.new()\n\nplots.add(arm)"


def test_a_function_may_be_defined_before_what_it_calls():
    assert code(
        "def outer():\n    return [inner(k) for k in range(n)]",
        "n = 3\nm = 4",
        "def inner(k):\n    m = k\n    return m",
        "outer()",
    ) == (
        "def outer():\n    return [inner(k) for k in range(n)]\n\nn = 3\n\n"
        "def inner(k):\n    m = k\n    return m\n\nouter()"
    )


def test_names_inside_of_functions_classes_and_comprehensions_are_their_own():
    cells = "k, x = 1, 2", "class A:\n    x = 5", "total = sum(k for k in range(3))", "total, A, x"
    assert code(*cells) == "\n\n".join(cells)
    assert code("k = 1", *cells[1:3], "total") == f"{cells[2]}\n\ntotal"


def test_comments_decorators_and_lines_of_several_statements_stay():
    first = "# the arm\n@wrapped\ndef arm():\n    return 1  # m"
    assert code(f"leg = 1\n\n{first}", "def wrapped(f): return f", PANEL).startswith(first)
    assert code("a = 1; b = 2", "b") == "a = 1; b = 2\n\nb"


def test_a_cell_that_is_no_python_is_passed_over():
    assert code("%%bash\nls", "a = 1", "a") == "a = 1\n\na"


def test_cells_are_known_to_a_notebook_alone():
    assert cells_so_far(globals()) == []
    shell = InteractiveShell.instance()
    try:
        shell.run_cell("a = 1", store_history=True)
        shell.run_cell("import sys; names = sys._getframe().f_globals", store_history=True)
        assert cells_so_far(shell.user_ns["names"])[0] == "a = 1"
        assert cells_so_far(sys.modules[__name__].__dict__) == []
    finally:
        InteractiveShell.clear_instance()
