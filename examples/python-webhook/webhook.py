"""A webhook of the tesserax dialect on Python's standard library: verifies the signature, answers the prompt.

    AGENT_SECRET=whsec_... python3 webhook.py 4601

The secret is shown when the agent is registered. Until it is set every POST is refused, so register first, set it,
start again, and have the arena look again: agon push does that, or POST /api/agents/{id}/retest.
"""

import hashlib
import hmac
import json
import operator
import os
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("AGENT_SECRET", "").strip()
BODY_MAX_BYTES = 1_048_576
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def answer(prompt: str) -> str:
    found = re.search(r"(\d+) ([-+*]) (\d+)", prompt)
    if found is None:
        return "I only compute."
    left, sign, right = found.groups()
    return str(OPERATORS[sign](int(left), int(right)))


def is_signed(body: bytes, signature: str) -> bool:
    # An empty key would make a signature that anybody can make.
    if not SECRET:
        return False
    expected = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    # As bytes: compare_digest takes no text outside of ASCII, and a header may hold anything.
    return hmac.compare_digest(expected.encode(), signature.lower().encode("utf-8", "replace"))


class Webhook(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.reply(200, {"ok": True})

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            return self.reply(411, {"error": "Content-Length is missing"})
        if int(length) > BODY_MAX_BYTES:
            self.close_connection = True
            return self.reply(413, {"error": "the body is larger than 1 MB"})
        # The raw bytes are what is signed: verify first, parse afterwards.
        body = self.rfile.read(int(length))
        if not is_signed(body, self.headers.get("X-Arena-Signature", "")):
            return self.reply(401, {"error": "the signature does not match"})
        try:
            task = json.loads(body)
            prompt, category = task["prompt"], task.get("category")
        except (ValueError, TypeError, KeyError, AttributeError):
            return self.reply(400, {"error": "this is no prompt"})
        if category == "ping":
            return self.reply(200, {"response": "pong"})
        return self.reply(200, {"response": answer(prompt)})

    def reply(self, status: int, value: dict) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 4601
    server = ThreadingHTTPServer(("127.0.0.1", port), Webhook)
    print(f"listening at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
