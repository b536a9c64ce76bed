"""The quantities that sentences state, in digits and in words, each with its unit."""

import re
from dataclasses import dataclass, replace

from tests.notebooks.units import unit_at

ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
ONES += ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"]
ONES += ["eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
LARGE = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
CARDINALS = {word: float(k) for k, word in enumerate(ONES)} | LARGE
CARDINALS |= {word: 10.0 * k for k, word in enumerate(TENS, 2)}
ORDINALS = ["fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
PARTS = {word: float(k) for k, word in enumerate(ORDINALS, 4)}
PARTS |= {"half": 2.0, "third": 3.0, "quarter": 4.0}
PARTS |= {"twelfth": 12.0, "sixteenth": 16.0, "twentieth": 20.0}
PARTS |= {f"{word}th": value for word, value in LARGE.items()}

# What states no result, kind by kind.
LEFT_OUT = {
    "roles and citations": r"\{[a-z:]+\}`[^`]*`",
    "code": r"(?s)```.*?```|`[^`]*`",
    "displayed formulas": r"(?s)\$\$.*?\$\$",
    "grades of exercises": r'<span class="grade [^>]*>[^<]*</span>',
    "what a phrase sets": r"</?a\b[^>]*>",
    "links to chapters": r"\[\d\]\([^)]*\)",
    "addresses": r"(?<=\])\([^)]*\)|https?://\S+",
    "options, right and wrong": r"(?m)^> - \*\*[a-z]\*\* · .*$(?:\n>   .*$)*",
    "how many exercises": r"\w+ exercises answer back",
    "steps of a recipe": r"\b[Ss]teps? \d+(?: (?:to|and) \d+)?(?! s\b)",
    "chapters and exercises": r"(?i)\b(?:chapters?|exercises?) \d+(?:(?:, | and |–)\d+)*",
    "places in a list": r"(?m)^(?:> )?\s*\d+\.\s",
    "years": r"\b(?:1[5-9]|20)\d\d\b(?![.,]\d|[ -]*(?:[msNJ]|steps|points|degrees|percent|%|°)\b)",
    "time to read": r"\*\*It takes\*\* about \w+(?: and a half)? hours?",
    "names": r"\bfour-bar\b|\bfigure eight\b|\bvehicle \d\b|\b[A-Za-z]+[-(]?\d[\w)]*|\b\d+D\b",
}
MINUS = r"(?P<minus>minus |(?<![\w)])[−-])?"
DIGITS = (
    r"(?P<digits>\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?:e(?P<exponent>[-−]?\d+)|/(?P<below>\d+)|(?P<raised>[⁻⁰¹²³⁴-⁹]+))?"
)
ONE, TEN, MANY = ("|".join(words) for words in (sorted(ONES, key=len)[::-1], TENS, LARGE))
UNDER = rf"(?:(?:{TEN})(?:-(?:{ONE}))?|{ONE})"
COUNT = rf"\b(?:(?:(?:a|{UNDER})[ -])?(?:{MANY})(?: (?:{MANY}))*(?: and {UNDER})?|{UNDER})\b"
PART = rf"(?P<part>{'|'.join(sorted(PARTS, key=len, reverse=True))})"
NUMBER = re.compile(
    rf"(?<![\w.^_/\\]){MINUS}(?:{DIGITS}"
    rf"|(?:(?P<of>{COUNT}|\ban?)(?P<joint>[ -]))?\b{PART}(?P<plural>s?)\b"
    rf"|(?P<count>{COUNT})(?P<and_half> and a half)?|\b(?P<twice>twice|double|triples?|tripled)\b)",
    re.IGNORECASE,
)
AFTER_HALF = re.compile(r" (?:the|of|its|as|a|an)\b|-")
AFTER_PART = re.compile(r" (?:of|as|the|longer|shorter|larger|smaller|more|less|too)\b|[.,;:)]|$")
AFTER_TWICE = re.compile(r" (?:as|the|its|their|that)\b")
TEN_TO_THE = re.compile(r"\bten to the minus (\w+)")
TIMES = re.compile(r"[ -](?:times|fold)\b(?! (?:a|per|each) )|fold\b")
BEFORE_UNIT = re.compile(r"[ -]?(?:(?:of )?an? )?")
MATH = re.compile(r"(?<![\\$])\$(?!\$)([^$]+)\$")


@dataclass(frozen=True)
class Quantity:
    """A quantity of a text: its value, what its last digit is worth, its unit, and its place."""

    value: float
    grain: float
    unit: str | None
    start: int
    end: int
    text: str

    @property
    def said(self) -> str:
        """The quantity among its neighbors."""
        return " ".join(self.text[max(0, self.start - 45) : self.end + 30].split())


def number_of_words(words: str) -> float:
    """Return what number words amount to: "two hundred and five" is 205."""
    total, group = 0.0, 0.0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word == "hundred":
            group = max(group, 1) * 100
        elif word in LARGE:
            total, group = total + max(group, 1) * LARGE[word], 0.0
        elif word in CARDINALS:
            group += CARDINALS[word]
    return total + group


def value_in_math(formula: str) -> str:
    r"""Return "0.01" for ``h = 0.01``, and nothing for what is pure notation."""
    plain = re.sub(r"\\mathrm\{([^}]*)\}|\\text\{([^}]*)\}", r"\1\2", formula)
    plain = re.sub(r"\^\{?\\circ\}?", "°", re.sub(r"\\[,;: ]|~", " ", plain))
    plain = plain.replace(r"\times", r"\cdot").replace("kg m^2", "kg·m²").replace("m/s^2", "m/s²")
    number = r"[-−]?\d[\d.,]*\d|[-−]?\d"
    if re.search(r"[=<>]\s*0\s*$", plain):
        return " § "
    found = re.fullmatch(
        rf"(?s)(?:.*(?:=|\\approx|<|>|\\leq?|\\geq?)|\\pm|\\approx)?\s*({number})?"
        r"\s*(?:\\cdot)?\s*(10\^\{?([-−]?\d+)\}?)?\s*(°|%|[a-zA-Z·/²]{1,6})?\s*",
        plain,
    )
    if not found or not (found[1] or found[2]):
        return " § "
    exponent = f"e{found[3]}" if found[2] else ""
    unit = found[4] or ""
    if unit and unit_at(unit) is None:
        return " § "
    return f"{found[1] or 1}{exponent} {unit}".strip()


def sentences(markdown: str) -> str:
    """Return a cell's sentences, without what states no result."""
    for kind, pattern in LEFT_OUT.items():
        markdown = re.sub(pattern, " § " if kind != "places in a list" else "", markdown)
    markdown = MATH.sub(lambda found: value_in_math(found[1]), markdown)
    return re.sub(r"\n>? ?", " ", markdown.replace("*", "").replace("$", ""))


def read_number(found: re.Match[str]) -> tuple[float, float] | None:
    """Return value and grain of a number, or nothing if the words count nothing."""
    after = found.string[found.end() :]
    if found["digits"]:
        return read_digits(found)
    if found["twice"]:
        if found["twice"].lower().startswith("triple"):
            return 3.0, 0.0
        return (2.0, 0.0) if AFTER_TWICE.match(after) else None
    if found["part"]:
        return read_part(found, after)
    value = number_of_words(found["count"]) + (0.5 if found["and_half"] else 0.0)
    tells = value >= 4 or found["and_half"] or TIMES.match(after) or unit_at(after.lstrip(" -"))
    return (value, 0.0) if tells else None


def read_digits(found: re.Match[str]) -> tuple[float, float]:
    """Return the value of 0.01, 1e-6, 2/3 or 10⁻³."""
    digits = found["digits"].replace(",", "")
    raised = (found["raised"] or "").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    if raised:
        return float(digits) ** int(raised), 0.0
    if found["below"]:
        return float(digits) / float(found["below"]), 0.0
    scale = 10.0 ** int((found["exponent"] or "0").replace("−", "-"))
    return float(digits) * scale, scale * 10.0 ** -len(digits.partition(".")[2])


def read_part(found: re.Match[str], after: str) -> tuple[float, float] | None:
    """Return the value of "two thirds"; a third line, the second half or a fifth try are none."""
    part, of = found["part"].lower(), (found["of"] or "").lower()
    count = number_of_words(of) or 1.0
    if part in ORDINALS and re.match("[ -]order", after):
        return PARTS[part], 0.0
    if part == "half" and of == "a" and found.string[: found.start()].endswith("and "):
        return None
    if not of and not (AFTER_HALF.match(after) if part == "half" else found["plural"]):
        return None
    if PARTS[part] < 100 and part != "half" and count == 1 and not AFTER_PART.match(after):
        return None
    if found["joint"] == "-" and count in (10, 100):
        return 1 / (count * PARTS[part]), 0.0
    return count / PARTS[part], 0.0


def quantities(text: str) -> list[Quantity]:
    """Return the quantities that a text without markup states."""
    text = TEN_TO_THE.sub(lambda found: f"1e-{number_of_words(found[1]):.0f}", text)
    found = []
    for match in NUMBER.finditer(text):
        number = read_number(match)
        if number is None:
            continue
        sign = -1 if match["minus"] else 1
        gap = BEFORE_UNIT.match(text, match.end())
        unit = unit_at(text, gap.end()) if gap else None
        if unit and re.match(r"\w+ and a half\b", text[gap.end() :]):
            number = number[0] + 0.5, 0.0
        found.append(Quantity(sign * number[0], number[1], unit, match.start(), match.end(), text))
    return units_of_lists(found)


def units_of_lists(found: list[Quantity]) -> list[Quantity]:
    """Give "0.1 and 0.2 s" two units."""
    between = re.compile(r"(?:,|,? and| or| to|–|, then)? ?(?:about|nearly|almost|only)? ?")
    for k in range(len(found) - 2, -1, -1):
        here, there = found[k], found[k + 1]
        if here.unit is None and between.fullmatch(here.text[here.end : there.start]):
            found[k] = replace(here, unit=there.unit)
    return found
