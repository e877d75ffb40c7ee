/** Collects an answer's body up to a limit. */
export interface BodyBuffer {
  /** False when the limit is passed; what came is kept, as far as it fits. */
  append(chunk: Uint8Array): boolean;
  /** Everything so far, as a view; do not append afterwards. */
  bytes(): Buffer;
  readonly length: number;
}

const FIRST_BYTES = 4_096;

const NOTHING = Buffer.alloc(0);

/**
 * The first chunk as it came, for most answers are one; from the second on one block that doubles. A list of chunks would
 * let an endpoint that sends a megabyte in chunks of one byte make a million objects of a hundred bytes and more each.
 */
export function createBodyBuffer(maxBytes: number): BodyBuffer {
  let block: Buffer = NOTHING;
  let length = 0;
  return {
    append(chunk) {
      const room = maxBytes - length;
      const fitting = chunk.length > room ? chunk.subarray(0, room) : chunk;
      const needed = length + fitting.length;
      if (length === 0) block = Buffer.from(fitting.buffer, fitting.byteOffset, fitting.length);
      else if (needed > block.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(FIRST_BYTES, block.length * 2, needed)));
        block.copy(larger, 0, 0, length);
        block = larger;
        block.set(fitting, length);
      } else block.set(fitting, length);
      length = needed;
      return chunk.length <= room;
    },
    bytes: () => block.subarray(0, length),
    get length() {
      return length;
    },
  };
}
