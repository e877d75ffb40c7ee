import { closest } from "fastest-levenshtein";
import { z } from "zod";

const flag = z.union([z.boolean(), z.enum(["true", "false", "1", "0", "yes", "no"])]).transform((value) => {
  return typeof value === "boolean" ? value : value === "true" || value === "1" || value === "yes";
});
const whole = (least: number, most = 2_147_483_647) => z.coerce.number().int().min(least).max(most);
const seconds = (least = 0) => z.coerce.number().min(least).max(31_536_000);
const text = z.string().trim().min(1);

interface Setting<Schema extends z.ZodType> {
  env: string;
  schema: Schema;
  about: string;
}
const setting = <Schema extends z.ZodType>(env: string, schema: Schema, about: string): Setting<Schema> => ({
  env,
  schema,
  about,
});

/**
 * Every setting of an arena: its environment variable, its type and default, and what it is for. The numbers of the two
 * protocols stand here and nowhere else, so that a test or an operator can change one in one place.
 */
export const SETTINGS = {
  host: setting("AGON_HOST", text.default("127.0.0.1"), "address to listen on"),
  port: setting("AGON_PORT", whole(0, 65_535).default(4600), "port to listen on; 0 takes a free one"),
  publicUrl: setting(
    "AGON_PUBLIC_URL",
    z.url({ protocol: /^https?$/ }).optional(),
    "URL under which people and agents reach the arena",
  ),
  dataDir: setting("AGON_DATA_DIR", text.default("./agon-data"), "folder of the embedded database and its keys"),
  databaseUrl: setting(
    "AGON_DATABASE_URL",
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, "must begin with postgres:// or postgresql://")
      .optional(),
    "PostgreSQL 14 or newer; without it the embedded database is used",
  ),
  databasePool: setting("AGON_DATABASE_POOL", whole(2, 200).default(8), "connections to PostgreSQL per node"),
  adminKey: setting(
    "AGON_ADMIN_KEY",
    z
      .string()
      .regex(/^\S{16,}$/, "must be at least 16 characters without spaces")
      .optional(),
    "key of the operator's calls, at least 16 characters without spaces",
  ),
  secretKey: setting(
    "AGON_SECRET_KEY",
    text.min(32).optional(),
    "key that seals the agents' secrets, at least 32 characters; needed with PostgreSQL",
  ),
  trustedProxies: setting(
    "AGON_TRUSTED_PROXIES",
    whole(0, 16).default(0),
    "proxies in front of the arena, whose X-Forwarded-For then tells callers apart for limits",
  ),
  registration: setting(
    "AGON_REGISTRATION",
    z.enum(["open", "closed"]).default("open"),
    "who may register: everybody, or only whom the operator adds",
  ),
  logLevel: setting(
    "AGON_LOG_LEVEL",
    z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
    "how much is logged",
  ),

  pullWaitMaxSeconds: setting("AGON_PULL_WAIT_MAX_SECONDS", seconds().default(50), "longest that a poll is held"),
  promptDeadlineSeconds: setting(
    "AGON_PROMPT_DEADLINE_SECONDS",
    whole(10, 86_400).default(300),
    "time to answer a prompt that names none",
  ),
  resultGraceSeconds: setting(
    "AGON_RESULT_GRACE_SECONDS",
    seconds().default(5),
    "time after the advertised deadline in which a pulled answer still counts",
  ),
  slowdownSeconds: setting(
    "AGON_SLOWDOWN_SECONDS",
    seconds().default(30),
    "first pause of an agent that failed; 0 switches pauses off",
  ),
  slowdownMaxSeconds: setting("AGON_SLOWDOWN_MAX_SECONDS", seconds().default(900), "longest such pause"),
  sweepSeconds: setting("AGON_SWEEP_SECONDS", seconds(0.05).default(5), "rest between two looks for expired tasks"),
  passSeconds: setting("AGON_PASS_SECONDS", seconds(0.05).default(2), "rest between two judging passes"),
  pollBackstopSeconds: setting(
    "AGON_POLL_BACKSTOP_SECONDS",
    seconds(0.05).default(5),
    "how often a parked poll looks for itself, in case a wake-up was lost",
  ),
  pushGapSeconds: setting("AGON_PUSH_GAP_SECONDS", seconds().default(30), "least time between two pushes to an agent"),
  pushInFlight: setting("AGON_PUSH_IN_FLIGHT", whole(1).default(2000), "pushes under way at once per node"),
  pushResponseMaxBytes: setting(
    "AGON_PUSH_RESPONSE_MAX_BYTES",
    whole(1024).default(1_048_576),
    "largest answer of an endpoint that is read",
  ),
  cooldownSeconds: setting(
    "AGON_COOLDOWN_SECONDS",
    seconds().default(60),
    "how long an edgearena-v1 agent gets no task after one that it failed; 0 switches this off",
  ),
  healthSeconds: setting("AGON_HEALTH_SECONDS", seconds(0.1).default(4), "time to answer a health ping"),
  verifySeconds: setting(
    "AGON_VERIFY_SECONDS",
    seconds(0.1).default(5),
    "time to answer the owner's liveness probe, and one before registration",
  ),
  healthActiveSeconds: setting(
    "AGON_HEALTH_ACTIVE_SECONDS",
    seconds(0.05).default(300),
    "time between health pings of an ACTIVE agent",
  ),
  healthDegradedSeconds: setting("AGON_HEALTH_DEGRADED_SECONDS", seconds(0.05).default(60), "the same when DEGRADED"),
  healthProbationSeconds: setting(
    "AGON_HEALTH_PROBATION_SECONDS",
    seconds(0.05).default(60),
    "the same when in PROBATION",
  ),
  pingSeconds: setting("AGON_PING_SECONDS", seconds(0.1).default(15), "time that an endpoint has to answer a ping"),
  probesPerMinute: setting(
    "AGON_PROBES_PER_MINUTE",
    whole(0).default(10),
    "pings an account may ask for in a minute; 0 lifts the limit",
  ),
  probesPerHostHour: setting(
    "AGON_PROBES_PER_HOST_HOUR",
    whole(0).default(30),
    "pings to one host in an hour; 0 lifts the limit",
  ),
  allowPrivateEndpoints: setting(
    "AGON_ALLOW_PRIVATE_ENDPOINTS",
    flag.default(false),
    "agents may be reached at private addresses, and by plain http",
  ),
  deliveriesKept: setting("AGON_DELIVERIES_KEPT", whole(10).default(200), "exchanges kept per agent for its owner"),
  registrationsPerHour: setting(
    "AGON_REGISTRATIONS_PER_HOUR",
    whole(0).default(10),
    "accounts an hour from one address; 0 lifts the limit",
  ),
  votesPerHour: setting(
    "AGON_VOTES_PER_HOUR",
    whole(0).default(60),
    "votes an hour of one judge, and from one address; 0 lifts the limit",
  ),
  pairVotesMax: setting(
    "AGON_PAIR_VOTES_MAX",
    whole(0).default(1000),
    "people's votes on two agents after which judges see others; 0 lifts the limit",
  ),
  votesToClose: setting("AGON_VOTES_TO_CLOSE", whole(1).default(5), "people's votes per answer that close a prompt"),
  daysToClose: setting("AGON_DAYS_TO_CLOSE", z.coerce.number().min(0).max(3650).default(7), "days that close a prompt"),
  poolReserve: setting(
    "AGON_POOL_RESERVE",
    whole(0).default(20),
    "never-answered prompts below which age closes nothing",
  ),
  ratingJudges: setting(
    "AGON_RATING_JUDGES",
    z
      .string()
      .default("account,check")
      .transform((list) => list.split(",").map((kind) => kind.trim()))
      .pipe(z.array(z.enum(["account", "check", "anonymous", "model"])).min(1)),
    "kinds of judges whose votes count, from the first vote on",
  ),
  scoutDeadlineSeconds: setting("AGON_SCOUT_DEADLINE_SECONDS", whole(1, 3600).default(30), "time to scout a candidate"),
  buildDeadlineSeconds: setting("AGON_BUILD_DEADLINE_SECONDS", whole(1, 3600).default(90), "time to build a plan"),
  verifyDeadlineSeconds: setting("AGON_VERIFY_DEADLINE_SECONDS", whole(1, 3600).default(30), "time to verify evidence"),
  critiqueDeadlineSeconds: setting("AGON_CRITIQUE_DEADLINE_SECONDS", whole(1, 3600).default(30), "time to criticise"),
  claimBySeconds: setting(
    "AGON_CLAIM_BY_SECONDS",
    seconds(1).default(15),
    "time after which a task of a run that its agent has not taken goes to another",
  ),
  slotWaitSeconds: setting(
    "AGON_SLOT_WAIT_SECONDS",
    seconds(1).default(120),
    "how long a place in a run waits for a free agent before it is given up",
  ),
  runsPerDay: setting(
    "AGON_RUNS_PER_DAY",
    whole(0).default(5),
    "runs an account may start in a day; 0 lifts the limit",
  ),
  runsOpen: setting("AGON_RUNS_OPEN", whole(0).default(2), "runs an account may have open at once; 0 lifts the limit"),
  newcomerShare: setting(
    "AGON_NEWCOMER_SHARE",
    z.coerce.number().min(0).max(1).default(0.2),
    "share of places in runs that are drawn among agents with few of them so far",
  ),
  launchpadsDir: setting(
    "AGON_LAUNCHPADS_DIR",
    text.optional(),
    "folder with launchpads of your own, beside the shipped ones",
  ),
  houseAgents: setting(
    "AGON_HOUSE_AGENTS",
    flag.default(true),
    "the arena's own agents take places in runs that nobody else can take",
  ),
  houseAfterSeconds: setting(
    "AGON_HOUSE_AFTER_SECONDS",
    seconds(0).default(10),
    "how long a place is kept for agents that could take it but are busy, before the house takes it",
  ),
  houseBaseUrl: setting(
    "AGON_HOUSE_BASE_URL",
    z.url({ protocol: /^https?$/ }).optional(),
    "OpenAI-compatible endpoint of the house agent that asks a model",
  ),
  houseApiKey: setting("AGON_HOUSE_API_KEY", text.optional(), "key for that endpoint"),
  houseModel: setting("AGON_HOUSE_MODEL", text.optional(), "model to ask there; without it the house asks none"),
  judgeBaseUrl: setting(
    "AGON_JUDGE_BASE_URL",
    z.url({ protocol: /^https?$/ }).optional(),
    "OpenAI-compatible endpoint of a model that judges battles",
  ),
  judgeApiKey: setting("AGON_JUDGE_API_KEY", text.optional(), "key for that endpoint"),
  judgeModel: setting("AGON_JUDGE_MODEL", text.optional(), "model to ask there; without it no model judges"),
  judgeVotesPerHour: setting(
    "AGON_JUDGE_VOTES_PER_HOUR",
    whole(0).default(60),
    "battles an hour that the model looks at, two questions each; 0 lifts the limit",
  ),
  ratingRefreshSeconds: setting(
    "AGON_RATING_REFRESH_SECONDS",
    seconds(0.05).default(5),
    "rest between two refreshes of the published ranking",
  ),
  dev: setting("AGON_DEV", flag.default(false), "plain http and loopback endpoints allowed, readable logs"),
} as const;

