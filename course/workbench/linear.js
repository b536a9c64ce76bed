// Small systems of linear equations and matrices of numbers.

export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

// The solution of A x = b, with exchanges of rows.
export function solve(A, b) {
  const n = b.length;
  const rows = A.map((row, i) => [...row, b[i]]);
  for (let k = 0; k < n; k++) {
    const best = rows.reduce((top, row, i) => (i > k && Math.abs(row[k]) > Math.abs(rows[top][k]) ? i : top), k);
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const x = Array(n).fill(0);
  for (let k = n - 1; k >= 0; k--) x[k] = (rows[k][n] - dot(rows[k].slice(k + 1, n), x.slice(k + 1))) / rows[k][k];
  return x;
}

export function inverse(A) {
  const columns = A.map((_, k) => solve(A, A.map((__, i) => Number(i === k))));
  return A.map((_, i) => columns.map((column) => column[i]));
}

// Eigenvalues and eigenvectors of a symmetric matrix, the smallest first: [[value, vector], ...],
// by Jacobi's rotations.
export function eigen(matrix) {
  const n = matrix.length;
  const A = matrix.map((row) => [...row]);
  const V = A.map((_, i) => A.map((__, j) => Number(i === j)));
  for (let sweep = 0; sweep < 50; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (A[p][q] === 0) continue;
        const angle = 0.5 * Math.atan2(2 * A[p][q], A[q][q] - A[p][p]);
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        for (let k = 0; k < n; k++) [A[k][p], A[k][q]] = [c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q]];
        for (let k = 0; k < n; k++) [A[p][k], A[q][k]] = [c * A[p][k] - s * A[q][k], s * A[p][k] + c * A[q][k]];
        for (let k = 0; k < n; k++) [V[k][p], V[k][q]] = [c * V[k][p] - s * V[k][q], s * V[k][p] + c * V[k][q]];
      }
    }
  }
  return A.map((row, i) => [row[i], V.map((entries) => entries[i])]).sort(([a], [b]) => a - b);
}
