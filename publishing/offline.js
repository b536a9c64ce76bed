// Service worker for reading the site offline: visited pages are stored, in one edition of the
// course.
//
// offline.py writes `EDITION`, `FILES` (the digest of each file), and `CORE` above. The network is
// always tried first, so readers get the newest page if they can. A file is stored only if its
// digest is that of this edition, so all stored files belong together. A new edition takes over
// stored files one by one: equal files are copied, changed ones are fetched.
const home = new URL("./", self.location.href);
const PREFIX = `equations-in-motion ${home.pathname} `;
const NAME = PREFIX + EDITION;
const files = new Map(Object.entries(FILES));

// The file of this site at an address, or null.
function fileOf(address) {
  const { origin, pathname } = new URL(address);
  if (origin !== home.origin || !pathname.startsWith(home.pathname)) return null;
  const path = decodeURIComponent(pathname.slice(home.pathname.length));
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  return files.has(file) ? file : null;
}

const addressOf = (file) => new URL(file, home).href;

async function digest(body) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return [...bytes.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Store a response, unless it belongs to another edition; return whether it is stored.
async function keep(cache, file, response) {
  if (!response.ok) return false;
  const body = await response.arrayBuffer();
  if ((await digest(body)) !== files.get(file)) return false;
  const type = response.headers.get("Content-Type") ?? "";
  await cache.put(addressOf(file), new Response(body, { headers: { "Content-Type": type } }));
  return true;
}

async function bring(cache, file) {
  if (await cache.match(addressOf(file))) return;
  await keep(cache, file, await fetch(addressOf(file), { cache: "no-cache" }));
}

// A browser delays a new edition until the old one has finished all its work: requests that never
// finish are abandoned.
const LONGEST = 30_000; // ms
const inTime = (work) => Promise.race([work, new Promise((done) => setTimeout(done, LONGEST))]);

const others = async () =>
  (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);

async function install() {
  const cache = await caches.open(NAME);
  const wanted = new Set(CORE);
  for (const name of await others()) {
    const old = await caches.open(name);
    for (const request of await old.keys()) {
      const file = fileOf(request.url);
      if (file && !(await keep(cache, file, await old.match(request)))) wanted.add(file);
    }
  }
  await inTime(Promise.allSettled([...wanted].map((file) => bring(cache, file))));
  await self.skipWaiting();
}

async function activate() {
  await Promise.all((await others()).map((name) => caches.delete(name)));
  await self.clients.claim();
}

// Files that a page has loaded before this worker was active, and files of its answer boxes.
async function remember({ addresses, chapters }) {
  const cache = await caches.open(NAME);
  const answers = ["answers", "progress", ...chapters].map((name) => `_static/answers/${name}`);
  const asked = [...files.keys()].filter((file) =>
    chapters.length && answers.some((name) => file.startsWith(`${name}.`) || file.startsWith(`${name}-`)));
  const wanted = new Set([...addresses.map(fileOf), ...asked]);
  wanted.delete(null);
  await Promise.allSettled([...wanted].map((file) => bring(cache, file)));
}

// The response for a page that was never visited: a message, and a list of visited pages.
async function notKept(cache) {
  const pages = [];
  for (const { url } of await cache.keys()) {
    if (!url.endsWith(".html") || url.includes("/_static/") || url.endsWith("/search.html")) continue;
    const title = /<title>([^<]*)<\/title>/.exec(await (await cache.match(url)).text())?.[1];
    if (title && !url.endsWith("/index.html")) pages.push(`<li><a href="${url}">${title}</a></li>`);
  }
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not kept yet</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; line-height: 1.6; }</style></head>
<body><main><h1>Without a network</h1>
<p>This page has not been visited yet, so this browser has not kept it. These it has:</p>
<ul>${pages.join("\n")}</ul></main></body></html>`;
  return new Response(body, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

async function answer(event, file) {
  const cache = await caches.open(NAME);
  try {
    const response = await fetch(event.request);
    if (!(await cache.match(addressOf(file)))) event.waitUntil(inTime(keep(cache, file, response.clone())));
    return response;
  } catch (error) {
    const kept = await cache.match(addressOf(file));
    if (kept) return kept;
    if (event.request.mode === "navigate") return notKept(cache);
    throw error;
  }
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data?.addresses) event.waitUntil(inTime(remember(event.data)));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const file = request.method === "GET" && !request.headers.has("Range") && fileOf(request.url);
  if (file) event.respondWith(answer(event, file));
});
