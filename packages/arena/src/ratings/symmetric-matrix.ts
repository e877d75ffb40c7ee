/**
 * Dense symmetric matrices of `size` rows in one array, row after row, of which only the lower half is read. Loops take
 * four rows at a time: each number that is loaded is then used four times, which makes them some three times faster.
 */

/**
 * Replaces a positive definite matrix by its inverse (all of it, both halves).
 *
 * @returns false when it is not positive definite; the contents are then of no use
 */
export function invert(matrix: Float64Array, size: number): boolean {
  if (!factor(matrix, size)) return false;
  invertLower(matrix, size);
  multiplyTransposed(matrix, size);
  return true;
}

/** Cholesky: the lower half becomes L, where the matrix is L times its transpose. */
function factor(matrix: Float64Array, size: number): boolean {
  for (let top = 0; top < size; top += 4) {
    const height = Math.min(4, size - top);
    const [r0, r1, r2, r3] = rowStarts(top, height, size);
    for (let column = 0; column < top; column += 1) {
      const row = column * size;
      let [s0, s1, s2, s3] = [0, 0, 0, 0];
      for (let k = 0; k < column; k += 1) {
        const value = matrix[row + k] as number;
        s0 += value * (matrix[r0 + k] as number);
        s1 += value * (matrix[r1 + k] as number);
        s2 += value * (matrix[r2 + k] as number);
        s3 += value * (matrix[r3 + k] as number);
      }
      const diagonal = matrix[row + column] as number;
      // Rows beyond the last repeat it, so the last is written last and from its own sum.
      if (height > 3) matrix[r3 + column] = ((matrix[r3 + column] as number) - s3) / diagonal;
      if (height > 2) matrix[r2 + column] = ((matrix[r2 + column] as number) - s2) / diagonal;
      if (height > 1) matrix[r1 + column] = ((matrix[r1 + column] as number) - s1) / diagonal;
      matrix[r0 + column] = ((matrix[r0 + column] as number) - s0) / diagonal;
    }
    for (let row = top; row < top + height; row += 1)
      for (let column = top; column <= row; column += 1) {
        let sum = matrix[row * size + column] as number;
        for (let k = 0; k < column; k += 1) {
          sum -= (matrix[row * size + k] as number) * (matrix[column * size + k] as number);
        }
        if (row !== column) matrix[row * size + column] = sum / (matrix[column * size + column] as number);
        else if (sum > 0) matrix[row * size + row] = Math.sqrt(sum);
        else return false;
      }
  }
  return true;
}

/** L becomes its inverse, in place, a row after the other: row i needs those above it inverted, and itself as it was. */
function invertLower(matrix: Float64Array, size: number): void {
  const old = new Float64Array(size);
  for (let row = 0; row < size; row += 1) {
    const at = row * size;
    for (let k = 0; k < row; k += 1) old[k] = matrix[at + k] as number;
    matrix.fill(0, at, at + row);
    let k = 0;
    for (; k + 4 <= row; k += 4) {
      const [f0, f1, f2, f3] = [old[k] as number, old[k + 1] as number, old[k + 2] as number, old[k + 3] as number];
      const [r0, r1, r2, r3] = [k * size, (k + 1) * size, (k + 2) * size, (k + 3) * size];
      // What stands right of the diagonal there is still the old upper half: those three columns go one by one.
      for (let column = 0; column <= k; column += 1) {
        matrix[at + column] =
          (matrix[at + column] as number) +
          f0 * (matrix[r0 + column] as number) +
          f1 * (matrix[r1 + column] as number) +
          f2 * (matrix[r2 + column] as number) +
          f3 * (matrix[r3 + column] as number);
      }
      for (let later = k + 1; later < k + 4; later += 1)
        for (let column = k + 1; column <= later; column += 1) {
          matrix[at + column] =
            (matrix[at + column] as number) + (old[later] as number) * (matrix[later * size + column] as number);
        }
    }
    for (; k < row; k += 1)
      for (let column = 0; column <= k; column += 1) {
        matrix[at + column] =
          (matrix[at + column] as number) + (old[k] as number) * (matrix[k * size + column] as number);
      }
    const scale = 1 / (matrix[at + row] as number);
    for (let column = 0; column < row; column += 1) matrix[at + column] = -(matrix[at + column] as number) * scale;
    matrix[at + row] = scale;
  }
}

