"""One live simulation of a page, and what a reader does with it."""

import re

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
        return self.frame.locator("label.slider").filter(has_text=label).locator("input")

    def integrators(self):
        return self.frame.locator("label.slider select")

    def still(self):
        """Let it pause at the start of its motion."""
        if "paused" not in self.clock():
            self.button("Pause").click()
        self.button("Reset").click()

    def step(self, times=1):
        self.button("Step").click()
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
        return self.inside.evaluate("document.querySelector('.drift').textContent")

    def drifts(self):
        """Return the drift of energy of each motion [J], by name."""
        found = re.findall(r"(\w+) (-?[\d.e+-]+) J", self.drift().replace("−", "-"))
        return {name: float(value) for name, value in found}

    def code(self):
        return self.inside.evaluate("document.querySelector('textarea').value")

    def move_slider(self, label, value):
        slider = self.slider(label)
        slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }", value)

    def ink(self):
        return self.canvas.evaluate(INK)

    def picture(self):
        return self.canvas.evaluate("e => e.toDataURL()")
