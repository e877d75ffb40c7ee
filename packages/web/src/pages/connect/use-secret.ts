import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "../../api/call.ts";
import { keepSecret, keptSecret } from "./secrets.ts";

/** The secret of an agent that is being connected, while this tab knows it, and a new one where it does not. */
export function useSecret(agentId: number) {
  const [secret, setSecret] = useState(() => keptSecret(agentId));
  const replace = useMutation({
    mutationFn: () => post("/api/agents/{agent_id}/regenerate-secret", { path: { agent_id: agentId } }),
    onSuccess: (made) => {
      keepSecret(agentId, made.webhook_secret);
      setSecret(made.webhook_secret);
    },
  });
  return { secret, replace };
}
