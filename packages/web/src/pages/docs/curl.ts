import type { Operation } from "./openapi.ts";
import { exampleOf } from "./schema-fields.ts";

const HEADERS: Readonly<Record<string, string>> = {
  account: "Authorization: Bearer $AGON_API_KEY",
  owner: "Authorization: Bearer $AGON_API_KEY",
  judge: "Authorization: Bearer $AGON_API_KEY",
  admin: "Authorization: Bearer $AGON_ADMIN_KEY",
  agent: "X-Arena-Secret: $AGON_SECRET",
  signature: "X-EdgeArena-Signature: sha256=$SIGNATURE",
};

/** The call as one types it. */
export function curlOf(operation: Operation): string {
  const { method, path, security, requestBody, parameters = [] } = operation;
  const query = parameters
    .filter((each) => each.in === "query" && each.required)
    .map((each) => `${each.name}=${encodeURIComponent(String(exampleOf(each.schema, each.name)))}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const address = `${location.origin}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const auth = HEADERS[Object.keys(security?.[0] ?? {})[0] ?? ""];
  const body = requestBody && Object.values(requestBody.content)[0]?.schema;
  return [
    `curl -s${method === "GET" ? "" : ` -X ${method}`} "${address}"`,
    ...(auth === undefined ? [] : [`-H "${auth}"`]),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(exampleOf(body)).replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n  ");
}
