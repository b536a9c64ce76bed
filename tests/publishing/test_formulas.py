"""Formulas are set without a browser; what cannot be read is refused, by name."""

import re
from xml.etree import ElementTree

import pytest

pytest.importorskip("py_mini_racer", reason="the book's own packages are not installed")
pytest.importorskip("sphinx", reason="the book's own packages are not installed")
from publishing.sphinx.formulas import LEFT, VERBATIM, Typesetter

MATRIX = (
    r"\displaystyle \left[\begin{matrix}l \cos{\left(\theta \right)} & 0\\0 & 1\end{matrix}\right]"
)
EXAMPLES = {
    r"\dot x": ("x", "˙"),
    r"\tfrac{1}{2} m l^2 \dot\theta^2": ("θ", "˙", "1", "2"),
    MATRIX: ("[", "]", "cos", "θ", "0"),
    r"\begin{aligned}\dot q &= u\\ M \dot u &= F\end{aligned}": ("q", "u", "M", "F"),
    r"x = \begin{cases}1 & t > 0\\ 0 & \text{before}\end{cases}": ("{", "before"),
    r"\mathring{\boldsymbol\omega} \times \hat{\mathbf n}_1": ("˚", "×", "^", "n"),
}


@pytest.fixture(scope="module")
def typesetter():
    return Typesetter()


def mathml(made):
    return ElementTree.fromstring(re.search(r"<math\b.*</math>", made, re.DOTALL)[0])


@pytest.mark.parametrize("tex", EXAMPLES)
@pytest.mark.parametrize("display", [False, True])
def test_a_formula_is_drawn_and_comes_with_mathml(typesetter, tex, display):
    made = typesetter.set(tex, display)
    heard = mathml(made)
    assert made.count("<mjx-math") == 1
    assert 'aria-hidden="true"' in re.search(r"<mjx-math[^>]*>", made)[0]
    said = "".join(heard.itertext())
    assert all(letter in said for letter in EXAMPLES[tex])
    assert heard.get("display") == ("block" if display else None)


def test_a_formula_on_a_line_of_its_own_says_its_size(typesetter):
    def size(tex):
        made = typesetter.set(tex, display=True)
        return [float(re.search(rf"--{name}: ([\d.]+);", made)[1]) for name in ("ems", "high")]

    (width, height), (twice, same) = size("a = b"), size("a = b = a = b")
    assert 2.0 < width < 3.0 < twice
    assert same == height
    assert size(r"\frac{a}{b}")[1] > 1.5 * height


def test_what_may_scroll_can_be_reached_by_the_keyboard(typesetter):
    sums = (" + ".join(["x"] * n) for n in (3, 30))
    reached = ['tabindex="0"' in typesetter.set(tex, display=True) for tex in sums]
    assert reached == [False, True]


@pytest.mark.parametrize(
    ("tex", "complaint"),
    [
        (r"\fraction{1}{2}", "Undefined control sequence"),
        (r"\left( a", r"Extra \left or missing \right"),
        (r"\begin{matrix} 1", r"Missing \end{matrix}"),
        ("a & b", "Misplaced &"),
        ("x^1^2", "Double exponent"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(typesetter, tex, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)) as refused:
        typesetter.set(tex, display=False)
    assert tex in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        r"<p>the angle \(\theta\) grows</p>",
        r"<td>\[x = 1\]</td>",
        "<p>$f(t, x)$</p>",
        r"<p>$\dot x$</p>",
        r"<div>\begin{align}x\end{align}</div>",
    ],
)
def test_latex_that_is_left_is_found(text):
    assert LEFT.search(VERBATIM.sub("", text))


@pytest.mark.parametrize(
    "text",
    [
        r"<pre>r'\(x\)', '$x$'</pre>",
        "<p>It costs $5, or 6 $ at most.</p>",
        r"<code>\dot x</code>",
        '<a title="$x$">x</a>',
        r"<script>/\(a\)/</script>",
    ],
)
def test_code_and_prices_are_no_formulas(text):
    assert not LEFT.search(VERBATIM.sub("", text))
