import { parseArgs } from "node:util";
import { benchAgentKit } from "./agent-kit.ts";
import { type BenchOptions, type Report, toText } from "./contest.ts";
import { benchDispatch } from "./dispatch.ts";
import { benchMemory } from "./memory.ts";
import { benchPull } from "./pull.ts";
import { benchPush } from "./push.ts";
import { benchRatings } from "./ratings.ts";

const BENCHES: Record<string, (options: BenchOptions) => Promise<Report>> = {
  pull: benchPull,
  push: benchPush,
  dispatch: benchDispatch,
  memory: benchMemory,
  ratings: benchRatings,
  "agent-kit": benchAgentKit,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    profile: { type: "string" },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const unknown = names.find((name) => BENCHES[name] === undefined);
if (unknown !== undefined) {
  console.error(
    `there is no bench "${unknown}"; npm run bench [-- ${Object.keys(BENCHES).join("|")}] [--quick] [--json] [--profile FOLDER]`,
  );
  process.exit(2);
}
const options: BenchOptions = {
  ...(values.quick ? { rounds: 3, seconds: 2 } : { rounds: 5, seconds: 6 }),
  profile: values.profile,
};
const reports: Report[] = [];
for (const name of names) {
  const report = await (BENCHES[name] as (typeof BENCHES)[string])(options);
  reports.push(report);
  if (!values.json) console.log(`${toText(report)}\n`);
}
if (values.json) console.log(JSON.stringify(reports, null, 2));
