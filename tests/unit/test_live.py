"""What a live simulation hands to the page, what it refuses, and the widget's traits."""

import html
import json
import re

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.helpers import free
from tutlib import live
from tutlib.methods import METHODS, RK4, ButcherTableau
from tutlib.models import chain, pendulum
from tutlib.page import live_one_of
from tutlib.page.packing import packed


@pytest.fixture
def arm():
    return free(pendulum())


def data_of(widget):
    return json.loads(re.search(r"const specification = (.*);\n", widget._esm)[1])


class TestSpecification:
    def test_what_changes_and_what_is_shown(self, arm):
        theta = arm.equations.q[0]
        data = data_of(
            live(
                arm,
                [1.0, 0.0],
                "An arm swings.",
                sliders={"l": (0.5, 3, "m"), theta: (-90, 90, "deg", "qe")},
                outputs={"height": (-sm.Symbol("l", positive=True) * sm.cos(theta), "m")},
            )
        )
        assert [p["name"] for p in data["parameters"]] == ["g", "l", "m"]
        length, angle = data["sliders"]
        assert (length["target"], length["index"], length["unit"]) == ("p", 1, "m")
        assert (angle["target"], angle["index"], angle["unit"]) == ("x0", 0, "°")
        assert angle["scale"] == pytest.approx(180 / np.pi)
        assert angle["keys"] == ["q", "e"]
        assert data["readouts"] == [{"label": "height", "unit": "m"}]
        assert [state["label"] for state in data["states"]] == ["θ", "θ̇"]

    def test_every_method_is_there_to_choose(self, arm):
        methods = data_of(live(arm, [1, 0], "An arm swings."))["methods"]
        flat = [name for name in METHODS if name != "cf4"]  # on a flat space it is rk4
        assert [method["name"] for method in methods] == flat
        assert methods[-1] == {"name": "rk4", "label": RK4.name}

    def test_a_tableau_of_your_own_is_among_them(self, arm):
        ralston = ButcherTableau("Ralston", c=[0, "2/3"], A=[[], ["2/3"]], b=["1/4", "3/4"])
        data = data_of(live(arm, [1, 0], "An arm.", methods=["rk4", ralston], method="Ralston"))
        assert data["methods"][1] == {"name": "Ralston", "label": "Ralston"}

    def test_a_step_of_your_own_is_among_them(self, arm):
        def my_step(f, t, x, h):
            return x + h * f(t, x)

        widget = live(arm, [1, 0], "An arm.", methods=["rk4", my_step], method="my_step")
        assert data_of(widget)["methods"][1] == {"name": "my_step", "label": "my step"}
        assert widget.method == "my_step"

    def test_methods_that_do_not_fit_are_left_out(self, arm):
        z = me.dynamicsymbols("z")
        with_memory = pendulum().with_inputs({"tau": -z}, states={z: arm.equations.q[0]})
        names = [m["name"] for m in data_of(live(with_memory, [1, 0, 0], "An arm."))["methods"]]
        assert "verlet" not in names
        assert "semi_implicit_euler" in names

    def test_the_box_holds_all_that_the_mechanism_can_reach(self):
        left, bottom, right, top = data_of(live(free(chain(2)), [0, 0, 0, 0], "Two."))["box"]
        assert left < -1.9
        assert bottom < -1.9
        assert right > 1.9
        assert top > 1.5

    def test_guides_are_lines_through_points_after_those_of_the_skeleton(self, arm):
        l, angle = sm.Symbol("l", positive=True), sm.Symbol("goal", real=True)
        model = pendulum().with_inputs({"tau": angle}, parameters={angle: 0.5})
        goal = sm.Matrix([l * sm.sin(angle), -l * sm.cos(angle)])
        widget = live(model, [1, 0], "An arm.", guides=[[(0, 0), goal]])
        data = data_of(widget)
        assert data["guides"] == [[2, 3]]
        assert data["size"]["points"] == 4
        assert widget.formulas.expressions[2 + 2 * 3 :] == [l * sm.sin(angle), -l * sm.cos(angle)]

    def test_an_input_with_a_slider_is_a_number_that_begins_at_zero(self):
        widget = live(pendulum(), [1, 0], "An arm.", sliders={"tau": (-20, 20, "N·m")})
        data = data_of(widget)
        assert widget.parameters["tau"] == 0
        assert data["sliders"][0]["target"] == "p"
        space = {"model": pendulum(), "sm": sm}
        model = eval(data["python"]["model"], space)
        assert live(model, [1, 0], "An arm.").parameters == widget.parameters

    def test_several_runs(self, arm):
        runs = {"Euler": {"method": "euler", "h": 0.1}, "long": {"l": 2, "theta": 0.5}}
        euler, long = data_of(live(arm, [1, 0], "Two arms.", runs=runs))["runs"]
        assert (euler["method"], euler["h"]) == ("euler", 0.1)
        assert (long["parameters"], long["state"]) == ({"1": 2.0}, {"0": 0.5})

    def test_it_is_the_same_text_every_time(self, arm):
        pages = {live(arm, [1, 0], "An arm swings.")._repr_html_() for _ in range(3)}
        assert len(pages) == 1

    def test_the_page_asks_no_other_host_and_is_sandboxed(self, arm):
        page = live(arm, [1, 0], "An arm swings.")._repr_html_()
        assert "http" not in page
        assert 'sandbox="allow-scripts"' in page
        assert "\n\n" not in page

    def test_a_still_picture_stands_in_where_no_script_runs(self, arm):
        page = live(arm, [1, 0], "An arm swings.")._repr_html_()
        outside = re.sub(r'srcdoc="[^"]*"', "", page)
        inside = html.unescape(re.search(r'srcdoc="([^"]*)"', page)[1])
        for text in (outside, inside):
            assert 'alt="An arm swings."' in text
            assert "data:image/svg+xml;base64," in text
        assert "once this cell has run" in outside

    def test_the_program_in_the_page_is_the_one_that_python_makes(self, arm):
        widget = live(arm, [1, 0], "An arm swings.")
        for text in (widget._esm, html.unescape(widget._repr_html_())):
            program = json.loads(re.search(r"const program = (.*);\n", text)[1])
            assert program == packed(widget.formulas.motion().program())

    def test_no_equation_and_no_method_is_written_in_javascript(self, arm):
        text = live(arm, [1, 0], "An arm swings.")._esm
        for trace in ("Math.sin", "Math.cos", "Math.sqrt", "tableau", "equations"):
            assert trace not in text


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"sliders": {"ll": (0, 1, "m")}}, r"neither .* nor a state: ll \(did you mean l\?\)"),
            ({"sliders": {"l": (2, 1, "m")}}, "slider for l needs low < high; got 2 and 1"),
            ({"switches": {"theta": ("on",)}}, "theta is a state: only a parameter"),
            ({"sliders": {"l": (0, 1, "m", "ad")}}, "the key 'a' is taken"),
            ({"switches": {"l": ("on", "x"), "m": ("in", "x")}}, "the key 'x' is taken"),
            ({"method": "rk5"}, "unknown method 'rk5'; the methods here are euler"),
            ({"methods": ["magic"]}, "unknown method 'magic'; the methods are euler"),
            ({"runs": {"a": {"method": "rk5"}}}, "unknown method 'rk5'"),
            ({"runs": {"a": {"mass": 1}}}, "neither a parameter nor a state: mass"),
            ({"h": 0}, "the step h must be positive and finite; got 0"),
            ({"name": "two words"}, "must be a Python name; got 'two words'"),
        ],
    )
    def test_what_makes_no_sense_is_named(self, arm, options, message):
        with pytest.raises(ValueError, match=message):
            live(arm, [1.0, 0.0], "An arm swings.", **options)

    def test_the_state_must_fit(self, arm):
        with pytest.raises(ValueError, match="pendulum has 2 states; got 3"):
            live(arm, [1, 0, 0], "An arm.")

    def test_a_description_is_needed(self, arm):
        with pytest.raises(ValueError, match="describe what is seen"):
            live(arm, [1, 0], " ")

    def test_an_open_input_is_named(self):
        with pytest.raises(ValueError, match=r"no expression for the input tau\(t\)"):
            live(pendulum(), [1, 0], "An arm.")

    def test_an_implicit_tableau_is_refused(self, arm):
        implicit = ButcherTableau("implicit midpoint", c=["1/2"], A=[["1/2"]], b=[1])
        with pytest.raises(ValueError, match="implicit midpoint is implicit"):
            live(arm, [1, 0], "An arm.", methods=[implicit])

    def test_a_function_that_cannot_be_computed_is_named(self):
        theta = pendulum().equations.q[0]
        model = pendulum().with_inputs({"tau": sm.gamma(2 + theta**2)})
        with pytest.raises(ValueError, match=r"cannot compute .*: there is no gamma here"):
            live(model, [1, 0], "An arm.")


