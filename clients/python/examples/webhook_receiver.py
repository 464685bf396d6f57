"""Receives webhooks: takes what is signed, recent and new."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from mintscope_client import WebhookError, verify_webhook

SECRET = os.environ.get("WEBHOOK_SECRET", "")
BODY_BYTES_MAX = 1_048_576
handled: set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        body = self.rfile.read(min(length, BODY_BYTES_MAX))
        try:
            delivery = verify_webhook(SECRET, self.headers, body)
        except WebhookError as error:
            self.answer(401)
            print(f"refused: {error.fault}", flush=True)
            return
        self.answer(204)
        # A delivery can be repeated: its id stays the same.
        if delivery.id in handled:
            return
        handled.add(delivery.id)
        event = delivery.event
        if event["type"] == "trigger.fired":
            print(f"fired: {event['data']['trigger_id']}", flush=True)
        else:
            print(event["type"], flush=True)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
