// Presets: the default settings with some of them changed.

// Changes to merge so that only the preset's own values differ from the defaults.
export function newsOf(preset, setting) {
  const { p, x0, method, h } = setting.defaults;
  const { label, p: parameters = {}, x0: start = {}, ...rest } = preset;
  return { p: { ...p, ...parameters }, x0: { ...x0, ...start }, method, h, ...rest };
}

// Whether the values of the setting are those of a preset; visibility does not count.
export function isSetTo(preset, setting) {
  const { p, x0, method, h } = newsOf(preset, setting);
  return method === setting.method && h === setting.h &&
    setting.p.every((value, i) => value === p[i]) && setting.x0.every((value, i) => value === x0[i]);
}

// Preset that a link names, if any.
export function presetOf(text, presets = []) {
  const label = new URLSearchParams(text).get("preset");
  return presets.find((preset) => preset.label === label);
}
