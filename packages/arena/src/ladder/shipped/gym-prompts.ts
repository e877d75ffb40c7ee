import type { ShippedPrompt } from "./shipped-prompt.ts";

/** Smoke prompts: they show that words, numbers, structure, lines and other scripts survive the way there and back. */
export const gymPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-gym-1",
    category: "gym",
    prompt: "Reply with this one word and nothing else: ready",
    reference: "ready",
  },
  {
    external_id: "agon-gym-2",
    category: "gym",
    prompt: "What is 19 + 23? Reply with the number alone.",
    reference: "42",
  },
  {
    external_id: "agon-gym-3",
    category: "gym",
    prompt: 'Reply with a JSON object that has one field, "status", whose value is the string "ok". No other text.',
    reference: '{"status":"ok"}',
  },
  {
    external_id: "agon-gym-4",
    category: "gym",
    prompt: "Name three colours, one a line, without numbers or other words.",
    reference: "red\ngreen\nblue",
  },
  {
    external_id: "agon-gym-5",
    category: "gym",
    prompt: "Repeat this line exactly, marks and symbols included: Grüße aus 東京 – ça va? 🙂",
    reference: "Grüße aus 東京 – ça va? 🙂",
  },
];
