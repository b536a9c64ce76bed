// Connections of a live simulation: to Python through the widget's model, and to the page's address.

// Copy text to the clipboard; a frame without permission copies the selection.
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

// Connect the panel. `bridge` is the widget's model, or null; `change`, `setState`, `want`, `act`, and
// `linked` are functions of the panel, and `state()` returns {time, x, playing}.
export function connect(bridge, spec, setting, { change, setState, want, act, state, linked }) {
  // an address cannot restore a simulation that waits for an answer
  const framed = parent !== window && !bridge && !spec.waits;
  const byIndex = (values) =>
    Object.fromEntries(spec.parameters.map(({ name }, i) => [i, values[name]]));
  let [sentAt, telling, page] = [0, false, null];

  // Report the state to the kernel: now, or at most ten times per second.
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

  // Report a setting that was changed in the panel.
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

  // Messages of the page: the address with which it was opened, and links in its text.
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

  // Index of another one of several simulations that an address chooses, or -1.
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
    // Address that opens the page with the present setting and moment.
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
