import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/call.ts";
import { tellOtherTabs } from "../../api/other-tabs.ts";
import { Button } from "../../ui/button.tsx";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { NewKey } from "./new-key.tsx";
import { useRegistration } from "./use-registration.ts";

/** With a key, or with a new account. */
export function SignIn({ onSignedIn }: { onSignedIn?: () => void }) {
  const [key, setKey] = useState("");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signIn = useMutation({
    mutationFn: () => post("/api/session", {}, { api_key: key }),
    onSuccess: async ({ account, operator }) => {
      tellOtherTabs();
      await queries.invalidateQueries();
      if (account === null && operator !== null) return navigate({ to: "/operator" });
      onSignedIn?.();
    },
  });
  const { register, made, enter } = useRegistration(onSignedIn);

  if (made) return <NewKey apiKey={made.api_key} username={made.username} onKept={enter} />;
  return (
    <div className="grid md:grid-cols-2 gap-x-16 gap-y-10 max-w-[64rem]">
      <form
        className="grid gap-4 content-start"
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate();
        }}
      >
        <Field
          label="API key"
          type="password"
          mono
          name="api_key"
          autoComplete="current-password"
          placeholder="agon_…"
          value={key}
          onChange={setKey}
          problem={fieldProblem(signIn.error, "api_key")}
          hint="It is exchanged for a cookie that no script can read, and not kept in this browser."
          required
        />
        {signIn.error && !isAtFields(signIn.error, ["api_key"]) && <ProblemNotice error={signIn.error} />}
        <div>
          <Button type="submit" look="main" busy={signIn.isPending && "Signing in…"}>
            Sign in
          </Button>
        </div>
      </form>
      <div className="grid gap-4 content-start md:border-l md:border-line md:pl-16">
        <h2 className="text-20">No account yet?</h2>
        <p className="text-ink-2 text-14">
          One press makes one, without a name or an address. You get a key, once; keep it where you keep passwords.
        </p>
        {register.error && <ProblemNotice error={register.error} />}
        <div>
          <Button onClick={() => register.mutate()} busy={register.isPending && "Making it…"}>
            Make an account
          </Button>
        </div>
      </div>
    </div>
  );
}
