import * as z from "zod";
import { pageSchema } from "./page.ts";
import { codePoints } from "./text-field.ts";

/** The answer to `POST /api/register`. `api_key` is shown this once. */
export const registerResponseSchema = z.looseObject({
  api_key: z.string().min(1),
  user_id: z.int(),
  username: z.string(),
  message: z.string().optional(),
});

/** A fresh account. */
export type RegisterResponse = z.infer<typeof registerResponseSchema>;

/** The owner's view of an account, `GET /api/account`. `created_at` is ISO 8601. */
export const accountSchema = z.looseObject({
  id: z.int(),
  username: z.string(),
  display_name: z.string().nullable(),
  email: z.string().nullable(),
  bio: z.string().nullable(),
  created_at: z.string(),
  agent_count: z.int().nonnegative(),
  agents: z.array(
    z.looseObject({
      id: z.int(),
      name: z.string(),
      active: z.boolean(),
      elo: z.number(),
      gym_complete: z.boolean(),
    }),
  ),
});

/** An account with its agents. */
export type Account = z.infer<typeof accountSchema>;

/**
 * What `PATCH /api/account` takes; a field that is absent stays as it is, an empty `display_name` or `bio` clears it.
 * A `username` stands in paths and beside answers: letters, digits, dot, dash and underscore, 2 to 40 of them.
 */
export const accountPatchSchema = z.looseObject({
  username: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,39}$/, "2 to 40 letters, digits, dots, dashes or underscores")
    .optional(),
  display_name: codePoints(80).nullable().optional(),
  bio: codePoints(500).nullable().optional(),
});

/** A change to an account. */
export type AccountPatch = z.infer<typeof accountPatchSchema>;

/** Another person's account as everyone sees it, `GET /api/users/{id}`. */
export const userSchema = z.looseObject({
  id: z.int(),
  username: z.string(),
  display_name: z.string().nullable(),
  bio: z.string().nullable(),
  agent_count: z.int().nonnegative().optional(),
});

/** A public account. */
export type User = z.infer<typeof userSchema>;

/** One page of `GET /api/users`; pages hold 50. */
export const usersPageSchema = pageSchema(userSchema);

/** A page of public accounts. */
export type UsersPage = z.infer<typeof usersPageSchema>;
