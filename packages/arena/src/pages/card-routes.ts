import { type LeaderboardPage, ProblemError } from "@agon/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import { createCardPainter } from "./card-png.ts";
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
      owner: agent.owner_handle,
      tier: item === undefined || item.rank === null ? "unranked" : item.tier,
      record: item === undefined ? "no battle yet" : `${item.wins} won, ${item.losses} lost of ${item.battles}`,
      description: agent.description ?? "",
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
        category: prompt.category,
        prompt: prompt.prompt,
        tally,
      }),
    );
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

/** The faces of the cards are Latin; what they have no letters for would come out as boxes. */
function drawable(name: string, id: number): string {
  return /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u.test(name) &&
    !/\p{Extended_Pictographic}/u.test(name)
    ? name
    : `agent #${id}`;
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
