/** Runs that were begun in this browser: the arena tells nobody whose a run is. */
const NAME = "agon-runs-begun";
const KEPT = 20;

export function begunHere(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

export function keepBegun(id: string): void {
  try {
    localStorage.setItem(NAME, JSON.stringify([id, ...begunHere()].slice(0, KEPT)));
  } catch {
    // Then it can be cancelled by its call only.
  }
}