type Settings = typeof SETTINGS;

/** Every setting, validated, with its default filled in. */
export type Config = { readonly [Name in keyof Settings]: z.output<Settings[Name]["schema"]> };

/** Settings by name, as they come from flags or a test; the same types as in the environment are accepted. */
export type ConfigInput = { readonly [Name in keyof Settings]?: z.input<Settings[Name]["schema"]> | undefined };

/** One or more settings are wrong; `problems` has a line for each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

const NOT_SETTINGS = new Set(["AGON_BASE_URL", "AGON_API_KEY", "AGON_AGENT_ID", "AGON_AGENT_SECRET"]);

/**
 * Reads the settings from flags (which win) and environment variables. Reports every problem at once.
 *
 * @returns the settings and a line of warning for each unknown `AGON_…` name in the environment
 * @throws ConfigError when a value is not of its setting's type
 */
export function loadConfig(
  flags: ConfigInput,
  env: Readonly<Record<string, string | undefined>> = {},
): { config: Config; warnings: string[] } {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, { env: variable, schema }] of Object.entries(SETTINGS)) {
    const given = flags[name as keyof Settings];
    // An empty variable means "not set": that is how compose files and shells pass on what nobody filled in.
    const value = given !== undefined ? given : env[variable]?.trim() || undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) config[name] = parsed.data;
    else problems.push(`${variable}: ${parsed.error.issues.map((issue) => issue.message).join(", ")}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { config: config as Config, warnings: unknownNames(env) };
}

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values(SETTINGS).map((each) => each.env as string);
  return Object.keys(env)
    .filter((name) => name.startsWith("AGON_") && !known.includes(name) && !NOT_SETTINGS.has(name))
    .filter((name) => !name.startsWith("AGON_TEST_"))
    .map((name) => `${name} is not a setting; did you mean ${closest(name, known)}?`);
}
