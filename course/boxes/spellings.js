// Spellings of letters, signs, and functions that people type or paste, in one table.

const GREEK = {
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "εϵ", zeta: "ζ", eta: "η", theta: "θϑ",
  iota: "ι", kappa: "κ", lambda: "λ", mu: "μµ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σς",
  tau: "τ", upsilon: "υ", phi: "φϕ", chi: "χ", psi: "ψ", omega: "ω", Gamma: "Γ", Delta: "Δ∆",
  Theta: "Θ", Lambda: "Λ", Xi: "Ξ", Pi: "Π", Sigma: "Σ", Phi: "Φ", Psi: "Ψ", Omega: "ΩΩ",
};
// The name of each Greek letter.
export const LATIN = new Map(
  Object.entries(GREEK).flatMap(([name, letters]) => [...letters].map((letter) => [letter, name])),
);
export const GREEK_LETTER = { __proto__: null, ...Object.fromEntries(
  Object.entries(GREEK).map(([name, letters]) => [name, [...letters][0]]),
) };
export const LOWERED = "₀₁₂₃₄₅₆₇₈₉";
export const LOWERED_LETTERS = { "ₐ": "a", "ₑ": "e", "ₓ": "x", "ₙ": "n", "ₚ": "p", "ₛ": "s", "ₜ": "t", "ᵢ": "i",
  "ⱼ": "j", "ₖ": "k", "ₗ": "l", "ₘ": "m" };
export const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
export const RAISED_MINUS = "⁻";
export const SIGNS = {
  "−": "-", "–": "-", "‐": "-", "‑": "-", "—": "-", "―": "-", "﹣": "-", "➖": "-", "➕": "+",
  "×": "*", "·": "*", "⋅": "*", "∗": "*", "∙": "*", "•": "*", "✕": "*", "✖": "*", "⨯": "*", "✗": "*",
  "・": "*", "‧": "*", "●": "*", "⋆": "*", "➗": "/", "ˆ": "^", "˄": "^", "∣": "|", "｜": "|", "÷": "/", "∕": "/", "⁄": "/",
  "√": "sqrt ", "∞": "oo", "٫": ".", "٬": ",", "،": ",", "≈": "=", "≤": "<=", "≥": ">=", "°": " deg ", "ℓ": "l",
  "º": " deg ", "%": " percent ",
};
export const DOTS = { "\u0307": 1, "\u0308": 2, "\u20db": 3 };
export const PRIMES = { "'": 1, "′": 1, "’": 1, "‘": 1, "´": 1, "ʹ": 1, "ʼ": 1, "″": 2, "”": 2, "ʺ": 2, '"': 2, "‴": 3 };

// Names of functions in other languages and programs.
export const FUNCTIONS = { __proto__: null, arcsin: "asin", arccos: "acos", arctan: "atan", arctan2: "atan2", ln: "log",
  Abs: "abs", fabs: "abs", Max: "max", Min: "min", maximum: "max", minimum: "min", sen: "sin", seno: "sin", sinus: "sin",
  cosinus: "cos", coseno: "cos", tg: "tan", tang: "tan", tangens: "tan", ctg: "cot", cotg: "cot", cotan: "cot", cosec: "csc",
  arcsen: "asin", arctg: "atan", raiz: "sqrt" };

// Invisible characters between factors, such as MathML's invisible product.
export const BETWEEN = /[\u200b\u2061-\u2064]/;
const SPACING_DOTS = { "˙": "\u0307", "¨": "\u0308" };
const isOfWord = (letter) => /^[\p{L}\p{M}]$/u.test(letter ?? "");

// The letters that a text means, {text, positions}: without invisible marks, with plain letters
// instead of mathematical ones, and with dots over the letter they belong to. `positions` has the
// position of each character in the text as it was typed.
export function plainText(typed) {
  const letters = [];
  let position = 0;
  for (const letter of typed) {
    const shown = /^[\u2100-\u2121\u2123-\u214f\u{1d400}-\u{1d7ff}]$/u.test(letter) ? letter.normalize("NFKC") : letter;
    if (BETWEEN.test(letter) || !/\p{Cf}|[\ufe00-\ufe0f]/u.test(letter)) {
      for (const part of shown) letters.push([part, position]);
    }
    position += letter.length;
  }
  for (let k = 0; k < letters.length; k++) {
    const dot = SPACING_DOTS[letters[k][0]];
    if (!dot) continue;
    letters[k][0] = dot;
    if (isOfWord(letters[k - 1]?.[0]) || !isOfWord(letters[k + 1]?.[0])) continue;
    [letters[k], letters[k + 1]] = [letters[k + 1], letters[k]]; // a dot before its letter
    k += 1;
  }
  const positions = letters.flatMap(([part, at]) => Array(part.length).fill(at));
  return { text: letters.map(([part]) => part).join(""), positions: [...positions, typed.length] };
}
