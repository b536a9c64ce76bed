"""The workbench: one path through each of its parts, on a phone and on a wide screen."""

import pytest

CODE = """
num1 = -g*(2*m1 + m2)*Math.sin(a1);
num2 = m2*g*Math.sin(a1 - 2*a2);
num3 = -2*Math.sin(a1 - a2)*m2;
num4 = a2_v*a2_v*l2 + a1_v*a1_v*l1*Math.cos(a1 - a2);
den = l1*(2*m1 + m2 - m2*Math.cos(2*a1 - 2*a2));
a1_a = (num1 + num2 + num3*num4)/den;
num1 = 2*Math.sin(a1 - a2);
num2 = a1_v*a1_v*l1*(m1 + m2);
num3 = g*(m1 + m2)*Math.cos(a1);
num4 = a2_v*a2_v*l2*m2*Math.cos(a1 - a2);
den = l2*(2*m1 + m2 - m2*Math.cos(2*a1 - 2*a2));
a2_a = num1*(num2 + num3 + num4)/den;
"""
DERIVATION = """T = ½ m l² θ̇²
V = −m g l cos θ
L = ½ m l² θ̇² − m g l cos θ
∂L/∂θ̇ = m l² θ̇"""


@pytest.fixture(scope="module", params=[(390, "dark"), (1280, "light")])
def page(request, browser, site):
    width, scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on(
        "console",
        lambda message: message.type == "error" and page.problems.append(message.text),
    )
    page.address = f"{site}/book/workbench.html"
    yield page
    assert not page.problems
    context.close()


def opened(page, fragment=""):
    page.goto("about:blank")
    page.goto(page.address + fragment)
    page.wait_for_selector("#workbench .wb-read math")


def unfold(page, part):
    page.eval_on_selector(f"#workbench #{part}", "details => (details.open = true)")


class TestPaths:
    def test_it_moves_at_once(self, page):
        opened(page)
        page.eval_on_selector("#workbench canvas.mechanism", "canvas => canvas.scrollIntoView()")
        clock = page.locator("#workbench .clock")
        before = clock.inner_text()
        page.wait_for_function(
            "before => document.querySelector('#workbench .clock').textContent !== before",
            arg=before,
        )
        assert "θ₁" in clock.inner_text()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"]

    def test_an_error_stands_under_its_line_and_the_last_machine_stays(self, page):
        opened(page, "#m=pendulum")
        unfold(page, "wb-change")
        page.fill("#wb-T", "½ m l² (θ̇²")
        page.wait_for_selector("#wb-T-problem:not(:empty)")
        assert "“)” is missing" in page.inner_text("#wb-T-problem")
        assert "last one that could be read" in page.inner_text("#workbench .wb-notice")
        page.fill("#wb-T", "½ (m + k) l² θ̇²")
        page.wait_for_selector('#workbench [data-number="k"]')
        assert page.inner_text("#workbench .wb-notice") == ""

    def test_equations_and_checks(self, page):
        opened(page, "#m=pendulum")
        unfold(page, "wb-its-equations")
        unfold(page, "wb-checks")
        assert page.locator(".wb-equations math").count() > 3
        assert page.locator('.wb-checks [data-passed="true"]').count() == 4

    def test_pasted_code_with_a_wrong_sign(self, page):
        opened(page)
        unfold(page, "wb-compare")
        page.fill("#wb-compare textarea", CODE)
        page.click("#wb-compare >> text=Compare")
        page.wait_for_selector('.wb-answer[data-verdict="wrong"]', timeout=60_000)
        assert "“num1 − num2” in place of “num1 + num2”" in page.inner_text(".wb-answer")
        assert page.inner_text(".wb-marked mark") == "num1 + num2"
        page.click("#wb-compare >> text=Show both motions")
        page.wait_for_selector("#workbench .legend >> text=yours")

    def test_the_first_false_line(self, page):
        opened(page, "#m=pendulum")
        unfold(page, "wb-derivation")
        page.fill("#wb-derivation textarea", DERIVATION)
        page.wait_for_selector('.wb-lines [data-state="false"]', timeout=60_000)
        states = page.eval_on_selector_all(
            ".wb-lines li", "lines => lines.map((line) => line.dataset.state)"
        )
        assert states == ["true", "true", "false", "unjudged"]
        assert page.inner_text('.wb-lines [data-state="false"] p').startswith("Missing:")

    def test_a_link_opens_the_same_machine(self, page):
        opened(page, "#m=cart-pole")
        unfold(page, "wb-change")
        page.fill("#wb-V", "-m g l cos θ + ½ k x²")
        page.wait_for_selector('#workbench [data-number="k"]')
        fragment = page.evaluate(
            """async () => {
              let copied = "";
              navigator.clipboard.writeText = async (text) => (copied = text);
              document.querySelector("#wb-take").open = true;
              document.querySelector("#wb-take button").click();
              while (!copied) await new Promise((done) => setTimeout(done, 20));
              return new URL(copied).hash;
            }"""
        )
        assert len(fragment) < 1500
        opened(page, fragment)
        unfold(page, "wb-change")
        assert page.input_value("#wb-V") == "-m g l cos θ + ½ k x²"
        opened(page, "#w=%E0%A4%A")
        assert "damaged" in page.inner_text("#workbench .wb-notice")
