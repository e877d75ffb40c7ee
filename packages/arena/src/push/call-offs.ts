/**
 * Ends what is under way, all at once. Places in an array that are used again: an AbortSignal looks through all its
 * listeners to lose one, and the tables that a busy set leaves behind keep alive what they held until the next full
 * collection.
 */
export class CallOffs {
  #each: ((() => void) | undefined)[] = [];
  #free: number[] = [];
  #isOver = false;

  /** Whether everything has been called off; nothing new may begin then. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @returns its place, by which it is taken away again */
  add(callOff: () => void): number {
    const place = this.#free.pop() ?? this.#each.length;
    this.#each[place] = callOff;
    return place;
  }

  /** Once for each `add`. */
  remove(place: number): void {
    this.#each[place] = undefined;
    this.#free.push(place);
  }

  callOff(): void {
    this.#isOver = true;
    for (const each of [...this.#each]) each?.();
  }
}
