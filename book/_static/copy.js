// A copied passage contains its formulas: those of plain letters and numbers as they are, such as n or 2n, all
// others in LaTeX, as $\dot\theta$ within a sentence and $$...$$ on a line of its own. Browsers alone would
// leave them out, because they are drawn.
(() => {
  // What a selection covers, with whole formulas, each as text.
  function copied(selection) {
    const range = selection.getRangeAt(0).cloneRange();
    const formulaOf = (node) => (node.closest ? node : node.parentElement)?.closest("mjx-container[data-tex]");
    const [first, last] = [range.startContainer, range.endContainer].map(formulaOf);
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    const passage = document.createElement("div");
    passage.append(range.cloneContents());
    const formulas = passage.querySelectorAll("mjx-container[data-tex]");
    for (const formula of formulas) {
      const plain = /^[\w\s,.()+=<>-]+$/.test(formula.dataset.tex) && !formula.dataset.tex.includes("_");
      const signs = plain ? "" : formula.hasAttribute("display") ? "$$" : "$";
      formula.replaceWith(`${signs}${formula.dataset.tex}${signs}`);
    }
    return formulas.length ? passage : null;
  }

  // The text of a passage as a browser would copy it, which needs a layout.
  function textOf(passage) {
    passage.style.cssText = "position: fixed; left: 0; top: 0; opacity: 0; pointer-events: none; white-space: normal;";
    document.body.append(passage);
    const text = passage.innerText;
    passage.remove();
    return text;
  }

  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (event.target.closest?.("input, textarea") || !selection.rangeCount || selection.isCollapsed) return;
    const passage = copied(selection);
    if (!passage) return;
    event.clipboardData.setData("text/html", passage.innerHTML);
    event.clipboardData.setData("text/plain", textOf(passage));
    event.preventDefault();
  });
})();
