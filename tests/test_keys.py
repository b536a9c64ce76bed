"""Instructions name the keys and buttons that the panels have."""

import ast
import re
from functools import cache

from tests.texts import CLAUSE, NOTEBOOKS, PAGES, ROOT, cells, paragraphs
from tutlib.methods import METHODS

TEXTS = [*NOTEBOOKS, *PAGES]
# What an instruction says of an action of live.js.
SAID = {
    "motion.want(!playing)": "plays and pauses",
    "singleStep": "takes a single step",
    "reset": "resets",
    "say": "says in words",
    "push(-1)": "push",
    "push(1)": "push",
    "flip(boxes.trace)": "the trace",
    "flip(boxes.portrait)": "the phase portrait",
}
# Of JupyterLab and the keyboard, not ours.
FOREIGN = {"restart kernel and run all cells", "shift", "enter"}


def source(name):
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def acts():
    """Return what each act that live.js hands to buttons and keys does."""
    body = re.search(
        r"const acts = \{(.*?)\n  \};", source("panels/simulations/live.js"), re.DOTALL
    )[1]
    found = re.findall(r"^    (\w+)(?:: (?:\([^)]*\) => )?(.+))?,$", body, re.MULTILINE)
    return {f"acts.{name}": action or name for name, action in found}


def resolved(action):
    """Return what an action of a button or a key does in live.js; it may be one of the panel's."""
    name, parenthesis, arguments = action.partition("(")
    return acts().get(name, name) + parenthesis + arguments


@cache
def actions():
    """Return the key of each action in keys.js."""
    text = source("panels/simulations/keys.js")
    body = re.search(r"const actions = \{(.*?)\n  \};", text, re.DOTALL)[1]
    pattern = r"\b(\w): (?:\(\) => )?([\w.]+(?:\([^)]*\))?)"
    found = {resolved(action): key for key, action in re.findall(pattern, body)}
    (space,) = re.findall(r'event\.key === "(.)" && [^{]*\{\n\s*(\S+)\(\);', text)
    return found | {resolved(space[1]): {" ": "Space"}[space[0]]}


@cache
def buttons():
    """Return label, action, announced key and shown key, if any, of each button with a key."""
    pattern = (
        r'button\(("[^"]+"|playText), '
        r'\{ onclick: (?:\(\) => )?([^,]+), keys: "(\w+)"(?:, key: "(\w*)")?'
    )
    found = [made.groups() for made in re.finditer(pattern, source("panels/simulations/panel.js"))]
    return [
        (label.strip('"'), resolved(action), key, key if shown is None else shown)
        for label, action, key, shown in found
    ]


@cache
def toggles():
    """Return name, label, shown key and what it changes of each box to tick."""
    pattern = (
        r'(\w+): toggle\("([^"]+)", '
        r'\{ key: "(\w)", onchange: \((\w+)\) => acts\.change\(\{ (?:(\w+): )?\4 \}\)'
    )
    found = re.findall(pattern, source("panels/simulations/panel.js"))
    return [(name, label, key, other or given) for name, label, key, given, other in found]


@cache
def labels():
    """Return what stands on buttons, boxes and what unfolds, in small letters."""
    text = "".join(
        map(
            source,
            (
                "panels/simulations/panel.js",
                "panels/simulations/live.js",
                "panels/animations/player.js",
            ),
        )
    )
    pattern = r'\bbutton\("([^"]+)"|(?<!\.)\btoggle\("([^"]+)"|"summary", \{\}, "([^"]+)"'
    found = re.findall(pattern, text)
    found += re.findall(r'\? "(\w+)" : "(\w+)"()', text)
    return {label.strip("◀▶ ").lower() for labels in found for label in labels if label}


def keys_of(notebook):
    """Return the keys of each panel in a notebook: to the label or parameter that it moves."""
    found = {}
    for cell in cells(notebook):
        if cell.cell_type != "code" or "live" not in cell.source:
            continue
        for call in ast.walk(ast.parse(cell.source)):
            named = {k.arg: k.value for k in getattr(call, "keywords", ())}
            for table in (named.get("sliders"), named.get("switches")):
                if isinstance(table, ast.Dict):
                    for name, values in zip(table.keys, table.values):
                        found |= keys_in(name, [ast.literal_eval(v) for v in values.elts])
    return found


def keys_in(name, values):
    """Return the keys of a slider (low, high, unit, keys) or a switch (label, key)."""
    if len(values) == 2:
        return {values[1]: values[0]}
    return dict.fromkeys("".join(values[3:]), ast.unparse(name))


def mentions(path):
    """Return each clause that names keys, with the keys."""
    for paragraph in paragraphs(path):
        for clause in CLAUSE.split(paragraph.text):
            keys = re.findall(r"(?<!\*)\*(\w|Space)\*(?!\*)", clause)
            if keys:
                yield clause, keys


