"""What a live simulation hands to the page, what it refuses, and the widget's traits."""

import html
import json
import re

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from panels import live
from panels.simulations.packing import packed_motion
from tests.helpers import free
from tutlib.methods import METHODS, RK4, ButcherTableau
from tutlib.models import pendulum

IMPLICIT = ButcherTableau("implicit midpoint", c=["1/2"], A=[["1/2"]], b=[1])
#: With a function that no program computes.
UNKNOWN = pendulum().with_inputs({"tau": sm.gamma(2 + pendulum().equations.q[0] ** 2)})


@pytest.fixture
def arm():
    return free(pendulum())


def data_of(widget):
    return json.loads(re.search(r"const specification = (.*);\n", widget._esm)[1])


class TestSpecification:
    def test_what_changes_and_what_is_shown(self, arm):
        theta = arm.equations.q[0]
        sliders = {"l": (0.5, 3, "m"), theta: (-90, 90, "deg", "qe")}
        outputs = {"height": (-sm.Symbol("l", positive=True) * sm.cos(theta), "m")}
        data = data_of(live(arm, [1.0, 0.0], "An arm.", sliders=sliders, outputs=outputs))
        assert [p["name"] for p in data["parameters"]] == ["g", "l", "m"]
        length, angle = data["sliders"]
        assert (length["target"], length["index"], length["unit"]) == ("p", 1, "m")
        assert (angle["target"], angle["index"], angle["unit"]) == ("x0", 0, "°")
        assert angle["scale"] == pytest.approx(180 / np.pi)
        assert angle["keys"] == ["q", "e"]
        assert data["readouts"] == [{"label": "height", "unit": "m"}]
        assert [state["label"] for state in data["states"]] == ["θ", "θ̇"]

    def test_every_method_is_there_to_choose(self, arm):
        data = data_of(live(arm, [1, 0], "An arm swings.", method=RK4))
        methods = data["methods"]
        flat = [name for name in METHODS if name != "cf4"]  # on a flat space it is rk4
        assert [method["name"] for method in methods] == flat
        assert methods[-1] == {"name": data["method"], "label": RK4.name}

    def test_a_step_of_your_own_is_among_them(self, arm):
        def my_step(f, t, x, h):
            return x + h * f(t, x)

        ralston = ButcherTableau("Ralston", c=[0, "2/3"], A=[[], ["2/3"]], b=["1/4", "3/4"])
        widget = live(arm, [1, 0], "An arm.", methods=[ralston, my_step], method="my_step")
        assert data_of(widget)["methods"] == [
            {"name": "Ralston", "label": "Ralston"},
            {"name": "my_step", "label": "my step"},
        ]
        assert widget.method == "my_step"

    def test_methods_that_do_not_fit_are_left_out(self, arm):
        z = me.dynamicsymbols("z")
        with_memory = pendulum().with_inputs({"tau": -z}, states={z: arm.equations.q[0]})
        names = [m["name"] for m in data_of(live(with_memory, [1, 0, 0], "An arm."))["methods"]]
        assert "verlet" not in names
        assert "semi_implicit_euler" in names

    def test_an_input_with_a_slider_is_a_number_that_begins_at_zero(self):
        widget = live(pendulum(), [1, 0], "An arm.", sliders={"tau": (-20, 20, "N·m")})
        data = data_of(widget)
        assert widget.parameters["tau"] == 0
        assert data["sliders"][0]["target"] == "p"
        assert widget.formulas.model.parameters[sm.Symbol("tau")] == 0

    def test_several_runs(self, arm):
        runs = {"Euler": {"method": "euler", "h": 0.1}, "long": {"l": 2, "theta": 0.5}}
        euler, long = data_of(live(arm, [1, 0], "Two arms.", runs=runs))["runs"]
        assert (euler["method"], euler["h"]) == ("euler", 0.1)
        assert (long["parameters"], long["state"]) == ({"1": 2.0}, {"0": 0.5})

    def test_the_page_is_the_same_every_time_and_asks_no_other_host(self, arm):
        page, again = (live(arm, [1, 0], "An arm swings.")._repr_html_() for _ in range(2))
        assert page == again
        assert "http" not in page
        assert 'sandbox="allow-scripts"' in page
        assert "\n\n" not in page
        # a still picture stands in where no script runs
        outside = re.sub(r'srcdoc="[^"]*"', "", page)
        inside = html.unescape(re.search(r'srcdoc="([^"]*)"', page)[1])
        for text in (outside, inside):
            assert 'alt="An arm swings."' in text
            assert "data:image/svg+xml;base64," in text
        assert "Run this cell to make it move" in outside

    def test_the_program_in_the_page_is_the_one_that_python_makes(self, arm):
        widget = live(arm, [1, 0], "An arm swings.")
        for text in (widget._esm, html.unescape(widget._repr_html_())):
            program = json.loads(re.search(r"const program = (.*);\n", text)[1])
            assert program == packed_motion(widget.formulas.motion())


#: Names and texts that would leave their quotes, their line, their comment or their script.
HOSTILE = ['a"b', "a'b", "</script><img src=x>", "one\ntwo", "*/ f() /*", "a\\", "<!--", "${a}"]


