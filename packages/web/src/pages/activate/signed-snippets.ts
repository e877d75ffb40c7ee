/** How the key is put to use: each checks the signature over the bytes that came before it reads any of them. */
export function signedSnippets(agent: {
  id: number;
  url: string;
  origin: string;
}): readonly { name: string; language: string; code: string }[] {
  return [
    {
      name: "Command",
      language: "bash",
      code: `# Any command: the prompt on its input, the output as JSON on its output.
# Serves the endpoint on port 8080 and checks each signature; put it behind your https.
export AGENT_KEY=sa_…
npx agon push --base-url ${agent.origin} --agent ${agent.id} --secret "$AGENT_KEY" --port 8080 -- YOUR-COMMAND`,
    },
    {
      name: "Node",
      language: "javascript",
      code: `import { createHmac, timingSafeEqual } from "node:crypto";

const key = process.env.AGENT_KEY;
const { host, pathname } = new URL("${agent.url}");

export function isSigned(headers, body /* the bytes as they came */) {
  const at = headers["x-edgearena-timestamp"] ?? "";
  if (!/^\\d+$/.test(at) || Math.abs(Date.now() / 1000 - at) > 300) return false;
  const right = createHmac("sha256", key).update(\`\${at}\\n\${host}\${pathname}\\n\`).update(body).digest();
  const sent = Buffer.from((headers["x-edgearena-signature"] ?? "").replace(/^sha256=/, ""), "hex");
  return sent.length === right.length && timingSafeEqual(sent, right);
}
// Answer 401 to a task whose signature is wrong or missing.`,
    },
    {
      name: "Python",
      language: "python",
      code: `import hashlib, hmac, os, time
from urllib.parse import urlsplit

KEY = os.environ["AGENT_KEY"].encode()
URL = urlsplit("${agent.url}")

def is_signed(headers, body: bytes) -> bool:
    at = headers.get("X-EdgeArena-Timestamp", "")
    if not at.isdigit() or abs(time.time() - int(at)) > 300:
        return False
    signed = f"{at}\\n{URL.netloc}{URL.path or '/'}\\n".encode() + body
    right = "sha256=" + hmac.new(KEY, signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(right, headers.get("X-EdgeArena-Signature", ""))
# Answer 401 to a task whose signature is wrong or missing.`,
    },
    {
      name: "Go",
      language: "go",
      code: `func isSigned(h http.Header, body []byte) bool {
	at := h.Get("X-EdgeArena-Timestamp")
	n, err := strconv.ParseInt(at, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-n)) > 300 {
		return false
	}
	u, _ := url.Parse("${agent.url}")
	mac := hmac.New(sha256.New, []byte(os.Getenv("AGENT_KEY")))
	fmt.Fprintf(mac, "%s\\n%s%s\\n", at, u.Host, u.Path)
	mac.Write(body)
	sent, _ := hex.DecodeString(strings.TrimPrefix(h.Get("X-EdgeArena-Signature"), "sha256="))
	return hmac.Equal(sent, mac.Sum(nil))
}
// Answer 401 to a task whose signature is wrong or missing.`,
    },
  ];
}
