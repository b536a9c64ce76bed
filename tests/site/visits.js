// What a visit asks of a page. Each function returns plain values.
window.visits = (() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // The ground below a text: the colors behind it, down to one that hides all others.
  function groundOf(element, known) {
    if (!element) return "";
    if (known.has(element)) return known.get(element);
    const { backgroundColor: color, backgroundImage: image, opacity } = getComputedStyle(element);
    const below = () => groundOf(element.parentElement, known);
    const solid = color.startsWith("rgb(") && image === "none" && opacity === "1";
    const clear = color === "rgba(0, 0, 0, 0)" && image === "none" && opacity === "1";
    const ground = solid ? color : clear ? below() : [color, image, opacity, below()].join("/");
    known.set(element, ground);
    return ground;
  }

  const ownText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());

  function kindOf(e, known) {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(e);
    return [color, groundOf(e, known), fontSize, fontWeight, textShadow].join(" ");
  }

  // A link in a text must differ from the text.
  function linkKindOf(e, link, known) {
    const { textDecorationLine, borderBottomWidth } = getComputedStyle(link);
    const [own, around] = [kindOf(e, known), kindOf(link.parentElement, known)];
    return [own, textDecorationLine, borderBottomWidth, "in", around].join(" ");
  }

  // Elements with a text of their own, by the kind of it: all that contrast depends on.
  function kinds() {
    const found = new Map();
    const known = new Map();
    for (const e of all("body *")) {
      if (!ownText(e) || e.closest("mjx-container, svg")) continue; // figures are judged below
      if (!e.checkVisibility({ visibilityProperty: true }) || !e.getClientRects().length) continue;
      const link = e.closest("a");
      const inText = link && ownText(link.parentElement);
      const kind = inText ? linkKindOf(e, link, known) : kindOf(e, known);
      if (!found.has(kind)) found.set(kind, []);
      found.get(kind).push(e);
    }
    return found;
  }

  // Hide all texts but three of each kind that is not known, and the text around those that are
  // links. Returns all kinds.
  function showKinds(known) {
    const groups = kinds();
    for (const [kind, elements] of groups) {
      for (const e of elements) e.dataset.kind = "";
      if (known.includes(kind)) continue;
      for (const part of [0, 0.5, 1]) elements[Math.floor(part * (elements.length - 1))].dataset.kind = kind;
    }
    for (const e of all('a[data-kind]:not([data-kind=""]), a [data-kind]:not([data-kind=""])')) {
      e.closest("a").parentElement.dataset.kind ||= "around";
    }
    const style = document.createElement("style");
    style.id = "kinds";
    style.textContent = "[data-kind] { visibility: visible !important } " +
      '[data-kind=""], mjx-container { visibility: hidden !important }';
    document.head.append(style);
    return [...groups.keys()];
  }

  function showAll() {
    document.querySelector("#kinds")?.remove();
    all("[data-kind]").forEach((e) => delete e.dataset.kind);
  }

  const numbers = (color) => color.match(/[\d.]+/g).map(Number);

  function luminance(color) {
    const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = numbers(color).map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function ratio(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  // A figure's size on the page, that of its texts and of their indices, and what goes wrong.
  function figure(svg) {
    const box = svg.getBoundingClientRect();
    const scale = box.width / svg.viewBox.baseVal.width;
    const ground = getComputedStyle(document.body).backgroundColor;
    const texts = all("text", svg);
    const leaves = all("text, tspan", svg).filter(ownText);
    const size = (e) => parseFloat(getComputedStyle(e).fontSize) * scale;
    const boxes = texts.map((e) => [e.textContent, e.getBoundingClientRect()]);
    const outside = ([, b]) =>
      b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1;
    const meet = ([, a], [, b]) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3; // above and below letters is air
    const upright = boxes.filter((_, i) => !texts[i].closest("[transform*=rotate]"));
    const lines = all("path", svg).filter((e) => parseFloat(getComputedStyle(e).strokeWidth) >= 2);
    return {
      name: svg.getAttribute("aria-label"),
      width: box.width,
      text: Math.min(...texts.map((e) => Math.max(...[e, ...e.children].filter(ownText).map(size)))),
      index: Math.min(...leaves.map(size)),
      outside: boxes.filter(outside).map(([text]) => text),
      overlapping: upright.flatMap((a, i) =>
        upright.slice(0, i).filter((b) => meet(a, b)).map((b) => `${a[0]} / ${b[0]}`)),
      contrast: Math.min(...leaves.map((e) => ratio(getComputedStyle(e).fill, ground))),
      lines: Math.min(...lines.map((e) => getComputedStyle(e).stroke)
        .filter((color) => color !== "none").map((color) => ratio(color, ground)), 21),
    };
  }

  // What is seen while all is open that is folded and has such elements.
  function unfolded(selector, look) {
    const folded = all("details:not([open])").filter((e) => e.querySelector(selector));
    folded.forEach((e) => (e.open = true));
    const found = look();
    folded.forEach((e) => (e.open = false));
    return found;
  }

  const told = (rule, node) => `${rule}: ${node.html.slice(0, 200)} ${node.failureSummary.slice(0, 300)}`;
  // Without "preload": axe would look for imported style sheets at wrong addresses. Frames are
  // looked at by themselves.
  const base = { preload: false, iframes: false };

  return {
    showKinds,
    showAll,

    async axe({ within, ...options }) {
      const place = within ? { include: [within] } : document;
      const { violations } = await axe.run(place, { ...base, resultTypes: ["violations"], ...options });
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node)));
    },

    // What axe finds of each kind that is shown and could be judged.
    async contrast() {
      const runOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };
      const shown = all('[data-kind]:not([data-kind=""])');
      const { violations, passes } = await axe.run({ include: shown }, { ...base, runOnly });
      const found = {};
      const of = (node) => document.querySelector(node.target[0]).dataset.kind ?? "around";
      for (const { nodes } of passes) for (const node of nodes) if (of(node)) found[of(node)] ??= [];
      for (const { id, nodes } of violations) for (const node of nodes) (found[of(node)] ??= []).push(told(id, node));
      return found;
    },

    // As if all of the page were near the screen: resolves when its scripts have heard of it. In a
    // frame nothing waits for that; and one that is off the screen is never drawn.
    async setAll() {
      if (window.parent !== window) return;
      const style = document.createElement("style");
      style.textContent = "* { content-visibility: visible !important }";
      document.head.append(style);
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
    },

    async loadPictures() {
      for (const picture of all("article img")) {
        picture.scrollIntoView();
        await picture.decode().catch(() => {});
      }
    },

    // Those in folded solutions, too.
    figures: () => unfolded("svg.tutlib-figure", () => all("article svg.tutlib-figure").map(figure)),

    // Tables that must be scrolled to be read.
    wideTables: () =>
      all("article table.tutlib-table").filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent),

    page() {
      const article = document.querySelector("article").cloneNode(true);
      all("pre, iframe, mjx-container", article).forEach((e) => e.remove());
      return {
        formulas: all("mjx-container").length,
        text: article.textContent,
        headings: all("article h1").length,
        bad: all("mjx-merror, .system-message, .problematic").length,
        missing: all("article img").filter((e) => !(e.complete && e.naturalWidth > 0)).map((e) => e.src),
      };
    },

    exercises: () => ({
      folded: all(".tag_solution details").length,
      shown: all(".tag_solution details pre").filter((e) => e.checkVisibility()).length,
      places: all("[id^=exercise-]").length,
      boxes: all(".tutlib-answer[data-exercise]").length,
      foldedCells: all(".tag_answer details:not([open])").length,
      told: all(".tutlib-feedback.open").length,
      wrong: all(".tutlib-feedback.wrong").length,
      right: all(".tutlib-feedback.right").map((e) => e.textContent),
    }),
  };
})();
