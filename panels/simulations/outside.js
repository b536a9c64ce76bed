// The world outside of a live simulation: Python, by the widget's model, and the page's address.

// Text to the clipboard; a frame without the right to it copies what is selected.
export async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const before = document.activeElement;
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    before?.focus();
  }
}

// Link the panel with both. `bridge` is the widget's model, or null; `panel` has {change, setState,
// want, act}, `state()` tells {time, x, playing}. Returns {tell, report, stop}.
export function linkOutside(bridge, spec, setting, { change, setState, want, act, state, linked }) {
  // what waits for an answer cannot be opened again by an address
  const framed = parent !== window && !bridge && !spec.waits;
  const byIndex = (values) =>
    Object.fromEntries(spec.parameters.map(({ name }, i) => [i, values[name]]));
  let [sentAt, telling, page] = [0, false, null];

  // A kernel is not a film: now, or at most ten times a second.
  function tell(now) {
    if (!bridge || telling) return;
    if (!now && performance.now() - sentAt < 100) return;
    sentAt = performance.now();
    telling = true;
    const { time, x, playing } = state();
    bridge.set("_reported", { count: bridge.get("_assigned").count, time, state: x });
    bridge.set("running", playing);
    bridge.save_changes();
    telling = false;
  }

  // The setting has been changed in the panel.
  function report() {
    if (framed) parent.postMessage({ simulation: spec.name, setting: setting.toAddress() }, "*");
    if (!bridge || telling) return;
    telling = true;
    const values = spec.parameters.map(({ name }, i) => [name, setting.p[i]]);
    bridge.set("parameters", Object.fromEntries(values));
    bridge.set("method", setting.method);
    bridge.set("step_size", setting.h);
    bridge.save_changes();
    telling = false;
  }

  const heard = [];
  function listen(name, action) {
    const handler = () => telling || action(bridge.get(name));
    bridge.on(`change:${name}`, handler);
    heard.push(() => bridge.off(`change:${name}`, handler));
  }
  if (bridge) {
    listen("parameters", (values) => change({ p: byIndex(values) }, { quietly: true }));
    listen("_assigned", ({ state: x }) => {
      setState(x);
      tell(true);
    });
    listen("method", (method) => change({ method }, { quietly: true }));
    listen("step_size", (h) => change({ h }, { quietly: true }));
    listen("running", want);
  }

  // The address as the page was opened, and links in the text: those are acted upon at once.
  function hear({ data }) {
    if (data?.simulation !== spec.name) return;
    if (typeof data.page === "string") {
      page = data.page;
      linked();
    }
    if (typeof data.setting !== "string") return;
    if (data.act && otherChoice(setting.fromAddress(data.setting)) < 0) act(data.setting);
    else open(data.setting);
  }

  // Another one of several simulations that is meant, or -1.
  function otherChoice({ choice: label }) {
    const index = spec.choice?.labels.indexOf(label) ?? -1;
    return index === spec.choice?.index ? -1 : index;
  }

  function open(address, quietly = true) {
    const news = setting.fromAddress(address);
    const other = otherChoice(news);
    if (other >= 0) spec.choice.pick(other, address);
    else change(news, { quietly });
  }
  addEventListener("message", hear);

  return {
    tell,
    report,
    // The address that opens the page with the simulation set so, at this very moment.
    link(moment) {
      const pairs = new URLSearchParams();
      for (const [key, value] of new URLSearchParams(setting.toLink(moment))) {
        pairs.set(`${spec.name}.${key}`, value);
      }
      return `${page}#live&${pairs}`;
    },
    begin() {
      const { carried, byHand } = spec.choice ?? {};
      const ask = carried === undefined ? "setting" : "page";
      if (framed) parent.postMessage({ simulation: spec.name, ask }, "*");
      if (carried) open(carried, !byHand);
      else if (byHand) report();
      if (!bridge) return;
      const p = byIndex(bridge.get("parameters"));
      const news = { p, method: bridge.get("method"), h: bridge.get("step_size") };
      change(news, { quietly: true });
    },
    stop() {
      heard.forEach((end) => end());
      removeEventListener("message", hear);
    },
  };
}
