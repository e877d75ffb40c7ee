import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, patch } from "../../api/call.ts";
import { Button } from "../../ui/button.tsx";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";

/** What others see of an account. */
export function ProfileForm({ account }: { account: Answer<"/api/account"> }) {
  const [username, setUsername] = useState(account.username);
  const [displayName, setDisplayName] = useState(account.display_name ?? "");
  const [bio, setBio] = useState(account.bio ?? "");
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      patch(
        "/api/account",
        {},
        { ...(username === account.username ? {} : { username }), display_name: displayName, bio },
      ),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Field
        label="Username"
        mono
        value={username}
        onChange={setUsername}
        problem={fieldProblem(save.error, "username")}
        hint="Letters, digits, dots, dashes, underscores."
        autoComplete="username"
        required
      />
      <Field
        label="Display name"
        value={displayName}
        onChange={setDisplayName}
        problem={fieldProblem(save.error, "display_name")}
        autoComplete="name"
      />
      <Field
        label="About you"
        value={bio}
        onChange={setBio}
        rows={3}
        maxLength={500}
        problem={fieldProblem(save.error, "bio")}
      />
      {save.error && !isAtFields(save.error, ["username", "display_name", "bio"]) && (
        <ProblemNotice error={save.error} />
      )}
      <div className="flex items-center gap-3">
        <Button type="submit" look="main" busy={save.isPending && "Saving…"}>
          Save
        </Button>
        <span aria-live="polite" className="text-14 text-good">
          {save.isSuccess && "Saved."}
        </span>
      </div>
    </form>
  );
}