class TestText:
    """No text becomes code: neither of the page, nor of the frame, nor of what is copied."""

    @pytest.fixture(params=HOSTILE)
    def text(self, request):
        return request.param

    def test_it_comes_back_from_the_page_as_it_was_given(self, arm, text):
        tau, length = arm.equations.q[0], sm.Symbol(text, real=True)
        model = pendulum().with_inputs({"tau": -length * tau}, parameters={length: 0.5})
        widget = live(
            model,
            [1, 0],
            text,
            sliders={text: (0, 1, text)},
            switches={"m": (text,)},
            units={"theta": text},
            outputs={text: (tau, text)},
            runs={text: {"h": 0.1}},
        )
        data = data_of(widget)
        assert data["description"] == data["runs"][0]["label"] == text
        assert data["readouts"] == [{"label": text, "unit": text}]
        assert data["switches"][0]["label"] == data["sliders"][0]["unit"] == text
        assert text in [parameter["name"] for parameter in data["parameters"]]
        script = html.unescape(re.search(r'srcdoc="([^"]*)"', widget._repr_html_())[1])
        assert script.count("</script>") == 2
        assert script.endswith("</script></body></html>")
        assert "<!--" not in script


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"sliders": {"ll": (0, 1, "m")}}, r"neither .* nor a state: ll \(did you mean l\?\)"),
            ({"sliders": {"l": (2, 1, "m")}}, "slider for l needs low < high; got 2 and 1"),
            ({"switches": {"theta": ("on",)}}, "theta is a state; only a parameter"),
            ({"sliders": {"l": (0, 1, "m", "ad")}}, "the key 'a' is taken"),
            ({"switches": {"l": ("on", "x"), "m": ("in", "x")}}, "the key 'x' is taken"),
            ({"method": "rk5"}, "unknown method 'rk5'; choose from euler"),
            ({"h": 0}, "the step h must be positive and finite; got 0"),
            ({"name": 'a"b'}, "must be a Python name"),
            ({"runs": {"a": {"m": -1}}}, "m must be positive; got -1"),
            ({"sliders": {"m": (-1, 2, "kg")}}, "m must be positive; got -1"),
            ({"sliders": {"m": (1, 2, "kg", "q")}}, "the slider for m needs two keys"),
            ({"methods": []}, "methods must not be empty"),
            ({"height": 0}, "height, in pixels, must be at least 1; got 0"),
            ({"sliders": {"m": (1, 2)}}, r"the slider for m must be \(low, high, unit\[, keys\]\)"),
            ({"sliders": {"m": (1, 2, 3)}}, "the unit of the slider for m must be text; got 3"),
            ({"outputs": {"a": 3}}, r"outputs\['a'\] must be \(value, unit\); got 3"),
            ({"outputs": {"a": ("exit()", "m")}}, "the output a must be an expression, not text"),
            ({"power": "1 + 1"}, "power must be an expression, not text"),
            ({"methods": [3]}, "a method must be a name, a tableau, or a function"),
            ({"chart": 3}, "chart must be a Chart; got 3"),
            ({"model": pendulum().equations}, "what is simulated must be a Model"),
            ({"model": pendulum()}, r"no expression for the input tau\(t\)"),
            ({"model": UNKNOWN}, "cannot compute .*: gamma is not supported"),
            ({"x0": [1, 0, 0]}, "pendulum has 2 states; got 3"),
            ({"description": 3}, "the description must be text; got 3"),
            ({"description": " "}, "describe the picture"),
            ({"methods": [IMPLICIT]}, "implicit midpoint is implicit"),
        ],
    )
    def test_what_makes_no_sense_is_named(self, arm, options, message):
        with pytest.raises((TypeError, ValueError), match=message):
            live(**({"model": arm, "x0": [1.0, 0.0], "description": "An arm."} | options))


class TestWidget:
    @pytest.fixture
    def widget(self, arm):
        return live(arm, [1.0, 0.0], "An arm swings.")

    @pytest.mark.parametrize(
        ("trait", "value", "message"),
        [
            ("parameters", {"length": 1}, "no such parameter: length; there are: g, l, m"),
            ("parameters", {"l": np.nan}, "l must be finite; got nan"),
            ("parameters", {"m": -1}, "m must be positive; got -1"),
            ("state", [1.0], "the state has 2 entries; got 1"),
            ("state", [1.0, np.inf], "the state must be finite"),
            ("method", "rk5", "unknown method 'rk5'; choose from euler"),
            ("step_size", 0.0, "step size must be positive and finite; got 0"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, widget, trait, value, message):
        before = getattr(widget, trait)
        with pytest.raises(ValueError, match=message):
            setattr(widget, trait, value)
        assert getattr(widget, trait) == before

    def test_a_parameter_reaches_the_page_however_it_is_set(self, widget):
        told = []
        widget.observe(lambda change: told.append(dict(change["new"])), "parameters")
        values = widget.parameters
        values["m"] = 5
        assert told.pop() == widget.parameters == values == {"g": 9.81, "l": 1.0, "m": 5.0}
        values.update(l=np.float32(2))
        assert told.pop()["l"] == widget.parameters["l"] == values["l"] == 2
        values |= {"g": 1}
        assert told.pop()["g"] == widget.parameters["g"] == 1
        widget.parameters = {sm.Symbol("g", positive=True): sm.Integer(3)}
        assert told.pop() == {"g": 3.0, "l": 2.0, "m": 5.0}
        with pytest.raises(ValueError, match="m must be positive; got -1"):
            widget.parameters["m"] = -1
        with pytest.raises(ValueError, match="no such parameter: M; there are: g, l, m"):
            widget.parameters["M"] = 1
        for take in ("pop", "__delitem__"):
            with pytest.raises(TypeError, match="cannot be removed"):
                getattr(widget.parameters, take)("m")
        assert widget.parameters == {"g": 3.0, "l": 2.0, "m": 5.0}
        assert not told

    def test_an_entry_of_the_state_reaches_the_page(self, widget):
        widget.state[1] = np.float32(2)
        assert widget._assigned == {"count": 1, "state": [1.0, 2.0]}
        widget.state = np.array([0.5, 0.0])
        assert widget._assigned == {"count": 2, "state": [0.5, 0.0]}
        with pytest.raises(TypeError, match="number and order"):
            widget.state.append(1.0)
        assert widget.state == [0.5, 0.0]
