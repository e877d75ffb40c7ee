import type { Answer } from "../../api/call.ts";

/** An agent as everybody sees it. */
export type Profile = Answer<"/api/agents/{agent_id}/profile">;
