"""The page that follows one pendulum: each step of it runs, and shows what the text says."""

import ast
import re
from functools import cache
from types import SimpleNamespace

import numpy as np
import sympy as sm

from tests.texts import ROOT, code_blocks

PAGE = ROOT / "book/architecture.md"
DRAWING = (ROOT / "book/_static/architecture.svg").read_text(encoding="utf-8")


@cache
def walked():
    """Return the names that the page's cells bind, and what each cell shows."""
    names, shown = {}, []
    printed = names["print"] = lambda *words, sep=" ": shown.append(sep.join(map(str, words)))
    for language, block in code_blocks(PAGE):
        if language != "{code-cell} python":
            continue
        *before, last = ast.parse(re.sub(r"^:tags:.*\n", "", block)).body
        is_value = isinstance(last, ast.Expr) and "print(" not in ast.unparse(last)
        exec(
            compile(ast.Module(before if is_value else [*before, last], []), "page", "exec"), names
        )
        if is_value:
            shown.append(eval(compile(ast.Expression(last.value), "page", "eval"), names))
    assert names["print"] is printed
    return SimpleNamespace(**names, shown=shown)


def test_every_step_of_the_drawing_has_a_section_in_this_order():
    steps = re.findall(r'data-step="([^"]*)"', DRAWING)
    headings = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[: len(steps)] == steps


def test_the_equations_are_the_pendulum_s():
    eom, m, l, g, theta = (getattr(walked(), name) for name in ("eom", "m", "l", "g", "theta"))
    M, F = m * l**2, -m * g * l * sm.sin(theta)
    assert [*eom.mass_matrix, *eom.forcing] == [M, F]
    assert walked().shown[0] == f"{M}\n{F}"


def test_the_function_answers_with_numbers_and_with_a_list_of_its_operations():
    _, numbers, listed, stepped, *_ = walked().shown
    np.testing.assert_allclose(numbers, [0, -9.81 / 2 * np.sin(0.5)], rtol=1e-15)
    for text, name, arguments in (
        (listed, "f", (0.0, [0.5, 0.3])),
        (stepped, "euler_step", (0.0, [0.5, 0.3], 0.1)),
    ):
        lines = [line.partition(" = ")[2] for line in text.splitlines()[1:-1]]
        assert len(lines) == len(set(lines)) >= 3
        assert all(len(re.findall(r" [-+*/] |sin", line)) == 1 for line in lines)
        space = {"sin": np.sin}
        exec(text, space)
        wanted = np.array([0.3, -9.81 / 2 * np.sin(0.5)])
        if name == "euler_step":
            wanted = np.array([0.5, 0.3]) + 0.1 * wanted
        np.testing.assert_allclose(space[name](*arguments), wanted, rtol=1e-15)


def test_the_bytes_are_webassembly_with_the_sine_inside():
    sign, length = walked().shown[4]
    assert sign == b"\0asm"
    assert 1000 < length == len(walked().code) < 100_000


def test_python_s_run_is_the_step_to_the_last_bit_and_keeps_the_energy():
    *_, difference, energy, panel = walked().shown
    assert (difference == 0).all()
    lost, whole = (float(word) for word in re.findall(r"([\d.e-]+) J", energy))
    assert lost < 1e-6 * whole
    assert panel is walked().panel
    assert panel.program["bytes"] in panel.page