class TestWidget:
    @pytest.fixture
    def widget(self, arm):
        return live(arm, [1.0, 0.0], "An arm swings.")

    def test_it_shows_itself_as_a_page_and_as_a_widget(self, widget):
        data, _ = widget._repr_mimebundle_()
        assert data["text/html"] == widget._repr_html_()

    def test_some_parameters_can_be_set(self, widget):
        widget.parameters = {"l": 2}
        assert widget.parameters == {"g": 9.81, "l": 2.0, "m": 1.0}

    @pytest.mark.parametrize(
        ("trait", "value", "message"),
        [
            ("parameters", {"length": 1}, "no such parameter: length; there are g, l, m"),
            ("parameters", {"l": np.nan}, "l must be a finite number; got nan"),
            ("state", [1.0], "the state has 2 entries; got 1"),
            ("state", [1.0, np.inf], "the state must be finite"),
            ("method", "rk5", "unknown method 'rk5'; the methods are euler"),
            ("step_size", 0.0, "step size must be positive and finite; got 0"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, widget, trait, value, message):
        before = getattr(widget, trait)
        with pytest.raises(ValueError, match=message):
            setattr(widget, trait, value)
        assert getattr(widget, trait) == before

    def test_it_begins_as_it_was_told(self, widget):
        assert (widget.state, widget.method, widget.step_size) == ([1.0, 0.0], "rk4", 0.01)
        assert not widget.running


class TestOneOf:
    """Several simulations in one place, chosen by a slider."""

    def several(self):
        return {
            str(n): live(free(chain(n)), np.zeros(2 * n), f"A chain of {n}.", name="links")
            for n in (1, 2, 3)
        }

    def test_the_page_holds_all_of_them_once(self):
        page = live_one_of("links", self.several(), first=1)._repr_html_()
        assert page.count("<iframe") == 1
        assert page.count("export function mount(") == 1
        for n in (1, 2, 3):
            assert f"A chain of {n}." in page
        assert 'title="Simulation: A chain of 2."' in page

    @pytest.mark.parametrize("first", [-1, 3])
    def test_the_first_must_be_one_of_them(self, first):
        with pytest.raises(ValueError, match="first must be one of 3"):
            live_one_of("links", self.several(), first=first)
        with pytest.raises(ValueError, match="first must be one of 0"):
            live_one_of("links", {})
