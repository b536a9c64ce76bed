r"""Symbols and signs of LaTeX, as the course uses them."""

import re
from dataclasses import dataclass

FONT = re.compile(
    r"(\\(?:text|operatorname|mathrm|mathbb|mathsf|mathbf|boldsymbol))(?![A-Za-z])\s*"
    r"(?:\{([^{}]*)\}|([A-Za-z]))",
    re.DOTALL,
)
TOKEN = re.compile(
    FONT.pattern + r"|\\(?:begin|end)\{\w+\}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S", re.DOTALL
)
LAYOUT = {
    *(r"\,", r"\;", r"\:", r"\!", "\\ ", r"\quad", r"\qquad", "&", "~", r"\textstyle"),
    *(r"\Big", r"\big", r"\bigl", r"\bigr", r"\left", r"\right", r"\displaystyle"),
    *(r"\begin{aligned}", r"\end{aligned}"),
}
RELATIONS = {"=", "<", ">", r"\le", r"\ge", r"\approx", r"\leftarrow"}
SEPARATORS = {",", ";", ".", r"\Rightarrow", r"\Longrightarrow"}
REAL_PART = r"\operatorname{Re}"
FUNCTIONS = {
    *(r"\sin", r"\cos", r"\tan", r"\cot", r"\arctan", r"\exp", r"\ln", r"\det"),
    *(r"\operatorname{tr}", REAL_PART),
}
ACCENTS = {r"\dot", r"\ddot", r"\hat", r"\vec"}
BINARY = {"+": "add", "-": "sub", r"\pm": "plus-minus", r"\mp": "minus-plus"}
MARKS = {r"\mathsf{T}": "transpose", r"\vee": "vee", r"\wedge": "hat"}
PRODUCTS = {r"\cdot": "dot", r"\times": "cross"}
STOPS = {
    *(")", "]", "}", r"\\", r"\end{bmatrix}", "&", None, "/", "^", "_"),
    *(RELATIONS | SEPARATORS | set(BINARY) | set(PRODUCTS)),
}


@dataclass(frozen=True, repr=False)
class Name:
    """A symbol: accents from outside in, what carries them, its subscript, its star."""

    base: str
    accents: tuple = ()
    subscript: str = ""
    star: str = ""

    def __str__(self):
        below = f"_{{{self.subscript}}}" if self.subscript else ""
        return " ".join([*self.accents, self.base]) + below + self.star

    __repr__ = __str__


def tokens(text):
    r"""Split a formula; layout goes, but a matrix keeps `&`; `\mathrm d` is `\mathrm{d}`."""
    found = (match[0] for match in TOKEN.finditer(text))
    found = (FONT.sub(lambda m: f"{m[1]}{{{(m[2] or m[3]).strip()}}}", each) for each in found)
    inside, kept = 0, []
    for token in found:
        inside += (token == r"\begin{bmatrix}") - (token == r"\end{bmatrix}")
        if token not in LAYOUT or (inside and token == "&"):
            kept.append(token)
    return kept
