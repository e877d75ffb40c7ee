import { ROLES, type Role } from "@agon/protocol";
import { InvalidArgumentError } from "commander";

/** Reads a --role: one or more, with commas between, in any case. */
export function readRoles(text: string): Role[] {
  const names = text.split(",").map((name) => name.trim().toUpperCase());
  const wrong = names.find((name) => !(ROLES as readonly string[]).includes(name));
  if (wrong !== undefined) throw new InvalidArgumentError(`There are ${ROLES.join(", ")}, with commas between.`);
  return ROLES.filter((role) => names.includes(role));
}
