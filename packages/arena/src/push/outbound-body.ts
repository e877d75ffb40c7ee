/** Collects an answer's body up to a limit. */
export interface BodyBuffer {
  /** False when the limit is passed; what came is kept, as far as it fits. */
  append(chunk: Uint8Array): boolean;
  /** Everything so far, as a view; do not append afterwards. */
  bytes(): Buffer;
  readonly length: number;
}

const FIRST_BYTES = 4_096;

/**
 * One block that doubles, not a list of chunks: an endpoint that sends a megabyte in chunks of one byte would make a
 * million small objects of a hundred bytes and more each.
 */
export function createBodyBuffer(maxBytes: number): BodyBuffer {
  let block = Buffer.alloc(0);
  let length = 0;
  return {
    append(chunk) {
      const room = maxBytes - length;
      const fitting = chunk.length > room ? chunk.subarray(0, room) : chunk;
      const needed = length + fitting.length;
      if (needed > block.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(FIRST_BYTES, block.length * 2, needed)));
        block.copy(larger, 0, 0, length);
        block = larger;
      }
      block.set(fitting, length);
      length = needed;
      return chunk.length <= room;
    },
    bytes: () => block.subarray(0, length),
    get length() {
      return length;
    },
  };
}
