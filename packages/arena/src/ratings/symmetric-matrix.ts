import { createRowSpace, type RowSpace, SUMS } from "./row-products.ts";

/**
 * Dense symmetric matrices of `size` rows in one array, row after row, of which only the lower half is read. All work is
 * inner products of rows, which row-products.ts does in WebAssembly where it can.
 */

/**
 * Replaces a positive definite matrix by its inverse (all of it, both halves).
 *
 * @returns false when it is not positive definite; the contents are then as they were
 */
export function invert(matrix: Float64Array, size: number, createSpace = createRowSpace): boolean {
  const space = createSpace(2 * size * size);
  space.numbers.set(matrix, SUMS);
  const factored = SUMS;
  const inverted = factored + size * size;
  if (!factor(space, factored, size)) return false;
  invertFactor(space, factored, inverted, size);
  multiplyFactors(space, inverted, matrix, size);
  return true;
}

/** For each row v of `rows` (`size` of them) the number v M v. */
export function quadraticForms(
  rows: Float64Array,
  matrix: Float64Array,
  size: number,
  createSpace = createRowSpace,
): Float64Array {
  const space = createSpace((size + NEAR_ROWS) * size);
  const { numbers, multiplyRows } = space;
  const near = SUMS;
  const whole = near + NEAR_ROWS * size;
  // Half of the diagonal and all below it: v M v is then twice the sum of that. Zeros follow, so that two rows can be
  // taken to the same column.
  for (let i = 0; i < size; i += 1) {
    numbers.set(matrix.subarray(i * size, i * size + i + 1), whole + i * size);
    numbers[whole + i * size + i] = (matrix[i * size + i] as number) / 2;
  }
  const forms = new Float64Array(size);
  for (let begin = 0; begin < size; begin += NEAR_ROWS) {
    const many = Math.min(NEAR_ROWS, size - begin);
    numbers.set(rows.subarray(begin * size, (begin + many) * size), near);
    for (let i = 0; i < size; i += 2) {
      const pair = Math.min(2, size - i);
      for (let top = 0; top < many; top += 4) {
        const height = Math.min(4, many - top);
        const first = near + top * size;
        multiplyRows(first, height, whole + i * size, pair, size, i + pair);
        for (let row = 0; row < height; row += 1) {
          const own = first + row * size + i;
          let form = (numbers[own] as number) * (numbers[row] as number);
          if (pair > 1) form += (numbers[own + 1] as number) * (numbers[4 + row] as number);
          forms[begin + top + row] = (forms[begin + top + row] as number) + 2 * form;
        }
      }
    }
  }
  return forms;
}

/** Rows that are used again and again while all others stream by: as many as fit into the nearer cache. */
const NEAR_ROWS = 16;

/** Cholesky: the lower half of the matrix at `origin` becomes L, where the matrix is L times its transpose. */
function factor({ numbers, multiplyRows }: RowSpace, origin: number, size: number): boolean {
  for (let top = 0; top < size; top += 4) {
    const height = Math.min(4, size - top);
    for (let column = 0; column < top; column += 2) {
      multiplyRows(origin + top * size, height, origin + column * size, 2, size, column);
      const below = origin + (column + 1) * size + column;
      for (let row = 0; row < height; row += 1) {
        const at = origin + (top + row) * size + column;
        const value = ((numbers[at] as number) - (numbers[row] as number)) / (numbers[below - size] as number);
        const rest = (numbers[at + 1] as number) - (numbers[4 + row] as number) - value * (numbers[below] as number);
        numbers[at] = value;
        numbers[at + 1] = rest / (numbers[below + 1] as number);
      }
    }
    for (let row = top; row < top + height; row += 1)
      for (let column = top; column <= row; column += 1) {
        const own = origin + row * size;
        const other = origin + column * size;
        let rest = numbers[own + column] as number;
        for (let k = 0; k < column; k += 1) rest -= (numbers[own + k] as number) * (numbers[other + k] as number);
        if (row !== column) numbers[own + column] = rest / (numbers[other + column] as number);
        else if (rest > 0) numbers[own + row] = Math.sqrt(rest);
        else return false;
      }
  }
  return true;
}

/** The inverse of L, transposed, so that its columns lie in rows: row j begins at its own column. */
function invertFactor({ numbers, multiplyRows }: RowSpace, factored: number, inverse: number, size: number): void {
  for (let top = 0; top < size; top += 4) {
    const height = Math.min(4, size - top);
    for (let row = 0; row < height; row += 1) {
      const own = inverse + (top + row) * size;
      numbers[own + top + row] = 1 / (numbers[factored + (top + row) * size + top + row] as number);
      for (let column = top + row + 1; column < top + height; column += 1) {
        const other = factored + column * size;
        let sum = 0;
        for (let k = top + row; k < column; k += 1)
          sum += (numbers[other + k] as number) * (numbers[own + k] as number);
        numbers[own + column] = -sum / (numbers[other + column] as number);
      }
    }
    for (let column = top + height; column < size; column += 2) {
      const pair = Math.min(2, size - column);
      multiplyRows(inverse + top * size + top, height, factored + column * size + top, pair, size, column - top);
      const below = factored + (column + 1) * size + column;
      for (let row = 0; row < height; row += 1) {
        const at = inverse + (top + row) * size + column;
        const value = -(numbers[row] as number) / (numbers[below - size] as number);
        numbers[at] = value;
        if (pair === 1) continue;
        const sum = (numbers[4 + row] as number) + value * (numbers[below] as number);
        numbers[at + 1] = -sum / (numbers[below + 1] as number);
      }
    }
  }
}

/** Y times its transpose, where row j of Y begins at column j. */
function multiplyFactors(
  { numbers, multiplyRows }: RowSpace,
  upper: number,
  product: Float64Array,
  size: number,
): void {
  for (let near = 0; near < size; near += NEAR_ROWS)
    for (let i = near; i < size; i += 2) {
      const pair = Math.min(2, size - i);
      for (let top = near; top < Math.min(near + NEAR_ROWS, i + pair); top += 4) {
        const height = Math.min(4, size - top);
        multiplyRows(upper + top * size + i, height, upper + i * size + i, pair, size, size - i);
        for (let row = 0; row < height; row += 1)
          for (let second = 0; second < pair; second += 1) {
            const value = numbers[second * 4 + row] as number;
            product[(top + row) * size + i + second] = value;
            product[(i + second) * size + top + row] = value;
          }
      }
    }
}
