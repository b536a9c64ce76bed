// Somebody's equations beside a mechanism's own: equal, equal in other coordinates, or wrong, and
// what is wrong.
import { convention } from "./conventions.js";
import { earlierChange, earlierTerms, energyTerms, lackingTerms } from "./differences.js";
import { findEdits, libraryOf } from "./edits.js";
import { accelerationsAt, formOf, isEqual } from "./forms.js";

// Return {verdict, ...}. `theirs` is {kind, trees}; `late()` is true when the time is over. The
// verdicts: "equal"; "convention" with the convention; "different" with `rows` of terms that the
// equations lack, `earlier` terms or `change` of an energy before the derivation, and `edits` of
// their formulas, each null or empty if there is none. `first` gets the verdict when it is known.
export function compare(reference, { kind, trees, own = [] }, { late = () => false, first = () => {} } = {}) {
  const form = formOf(reference, kind, trees);
  const { sheet, points, reference: { states } } = form;
  const values = sheet.values(points);
  const roots = sheet.roots.map((root) => values[root]);
  if (isEqual(form, roots)) return { verdict: "equal", form };
  const theirs = states.map((_, s) => form.accelerations(roots, s));
  const found = kind === "energies" ? null : convention(reference, (point) => accelerationsAt(form, point), late);
  if (found) return { verdict: "convention", convention: found, form };
  first({ verdict: "different" });
  form.sort?.(roots);
  const finite = theirs.every((list) => list.every(Number.isFinite));
  const rows = kind === "energies" ? energyTerms(reference, form.nodes) : finite ? lackingTerms(reference, theirs) : null;
  const earlier = finite && kind !== "energies" ? earlierTerms(reference, theirs) : null;
  const library = libraryOf(reference, points, kind === "equations", own.map(({ text, tree }) => (
    { text, size: 1, values: values[sheet.trees.indexOf(tree)] })).filter((factor) => factor.values));
  const edits = findEdits(form, values, library, late);
  const change = finite && kind !== "energies" && !earlier && rows?.length !== 1 ? earlierChange(reference, theirs, late) : null;
  return { verdict: "different", rows, earlier, edits, change, form, theirs };
}
