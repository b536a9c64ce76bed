// MathJax with no page around it: from LaTeX to what a page shows, and the styles that this needs.
(() => {
  const { adaptors, handlers, input, output, mathjax, a11y } = MathJax._;
  const adaptor = adaptors.liteAdaptor.liteAdaptor();
  const handler = handlers.html_ts.RegisterHTMLHandler(adaptor);
  a11y["assistive-mml"].AssistiveMmlHandler(handler); // MathML for those who hear the page
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
  // Lengths in em, at the size of the text around: the style sheet sets the size of formulas.
  const sizes = { em: 1000, ex: 1000 * jax.font.params.x_height, containerWidth: 1e6 };

  // Formulas wider than this may scroll on a phone, by the keyboard, too; in em.
  const WIDE = 16;

  // One on a line of its own says how wide and how high it is, in em: course.css fits it to the page.
  function made(tex, display) {
    const formula = document.convert(tex, { display, ...sizes });
    if (display) {
      const { w, h, d } = jax.getBBox(jax.math, document);
      adaptor.setStyle(formula, "--ems", w.toFixed(2));
      adaptor.setStyle(formula, "--high", (h + d).toFixed(2));
      if (w > WIDE) adaptor.setAttribute(formula, "tabindex", "0");
    }
    return adaptor.outerHTML(formula);
  }

  // Return a formula as it stands on a page, or what is wrong with it: [formula, complaint].
  globalThis.typeset = (tex, display) => {
    try {
      return JSON.stringify([made(tex, display), ""]);
    } catch (error) {
      return JSON.stringify(["", error.message]);
    }
  };

  // Return the styles of all formulas so far.
  globalThis.styles = () => adaptor.textContent(jax.styleSheet(document));
})();
