// Where one is on a page: the contents beside it mark the last heading above the middle of the screen,
// and who reloads the page finds again what was read.
(() => {
  const HEADER = 64; // how much of the screen the page's header covers [px]
  const KEY = "tutlib-place";
  // The id that a fragment names; none if the fragment is damaged.
  const idIn = (fragment) => {
    try {
      return decodeURIComponent(fragment.slice(1));
    } catch {
      return "";
    }
  };
  const top = (element) => element.getBoundingClientRect().top;

  // A part that is far from the screen is not looked into, for it would have to be set for that: so
  // first the large parts of the page, then what is in the one that is read.
  function markContents() {
    const links = [...document.querySelectorAll("#pst-page-toc-nav a[href^='#']")];
    const entries = [...document.querySelectorAll("#pst-page-toc-nav .toc-entry")];
    const targets = new Map(links.map((link) => [document.getElementById(idIn(link.hash)), link]));
    targets.delete(null);
    const all = [...targets.keys()];
    const sections = all.filter((one) => one.matches("article > section > section"));
    if (!all.length) return;
    let marked;
    const mark = (link) => {
      if (link === marked) return;
      marked = link;
      for (const one of links) {
        one.classList.toggle("active", one === link);
        if (one === link) one.setAttribute("aria-current", "true");
        else one.removeAttribute("aria-current");
      }
      entries.forEach((one) => one.classList.toggle("active", one.contains(link ?? null)));
      const around = link?.closest(".bd-sidebar-secondary");
      if (!around) return;
      const [{ top: above, bottom: below }, box] = [around.getBoundingClientRect(), link.getBoundingClientRect()];
      if (box.top < above) around.scrollTop += box.top - above - box.height;
      if (box.bottom > below) around.scrollTop += box.bottom - below + box.height;
    };
    function look() {
      const { scrollTop, clientHeight, scrollHeight } = document.documentElement;
      const atEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
      const line = atEnd ? clientHeight : clientHeight / 2;
      const named = atEnd && document.getElementById(idIn(location.hash));
      if (named && targets.has(named) && top(named) > 0) return mark(targets.get(named));
      const part = sections.findLast((one) => top(one) < line);
      const within = (part ? all.filter((one) => part.contains(one)) : all.filter((one) => !sections.some((other) => other.contains(one))))
        .filter((one) => !one.closest("details:not([open])")); // what is folded has no position
      mark(targets.get(within.findLast((one) => top(one) < line)));
    }
    let asked = false;
    const ask = () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        look();
      });
    };
    addEventListener("scroll", ask, { passive: true });
    addEventListener("resize", ask);
    // Not before all is drawn: to ask for a place sooner would have the page set once more.
    addEventListener("load", () => setTimeout(ask));
  }

  // What stands on a page whatever its scripts do, in its order: a place in it is a number.
  const blocks = () => [...document.querySelectorAll("article :is(p, h1, h2, h3, h4, li, pre, blockquote)")]
    .filter((one) => !one.closest(".tutlib-answer, .tutlib-kept"));

  function keepPlace() {
    const x = document.querySelector("article")?.getBoundingClientRect();
    if (!x || scrollY === 0) return sessionStorage.removeItem(KEY);
    const all = blocks();
    for (let y = HEADER + 8; y < innerHeight; y += 24) {
      const seen = document.elementFromPoint(x.left + x.width / 3, y)?.closest("article :is(p, h1, h2, h3, h4, li, pre, blockquote)");
      const number = seen ? all.indexOf(seen) : -1;
      if (number < 0) continue;
      return sessionStorage.setItem(KEY, JSON.stringify([location.pathname, number, top(seen)]));
    }
  }

  // Boxes and simulations come after the page, each with its height: until all of them near the place
  // are there, or somebody moves, the place is held.
  const HELD = 2500; // ms
  function findPlace() {
    const [path, number, at] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    const place = path === location.pathname && blocks()[number];
    if (!place) return;
    history.scrollRestoration = "manual";
    const moved = new AbortController();
    const until = performance.now() + HELD;
    for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) {
      addEventListener(kind, () => moved.abort(), { signal: moved.signal, passive: true });
    }
    const hold = () => {
      if (moved.signal.aborted || performance.now() > until) {
        moved.abort();
        history.scrollRestoration = "auto";
        return;
      }
      const off = top(place) - at;
      if (Math.abs(off) > 1) scrollBy({ top: off, behavior: "instant" });
      requestAnimationFrame(hold);
    };
    hold();
  }

  // Where nothing can be kept, the browser does what it can.
  const tried = (action) => {
    try {
      action();
    } catch { /* as above */ }
  };
  addEventListener("DOMContentLoaded", () => {
    markContents();
    if (performance.getEntriesByType("navigation")[0]?.type === "reload") tried(findPlace);
  });
  addEventListener("pagehide", () => tried(keepPlace));
})();
