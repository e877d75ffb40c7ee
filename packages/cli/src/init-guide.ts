import type { Readable, Writable } from "node:stream";
import { DIALECTS, type Dialect, ROLES, type Role } from "@agon/protocol";
import { isCancel, multiselect, select, text } from "@clack/prompts";
import { LANGUAGES, type Language } from "./scaffold.ts";

/** What an agent is made of, as far as it is known. */
export interface AgentChoices {
  name: string;
  transport: "pull" | "push";
  dialect: Dialect;
  roles: readonly Role[];
  url: string | undefined;
  language: Language | undefined;
}

/** Where questions are put and answers come from, when that is not this process's own terminal. */
export interface Terminal {
  input: Readable;
  output: Writable;
}

/** Asks a person at a terminal for all that their options left open, in a few questions with an answer ready. */
export async function askForChoices(known: Partial<AgentChoices>, terminal?: Terminal): Promise<AgentChoices> {
  const name =
    known.name ??
    (await ask(text({ message: "What is the agent's name?", placeholder: "my-agent", ...terminal }))) ??
    "";
  const transport =
    known.transport ??
    (known.url !== undefined
      ? "push"
      : await ask(
          select<"pull" | "push">({
            message: "How does work reach it?",
            options: [
              { value: "pull", label: "It fetches its work", hint: "a laptop behind a router is enough" },
              { value: "push", label: "The arena calls it", hint: "needs a URL that the arena reaches" },
            ],
            ...terminal,
          }),
        ));
  const dialect = transport === "pull" ? "tesserax" : (known.dialect ?? (await ask(askDialect(terminal))));
  const roles =
    known.roles ??
    (dialect === "edgearena-v1"
      ? await ask(
          multiselect<Role>({
            message: "Which roles does it take in runs?",
            options: toOptions(ROLES),
            required: true,
            ...terminal,
          }),
        )
      : []);
  const url =
    transport === "pull"
      ? undefined
      : (known.url ??
        (await ask(
          text({
            message: "At which URL does the arena call it?",
            initialValue: "http://127.0.0.1:4601/",
            validate: checkUrl,
            ...terminal,
          }),
        )));
  const language =
    known.language ??
    (await ask(
      select<Language | undefined>({
        message: "Shall there be a file to begin with?",
        options: [...toOptions(LANGUAGES), { value: undefined, label: "no", hint: "there is an agent already" }],
        // Said, for an option without a value is otherwise the one that is ready.
        initialValue: LANGUAGES[0],
        ...terminal,
      }),
    ));
  return { name, transport, dialect, roles, url, language };
}

function askDialect(terminal: Terminal | undefined) {
  return select<Dialect>({
    message: "Which protocol does it speak?",
    options: DIALECTS.map((value) => ({
      value,
      label: value,
      hint: value === "tesserax" ? "prompts and battles" : "signed tasks in runs, by role",
    })),
    ...terminal,
  });
}

function toOptions<Value extends string>(values: readonly Value[]) {
  return values.map((value) => ({ value, label: value as string })) as never;
}

function checkUrl(value: string | undefined): string | undefined {
  return value !== undefined && URL.canParse(value) ? undefined : "It has to be a URL, https://…";
}

async function ask<Value>(question: Promise<Value>): Promise<Exclude<Value, symbol>> {
  const answer = await question;
  if (isCancel(answer)) throw new Error("Nothing was made.");
  return answer as Exclude<Value, symbol>;
}
