import { requestArena } from "@agon/agent";
import { registerResponseSchema } from "@agon/protocol";

/** Opens an account as anybody would. Resolves to its key. */
export async function createDemoAccount(baseUrl: string): Promise<string> {
  const { body } = await requestArena({ baseUrl, path: "/api/register", method: "POST" });
  return registerResponseSchema.pick({ api_key: true }).parse(body).api_key;
}
