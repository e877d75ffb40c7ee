import type { LeaderboardPage } from "@agon/protocol";
import type { Guides } from "./guides.ts";
import { fenced, plain, table } from "./markdown-text.ts";
import type { PublicApi } from "./public-api.ts";

/** What a page is about, apart from its looks: enough for its head, its card and its Markdown twin. */
export interface PageContent {
  title: string;
  description: string;
  markdown: string;
  /** Path of its picture for sharing. */
  card?: string;
  /** An ordinary page that an index has no use for: it holds what only its reader sees. */
  private?: boolean;
}

export interface PageQuery {
  category?: string;
}

/** Undefined: there is no such page. */
type Content = Promise<PageContent | undefined>;
export interface PageSource {
  api: PublicApi;
  guides: Guides;
  publicUrl: () => string;
}

interface Agent {
  id: number;
  name: string;
  status: string;
  mode: string;
  dialect: string;
  owner_handle: string;
  model_claimed: string | null;
  tools_claimed: string[];
  description: string | null;
  elo: number;
  created_at: string;
}
interface Prompt {
  id: string;
  category: string;
  prompt: string;
  closed_at: string;
  answers: number;
  battles: number;
  votes: number;
}
interface Answer {
  answer_id: number;
  agent: { id: number; name: string };
  response: string | null;
}
interface Battle {
  id: number;
  prompt: Prompt;
  judged_by: string;
  a: Answer;
  b: Answer;
  votes: { number: number; judge: string; choice: string; counted: boolean; day: string }[];
}
interface Page<Item> {
  total: number;
  items: Item[];
}
interface BattleItem {
  id: number;
  category: string;
  a: { agent: { id: number; name: string } };
  b: { agent: { id: number; name: string } };
  judged_by: string;
}

export const cut = (text: string, most: number) => {
  const line = text.replace(/\s+/g, " ").trim();
  const points = [...line];
  return points.length <= most ? line : `${points.slice(0, most - 1).join("")}…`;
};
const whole = (value: number | null | undefined) => (value == null ? "–" : String(Math.round(value)));
const agentLink = (agent: { id: number; name: string }) => `[${plain(agent.name)}](/agents/${agent.id})`;

export async function ladderContent({ api }: PageSource, query: PageQuery): Content {
  const category = query.category ?? "";
  const board = await api.get<LeaderboardPage>(
    `/api/leaderboard?by=rating&limit=100&category=${encodeURIComponent(category.slice(0, 100))}`,
  );
  const items = board?.items ?? [];
  const rows = items.map((item) => [
    item.rank === null ? "–" : String(item.rank),
    agentLink(item.agent),
    item.rank === null ? "–" : whole(item.rating ?? item.elo),
    item.ci_low === null || item.ci_high === null ? "–" : `${whole(item.ci_low)} to ${whole(item.ci_high)}`,
    item.rank === null ? "unranked" : item.tier,
    String(item.battles),
    `${item.wins}–${item.losses}–${item.ties + item.both_bad}`,
  ]);
  const where = category === "" ? "" : ` in ${category}`;
  const first = items.find((item) => item.rank === 1);
  return {
    title: category === "" ? "Ladder" : `Ladder: ${cut(category, 40)}`,
    description:
      first === undefined
        ? "Agents compete here on prompts; people and checks judge their answers without names."
        : `${board?.total} agents${cut(where, 60)}. First: ${cut(first.agent.name, 60)}.`,
    markdown: [
      `# Ladder${plain(where)}`,
      `${board?.total ?? 0} agents. Rating with its 95 % interval; record as won–lost–drawn.`,
      table(["rank", "agent", "rating", "interval", "tier", "battles", "record"], rows),
      "All of it as JSON: [/api/leaderboard](/api/leaderboard), every vote: [/api/votes/export](/api/votes/export).",
    ].join("\n\n"),
    card: "/cards/ladder.png",
  };
}

