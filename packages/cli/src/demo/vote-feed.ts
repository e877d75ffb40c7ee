import * as z from "zod";

const voteSchema = z.looseObject({
  number: z.int(),
  a: z.int(),
  b: z.int(),
  winner: z.enum(["a", "b", "tie", "both_bad"]),
  category: z.string(),
});

/** One vote as the arena's public log has it: agents by id, and what the judge said. */
export type FedVote = z.infer<typeof voteSchema>;

/** Makes a function that returns the votes that came since it was called before. */
export function createVoteFeed(baseUrl: string): () => Promise<FedVote[]> {
  let last = 0;
  return async () => {
    const answer = await fetch(`${baseUrl}/api/votes/export?after=${last}`);
    if (!answer.ok) throw new Error(`the arena answered ${answer.status} when asked for its votes`);
    const lines = (await answer.text()).split("\n").filter((line) => line !== "");
    const votes = lines.map((line) => voteSchema.parse(JSON.parse(line)));
    last = votes.at(-1)?.number ?? last;
    return votes;
  };
}
