/** Why an address cannot be listened on and what to do, in one line; undefined when the error is about something else. */
export function listenReason(error: unknown, { host, port }: { host: string; port: number }): string | undefined {
  const place = `${host}:${port}`;
  const notHere = `${host} is no address of this machine; choose another with --host`;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `${place} is taken by another program; choose another port with --port`,
    EACCES: `${place} may not be used by this user; choose a port above 1023 with --port`,
    EADDRNOTAVAIL: notHere,
    ENOTFOUND: notHere,
  };
  return reasons[(error as NodeJS.ErrnoException).code ?? ""];
}
