import type { Statement } from "./database.ts";

/**
 * A kind of element in PostgreSQL's binary form: its type's number there, and how many bytes an element takes or how it
 * is turned into text. See the `…_recv` functions of each type.
 */
type Element =
  | { oid: number; bytes: number; write: (target: Buffer, at: number, value: unknown) => void }
  | { oid: number; bytes: undefined };

const TWO_TO_32 = 0x1_0000_0000;
/** Timestamps count microseconds from the year 2000. */
const YEAR_2000_MS = 946_684_800_000;

function writeBigint(target: Buffer, at: number, value: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no bigint`);
  target.writeInt32BE(Math.floor(value / TWO_TO_32), at);
  target.writeUInt32BE(((value % TWO_TO_32) + TWO_TO_32) % TWO_TO_32, at + 4);
}

const ELEMENTS: Readonly<Record<string, Element>> = {
  boolean: { oid: 16, bytes: 1, write: (target, at, value) => target.writeUInt8(value === true ? 1 : 0, at) },
  bigint: { oid: 20, bytes: 8, write: (target, at, value) => writeBigint(target, at, value as number) },
  int: {
    oid: 23,
    bytes: 4,
    write(target, at, value) {
      if (!Number.isInteger(value)) throw new RangeError(`${value} is no integer`);
      target.writeInt32BE(value as number, at);
    },
  },
  float8: { oid: 701, bytes: 8, write: (target, at, value) => target.writeDoubleBE(value as number, at) },
  timestamptz: {
    oid: 1184,
    bytes: 8,
    write(target, at, value) {
      const ms = new Date(value as string | Date).getTime();
      if (Number.isNaN(ms)) throw new RangeError(`${value} is no time`);
      // Before 1714 and after 2285 there are more microseconds than a number counts one by one.
      target.writeBigInt64BE(BigInt(ms - YEAR_2000_MS) * 1_000n, at);
    },
  },
  text: { oid: 25, bytes: undefined },
  json: { oid: 114, bytes: undefined },
};

const HEADER_BYTES = 20;

/**
 * A one-dimensional array in PostgreSQL's binary form: dimensions, whether it holds nulls, the element's type, length and
 * lower bound as 32-bit numbers; then each element after its length in bytes, -1 for null.
 */
function encodeArray(element: Element, items: readonly unknown[]): Buffer {
  let size = HEADER_BYTES + 4 * items.length;
  let hasNulls = false;
  for (const item of items) {
    if (item == null) hasNulls = true;
    else size += element.bytes ?? Buffer.byteLength(item as string);
  }
  const target = Buffer.allocUnsafe(size);
  target.writeInt32BE(1, 0);
  target.writeInt32BE(hasNulls ? 1 : 0, 4);
  target.writeInt32BE(element.oid, 8);
  target.writeInt32BE(items.length, 12);
  target.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const item of items) {
    let bytes = -1;
    if (item != null && element.bytes === undefined) bytes = target.write(item as string, at + 4);
    else if (item != null && element.bytes !== undefined) {
      bytes = element.bytes;
      element.write(target, at + 4, item);
    }
    target.writeInt32BE(bytes, at);
    at += 4 + Math.max(0, bytes);
  }
  return target;
}

/** The element types of a statement's array parameters, by their casts (`$3::text[]`). */
const known = new WeakMap<Statement, ReadonlyMap<number, Element>>();

function arraysOf(statement: Statement): ReadonlyMap<number, Element> {
  const before = known.get(statement);
  if (before !== undefined) return before;
  const found = new Map<number, Element>();
  for (const [, number, type] of statement.text.matchAll(/\$(\d+)::(\w+)\[\]/g)) {
    const element = ELEMENTS[type as string];
    if (element !== undefined) found.set(Number(number) - 1, element);
  }
  known.set(statement, found);
  return found;
}

/**
 * Parameters with their arrays in binary form, as far as the statement says by a cast what they hold. As text each element
 * would be quoted and searched for quotes here, and parsed there: for batches of long texts that is most of the work.
 *
 * @throws RangeError for a number that the type cannot hold
 */
export function encodeArrays(statement: Statement, params: readonly unknown[]): unknown[] {
  const arrays = arraysOf(statement);
  return params.map((param, index) => {
    const element = arrays.get(index);
    return element !== undefined && Array.isArray(param) && param.length > 0 ? encodeArray(element, param) : param;
  });
}
