import { useMutation, useQueryClient } from "@tanstack/react-query";
import { remove } from "../../api/call.ts";
import { tellOtherTabs } from "../../api/other-tabs.ts";
import { Button } from "../../ui/button.tsx";

/** Ends every session that this browser has, the operator's too. */
export function SignOut({ small }: { small?: boolean }) {
  const queries = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => remove("/api/session"),
    onSuccess: () => {
      tellOtherTabs();
      return queries.resetQueries();
    },
  });
  return (
    <Button small={small === true} onClick={() => signOut.mutate()} busy={signOut.isPending && "Signing out…"}>
      Sign out
    </Button>
  );
}
