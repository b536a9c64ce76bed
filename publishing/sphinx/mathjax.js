// MathJax without a page: HTML of formulas in LaTeX, and the styles that they need.
(() => {
  const { adaptors, handlers, input, output, mathjax, a11y } = MathJax._;
  const adaptor = adaptors.liteAdaptor.liteAdaptor();
  const handler = handlers.html_ts.RegisterHTMLHandler(adaptor);
  a11y["assistive-mml"].AssistiveMmlHandler(handler); // MathML for screen readers
  const refuse = (_, error) => {
    throw error;
  };
  const document = mathjax.mathjax.document("", {
    InputJax: new input.tex_ts.TeX({ packages: ["base", "ams", "boldsymbol"], formatError: refuse }),
    OutputJax: new output.chtml_ts.CHTML({
      font: new output.chtml.fonts.tex_ts.TeXFont({ fontURL: "formulas" }),
    }),
  });
  const jax = document.outputJax;
  // Lengths in em, relative to the text around: the style sheet sets the size of formulas.
  const sizes = { em: 1000, ex: 1000 * jax.font.params.x_height, containerWidth: 1e6 };

  // Width from which formulas can scroll on a phone, also by the keyboard [em].
  const WIDE = 16;

  // Displayed formulas have their width and height in em as style, with which course.css fits them.
  function made(tex, display) {
    const formula = document.convert(tex, { display, ...sizes });
    adaptor.setAttribute(formula, "data-tex", tex); // is copied, see copy.js
    if (display) {
      const { w, h, d } = jax.getBBox(jax.math, document);
      adaptor.setStyle(formula, "--ems", w.toFixed(2));
      adaptor.setStyle(formula, "--high", (h + d).toFixed(2));
      if (w > WIDE) adaptor.setAttribute(formula, "tabindex", "0");
    }
    return adaptor.outerHTML(formula);
  }

  // Return the HTML of a formula, or an error message: [formula, complaint].
  globalThis.typeset = (tex, display) => {
    try {
      return JSON.stringify([made(tex, display), ""]);
    } catch (error) {
      return JSON.stringify(["", error.message]);
    }
  };

  // Return the style sheet of all formulas so far.
  globalThis.styles = () => adaptor.textContent(jax.styleSheet(document));
})();
