/**
 * Dense symmetric matrices of `size` rows in one array, row after row, of which only the lower half is read. All work is
 * inner products of rows, eight at a time: a number that is loaded is then used two or four times, which makes them some
 * three times faster than one by one.
 */

/**
 * Replaces a positive definite matrix by its inverse (all of it, both halves).
 *
 * @returns false when it is not positive definite; the contents are then of no use
 */
export function invert(matrix: Float64Array, size: number): boolean {
  if (!factor(matrix, size)) return false;
  const inverted = invertFactor(matrix, size);
  multiplyFactors(inverted, matrix, size);
  return true;
}

/** For each row v of `rows` (`size` of them) the number v M v. */
export function quadraticForms(rows: Float64Array, matrix: Float64Array, size: number): Float64Array {
  const forms = new Float64Array(size);
  const sums = new Float64Array(8);
  for (let near = 0; near < size; near += NEAR_ROWS)
    for (let i = 0; i < size; i += 2) {
      const pair = Math.min(2, size - i);
      for (let top = near; top < Math.min(near + NEAR_ROWS, size); top += 4) {
        const height = Math.min(4, size - top);
        multiplyRows(rows, top, height, matrix, i, pair, size, 0, i, sums);
        for (let row = 0; row < height; row += 1)
          for (let second = 0; second < pair; second += 1) {
            const at = i + second;
            const own = rows[(top + row) * size + at] as number;
            // The sum stops before the pair, so for its second row the first one's column is left to add.
            const before =
              second === 0 ? 0 : (matrix[at * size + i] as number) * (rows[(top + row) * size + i] as number);
            const left = (sums[second * 4 + row] as number) + before;
            forms[top + row] =
              (forms[top + row] as number) + own * (2 * left + (matrix[at * size + at] as number) * own);
          }
      }
    }
  return forms;
}

/** Rows that are used again and again while all others stream by: as many as fit into the nearer cache. */
const NEAR_ROWS = 16;

/** Cholesky: the lower half becomes L, where the matrix is L times its transpose. */
function factor(matrix: Float64Array, size: number): boolean {
  const sums = new Float64Array(8);
  for (let top = 0; top < size; top += 4) {
    const height = Math.min(4, size - top);
    for (let column = 0; column < top; column += 2) {
      multiplyRows(matrix, top, height, matrix, column, 2, size, 0, column, sums);
      const below = (column + 1) * size + column;
      for (let row = 0; row < height; row += 1) {
        const at = (top + row) * size + column;
        const value = ((matrix[at] as number) - (sums[row] as number)) / (matrix[below - size] as number);
        const rest = (matrix[at + 1] as number) - (sums[4 + row] as number) - value * (matrix[below] as number);
        matrix[at] = value;
        matrix[at + 1] = rest / (matrix[below + 1] as number);
      }
    }
    for (let row = top; row < top + height; row += 1)
      for (let column = top; column <= row; column += 1) {
        let rest = matrix[row * size + column] as number;
        for (let k = 0; k < column; k += 1) {
          rest -= (matrix[row * size + k] as number) * (matrix[column * size + k] as number);
        }
        if (row !== column) matrix[row * size + column] = rest / (matrix[column * size + column] as number);
        else if (rest > 0) matrix[row * size + row] = Math.sqrt(rest);
        else return false;
      }
  }
  return true;
}

/** The inverse of L, transposed, so that its columns lie in rows: row j begins at its own column. */
function invertFactor(factored: Float64Array, size: number): Float64Array {
  const inverse = new Float64Array(size * size);
  const sums = new Float64Array(8);
  for (let top = 0; top < size; top += 4) {
    const height = Math.min(4, size - top);
    for (let row = 0; row < height; row += 1) {
      const at = (top + row) * size;
      inverse[at + top + row] = 1 / (factored[at + top + row] as number);
      for (let column = top + row + 1; column < top + height; column += 1) {
        let sum = 0;
        for (let k = top + row; k < column; k += 1) {
          sum += (factored[column * size + k] as number) * (inverse[at + k] as number);
        }
        inverse[at + column] = -sum / (factored[column * size + column] as number);
      }
    }
    for (let column = top + height; column < size; column += 2) {
      const pair = Math.min(2, size - column);
      multiplyRows(inverse, top, height, factored, column, pair, size, top, column, sums);
      const below = (column + 1) * size + column;
      for (let row = 0; row < height; row += 1) {
        const at = (top + row) * size + column;
        const value = -(sums[row] as number) / (factored[below - size] as number);
        inverse[at] = value;
        if (pair === 1) continue;
        const sum = (sums[4 + row] as number) + value * (factored[below] as number);
        inverse[at + 1] = -sum / (factored[below + 1] as number);
      }
    }
  }
  return inverse;
}

/** Y times its transpose, where row j of Y begins at column j. */
function multiplyFactors(upper: Float64Array, product: Float64Array, size: number): void {
  const sums = new Float64Array(8);
  for (let near = 0; near < size; near += NEAR_ROWS)
    for (let i = near; i < size; i += 2) {
      const pair = Math.min(2, size - i);
      for (let top = near; top < Math.min(near + NEAR_ROWS, i + pair); top += 4) {
        const height = Math.min(4, size - top);
        multiplyRows(upper, top, height, upper, i, pair, size, i, size, sums);
        for (let row = 0; row < height; row += 1)
          for (let second = 0; second < pair; second += 1) {
            const value = sums[second * 4 + row] as number;
            product[(top + row) * size + i + second] = value;
            product[(i + second) * size + top + row] = value;
          }
      }
    }
}

/**
 * Inner products of four rows from `top` with two rows from `i`, over the columns from `from` up to `to`: the four with
 * the first of the two, then with the second. Rows beyond `height` and `pair` are those before them again.
 */
function multiplyRows(
  left: Float64Array,
  top: number,
  height: number,
  right: Float64Array,
  i: number,
  pair: number,
  size: number,
  from: number,
  to: number,
  sums: Float64Array,
): void {
  const r0 = top * size;
  const r1 = height > 1 ? r0 + size : r0;
  const r2 = height > 2 ? r1 + size : r1;
  const r3 = height > 3 ? r2 + size : r2;
  const first = i * size;
  const second = pair > 1 ? first + size : first;
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let [t0, t1, t2, t3] = [0, 0, 0, 0];
  for (let k = from; k < to; k += 1) {
    const x = right[first + k] as number;
    const y = right[second + k] as number;
    const v0 = left[r0 + k] as number;
    const v1 = left[r1 + k] as number;
    const v2 = left[r2 + k] as number;
    const v3 = left[r3 + k] as number;
    s0 += x * v0;
    s1 += x * v1;
    s2 += x * v2;
    s3 += x * v3;
    t0 += y * v0;
    t1 += y * v1;
    t2 += y * v2;
    t3 += y * v3;
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
  sums[4] = t0;
  sums[5] = t1;
  sums[6] = t2;
  sums[7] = t3;
}
