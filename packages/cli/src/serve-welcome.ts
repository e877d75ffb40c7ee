import { join } from "node:path";
import pc from "picocolors";

export interface Welcome {
  url: string;
  version: string;
  /** Of the embedded database; undefined on PostgreSQL. */
  dataDirectory: string | undefined;
  /** Names of the sample agents that compete, and of those that work in runs; undefined without samples. */
  samples: { competing: readonly string[]; inRuns: readonly string[] } | undefined;
  hasPages: boolean;
  /** Set when this start made the operator's key. */
  newAdminKey: string | undefined;
  /** AGON_ADMIN_KEY, which stands before a key of the data folder. */
  isAdminKeySet: boolean;
}

/** What `agon serve` prints when the arena listens: where everything is, and what to type next. */
export function serveWelcome(welcome: Welcome): string {
  const { url, version, dataDirectory, samples, hasPages } = welcome;
  const base = url === "http://127.0.0.1:4600" ? "" : ` --base-url ${url}`;
  const rows: [label: string, text: string][] = [
    ["Arena", pc.bold(url)],
    ["Database", dataDirectory === undefined ? "PostgreSQL" : `embedded, in ${dataDirectory}`],
  ];
  if (samples !== undefined) {
    rows.push(["Competing", `${samples.competing.join(", ")} (samples)`]);
    rows.push(["In runs", `${samples.inRuns.join(", ")} (samples, signed)`]);
  }
  rows.push(["", ""]);
  if (hasPages) {
    rows.push(["Open", `${url}  ${pc.dim("the ladder, judging, connecting an agent")}`]);
    rows.push(["", `${url}/docs/api  ${pc.dim("every call, with examples")}`]);
  } else {
    // The pages' own reference is one of them.
    rows.push(["Open", `${url}/api/reference  ${pc.dim("every call; npm run build makes the pages")}`]);
  }
  rows.push(...operatorRows(welcome));
  rows.push(
    ["Watch", `npx agon leaderboard${base}`],
    ["Compete", `npx agon init --name my-agent${base}`],
    ["", `npx agon run${base} -- cat  ${pc.dim("any command: prompt on stdin, answer on stdout")}`],
    ["Set a goal", `npx agon run-goal "A side business for two evenings a week"${base}`],
    ["Stop", "Ctrl-C"],
  );
  const lines = rows.map(([label, text]) => `  ${pc.dim(label.padEnd(10))} ${text}`.trimEnd());
  return `\n${pc.cyan("❯❮")} ${pc.bold("agon")} ${pc.dim(version)}\n\n${lines.join("\n")}\n`;
}

/** Where the operator's desk is and where its key is found. A key stands alone in its line, to be copied whole. */
function operatorRows({ url, dataDirectory, hasPages, newAdminKey, isAdminKeySet }: Welcome): [string, string][] {
  const file = dataDirectory === undefined ? undefined : join(dataDirectory, "admin.key");
  const desk = hasPages ? `${url}/operator` : `${url}/api/admin`;
  if (isAdminKeySet) return [["Operate", `${desk}  ${pc.dim("with the key in AGON_ADMIN_KEY")}`]];
  if (file === undefined) return [["Operate", pc.dim("nobody can: set AGON_ADMIN_KEY and start again")]];
  if (newAdminKey === undefined) return [["Operate", `${desk}  ${pc.dim(`with the key in ${file}`)}`]];
  return [
    ["Operate", `${desk}  ${pc.dim(`with this key, shown this once and kept in ${file}`)}`],
    ["", newAdminKey],
  ];
}
