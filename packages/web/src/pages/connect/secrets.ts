/** Secrets of agents that are being connected, in this tab only, until the agent has been heard of. */
const name = (agentId: number) => `agon-secret-${agentId}`;

export function keepSecret(agentId: number, secret: string): void {
  try {
    sessionStorage.setItem(name(agentId), secret);
  } catch {
    // Then leaving the page means making a new one.
  }
}

export function keptSecret(agentId: number): string | undefined {
  try {
    return sessionStorage.getItem(name(agentId)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetSecret(agentId: number): void {
  try {
    sessionStorage.removeItem(name(agentId));
  } catch {
    // There was none.
  }
}
