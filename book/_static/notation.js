// Filter for the letters of single chapters on the page of notation. Without it, all are shown.
(() => {
  const place = document.querySelector(".tutlib-filter");
  const rows = [...(place?.parentElement.querySelectorAll("tbody tr") ?? [])];
  const chaptersOf = (row) => row.cells[1].textContent.trim().split(", ");
  if (!rows.length) return;
  // The rows are in the order of the course, so the first chapter of each row is, too.
  const chapters = new Set(rows.map((row) => chaptersOf(row)[0]));
  chapters.delete("all");
  const option = (name, value = name) => new Option(name, value);
  const [label, select, count] = ["label", "select", "span"].map((name) => document.createElement(name));
  select.className = "form-select";
  select.append(option("all chapters", ""), ...[...chapters].map((name) => option(name)));
  count.setAttribute("role", "status");
  label.append("Show the letters of ", select);
  place.append(label, count);
  place.hidden = false;

  function filter() {
    for (const row of rows) {
      const names = chaptersOf(row);
      row.hidden = select.value !== "" && !names.includes("all") && !names.includes(select.value);
    }
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  }
  select.addEventListener("change", filter);
  addEventListener("pageshow", filter); // a browser restores the choice when you come back
  filter();
})();
