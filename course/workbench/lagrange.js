// Lagrange's equations of a mechanism as nodes: M a = F with M = ∂²L/∂q̇², and
// F = Q + ∂L/∂q − d/dt ∂L/∂q̇ without the terms with accelerations.

const derived = new WeakMap(); // mechanism -> its equations

// The equations of a mechanism, derived once. It has the nodes q, v, T, V, forces, and constraint
// (or null), and the derivative flow, as mechanism.js reads them.
export function lagrange(table, mechanism) {
  if (!derived.has(mechanism)) derived.set(mechanism, equationsOf(table, mechanism));
  return derived.get(mechanism);
}

function equationsOf(table, { q, v, T, V, forces, constraint, flow }) {
  const L = table.subtract(T, V);
  const [byQ, byV] = [q, v].map((symbols) => symbols.map((symbol) => table.partial(symbol)));
  const momenta = byV.map((D) => D(L));
  const M = momenta.map((p) => byV.map((D) => D(p)));
  const slopes = byQ.map((D) => D(L));
  const F = momenta.map((p, i) => table.subtract(table.add(forces[i], slopes[i]), flow(p)));
  const equations = { L, momenta, slopes, M, F, flow };
  if (!constraint) return { ...equations, a: solved(table, M, F) };
  // φ(q, t) = 0: M a − ∇φ λ = F and ∇φ·a = −(φ̈ without accelerations)
  const gradient = byQ.map((D) => D(constraint));
  const rate = flow(constraint);
  const curvature = flow(rate);
  const rows = M.map((row, i) => [...row, gradient[i]]);
  const all = solved(table, [...rows, [...gradient, table.zero]], [...F, table.negative(curvature)]);
  return { ...equations, a: all.slice(0, -1), multiplier: table.negative(all.at(-1)), gradient, rate };
}

// The solution of M a = F for symmetric M as nodes, by elimination without exchanges of rows.
function solved(table, M, F) {
  const n = F.length;
  const A = M.map((row) => [...row]);
  const y = [...F];
  for (let k = 0; k < n; k++) {
    for (let i = k + 1; i < n; i++) {
      if (A[i][k] === table.zero) continue;
      const factor = table.divide(A[i][k], A[k][k]);
      for (let j = k + 1; j <= i; j++) {
        A[i][j] = table.subtract(A[i][j], table.multiply(factor, A[j][k]));
        A[j][i] = A[i][j];
      }
      y[i] = table.subtract(y[i], table.multiply(factor, y[k]));
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) y[k] = table.subtract(y[k], table.multiply(A[k][j], y[j]));
    y[k] = table.divide(y[k], A[k][k]);
  }
  return y;
}

// d/dt of a node along a motion with the accelerations `a`, nodes.
export function timeDerivative(table, { q, v, t }, a) {
  const slopes = [[t, table.one], ...q.map((symbol, i) => [symbol, v[i]]), ...v.map((symbol, i) => [symbol, a[i]])];
  return table.differentiator(new Map(slopes));
}

// Lagrange's operator on a term of L: d/dt ∂/∂q̇ − ∂/∂q. It is linear in the term.
export function lagrangeOf(table, mechanism, term, a) {
  const total = timeDerivative(table, mechanism, a);
  return mechanism.q.map((q, i) => table.subtract(total(table.partial(mechanism.v[i])(term)), table.partial(q)(term)));
}
