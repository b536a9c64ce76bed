// Search that finds sections: on its own page, and in the dialog that Ctrl+K opens, as one types.
// What it looks through, sections.js, is a plain script that is asked for with the first letter, so
// that pages stay light and a site on a disk is searched, too. publishing/sphinx/search.py writes it.
(() => {
  const home = new URL(".", document.currentScript.src);
  const root = new URL("..", home);
  // How much a match counts where it stands; how much an entry counts for what it is.
  const FIELDS = { title: 6, names: 5, prose: 1, code: 0.4 };
  const KINDS = { chapter: 1, page: 0.8, end: 0.4, term: 0.4, object: 0.25, list: 0.2 };
  const BEGINS = 1.2; // a chapter's first page
  const [SATURATION, LENGTH, STARTS, NAMED] = [2, 0.3, 0.4, 10];

  // Words in which one asks, beside Sphinx's list of words that say nothing.
  const ASKING = new Set("can do does how i me my what when where which who why you your".split(" "));

  const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f\u2019']/g, "").toLowerCase();
  const words = (text) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

  const script = (address) => new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement("script"), {
      src: new URL(address, home), onload: resolve, onerror: reject,
    }));
  });
  let brought;
  globalThis.tutlibSections = (sections, same) => (brought = [sections, same]);
  let asked;
  // Sphinx's stemmer comes with its list of words that say nothing.
  const index = () => (asked ??= Promise.all([script("language_data.js"), script("sections.js")])
    .then(() => indexed(...brought)));

  // For each stem, the entries that have it, with its weighted count.
  function indexed(sections, same) {
    const stemmer = new Stemmer();
    const stems = new Map();
    const stem = (word) => {
      if (!stems.has(word)) stems.set(word, stemmer.stemWord(word));
      return stems.get(word);
    };
    const titles = new Map();
    const entries = sections.map(([page, anchor, number, title, kind, prose, code, names]) => {
      if (!anchor) titles.set(page, [number, title].filter(Boolean).join(". "));
      return { page, anchor, number, title, kind, prose, code, names, length: 0 };
    });
    const postings = new Map();
    entries.forEach((entry, i) => {
      for (const [field, weight] of Object.entries(FIELDS)) {
        const texts = words(entry[field]);
        entry.length += field === "prose" ? texts.length : 0;
        for (const word of texts.map(stem)) {
          if (!postings.has(word)) postings.set(word, new Map());
          postings.get(word).set(i, (postings.get(word).get(i) ?? 0) + weight);
        }
      }
    });
    // The length of a section is compared with that of other sections, not with an object's one line.
    const long = entries.filter(({ kind }) => kind !== "object");
    const mean = long.reduce((sum, { length }) => sum + length, 0) / long.length;
    return { entries, titles, postings, stem, mean, same };
  }

  // The entries that have a word, one that means the same, or one that begins with it; if none has,
  // with its own beginning.
  function having(word, known) {
    const { postings, stem, same } = known;
    const here = new Map(postings.get(stem(word)));
    const add = (counts, share) => {
      for (const [i, count] of counts ?? []) here.set(i, (here.get(i) ?? 0) + share * count);
    };
    if (Object.hasOwn(same, word)) add(postings.get(stem(same[word])), 1);
    for (const [longer, counts] of word.length > 2 ? postings : []) {
      if (longer !== stem(word) && longer.startsWith(word)) add(counts, STARTS);
    }
    return here.size || word.length < 5 ? here : having(word.slice(0, -1), known);
  }

  // What stands in quotes is a phrase: its words, one after the other, as they are.
  const phrases = (query) => [...query.matchAll(/["“”„]([^"“”„]+)["“”„]/g)]
    .map(([, phrase]) => ` ${words(phrase).join(" ")} `).filter((phrase) => phrase.trim());
  const says = (entry, phrase) => Object.keys(FIELDS)
    .some((field) => ` ${words(entry[field]).join(" ")} `.includes(phrase));

  // A name of the package that is written out, or a part of it after a dot: that very object is meant.
  const isName = ({ kind, title }, query) =>
    kind === "object" && /[._]/.test(query) && `.${fold(title)}`.endsWith(`.${fold(query).trim()}`);

  const worth = (entry, query) => {
    if (isName(entry, query)) return NAMED;
    return KINDS[entry.kind] * (!entry.anchor && /^\d+$/.test(entry.number) ? BEGINS : 1);
  };

  // Okapi's BM25 over the weighted counts, times the part of the words that was found, squared.
  function ranked(known, query) {
    const { entries, mean } = known;
    const all = words(query);
    const telling = all.filter((word) => !stopwords.includes(word) && !ASKING.has(word));
    const quoted = phrases(query);
    const asked = [...new Set(telling.length ? telling : all)];
    const scores = entries.map(() => [0, 0]);
    for (const word of asked) {
      const here = having(word, known);
      const rare = Math.log(1 + (entries.length - here.size + 0.5) / (here.size + 0.5));
      for (const [i, count] of here) {
        const often = SATURATION * (1 - LENGTH + (LENGTH * entries[i].length) / mean);
        scores[i][0] += (rare * count * (SATURATION + 1)) / (count + often);
        scores[i][1] += 1;
      }
    }
    return scores
      .map(([score, matched], i) => ({
        ...entries[i],
        score: score * (matched / asked.length) ** 2 * worth(entries[i], query),
      }))
      .filter((entry) => entry.score > 0 && quoted.every((phrase) => says(entry, phrase)))
      .sort((one, other) => other.score - one.score);
  }

  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  // The words around the first match, the matches marked.
  function excerpt({ prose }, query, { stem }) {
    const wanted = words(query);
    const matches = (word) => wanted.some((one) => stem(fold(word)) === stem(one) || fold(word).startsWith(one));
    const pieces = prose.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? [];
    const first = Math.max(pieces.findIndex(matches), 0);
    const from = Math.max(first - 24, 0);
    const shown = pieces.slice(from, from + 72).map((piece) => (matches(piece) ? element("mark", {}, piece) : piece));
    const more = from + 72 < pieces.length ? " …" : "";
    return element("p", { className: "context" }, from ? "… " : "", ...shown, more);
  }

  function result(entry, query, known) {
    const { page, anchor, number, title, kind } = entry;
    const href = new URL(`${page}.html${anchor && `#${anchor}`}`, root).href;
    const name = kind === "object" ? element("code", {}, title) : title;
    const link = element("a", { href }, number ? `${number}. ` : "", name);
    const around = anchor ? element("span", { className: "around" }, known.titles.get(page) ?? "") : "";
    return element("li", {}, link, " ", around, excerpt(entry, query, known));
  }

  // Fill a place with what is found; at most so many entries. Only the last question is answered.
  let latest = 0;
  async function answer(place, query, most) {
    const turn = ++latest;
    const [status, list] = place.children;
    let known;
    try {
      known = await index();
    } catch {
      status.textContent = "The list of sections could not be loaded.";
      return;
    }
    if (turn !== latest) return;
    const ranking = words(query).length ? ranked(known, query) : [];
    const shown = ranking.slice(0, most);
    list.replaceChildren(...shown.map((entry) => result(entry, query, known)));
    const count = `${ranking.length} ${ranking.length === 1 ? "place" : "places"}`;
    const part = `Found ${count}${ranking.length > most ? `; these are the ${most} best` : ""}.`;
    const none = "Nothing found. Try fewer words, or only the beginning of a word.";
    status.textContent = words(query).length ? (ranking.length ? part : none) : "";
  }

  const place = () => element(
    "div", { className: "tutlib-found" },
    element("p", { className: "search-summary", role: "status" }), element("ol", { className: "search" }),
  );

  addEventListener("DOMContentLoaded", () => {
    const results = document.getElementById("search-results");
    if (results) {
      const query = new URLSearchParams(location.search).get("q") ?? "";
      document.querySelectorAll('input[name="q"]').forEach((input) => (input.value = query));
      results.append(place());
      answer(results.firstElementChild, query, 50);
    }
    const dialog = document.getElementById("pst-search-dialog");
    const field = dialog?.querySelector('input[name="q"]');
    if (!field) return;
    const below = dialog.appendChild(place());
    field.addEventListener("input", () => answer(below, field.value, 8));
    below.addEventListener("click", (event) => event.target.closest("a") && dialog.close());
  });
})();
