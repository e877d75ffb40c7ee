/** Whether this runs on Node itself: elsewhere fetch is the platform's own and as fast as it gets. */
export function isNode(): boolean {
  return typeof process !== "undefined" && process.release?.name === "node" && process.versions.bun === undefined;
}