/** X in the lower half becomes the whole of X transposed times X. */
function multiplyTransposed(matrix: Float64Array, size: number): void {
  const product = new Float64Array(size * size);
  const rows = new Float64Array(4 * size);
  for (let top = 0; top < size; top += 4) {
    const height = Math.min(4, size - top);
    rows.fill(0);
    for (let row = 0; row < height; row += 1) {
      const from = (top + row) * size;
      rows.set(matrix.subarray(from, from + top + row + 1), row * size);
    }
    const [r1, r2, r3] = [size, 2 * size, 3 * size];
    for (let i = 0; i < top + height; i += 1) {
      const at = i * size;
      const f0 = rows[i] as number;
      const f1 = rows[r1 + i] as number;
      const f2 = rows[r2 + i] as number;
      const f3 = rows[r3 + i] as number;
      for (let j = 0; j <= i; j += 1) {
        product[at + j] =
          (product[at + j] as number) +
          f0 * (rows[j] as number) +
          f1 * (rows[r1 + j] as number) +
          f2 * (rows[r2 + j] as number) +
          f3 * (rows[r3 + j] as number);
      }
    }
  }
  for (let i = 0; i < size; i += 1)
    for (let j = 0; j <= i; j += 1) {
      matrix[i * size + j] = product[i * size + j] as number;
      matrix[j * size + i] = product[i * size + j] as number;
    }
}

/** For each row v of `rows` (`size` of them) the number v M v, where M's lower half is read, two rows at a time. */
export function quadraticForms(rows: Float64Array, matrix: Float64Array, size: number): Float64Array {
  const forms = new Float64Array(size);
  const pairs = size - (size % 2);
  for (let top = 0; top < size; top += 4) {
    const height = Math.min(4, size - top);
    const [r0, r1, r2, r3] = rowStarts(top, height, size);
    let [q0, q1, q2, q3] = [0, 0, 0, 0];
    for (let i = 0; i < pairs; i += 2) {
      const upper = i * size;
      const lower = upper + size;
      let [s0, s1, s2, s3] = [0, 0, 0, 0];
      let [t0, t1, t2, t3] = [0, 0, 0, 0];
      for (let j = 0; j < i; j += 1) {
        const above = matrix[upper + j] as number;
        const below = matrix[lower + j] as number;
        const v0 = rows[r0 + j] as number;
        const v1 = rows[r1 + j] as number;
        const v2 = rows[r2 + j] as number;
        const v3 = rows[r3 + j] as number;
        s0 += above * v0;
        s1 += above * v1;
        s2 += above * v2;
        s3 += above * v3;
        t0 += below * v0;
        t1 += below * v1;
        t2 += below * v2;
        t3 += below * v3;
      }
      q0 += crossTerms(matrix, upper, i, size, s0, t0, rows, r0);
      q1 += crossTerms(matrix, upper, i, size, s1, t1, rows, r1);
      q2 += crossTerms(matrix, upper, i, size, s2, t2, rows, r2);
      q3 += crossTerms(matrix, upper, i, size, s3, t3, rows, r3);
    }
    for (const [row, form] of [q0, q1, q2, q3].slice(0, height).entries()) {
      forms[top + row] = form + (pairs < size ? lastTerms(matrix, size, rows, (top + row) * size) : 0);
    }
  }
  return forms;
}

/** What two rows of M add to the form of the vector at `r`, given the sums of both left of column `i`. */
function crossTerms(
  matrix: Float64Array,
  upper: number,
  i: number,
  size: number,
  sumAbove: number,
  sumBelow: number,
  rows: Float64Array,
  r: number,
): number {
  const above = rows[r + i] as number;
  const below = rows[r + i + 1] as number;
  const between = (matrix[upper + size + i] as number) * above;
  return (
    above * (2 * sumAbove + (matrix[upper + i] as number) * above) +
    below * (2 * (sumBelow + between) + (matrix[upper + size + i + 1] as number) * below)
  );
}

/** What the last row of M adds, where the number of rows is odd. */
function lastTerms(matrix: Float64Array, size: number, rows: Float64Array, r: number): number {
  const at = (size - 1) * size;
  const value = rows[r + size - 1] as number;
  let sum = 0;
  for (let j = 0; j < size - 1; j += 1) sum += (matrix[at + j] as number) * (rows[r + j] as number);
  return value * (2 * sum + (matrix[at + size - 1] as number) * value);
}

/** Where four rows from `top` on begin; beyond the last it is the last again. */
function rowStarts(top: number, height: number, size: number): [number, number, number, number] {
  const start = (row: number) => (top + Math.min(row, height - 1)) * size;
  return [start(0), start(1), start(2), start(3)];
}
