// The page's side of its simulations and animations, which live in frames of their own: theme,
// height, and the settings of the simulations, which live in the page's address.
//
// An address that ends in #live&servo.k_p=900&servo.method=euler opens the page with the simulation
// called "servo" set so, and scrolled to. A link to such an end in the page's own text, such as
// <a class="sets-panel" href="#live&servo.method=euler">choose Euler</a>, does it at once: it sets
// what it names, leaves the rest as it is, and lets time go on. servo.preset=Weak presses a button.
//
// An address with ?only=servo shows this simulation alone, for a frame in another page: course.css
// hides the rest. A link below it opens the page. A page without a simulation of this name is whole.
(() => {
  const root = document.documentElement;
  const frames = () => document.querySelectorAll("iframe.tutlib-animation, iframe.tutlib-live");
  const frameOf = (source) => [...frames()].find((frame) => frame.contentWindow === source);
  const tellTheme = (frame) => frame.postMessage({ theme: root.dataset.theme || "light" }, "*");
  const called = (name) => [...frames()].find((frame) => frame.dataset.name === name);
  // Frames that hear what they are told, and what others are to be told once they do.
  const [listening, waiting] = [new WeakSet(), new Map()];
  const settings = () =>
    new URLSearchParams(location.hash.startsWith("#live&") ? location.hash.slice(6) : "");

  // The pairs of one simulation, without its name before the dot.
  function settingOf(name) {
    const pairs = new URLSearchParams();
    for (const [key, value] of settings()) {
      if (key.startsWith(`${name}.`)) pairs.set(key.slice(name.length + 1), value);
    }
    return pairs.toString();
  }

  function keepSetting(name, setting) {
    const all = new URLSearchParams([...settings()].filter(([key]) => !key.startsWith(`${name}.`)));
    for (const [key, value] of new URLSearchParams(setting)) all.set(`${name}.${key}`, value);
    const { pathname, search } = location;
    const end = all.size ? `#live&${all}` : pathname + search;
    history.replaceState(history.state, "", end);
  }

  // Show one simulation alone, as wide as the window. Set before the page is read, so nothing flashes.
  const only = new URLSearchParams(location.search).get("only");
  function showAlone() {
    const frame = called(only);
    if (!frame) return delete root.dataset.only;
    frame.classList.add("tutlib-only");
    frame.closest("details")?.setAttribute("open", "");
    const source = Object.assign(document.createElement("a"), {
      className: "tutlib-only tutlib-only-source",
      href: location.pathname,
      target: "_blank",
      textContent: document.title,
    });
    frame.after(source);
  }
  if (only !== null) {
    root.dataset.only = only;
    addEventListener("DOMContentLoaded", showAlone);
  }

  // The page's search, asked for by its key in a frame, which has the focus again afterwards.
  function openSearch(frame) {
    if ("only" in root.dataset) return;
    document.querySelector(".search-button__button")?.click();
    const back = () => frame.focus({ preventScroll: true });
    document.getElementById("pst-search-dialog")?.addEventListener("close", back, { once: true });
  }

  addEventListener("message", ({ data, source }) => {
    const frame = frameOf(source);
    if (!frame) return;
    if (data === "which theme?") tellTheme(source);
    if (data === "search") openSearch(frame);
    if (Number.isFinite(data?.height) && frame.classList.contains("tutlib-live")) {
      frame.style.height = `${data.height}px`;
    }
    if (typeof data?.simulation !== "string") return;
    if (data.ask) {
      const [page] = location.href.split("#");
      const wanted = waiting.get(frame);
      const setting = data.ask === "setting" && (wanted ?? settingOf(data.simulation));
      const act = waiting.has(frame) || new URLSearchParams(setting || "").has("preset"); // a link in a new tab
      source.postMessage({ simulation: data.simulation, page, ...(setting && { setting, act }) }, "*");
      waiting.delete(frame);
      listening.add(frame);
    } else if (typeof data.setting === "string") keepSetting(data.simulation, data.setting);
  });

  new MutationObserver(() => frames().forEach((frame) => tellTheme(frame.contentWindow))).observe(
    root, { attributes: true, attributeFilter: ["data-theme"] },
  );

  // Bring a frame where it can be seen, if it is not: its top, where its picture is.
  function showFrame(frame) {
    const { top } = frame.getBoundingClientRect();
    if (top >= 0 && top < innerHeight / 3) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    frame.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
  }

  // Set the simulations that the end of an address names, at once; tell whether there are any.
  function actUpon(hash) {
    const wanted = new Map();
    for (const [key, value] of new URLSearchParams(hash.slice(6))) {
      const [name, ...rest] = key.split(".");
      if (!wanted.has(name)) wanted.set(name, new URLSearchParams());
      wanted.get(name).set(rest.join("."), value);
    }
    const known = [...wanted].filter(([name]) => called(name));
    known.forEach(([name, pairs]) => {
      const [frame, setting] = [called(name), pairs.toString()];
      if (!listening.has(frame)) waiting.set(frame, setting);
      else frame.contentWindow.postMessage({ simulation: name, setting, act: true }, "*");
    });
    if (known.length) showFrame(called(known[0][0]));
    return known.length > 0;
  }

  addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href*="#live&"]');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.pathname !== location.pathname || link.host !== location.host) return;
    if (actUpon(link.hash)) event.preventDefault();
  });
  addEventListener("hashchange", () => location.hash.startsWith("#live&") && actUpon(location.hash));

  // On paper a still stands for each frame: what was never on the screen has drawn nothing.
  addEventListener("beforeprint", () => frames().forEach((frame) => {
    const still = new DOMParser().parseFromString(frame.textContent, "text/html").querySelector("img");
    if (!still) return;
    still.className = "tutlib-still";
    frame.after(still);
  }));
  addEventListener("afterprint", () =>
    document.querySelectorAll(".tutlib-still").forEach((still) => still.remove()));

  // A frame is only loaded near the screen: go to the first one that the address names.
  addEventListener("load", () => {
    const [first] = settings().keys();
    const name = first?.split(".")[0];
    const wanted = called(name);
    if (name && wanted && !("only" in root.dataset)) wanted.scrollIntoView({ block: "center" });
  });
})();
