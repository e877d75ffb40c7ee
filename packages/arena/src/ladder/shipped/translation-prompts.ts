import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "translation";

export const translationPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-translation-01",
    category,
    prompt: text`
      Translate these texts of a program into French. What stands in braces is filled in later and has to stay
      exactly as it is; the tags <b> and </b> stay too.

      Hello {name}, you have {count} new messages.
      Your file <b>{file}</b> could not be saved.
      Try again in {seconds} seconds.

      Reply with the three translated lines in the same order, and nothing else.
    `,
    check: {
      kind: "contains",
      all: ["{name}", "{count}", "<b>{file}</b>", "{seconds}", "secondes", "messages"],
      none: ["Hello", "could not", "Try again"],
      ignore_case: true,
    },
    reference:
      "Bonjour {name}, vous avez {count} nouveaux messages.\nVotre fichier <b>{file}</b> n'a pas pu être enregistré.\nRéessayez dans {seconds} secondes.",
  },
  {
    external_id: "agon-translation-02",
    category,
    prompt: text`
      Translate this German message into English that a friend would write. Below the translation, explain in
      one line each how you rendered the three expressions that cannot be translated word for word.

      "Na, du Nachteule! Das mit gestern Abend tut mir leid, ich stand total auf dem Schlauch. Klar komme ich
      am Samstag mit, das lass ich mir doch nicht entgehen. Nur mit dem Auto wird's nichts, das hat den Geist
      aufgegeben, und die Werkstatt meldet sich nicht. Soll ich was zu essen mitbringen, oder macht ihr wieder
      Nudelsalat für eine ganze Kompanie? Grüß mir deine Schwester, und sag ihr, ich drücke die Daumen!"
    `,
    reference:
      "auf dem Schlauch stehen: to be slow on the uptake; den Geist aufgeben: to give up the ghost; Daumen drücken: fingers crossed.",
  },
  {
    external_id: "agon-translation-03",
    category,
    prompt: text`
      Here are four lines in Spanish:

      Llegó la lluvia sin llamar a la puerta,
      mojó los libros que nadie leía,
      y en cada página, medio despierta,
      una palabra volvió a ser mía.

      Translate them into English twice: once as literally as possible, line by line, and once as a poem that
      keeps the rhyme scheme. Then name, in two sentences, what the second version had to give up.
    `,
  },
];
