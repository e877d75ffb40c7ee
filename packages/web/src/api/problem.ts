/** What the arena says of a refused or failed call, in its own words. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly fields: readonly { field: string; detail: string }[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    body: { code?: string; detail?: string; request_id?: string; errors?: { field: string; detail: string }[] },
    retryAfter: string | null,
  ) {
    super(body.detail ?? `The arena answered ${status}.`);
    this.name = "ApiProblem";
    this.status = status;
    this.code = body.code ?? "unknown";
    this.requestId = body.request_id;
    this.fields = body.errors ?? [];
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter) || undefined;
  }
}

/** The arena could not be reached, or what came was no answer of an arena. */
export class ConnectionLost extends Error {
  constructor() {
    super("The arena cannot be reached. This page tries again by itself.");
    this.name = "ConnectionLost";
  }
}
