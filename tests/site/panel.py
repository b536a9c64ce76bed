"""One live simulation of a page, and what a reader does with it."""

import re

#: Milliseconds: on the slowest machine, too, only what hangs takes so long.
PATIENCE = 300_000
SAID = "document.querySelector('.said').textContent"
CLOCK = "document.querySelector('.clock')?.textContent ?? ''"
# Where the drawing's ink is: the mean pixel, to the right and down.
INK = """(e) => {
  const { width, height } = e;
  const { data } = e.getContext("2d").getImageData(0, 0, width, height);
  let [all, x, y] = [0, 0, 0];
  for (let i = 0; i < width * height; i++) {
    const ink = data[4 * i + 3];
    [all, x, y] = [all + ink, x + ink * (i % width), y + ink * Math.floor(i / width)];
  }
  return [x / all, y / all];
}"""


class Panel:
    """A simulation whose clock goes on when the test says so, and not before."""

    def __init__(self, page, name, plays=True):
        self.page, self.name = page, name
        self.element = page.locator(f"iframe.tutlib-live[data-name={name}]")
        self.element.scroll_into_view_if_needed()
        self.inside = self.element.element_handle().content_frame()
        self.frame = self.element.content_frame
        self.canvas = self.frame.locator("canvas.mechanism")
        self.waits_for(f"{CLOCK}.includes('t =')")
        if plays:
            self.plays()

    def waits_for(self, condition):
        self.inside.wait_for_function(condition)

    def plays(self):
        self.waits_for("document.querySelector('.controls button')?.textContent.includes('Pause')")

    def rests(self):
        self.waits_for("document.querySelector('.controls button')?.textContent.includes('Play')")

    def button(self, name):
        return self.frame.get_by_role("button", name=name)

    def slider(self, label):
        """Return the slider of a quantity, by its name or its symbol."""
        named = re.compile(rf"(^|\W){re.escape(label)}(\W|$)")
        name = self.frame.locator(".label", has_text=named)
        return self.frame.locator("label.slider", has=name).locator("input")

    def integrators(self):
        return self.frame.locator("label.slider", has_text="integrator").locator("select")

    def speeds(self):
        return self.frame.locator("label.slider", has_text=re.compile("^speed")).locator("select")

    def unfold(self):
        """Show all that folds, the code too."""
        self.inside.evaluate("document.querySelectorAll('details').forEach((e) => (e.open = true))")

    def still(self):
        """Let it pause at the start of its motion."""
        if self.button("Pause").count():  # the clock's text comes later
            self.button("Pause").click()
        self.button("Reset").click()

    def step(self, times=1):
        self.frame.locator(".transport button", has_text=re.compile("^Step")).click()
        again = """(times) => {
            const step = [...document.querySelectorAll("button")].find(
                (button) => button.textContent.startsWith("Step"));
            for (let i = 0; i < times; i++) step.click();
        }"""
        self.inside.evaluate(again, times - 1)

    def press(self, *keys):
        """Press keys while the picture has the focus."""
        self.canvas.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def run(self, seconds):
        """Let so many seconds pass, sixty pictures in each."""
        self.page.clock.run_for(round(1000 * seconds))

    def clock(self):
        return self.inside.evaluate(CLOCK)

    def values(self):
        """Return the numbers of the clock line, by name."""
        pairs = re.findall(r"(\S+) = (-?[\d.e+-]+)", self.clock().replace("−", "-"))
        return {name: float(value) for name, value in pairs}

    def drift(self):
        """Return what is said of the energy: one sentence, or one for each motion."""
        said = "[...document.querySelectorAll('.legend li')].map((e) => e.textContent.trim())"
        return "; ".join(self.inside.evaluate(said))

    def message(self):
        return self.frame.locator(".message").inner_text()

    def code(self):
        return self.inside.evaluate("document.querySelector('textarea').value")

    def move_slider(self, label, value):
        slider = self.slider(label)
        slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }", value)

    def ink(self):
        return self.canvas.evaluate(INK)

    def picture(self):
        return self.canvas.evaluate("e => e.toDataURL()")
