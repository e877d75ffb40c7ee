import { type ConfigInput, startWholeArena, type WholeArena } from "../../../arena/test/support/whole-arena.ts";
import { staticDir } from "../../static-dir.js";
import { MATERIAL, NAMES } from "./content.ts";

export interface Player {
  id: number;
  name: string;
  secret: string;
  apiKey: string;
}

export interface WebArena extends WholeArena {
  register(): Promise<string>;
  addAgent(
    apiKey: string,
    agent: Record<string, unknown>,
  ): Promise<{ id: number; webhook_secret: string; active: boolean }>;
  /** Fetches work until there is none and answers it; resolves to how much there was. */
  work(player: { id: number; secret: string }, answer: (prompt: string) => string, most?: number): Promise<number>;
  /** One judge looks at battles until there are none, or at as many as they are asked to. */
  judge(apiKey: string, choose: (a: string, b: string) => string, most?: number): Promise<number>;
}

/** An arena with the built pages, on a database in memory, that listens. */
export async function startWebArena(settings: ConfigInput = {}, dump?: Blob): Promise<WebArena> {
  const whole = await startWholeArena(
    {
      registrationsPerHour: 0,
      votesPerHour: 0,
      probesPerMinute: 0,
      probesPerHostHour: 0,
      pushGapSeconds: 0,
      passSeconds: 0.2,
      ...settings,
    },
    { staticDir, dump },
  );
  const { arena } = whole;

  const call = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await arena.app.inject({
      method: method as "GET",
      url: path,
      headers,
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.body}`);
    return answer.statusCode === 204 ? undefined : answer.json();
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  return {
    ...whole,
    register: async () => (await call("POST", "/api/register", {})).api_key,
    addAgent: (apiKey, agent) => call("POST", "/api/agents", bearer(apiKey), agent),
    async work(player, answer, most = 1_000) {
      const headers = { "x-arena-secret": player.secret };
      for (let count = 0; count < most; count += 1) {
        const next = await call("GET", `/api/agents/${player.id}/work/next`, headers);
        if (next === undefined) return count;
        const result = `/api/agents/${player.id}/work/${next.work_id}/result`;
        await call("POST", result, headers, {
          response: answer(next.prompt),
          latency_ms: 400 + ((player.id * 977) % 6_000),
        });
      }
      return most;
    },
    async judge(apiKey, choose, most = 1_000) {
      for (let count = 0; count < most; count += 1) {
        const battle = await call("GET", "/api/judge/next", bearer(apiKey));
        if (battle === undefined) return count;
        const choice = choose(battle.a.response, battle.b.response);
        await call("POST", `/api/judge/${battle.battle_id}/vote`, bearer(apiKey), { choice });
      }
      return most;
    },
  };
}

/** Chance that is the same each time. */
export function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/**
 * A competition that has gone on for a while: agents of different skill, judged by people, with some prompts closed and
 * some open. The first agent's owner is who the tests sign in as.
 */
export async function playCompetition(
  web: WebArena,
  size: { rounds: number; judges: number; agents?: number },
): Promise<Player[]> {
  const chance = createChance(7);
  const gym = ["Say hello.", "Name a colour.", "What is 2 + 2?"].map((prompt) => ({ prompt, category: "gym" }));
  await web.addPrompts("gym", gym);
  const players: Player[] = [];
  for (const [name, , model] of NAMES.slice(0, size.agents ?? NAMES.length)) {
    const apiKey = await web.register();
    const description = name === "meridian" ? "Answers briefly, shows its sums, and says when it does not know." : "";
    const agent = await web.addAgent(apiKey, {
      name,
      mode: "pull",
      model_claimed: model,
      description,
      tools_claimed: name === "meridian" ? ["calculator"] : [],
    });
    players.push({ id: agent.id, name, secret: agent.webhook_secret, apiKey });
  }
  const judges = await Promise.all(Array.from({ length: size.judges }, () => web.register()));
  const worth = new Map<string, number>();
  for (let round = 0; round < size.rounds; round += 1) {
    const prompts = MATERIAL.map(({ prompt, category }) => ({
      prompt: round === 0 ? prompt : `${prompt} (${round + 1})`,
      category,
    }));
    await web.addPrompts("main", prompts);
    for (const [index, player] of players.entries()) {
      const skill = NAMES[index]?.[1] ?? 0.5;
      await web.work(player, (prompt) => {
        const material = MATERIAL.find((each) => prompt.startsWith(each.prompt));
        const quality = Math.min(0.99, Math.max(0, skill + (chance() - 0.5) * 0.7));
        const grade = quality > 0.62 ? 0 : quality > 0.3 ? 1 : 2;
        const text = material ? `${material.answers[grade]}${" ".repeat(index)}` : "Hello, blue, 4.";
        worth.set(text.trim() + prompt, quality);
        return text;
      });
    }
    await web.arena.passes.judge();
    for (const judge of judges) {
      await web.judge(judge, (a, b) => {
        const value = (text: string) =>
          Math.max(
            0,
            ...[...worth]
              .filter(([key]) => key.startsWith(text.trim()))
              .map(([, each]) => each)
              .slice(0, 1),
          ) +
          (chance() - 0.5) * 0.4;
        const gap = value(a) - value(b);
        if (Math.abs(gap) < 0.06) return chance() < 0.2 ? "both_bad" : "tie";
        return gap > 0 ? "a" : "b";
      });
    }
    if (round < size.rounds - 1) await web.arena.passes.close();
  }
  return players;
}
