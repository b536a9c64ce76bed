// The code of a page: a switch in its header hides all of it, and what is too wide says so.
(() => {
  const root = document.documentElement;
  const [KEY, HEADER] = ["tutlib-code", 60]; // how much of the screen the page's header covers [px]
  // Where nothing can be kept, the switch works for the page alone.
  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const keep = (value) => {
    try {
      localStorage.setItem(KEY, value);
    } catch { /* it works all the same */ }
  };
  const wear = (value) => {
    if (value === "hidden") root.dataset.code = value;
    else delete root.dataset.code;
  };
  wear(kept()); // before anything is seen

  function makeSwitch() {
    const button = Object.assign(document.createElement("button"), {
      type: "button", className: "btn btn-sm pst-navbar-icon tutlib-code-switch", title: "Hide all code",
      innerHTML: '<span class="btn__icon-container"><i class="fas fa-code" aria-hidden="true"></i></span>',
    });
    button.setAttribute("aria-label", "Hide all code");
    const show = () => button.setAttribute("aria-pressed", String(root.dataset.code === "hidden"));
    // What the reader looks at stays where it is.
    const switchTo = (value) => {
      const seen = [...document.querySelectorAll("article :is(p, h1, h2, h3, li)")].find((element) =>
        element.getBoundingClientRect().top > HEADER && element.checkVisibility() && !element.closest("details"));
      const before = seen?.getBoundingClientRect().top;
      root.style.overflowAnchor = "none"; // not every browser does it by itself
      wear(value);
      if (seen) scrollBy({ top: seen.getBoundingClientRect().top - before, behavior: "instant" });
      requestAnimationFrame(() => root.style.removeProperty("overflow-anchor"));
      show();
    };
    button.addEventListener("click", () => {
      const value = root.dataset.code === "hidden" ? "shown" : "hidden";
      keep(value);
      switchTo(value);
    });
    addEventListener("storage", ({ key, newValue }) => key === KEY && switchTo(newValue));
    show();
    return button;
  }

  // A block that must be scrolled says so; one that can be read as a whole says nothing.
  const BLOCKS = ".highlight > pre, .output > pre";
  function markWide() {
    const look = (block) => {
      const hidden = block.scrollWidth - block.clientWidth;
      block.parentElement.classList.toggle("tutlib-wide", hidden > 1);
      block.parentElement.classList.toggle("tutlib-at-end", block.scrollLeft > 0 && hidden - block.scrollLeft <= 1);
    };
    const sized = new ResizeObserver((entries) => entries.forEach(({ target }) => look(target)));
    // A table that scrolls can be reached by the keyboard.
    const reach = (table) => {
      if (table.scrollWidth > table.clientWidth + 1) table.setAttribute("tabindex", "0");
      else table.removeAttribute("tabindex");
    };
    const fitted = new ResizeObserver((entries) => entries.forEach(({ target }) => reach(target)));
    document.querySelectorAll("article table").forEach((table) => fitted.observe(table));
    document.querySelectorAll(BLOCKS).forEach((block) => {
      sized.observe(block);
      block.addEventListener("scroll", () => look(block), { passive: true });
    });
  }

  addEventListener("DOMContentLoaded", () => {
    if (document.querySelector(".cell_input")) {
      document.querySelector(".article-header-buttons")?.prepend(makeSwitch());
    }
    markWide();
  });
})();
