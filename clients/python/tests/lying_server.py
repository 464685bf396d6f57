"""A server that answers what it is given, byte for byte."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mintscope_client import MintscopeClient


@dataclass(frozen=True)
class Seen:
    line: str
    headers: dict[str, str]
    body: bytes
    at: float
    connection: int


Say = Callable[[socket.socket, Seen], None]


class LyingServer:
    """Answers requests in turn with `says`, the last one again and again. Used in a `with` block."""

    def __init__(self, *says: Say) -> None:
        self._says = says
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._listener]
        self._lock = threading.Lock()
        self.seen: list[Seen] = []
        self._clients: list[MintscopeClient] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> LyingServer:
        return self

    def client(self, **options: Any) -> MintscopeClient:
        """A client of this server, closed with it."""
        client = MintscopeClient(f"{self.url}/", "k", **options)
        self._clients.append(client)
        return client

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.close()
        for each in self._open:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    def _accept(self) -> None:
        connections = 0
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            connections += 1
            self._open.append(client)
            threading.Thread(target=self._serve, args=(client, connections), daemon=True).start()

    def _serve(self, client: socket.socket, connection: int) -> None:
        try:
            reader = client.makefile("rb")
            while True:
                line = reader.readline().decode().strip()
                if line == "":
                    return
                headers: dict[str, str] = {}
                while (text := reader.readline().decode().strip()) != "":
                    name, _, value = text.partition(":")
                    headers[name.lower()] = value.strip()
                body = reader.read(int(headers.get("content-length", "0")))
                seen = Seen(line, headers, body, time.monotonic(), connection)
                with self._lock:
                    say = self._says[min(len(self.seen), len(self._says) - 1)]
                    self.seen.append(seen)
                say(client, seen)
        except OSError:
            pass


def head(status: int, **headers: str) -> bytes:
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items()]
    return f"HTTP/1.1 {status} Because\r\n{''.join(lines)}\r\n".encode()


def json_answer(value: object, status: int = 200, **headers: str) -> Say:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    given = {"content_type": "application/json; charset=utf-8", **headers}
    whole = head(status, content_length=str(len(body)), **given) + body
    return lambda client, _: client.sendall(whole)


def failing(status: int, **headers: str) -> Say:
    return json_answer({"code": status, "message": f"Because {status}."}, status, **headers)


def raw(data: bytes, *, then_close: bool = True) -> Say:
    """Sends these bytes, and ends or stays silent."""

    def say(client: socket.socket, _: Seen) -> None:
        client.sendall(data)
        if then_close:
            client.shutdown(socket.SHUT_RDWR)

    return say


def endless(first: bytes, again: bytes, pause_seconds: float = 0) -> Say:
    def say(client: socket.socket, _: Seen) -> None:
        client.sendall(first)
        # A client that believes it fails its test, and not after hours.
        ends_at = time.monotonic() + 8
        while time.monotonic() < ends_at:
            client.sendall(again)
            time.sleep(pause_seconds)

    return say


def silent(client: socket.socket, _: Seen) -> None:
    time.sleep(30)


JSON_HEAD = {"content_type": "application/json"}
CUT = raw(head(200, content_length="100", **JSON_HEAD) + b'{"a":')
GOOD = json_answer({"a": "1"}, x_slot="7", x_complete="false")
