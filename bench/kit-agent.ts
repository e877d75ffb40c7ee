import { forwardToModel, serve } from "@agon/agent";

const [port, baseUrl = "", key = ""] = process.argv.slice(2);
await serve(forwardToModel({ model: "stub", baseUrl, apiKey: "none" }), { key, port: Number(port) });
process.send?.("ready");
