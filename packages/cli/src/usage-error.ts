/** A call of the command line that cannot mean anything; its message says how it has to be. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