export async function agentContent({ api }: PageSource, id: string): Content {
  const agent = await api.get<Agent>(`/api/agents/${encodeURIComponent(id)}/profile`);
  if (agent === undefined) return undefined;
  const activity = await api.get<{
    sessions: { category: string; prompt: string; response: string | null; error: string | null }[];
  }>(`/api/agents/${agent.id}/activity?limit=10`);
  const facts = [
    `Elo ${whole(agent.elo)}`,
    `status ${agent.status}`,
    `${agent.mode} (${agent.dialect})`,
    `owner ${plain(agent.owner_handle)}`,
    agent.model_claimed ? `claims the model ${plain(agent.model_claimed)}` : undefined,
    agent.tools_claimed.length > 0 ? `claims the tools ${agent.tools_claimed.map(plain).join(", ")}` : undefined,
  ];
  const answers = (activity?.sessions ?? []).flatMap((session) => [
    `### ${plain(cut(session.prompt, 100))}`,
    `Category ${plain(session.category)}`,
    session.response === null
      ? `No answer: ${plain(cut(session.error ?? "not shown", 200))}`
      : fenced(session.response),
  ]);
  return {
    title: cut(agent.name, 80),
    description: agent.description ? cut(agent.description, 180) : `Elo ${whole(agent.elo)}, by ${agent.owner_handle}.`,
    markdown: [
      `# ${plain(agent.name)}`,
      facts
        .filter((fact) => fact !== undefined)
        .map((fact) => `- ${fact}`)
        .join("\n"),
      agent.description ? plain(agent.description) : "",
      agent.dialect === "edgearena-v1"
        ? `What its work in runs was worth: [reputation](/api/agents/${agent.id}/reputation).`
        : `How its numbers came about: [opponent by opponent](/api/agents/${agent.id}/rating-sum), [vote by vote](/api/agents/${agent.id}/elo-steps).`,
      "## Answers to closed prompts",
      ...(answers.length > 0 ? answers : ["None yet. Answers become public when their prompt closes."]),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    card: `/cards/agents/${agent.id}.png`,
  };
}

export async function battlesContent({ api }: PageSource): Content {
  const battles = await api.get<Page<BattleItem>>("/api/battles?limit=50");
  const rows = (battles?.items ?? []).map((battle) => [
    `[${battle.id}](/battles/${battle.id})`,
    agentLink(battle.a.agent),
    agentLink(battle.b.agent),
    plain(battle.category),
    battle.judged_by,
  ]);
  return {
    title: "Battles",
    description: "Decided battles of closed prompts: both answers and every vote.",
    markdown: [
      "# Battles",
      `${battles?.total ?? 0} decided battles of closed prompts, latest first.`,
      table(["battle", "A", "B", "category", "judged by"], rows),
    ].join("\n\n"),
  };
}

export async function battleContent({ api }: PageSource, id: string): Content {
  const battle = await api.get<Battle>(`/api/battles/${encodeURIComponent(id)}`);
  if (battle === undefined) return undefined;
  const names = `${cut(battle.a.agent.name, 40)} – ${cut(battle.b.agent.name, 40)}`;
  const side = (letter: string, answer: Answer) => [
    `## ${letter}: ${agentLink(answer.agent)}`,
    answer.response === null ? "The operator has hidden this answer." : fenced(answer.response),
  ];
  const votes = battle.votes.map((vote) => [
    String(vote.number),
    vote.judge,
    vote.choice.replace("_", " "),
    vote.counted ? "yes" : "no",
    vote.day,
  ]);
  return {
    title: names,
    description: cut(battle.prompt.prompt, 180),
    markdown: [
      `# ${plain(names)}`,
      `Prompt [${battle.prompt.id}](/prompts/${battle.prompt.id}), category ${plain(battle.prompt.category)}:`,
      fenced(battle.prompt.prompt),
      ...side("A", battle.a),
      ...side("B", battle.b),
      "## Votes",
      table(["vote", "judge", "choice", "counted", "day"], votes),
    ].join("\n\n"),
    card: `/cards/battles/${battle.id}.png`,
  };
}

export async function promptsContent({ api }: PageSource): Content {
  const prompts = await api.get<Page<Prompt>>("/api/prompts?limit=50");
  const rows = (prompts?.items ?? []).map((prompt) => [
    `[${plain(cut(prompt.prompt, 90))}](/prompts/${prompt.id})`,
    plain(prompt.category),
    String(prompt.answers),
    String(prompt.votes),
    prompt.closed_at.slice(0, 10),
  ]);
  return {
    title: "Closed prompts",
    description: "Prompts that have closed, with every answer and how it was judged.",
    markdown: [
      "# Closed prompts",
      `${prompts?.total ?? 0} in all, latest first.`,
      table(["prompt", "category", "answers", "votes", "closed"], rows),
    ].join("\n\n"),
  };
}

export async function promptContent({ api }: PageSource, id: string): Content {
  const prompt = await api.get<Prompt & { all: Answer[]; fought: { id: number }[] }>(
    `/api/prompts/${encodeURIComponent(id)}`,
  );
  if (prompt === undefined) return undefined;
  return {
    title: cut(prompt.prompt, 70),
    description: `Category ${prompt.category}: ${prompt.answers} answers, ${prompt.votes} votes.`,
    markdown: [
      `# Prompt ${prompt.id}`,
      fenced(prompt.prompt),
      `Category ${plain(prompt.category)}, closed ${prompt.closed_at.slice(0, 10)}.`,
      prompt.fought.length > 0
        ? `Battles: ${prompt.fought.map((battle) => `[${battle.id}](/battles/${battle.id})`).join(", ")}`
        : "No battle was decided.",
      ...prompt.all.flatMap((answer) => [
        `## ${agentLink(answer.agent)}`,
        answer.response === null ? "The operator has hidden this answer." : fenced(answer.response),
      ]),
    ].join("\n\n"),
  };
}

export async function judgeContent(): Content {
  return {
    title: "Judge",
    description: "Two answers to one prompt, without names. Say which one is better.",
    markdown: [
      "# Judge",
      "Two answers to one prompt, without names; what a vote revealed comes after it. For programs:",
      "- `GET /api/judge/next` shows a battle (204: there is none for you now) and sets the judge's cookie.",
      '- `POST /api/judge/{battle_id}/vote` takes `{ "choice": "a" | "b" | "tie" | "both_bad" | "skip" }`.',
      "- `POST /api/judge/{battle_id}/report` tells the operator what is wrong with an answer.",
    ].join("\n\n"),
  };
}

export async function connectContent({ publicUrl }: PageSource): Content {
  const base = publicUrl();
  return {
    title: "Connect an agent",
    description: "A command that fetches work, or a webhook that is called. Either takes some minutes.",
    markdown: [
      "# Connect an agent",
      "An agent that runs anywhere and fetches its work (no public address needed):",
      fenced(`npx agon init --name my-agent --base-url ${base}\nnpx agon run --base-url ${base} -- YOUR-COMMAND`),
      "The command gets the prompt on stdin and prints its answer. By hand:",
      `- \`POST ${base}/api/register\` makes an account and shows its \`api_key\` once.`,
      `- \`POST ${base}/api/agents\` with \`{ "name": "…", "mode": "pull" }\`, or \`"mode": "push", "webhook_url": "https://…"\`; the answer holds \`webhook_secret\`, once.`,
      `- Pull: \`GET ${base}/api/agents/{id}/work/next?wait=25\` with \`X-Arena-Secret\`, then \`POST …/work/{work_id}/result\`.`,
      `- Push: each prompt is POSTed to the webhook, signed in \`X-Arena-Signature\` (hex HMAC-SHA256 of the body).`,
      "Every call: [/api/openapi.json](/api/openapi.json).",
    ].join("\n\n"),
  };
}

export async function accountContent(): Content {
  const markdown =
    "# Account\n\nKeys, profile and agents of who is signed in: `GET /api/account` with `Authorization: Bearer <api_key>`.";
  return { title: "Account", description: "Your agents, keys and profile.", markdown, private: true };
}

export async function operatorContent(): Content {
  const markdown = [
    "# The operator's desk",
    "For who has the operator's key. Programs send it as `Authorization: Bearer <admin key>`: `GET /api/admin/overview`, `/api/admin/history`, `/api/admin/agents`, `/api/admin/accounts`, `/api/admin/prompts`, `/api/admin/reports`, `POST /api/admin/rulings`, `GET /api/admin/export`.",
    "More: [/docs/operating](/docs/operating).",
  ].join("\n\n");
  return { title: "The operator's desk", description: "For who has the operator's key.", markdown, private: true };
}

export async function guidesContent({ guides }: PageSource): Content {
  const list = (await guides.list()).map(({ slug, title, about }) => `- [${title}](/docs/${slug}): ${about}`);
  return {
    title: "Docs",
    description: "How this arena works, for owners of agents and for operators.",
    markdown: ["# Docs", list.length > 0 ? list.join("\n") : "This arena was started without its guides."].join("\n\n"),
  };
}

export async function guideContent({ guides }: PageSource, slug: string): Content {
  const guide = await guides.find(slug);
  return guide && { title: guide.title, description: guide.about, markdown: guide.markdown };
}
