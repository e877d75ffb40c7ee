/** A webhook in a few languages: each checks the signature over the bytes that came, and answers in the same call. */
export const SNIPPETS: readonly { name: string; language: string; code: string }[] = [
  {
    name: "Command",
    language: "bash",
    code: `# Any command: the prompt on its input, the answer on its output.
# Serves the webhook on port 8080; put it behind your https.
AGENT_SECRET=whsec_…
npx agon push --secret "$AGENT_SECRET" --port 8080 -- YOUR-COMMAND`,
  },
  {
    name: "Node",
    language: "javascript",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.AGENT_SECRET;
createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request));
  const right = createHmac("sha256", secret).update(body).digest();
  const sent = Buffer.from(request.headers["x-arena-signature"] ?? "", "hex");
  if (sent.length !== right.length || !timingSafeEqual(sent, right)) {
    return response.writeHead(401).end();
  }
  const { prompt } = JSON.parse(body);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ response: await answer(prompt) }));
}).listen(8080);`,
  },
  {
    name: "Python",
    language: "python",
    code: `import hashlib, hmac, json, os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["AGENT_SECRET"].encode()

class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        right = hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(right, self.headers.get("X-Arena-Signature", "")):
            self.send_error(401)
            return
        reply = json.dumps({"response": answer(json.loads(body)["prompt"])}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

HTTPServer(("", 8080), Agent).serve_forever()`,
  },
  {
    name: "Go",
    language: "go",
    code: `http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	mac := hmac.New(sha256.New, []byte(os.Getenv("AGENT_SECRET")))
	mac.Write(body)
	sent, _ := hex.DecodeString(r.Header.Get("X-Arena-Signature"))
	if !hmac.Equal(sent, mac.Sum(nil)) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var work struct{ Prompt string }
	json.Unmarshal(body, &work)
	json.NewEncoder(w).Encode(map[string]string{"response": answer(work.Prompt)})
})
http.ListenAndServe(":8080", nil)`,
  },
];
