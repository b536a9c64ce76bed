// A mechanism in the address of the page: data, never code. The text after #w= is the JSON of the
// fields that differ from an empty page, compressed by short names.
const SHORT = { coordinates: "q", definitions: "d", T: "T", V: "V", forces: "Q", parameters: "p", points: "x", rods: "l", constraint: "c", start: "s", theirs: "o", derivation: "r", title: "n", method: "m", h: "h" };
const LONG = Object.fromEntries(Object.entries(SHORT).map(([long, short]) => [short, long]));
const MOST_LETTERS = 20_000;

// Bytes of text in the alphabet of addresses.
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

async function through(stream, bytes) {
  const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await response.arrayBuffer());
}

// The fragment of an address for fields, texts by name.
export async function fragmentOf(fields) {
  const pairs = Object.entries(fields).filter(([name, text]) => SHORT[name] && text !== "").map(([name, text]) => [SHORT[name], text]);
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(pairs)));
  return `#w=${toBase64(await through(new CompressionStream("deflate-raw"), bytes))}`;
}

// The fields in a fragment; null without one. Throws an Error with a sentence if it is damaged.
export async function fieldsIn(fragment) {
  if (!fragment.startsWith("#w=")) return null;
  try {
    const packed = fromBase64(fragment.slice(3, 3 + MOST_LETTERS));
    const record = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await through(new DecompressionStream("deflate-raw"), packed)));
    const known = Object.entries(record).filter(([name, text]) => Object.hasOwn(LONG, name) && typeof text === "string" && text.length <= MOST_LETTERS);
    return Object.fromEntries(known.map(([name, text]) => [LONG[name], text]));
  } catch {
    throw new Error("The link is damaged, so the page shows its own example. Copy the whole link again.");
  }
}
