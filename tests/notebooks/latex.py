r"""Read LaTeX as the course writes it: formulas become trees, and nothing is skipped.

`read` returns the statements of a formula, each a list [side, relation, side, ...]. A side is a
tree of tuples: ("number", 2), ("name", Name), ("add", a, b), ("call", name, arguments), ...
What the names mean, and so what a tree is worth, is for `meanings.py` to say.
"""

import re
from dataclasses import replace

from tests.notebooks.latex_tokens import (
    ACCENTS,
    BINARY,
    FUNCTIONS,
    MARKS,
    PRODUCTS,
    REAL_PART,
    RELATIONS,
    SEPARATORS,
    STOPS,
    Name,
    tokens,
)


def read(text):
    """Return the statements of a formula."""
    return Reader(text).statements()


def name_of(text):
    """Return the one symbol that a text is."""
    reader = Reader(text)
    found = reader.name()
    if reader.left:
        raise SyntaxError(f"{text} is more than a symbol")
    return found


class Reader:
    def __init__(self, text):
        self.left = tokens(text)
        self.bars = self.integrals = self.columns = 0

    def peek(self, ahead=0):
        return self.left[ahead] if ahead < len(self.left) else None

    def take(self, *expected):
        if not self.left or (expected and self.left[0] not in expected):
            raise SyntaxError(f"{expected or 'something'} should come before {self.left}")
        return self.left.pop(0)

    def accept(self, token):
        return bool(self.peek() == token and self.take())

    def statements(self):
        found = []
        while self.left:
            if self.peek() in SEPARATORS or self.peek() == r"\\":
                self.take()
                continue
            statement = [self.sum()]
            while self.peek() in RELATIONS:
                statement += [self.take(), self.sum()]
            if len(statement) == 1 or self.peek() not in SEPARATORS | {None}:
                raise SyntaxError(f"this is not read: {self.left}")
            found.append(statement)
        return found

    def sum(self):
        sign = self.take() if self.peek() in BINARY else "+"
        node = self.term()
        if sign != "+":
            node = ("neg", node) if sign == "-" else (BINARY[sign], ("number", 0), node)
        while True:
            if not self.columns and self.peek() == r"\\" and self.peek(1) in BINARY:
                self.take()  # a line may break before a sign
            if self.peek() not in BINARY:
                return node
            node = (BINARY[self.take()], node, self.term())

    def term(self):
        node = self.product()
        while self.peek() in PRODUCTS:
            node = (PRODUCTS[self.take()], node, self.product())
        return node

    def product(self):
        node = self.factor()
        while True:
            if self.accept("/"):
                node = ("div", node, self.divisor())
            elif self.ends():
                return node
            else:
                node = ("mul", node, self.factor())

    def ends(self):
        token = self.peek()
        if token == "|":
            return bool(self.bars)
        return token in STOPS or bool(self.integrals and token in {"d", r"\mathrm{d}"})

    def divisor(self):
        """One factor, and with a number the symbol that follows it: 1/2h is 1/(2h)."""
        node = self.factor()
        while node[0] == "number" and not self.ends() and self.peek() != "(":
            node = ("mul", node, self.factor())
        return node

    def factor(self):
        node = self.atom()
        while True:
            if self.accept("^"):
                node = self.raised(node)
            elif self.accept("°"):
                node = ("degrees", node)
            elif self.peek() == "_" and node[0] == "pow":  # the index behind the power
                name = replace(node[1][1], subscript=self.subscript())
                node = ("pow", ("name", name), node[2])
            elif node[0] == "name" and self.accept("("):
                node = ("call", node, self.until(")"))
            else:
                return node

    def raised(self, node):
        mark = self.left[1] if self.peek() == "{" and self.peek(2) == "}" else self.peek()
        if mark in MARKS:
            self.argument()
            return (MARKS[mark], node)
        return ("pow", node, self.argument())

    def argument(self):
        """What a macro takes: a group, or a single token; of a number a single digit."""
        if self.accept("{"):
            return self.until("}")[0]
        if re.fullmatch(r"\d\d+", self.peek() or ""):
            digits = self.take()
            self.left.insert(0, digits[1:])
            return ("number", int(digits[0]))
        return self.atom(scripts=False)

    def until(self, closing):
        self.bars, outer = 0, self.bars
        found = [self.sum()]
        while self.accept(","):
            found.append(self.sum())
        self.take(closing)
        self.bars = outer
        return tuple(found)

    def atom(self, scripts=True):
        token = self.peek()
        if token is None or token in STOPS:
            raise SyntaxError(f"something is missing before {self.left}")
        if re.fullmatch(r"\d+(\.\d+)?", token):
            return ("number", float(self.take()) if "." in token else int(self.take()))
        special = {
            "(": self.group,
            "[": self.bracket,
            "{": self.braced,
            "|": self.size,
            r"\int": self.integral,
            r"\sum": self.total,
            r"\partial": self.slope,
            r"\sqrt": self.root,
            r"\underbrace": self.underbrace,
            r"\frac": self.fraction,
            r"\tfrac": self.fraction,
            r"\begin{bmatrix}": self.column,
        }
        if token in special:
            self.take()
            return special[token]()
        return self.function() if token in FUNCTIONS else ("name", self.name(scripts))

    def group(self):
        found = self.until(")")
        return found[0] if len(found) == 1 else ("list", found)

    def bracket(self):
        return ("list", self.until("]"))

    def braced(self):
        if self.accept("}"):  # {} only keeps a sign at its distance
            return self.sum()
        return self.until("}")[0]

    def size(self):
        self.bars += 1
        node = self.sum()
        self.take("|")
        self.bars -= 1
        return ("abs", node)

    def root(self):
        return ("pow", self.argument(), ("div", ("number", 1), ("number", 2)))

    def underbrace(self):
        node = self.argument()
        if self.accept("_"):  # a comment below the brace
            self.raw()
        return node

    def column(self):
        self.columns += 1
        rows = [self.row()]
        while self.accept(r"\\"):
            rows.append(self.row())
        self.columns -= 1
        self.take(r"\end{bmatrix}")
        found = tuple(entry for row in rows for entry in row)
        if len(found) == len(rows):
            return ("list", found)
        return ("block", found, ("number", len(rows[0])))

    def row(self):
        found = [self.sum()]
        while self.accept("&"):
            found.append(self.sum())
        return found

    def function(self):
        """A function takes a group, or numbers and the one factor behind them."""
        name = ("name", Name(self.take()))
        if name[1].base == REAL_PART:  # of all that follows
            return ("call", name, (self.product(),))
        if self.accept("("):
            return ("call", name, self.until(")"))
        node = self.factor()
        while is_number(node) and not self.ends():
            node = ("mul", node, self.factor())
        return ("call", name, (node,))

    def fraction(self):
        inside = self.left[1:2] if self.peek() == "{" else self.left[:1]
        if inside in (["d"], [r"\mathrm{d}"], [r"\partial"]):
            return self.slope_fraction()
        return ("div", self.argument(), self.argument())

    def slope_fraction(self):
        """Read d/dt and its like; what it applies to is above, or all that is multiplied."""
        group = self.accept("{")
        self.take()
        if self.accept("^"):
            self.argument()
        node = None if not group or self.peek() == "}" else self.product()
        if group:
            self.take("}")
        self.take("{")
        by = [self.differential()]
        while not self.accept("}"):
            by.append(self.differential())
        return ("slope", node or self.product(), tuple(by))

    def slope(self):
        node = self.factor()
        self.take("/")
        return ("slope", node, (self.differential(),))

    def differential(self):
        self.take("d", r"\mathrm{d}", r"\partial")
        return ("name", self.name())

    def total(self):
        index = self.subscript() if self.peek() == "_" else ""
        return ("sum", index, self.term())

    def integral(self):
        ends = []
        for script in "_^":
            if self.accept(script):
                ends.append(self.argument())
        self.integrals += 1
        node = self.sum()
        self.integrals -= 1
        return ("integral", node, self.differential(), tuple(ends))

    def name(self, scripts=True):
        token = self.take()
        accent = token in ACCENTS or (token == r"\delta" and self.carries())
        if accent:
            group = self.accept("{")
            inner = self.name(scripts and not group)
            if group:
                self.take("}")
            found = replace(inner, accents=(token, *inner.accents))
        elif re.fullmatch(r"[A-Za-z]|\\[A-Za-z]+(\{.*\})?", token, re.DOTALL):
            found = Name(token)
        else:
            raise SyntaxError(f"no symbol: {token}")
        if scripts and self.peek() == "_":
            found = replace(found, subscript=self.subscript())
        if scripts and self.left[:2] == ["^", "*"]:
            self.take(), self.take()
            found = replace(found, star="^*")
        return found

    def carries(self):
        """Whether the δ before this is that of a small change of something."""
        token = self.peek() or ""
        symbol = re.fullmatch(r"[A-Za-z]|\\[A-Za-z]+|\\(bold|math).*", token)
        return bool(symbol) and token not in STOPS | FUNCTIONS

    def subscript(self):
        self.take("_")
        return self.raw()

    def raw(self):
        """Return what stands in a group, or the next token, as it is written."""
        if not self.accept("{"):
            return self.take()
        found = []
        while not self.accept("}"):
            found.append(self.take())
        return "".join(found)


def is_number(node):
    return node[0] == "number" or (node[0] == "div" and all(map(is_number, node[1:])))
