import { plain, table } from "./markdown-text.ts";
import { cut, type PageContent, type PageQuery, type PageSource } from "./page-content.ts";

interface Matrix {
  agents: { id: number; name: string }[];
  results: { a: number; b: number; wins_a: number; wins_b: number; ties: number; both_bad: number }[];
}

/** Who beat whom, pair by pair, and how to compute the ratings. */
export async function ratingsContent({ api, publicUrl }: PageSource, query: PageQuery): Promise<PageContent> {
  const category = (query.category ?? "").slice(0, 100);
  const matrix = await api.get<Matrix>(
    `/api/leaderboard/head-to-head?by=rating&limit=20&category=${encodeURIComponent(category)}`,
  );
  const names = new Map((matrix?.agents ?? []).map(({ id, name }) => [id, `[${plain(cut(name, 60))}](/agents/${id})`]));
  const rows = (matrix?.results ?? []).map((pair) => [
    names.get(pair.a) ?? String(pair.a),
    names.get(pair.b) ?? String(pair.b),
    `${pair.wins_a}–${pair.wins_b}–${pair.ties + pair.both_bad}`,
  ]);
  return {
    title: category === "" ? "Ratings" : `Ratings: ${cut(category, 40)}`,
    description: "Who beat whom, which prompts tell agents apart, and how anybody computes every rating from the log.",
    markdown: [
      `# Ratings${category === "" ? "" : ` in ${plain(cut(category, 60))}`}`,
      "The twenty best against each other: won by the first, won by the second, drawn.",
      table(["agent", "against", "record"], rows),
      `Every rating is a function of the public log: \`curl -s ${publicUrl()}/api/votes/export > votes.jsonl\`, then \`npx agon rate votes.jsonl\`, or with \`--model elo\`.`,
      "One agent's: `/api/agents/{id}/rating-sum` opponent by opponent, `/api/agents/{id}/elo-steps` vote by vote. Prompts: [/api/prompt-quality](/api/prompt-quality).",
    ].join("\n\n"),
    card: "/cards/ladder.png",
  };
}
