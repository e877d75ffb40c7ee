/** Answers by name, the latest of them. */
export interface AnswerMemory {
  get(name: string): string | undefined;
  set(name: string, response: string): void;
}

/**
 * Makes an empty {@link AnswerMemory} that forgets the oldest when there are more than `maxAnswers`, or when all together
 * are longer than `maxCharacters`: answers come in any length, so a count alone bounds nothing.
 */
export function createAnswerMemory(maxAnswers: number, maxCharacters: number): AnswerMemory {
  const answers = new Map<string, string>();
  let characters = 0;
  const forget = (name: string) => {
    characters -= answers.get(name)?.length ?? 0;
    answers.delete(name);
  };
  return {
    get: (name) => answers.get(name),
    set(name, response) {
      forget(name);
      answers.set(name, response);
      characters += response.length;
      while (answers.size > maxAnswers || characters > maxCharacters) forget(answers.keys().next().value as string);
    },
  };
}
