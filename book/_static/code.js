// The code of a page: a switch in its header hides all of it, and what is too wide says so. What
// scrolls, of code or not, can be reached by the keyboard. On a phone a long block waits, folded.
(() => {
  const root = document.documentElement;
  // The id that a fragment names; none if the fragment is damaged.
  const idIn = (fragment) => {
    try {
      return decodeURIComponent(fragment.slice(1));
    } catch {
      return "";
    }
  };
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

  // A line in place of a block of more than a few, where page.css shows the one and not the other.
  const FEW = 3;
  function foldLong() {
    document.querySelectorAll(".cell_input .highlight > pre").forEach((block) => {
      const lines = block.textContent.trimEnd().split("\n").length;
      const input = block.closest(".cell_input");
      if (lines <= FEW || input.closest("details")) return;
      const line = Object.assign(document.createElement("button"), {
        type: "button", className: "tutlib-lines",
      });
      const open = (wanted) => {
        input.classList.toggle("tutlib-folded", !wanted);
        line.setAttribute("aria-expanded", String(wanted));
        line.textContent = wanted ? "Hide the code" : "Show the code"; // as on the page's other bars
      };
      line.addEventListener("click", () => open(input.classList.contains("tutlib-folded")));
      open(false);
      input.prepend(line);
    });
  }

  // A block that must be scrolled says so; one that can be read as a whole says nothing.
  const BLOCKS = ".highlight > pre, .output > pre";
  function markWide() {
    const look = (block) => {
      const hidden = block.scrollWidth - block.clientWidth;
      return [block.parentElement, hidden > 1, block.scrollLeft > 0 && hidden - block.scrollLeft <= 1];
    };
    const say = ([around, wide, atEnd]) => {
      around.classList.toggle("tutlib-wide", wide);
      around.classList.toggle("tutlib-at-end", atEnd);
    };
    // All are looked at before one is changed: each change would have the next one measured anew.
    const sized = new ResizeObserver((entries) => entries.map(({ target }) => look(target)).forEach(say));
    document.querySelectorAll(BLOCKS).forEach((block) => {
      sized.observe(block);
      block.addEventListener("scroll", () => say(look(block)), { passive: true });
    });
  }

  // The theme would look at everything at once, time and again. An observer hears of what is set,
  // and of nothing that is still far from the screen.
  const SCROLLERS = "pre, .cell_output > .output, .pst-scrollable-table-container, article table";
  function reachScrollers() {
    const scrolls = (e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1;
    const sized = new ResizeObserver((entries) => {
      entries.map(({ target }) => [target, scrolls(target)]).forEach(([target, reached]) => {
        if (reached) target.tabIndex = 0;
        else target.removeAttribute("tabindex");
      });
    });
    document.querySelectorAll(SCROLLERS).forEach((element) => sized.observe(element));
  }

  // An equation's number leads to the code that asserts it, and a function's name to its signature: what
  // is folded there opens. A solution stays folded until it is asked for.
  function openTarget() {
    const target = document.getElementById(idIn(location.hash));
    const cell = target?.closest(".cell:not(.tag_solution)");
    cell?.querySelector(":scope > details")?.setAttribute("open", "");
    const module = target?.closest(".tutlib-module");
    if (!module || module.open) return;
    module.open = true;
    target.scrollIntoView();
  }

  addEventListener("hashchange", openTarget);
  addEventListener("DOMContentLoaded", () => {
    openTarget();
    if (document.querySelector(".cell_input")) {
      document.querySelector(".article-header-buttons")?.prepend(makeSwitch());
    }
    foldLong();
    markWide();
    reachScrollers();
  });
})();