class TestPanels:
    def test_a_button_shows_and_announces_the_key_that_does_its_work(self):
        assert len(buttons()) == 6
        for label, action, announced, shown in buttons():
            assert actions()[action] == announced, label
            # Play has no room for a word as long as Space
            assert shown == ("" if announced == "Space" else announced), label
        made = source("panels/simulations/elements.js")
        assert '{ onclick, keys, key = keys, kind = "" }' in made
        assert '"aria-keyshortcuts": keys }, label,\n    ...(key ? [keyMark(key)] : [])' in made

    def test_a_box_shows_the_key_that_ticks_it(self):
        assert len(toggles()) == 2
        for name, label, shown, changes in toggles():
            assert actions()[f"flip(boxes.{name})"] == shown, label
            assert changes == name, label
        assert "const flip = (box) => box.click();" in source("panels/simulations/keys.js")

    def test_a_button_that_a_message_names_is_there(self):
        named = re.findall(r"\bthen ([A-Z][\w ]+)\.[`\"]", source("panels/simulations/live.js"))
        assert len(named) == 2
        assert {name.lower() for name in named} <= labels()

    def test_a_push_goes_where_its_arrow_points(self):
        sides = {label: action for label, action, *_ in buttons() if "push" in label}
        assert sides == {"◀ push": "push(-1)", "push ▶": "push(1)"}

    def test_no_other_slider_may_take_these_keys(self):
        (taken,) = re.findall(
            r'^_KEYS = "(\w+)"$', source("panels/simulations/controls.py"), re.MULTILINE
        )
        assert set(taken) == {key for key in actions().values() if len(key) == 1} | set(
            "0123456789"
        )

    def test_digits_choose_the_method_of_that_place(self):
        text = source("panels/simulations/keys.js")
        assert re.search(
            r"spec\.methods\.slice\(0, 10\)\.forEach\(\(\{ name \}, i\) => \{\n"
            r"\s*actions\[i\] = \(\) => acts\.change\(\{ method: name \}\);",
            text,
        )
        assert "[name, i < 10 ? `${label} (${i})` : label]" in source("panels/simulations/panel.js")

    def test_an_arrow_key_points_where_its_name_says(self):
        text = re.search(
            r"export const arrows = \{(.*?)\};", source("panels/drawing/drawing.js"), re.DOTALL
        )[1]
        arrows = dict(re.findall(r"Arrow(\w+): \[([^]]+)\]", text))
        assert arrows == {"Left": "-1, 0", "Right": "1, 0", "Up": "0, 1", "Down": "0, -1"}


class TestInstructions:
    def test_how_to_work_names_the_key_of_every_action(self):
        told = {
            key: clause for clause, keys in mentions(ROOT / "book/how-to-work.md") for key in keys
        }
        assert set(told) == set(actions().values())
        for action, key in actions().items():
            assert SAID[action] in told[key], f"{key} does {action}"
        assert re.search(r"\*a\* and \*d\* push", told["a"]), "first to the left, then to the right"

    def test_a_key_does_what_the_words_around_it_say(self):
        for path in TEXTS:
            own = keys_of(path) if path in NOTEBOOKS else {}
            for clause, keys in mentions(path):
                meant = {key for action, key in actions().items() if says(clause, SAID[action])}
                if not meant:
                    meant = {key for key, name in own.items() if says(clause, name)}
                if not meant:
                    sliders = [name for key, name in own.items() if key in keys]
                    meant = {key for key, name in own.items() if sliders and name == sliders[0]}
                assert set(keys) == meant, f"{path.name}: {clause}"

    def test_a_button_that_is_named_is_there(self):
        for paragraph in every_paragraph():
            named = re.findall(
                r"(?:[Pp]ress|[Cc]hoose|[Oo]pen|[Uu]nder|\ba) \*([A-Z][\w ]+)\*", paragraph.text
            )
            named += re.findall(r"(?<!\*)\*([A-Za-z][\w ]+)\* shows", paragraph.text)
            named += re.findall(r"\*(Copy [\w ]+)\*", paragraph.text)
            for name in named:
                assert name.lower() in labels() | FOREIGN, paragraph.place

    def test_a_slider_that_is_named_is_there(self):
        for path in NOTEBOOKS:
            code = "\n".join(c.source for c in cells(path) if c.cell_type == "code")
            code += source("panels/simulations/panel.js")
            for paragraph in paragraphs(path):
                for name in re.findall(r"\b(?:[Ss]lider|[Mm]ove the) \*([\w ]+)\*", paragraph.text):
                    assert f'"{name}' in code, paragraph.place

    def test_a_method_or_a_step_to_choose_is_one_that_there_is(self):
        text = source("tutlib/methods/tableaus.py") + source("tutlib/methods/commutator_free.py")
        methods = set(re.findall(r'Tableau\(\s*"([^"]+)"', text))
        (sizes,) = re.findall(
            r"const STEP_SIZES = \[(.*?)\]", source("panels/simulations/panel.js")
        )
        for paragraph in every_paragraph():
            plain = paragraph.text.replace("\N{EN DASH}", "-")
            chosen = set(re.findall(r"\b[Cc]hoose ([A-Z][\w-]+)", plain))
            assert chosen <= methods, paragraph.place
            set_by_links = re.findall(r"\.method=(\w+)", paragraph.text)
            assert set(set_by_links) <= {*METHODS}, paragraph.place
            steps = re.findall(r"\b[Cc]hoose [^.]*? a step of ([\d.]+) s\b", paragraph.text)
            assert set(steps) <= set(sizes.split(", ")), paragraph.place


def every_paragraph():
    return (paragraph for path in TEXTS for paragraph in paragraphs(path))


def says(clause, words):
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", clause, re.IGNORECASE)
