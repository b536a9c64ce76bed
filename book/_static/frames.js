// The page's side of its simulations and animations, which live in frames of their own: theme,
// height, and the settings of the simulations, which live in the page's address.
//
// An address that ends in #live&servo.k_p=900&servo.method=euler opens the page with the simulation
// called "servo" set so, and scrolled to.
(() => {
  const root = document.documentElement;
  const frames = () => document.querySelectorAll("iframe.tutlib-animation, iframe.tutlib-live");
  const frameOf = (source) => [...frames()].find((frame) => frame.contentWindow === source);
  const tellTheme = (frame) => frame.postMessage({ theme: root.dataset.theme || "light" }, "*");
  const settings = () =>
    new URLSearchParams(location.hash.startsWith("#live&") ? location.hash.slice(6) : "");

  // The pairs of one simulation, without its name before the dot.
  function settingOf(name) {
    const own = new URLSearchParams();
    for (const [key, value] of settings()) {
      if (key.startsWith(`${name}.`)) own.set(key.slice(name.length + 1), value);
    }
    return own.toString();
  }

  function keepSetting(name, setting) {
    const all = new URLSearchParams([...settings()].filter(([key]) => !key.startsWith(`${name}.`)));
    for (const [key, value] of new URLSearchParams(setting)) all.set(`${name}.${key}`, value);
    const { pathname, search } = location;
    const end = all.size ? `#live&${all}` : pathname + search;
    history.replaceState(history.state, "", end);
  }

  addEventListener("message", ({ data, source }) => {
    const frame = frameOf(source);
    if (!frame) return;
    if (data === "which theme?") tellTheme(source);
    if (Number.isFinite(data?.height) && frame.classList.contains("tutlib-live")) {
      frame.style.height = `${data.height}px`;
    }
    if (typeof data?.simulation !== "string") return;
    if (data.ask === "setting") {
      const setting = settingOf(data.simulation);
      if (setting) source.postMessage({ simulation: data.simulation, setting }, "*");
    } else if (typeof data.setting === "string") keepSetting(data.simulation, data.setting);
  });

  new MutationObserver(() => frames().forEach((frame) => tellTheme(frame.contentWindow))).observe(
    root, { attributes: true, attributeFilter: ["data-theme"] },
  );

  // A frame is only loaded near the screen: go to the first one that the address names.
  addEventListener("load", () => {
    const [first] = settings().keys();
    const name = first?.split(".")[0];
    const wanted = [...frames()].find((frame) => frame.dataset.name === name);
    if (name && wanted) wanted.scrollIntoView({ block: "center" });
  });
})();
