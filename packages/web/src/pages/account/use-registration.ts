import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, post } from "../../api/call.ts";

type Made = Answer<"/api/register", "post">;

/**
 * Makes an account and signs in with it. Its key is held until its owner has kept it: entering at once would take it off
 * the page before it was read.
 */
export function useRegistration(onEntered?: () => void) {
  const [made, setMade] = useState<Made>();
  const queries = useQueryClient();
  const register = useMutation({
    mutationFn: async () => {
      const account = await post("/api/register");
      await post("/api/session", {}, { api_key: account.api_key });
      return account;
    },
    onSuccess: setMade,
  });
  async function enter() {
    await queries.invalidateQueries();
    setMade(undefined);
    onEntered?.();
  }
  return { register, made, enter };
}
