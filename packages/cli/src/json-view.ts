import type { Output } from "./output.ts";
import { toJsonEvent } from "./run-json.ts";
import type { RunView } from "./run-view.ts";

/** Makes a {@link RunView} for programs: each event as a line of JSON, the agent's own lines only when asked for. */
export function createJsonView(output: Output, verbose: boolean): RunView {
  return {
    onEvent(event) {
      const fields = event.type === "log" && !verbose ? undefined : toJsonEvent(event, new Date());
      if (fields !== undefined) output.json(fields);
    },
    print: () => {},
    end: () => {},
  };
}
