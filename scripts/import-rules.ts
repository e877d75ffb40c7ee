import type { IFlattenedRuleSet } from "dependency-cruiser";

type Rule = NonNullable<IFlattenedRuleSet["forbidden"]>[number];

/** What each package may import of ours, always by name. A package that is not listed here fails the check. */
const packageOrder: Record<string, string[]> = {
  protocol: [],
  probes: ["protocol"],
  agent: ["protocol"],
  arena: ["protocol", "probes"],
  web: [],
  cli: ["protocol", "probes", "agent", "arena", "web"],
};

const belowAgents = ["db", "http", "accounts"];
const belowTasks = [...belowAgents, "agents"];
const belowJudging = [...belowTasks, "tasks", "ladder"];

/** What each folder inside the arena may import of the others: downwards only, never sideways. */
const folderOrder: Record<string, string[]> = {
  db: [],
  http: ["db"],
  accounts: ["http", "db"],
  agents: belowAgents,
  tasks: belowTasks,
  push: [...belowTasks, "tasks"],
  pull: [...belowTasks, "tasks"],
  ladder: [...belowTasks, "tasks"],
  runs: [...belowTasks, "tasks"],
  judging: belowJudging,
  ratings: [...belowJudging, "judging"],
  operator: ["http", "db"],
  // What pages show comes through the public calls; of the folders it needs only what answers them.
  pages: ["http", "db"],
};

/** Files at the root of the arena that every folder may import; all others there wire things together. */
const SHARED_ROOT_FILES = "(config|ports|run-loop)";
/**
 * Files of a higher folder that a lower one may import: pure, and importing nothing of the arena themselves. Judging
 * needs the arithmetic of ratings in a vote's transaction; the ladder takes prompts in only with a check that works.
 */
const pureFiles = [
  { files: "ratings/(elo|tiers)\\.ts$", lower: "judging" },
  { files: "judging/checks(/|\\.ts$)", lower: "ladder" },
];
const ARENA = "^packages/arena/src/";

export function importRules(): IFlattenedRuleSet {
  return {
    forbidden: [...generalRules(), ...packageRules(), ...Object.entries(folderOrder).map(folderRule), ...arenaRules()],
  };
}

function generalRules(): Rule[] {
  return [
    {
      name: "no-cycles",
      comment: "Modules that import each other, types included, can only be understood and loaded together.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment: "The import leads nowhere: a file that is not there, or a package that is not installed.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "source-knows-no-tests",
      comment: "What is published must not need tests or scripts, which are not.",
      severity: "error",
      from: { path: "^packages/[^/]+/src/" },
      to: { path: "^(packages/[^/]+/test|scripts)/" },
    },
  ];
}

function packageRules(): Rule[] {
  const order = Object.entries(packageOrder).map(
    ([name, allowed]): Rule => ({
      name: `package-order-${name}`,
      comment: `${name} may import ${list(allowed)} of our packages.`,
      severity: "error",
      from: { path: `^packages/${name}/src/` },
      to: { path: "^packages/", pathNot: `^packages/${oneOf([name, ...allowed])}/` },
    }),
  );
  const known = `^packages/${oneOf(Object.keys(packageOrder))}/`;
  return [
    ...order,
    {
      name: "package-without-a-place",
      comment: "Give the package a line in scripts/import-rules.ts.",
      severity: "error",
      from: { path: "^packages/", pathNot: known },
      to: {},
    },
    {
      name: "package-by-its-front-door",
      comment:
        "Import another package by its name: its index.ts says what it offers; the arena's ratings have a door of their own.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/[^/]+/src/", pathNot: "^packages/($1/|[^/]+/src/index\\.ts$|arena/src/ratings\\.ts$)" },
    },
  ];
}

function folderRule([folder, allowed]: [string, string[]]): Rule {
  const open = [`${oneOf([folder, ...allowed])}/`, `${SHARED_ROOT_FILES}\\.ts$`];
  open.push(...pureFiles.filter(({ lower }) => lower === folder).map(({ files }) => files));
  return {
    name: `arena-order-${folder}`,
    comment: `${folder}/ may import ${list(allowed)} and the shared files at the root. Hand other things in from arena.ts.`,
    severity: "error",
    from: { path: `${ARENA}${folder}/` },
    to: { path: ARENA, pathNot: `${ARENA}${oneOf(open)}` },
  };
}

function arenaRules(): Rule[] {
  return [
    {
      name: "arena-folder-without-a-place",
      comment: "Give the folder a line in scripts/import-rules.ts.",
      severity: "error",
      from: { path: `${ARENA}[^/]+/`, pathNot: `${ARENA}${oneOf(Object.keys(folderOrder))}/` },
      to: {},
    },
    {
      name: "arena-shared-files-stand-alone",
      comment: "Every folder imports these, so they must not import a folder.",
      severity: "error",
      from: { path: `${ARENA}${SHARED_ROOT_FILES}\\.ts$` },
      to: { path: ARENA, pathNot: `${ARENA}${SHARED_ROOT_FILES}\\.ts$` },
    },
    ...pureFiles.map(
      ({ files }): Rule => ({
        name: "arena-pure-files-stand-alone",
        comment: "A lower folder imports these, so they must not import anything of the arena but each other.",
        severity: "error",
        from: { path: `${ARENA}${files}` },
        to: { path: ARENA, pathNot: `${ARENA}${files}` },
      }),
    ),
  ];
}

function oneOf(names: string[]): string {
  return `(${names.join("|")})`;
}

function list(names: string[]): string {
  return names.length === 0 ? "nothing" : names.join(", ");
}
