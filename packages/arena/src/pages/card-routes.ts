import { type LeaderboardPage, ProblemError } from "@agon/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { canDraw, drawableText } from "./card-letters.ts";
import { createCardPainter } from "./card-png.ts";
import { runCard } from "./card-run.ts";
import { agentCard, battleCard, type CardRating, ladderCard } from "./card-svg.ts";
import type { PublicApi } from "./public-api.ts";

type Item = LeaderboardPage["items"][number];
interface Profile {
  id: number;
  name: string;
  owner_handle: string;
  description: string | null;
  elo: number;
}
interface Battle {
  prompt: { prompt: string; category: string };
  a: { agent: { id: number; name: string } };
  b: { agent: { id: number; name: string } };
  tally: { a: number; b: number; tie: number; both_bad: number };
}

interface Run {
  goal: string;
  status: string;
  launchpad: { title: string };
  winner_id: string | null;
  ranking: { rank: number; candidate_id: string; title: string; score: number }[];
  candidates: { id: string; number: number }[];
  cost: { tasks: number };
}
const RUN_FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(svg|png)$/i;

/** Pictures that come with a shared link, as SVG and PNG, of the same answers that the pages show. */
export function addCardRoutes(app: FastifyInstance, api: PublicApi): void {
  const painter = createCardPainter();
  app.addHook("onClose", () => painter.stop());
  const hidden = { config: { auth: "public" as const }, schema: { hide: true } };

  app.get("/cards/ladder.:format", hidden, async (request, reply) => {
    const board = await api.get<LeaderboardPage>("/api/leaderboard?by=rating&limit=6");
    return send(reply, formatOf(request.params), ladderCard((board?.items ?? []).map(toRating), board?.total ?? 0));
  });
  app.get("/cards/agents/:file", hidden, async (request, reply) => {
    const { id, format } = parseFile(request.params);
    const agent = await api.get<Profile>(`/api/agents/${id}/profile`);
    if (agent === undefined) throw new ProblemError("not_found", `no agent has the id ${id}`);
    const item = await findItem(agent.id);
    const rating: CardRating =
      item === undefined
        ? { name: drawable(agent.name, agent.id), rating: undefined, low: undefined, high: undefined, rank: undefined }
        : toRating(item);
    const facts = {
      owner: drawableText(agent.owner_handle) ?? "its owner",
      tier: item === undefined || item.rank === null ? "unranked" : item.tier,
      record: item === undefined ? "no battle yet" : `${item.wins} won, ${item.losses} lost of ${item.battles}`,
      description: drawableText(agent.description ?? "") ?? "",
    };
    return send(reply, format, agentCard(rating, facts));
  });
  app.get("/cards/battles/:file", hidden, async (request, reply) => {
    const { id, format } = parseFile(request.params);
    const battle = await api.get<Battle>(`/api/battles/${id}`);
    if (battle === undefined) throw new ProblemError("not_found", `there is no battle ${id} to be read`);
    const { a, b, prompt, tally } = battle;
    return send(
      reply,
      format,
      battleCard({
        a: drawable(a.agent.name, a.agent.id),
        b: drawable(b.agent.name, b.agent.id),
        category: drawableText(prompt.category) ?? "",
        prompt: drawableText(prompt.prompt) ?? "Two answers to one prompt.",
        tally,
      }),
    );
  });

  app.get("/cards/runs/:file", hidden, async (request, reply) => {
    const [, id, format] = RUN_FILE.exec((request.params as { file: string }).file) ?? [];
    const run = id && (await api.get<Run>(`/api/runs/${id.toLowerCase()}`));
    if (!run) throw new ProblemError("not_found", "a run's card is at /cards/runs/, its id, and .svg or .png");
    const places = run.ranking.map(({ candidate_id, rank, score, title }) => {
      const number = run.candidates.find((candidate) => candidate.id === candidate_id)?.number;
      return {
        rank,
        score,
        title: drawableText(title) ?? `candidate ${number}`,
        isWinner: candidate_id === run.winner_id,
      };
    });
    const card = {
      goal: drawableText(run.goal) ?? `A run: ${run.launchpad.title}`,
      launchpad: run.launchpad.title,
      status: run.status,
      places,
      candidates: run.candidates.length,
      tasks: run.cost.tasks,
    };
    return send(reply, format as "svg" | "png", runCard(card));
  });

  /** The agent's line, when it is among the first hundred; further down a card names no rank. */
  async function findItem(agentId: number): Promise<Item | undefined> {
    const board = await api.get<LeaderboardPage>("/api/leaderboard?by=rating&limit=100");
    return board?.items.find((item) => item.agent.id === agentId);
  }

  async function send(reply: FastifyReply, format: "svg" | "png", svg: string) {
    reply.header("cache-control", "public, max-age=300");
    if (format === "svg") return reply.type("image/svg+xml; charset=utf-8").send(svg);
    const png = painter.paint(svg);
    if (png === undefined) {
      throw new ProblemError("unavailable", "too many pictures are being drawn", { headers: { "retry-after": "5" } });
    }
    return reply.type("image/png").send(await png);
  }
}

/** A name in its own letters where the cards have them all. */
function drawable(name: string, id: number): string {
  return canDraw(name) ? name : `agent #${id}`;
}

function parseFile(params: unknown): { id: number; format: "svg" | "png" } {
  const [, id, format] = /^([1-9]\d{0,9})\.(svg|png)$/.exec((params as { file: string }).file) ?? [];
  if (id === undefined) throw new ProblemError("not_found", "a card's address ends with a number and .svg or .png");
  return { id: Number(id), format: format as "svg" | "png" };
}

function formatOf(params: unknown): "svg" | "png" {
  const { format } = params as { format: string };
  if (format !== "svg" && format !== "png") throw new ProblemError("not_found", "cards are there as .svg and .png");
  return format;
}

function toRating(item: Item): CardRating {
  return {
    name: drawable(item.agent.name, item.agent.id),
    rating: item.rank === null ? undefined : (item.rating ?? item.elo),
    low: item.ci_low ?? undefined,
    high: item.ci_high ?? undefined,
    rank: item.rank ?? undefined,
  };
}
