/**
 * Reads an agent's secret as people paste it, with spaces or a line end around it.
 *
 * @throws TypeError for a blank one, with which everybody could sign, and for one that cannot stand in a header: every
 * call would fail, and it would look as if the other side could not be reached
 */
export function parseAgentSecret(text: string): string {
  const secret = text.trim();
  if (secret === "") throw new TypeError("The agent's secret is missing.");
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new TypeError("The agent's secret holds characters that no secret has.");
  return secret;
}
