"""Idle connections that later requests use again."""

from __future__ import annotations

import ssl
from threading import Lock

from .connection import Connection, Limits, Origin

_IDLE_MAX = 16
# The service closes connections that are idle for a minute.
_IDLE_SECONDS_MAX = 20.0


class ConnectionPool:
    """Opens connections to one service. Safe to use from several threads."""

    def __init__(self, origin: Origin, context: ssl.SSLContext | None) -> None:
        self._origin = origin
        self._context = context
        self._lock = Lock()
        self._idle: list[Connection] = []
        self._is_closed = False

    def take(self, seconds: float, bytes_max: int, sentence: str, *, is_new: bool) -> Connection:
        """A connection with these limits. `is_new` for what must not be sent twice: an idle
        connection may be ending."""
        while not is_new:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                break
            if connection.is_fresh(_IDLE_SECONDS_MAX):
                connection.limits.allow(seconds, bytes_max, sentence)
                return connection
            connection.close()
        limits = Limits()
        limits.allow(seconds, bytes_max, sentence)
        return Connection(self._origin, self._context, limits)

    def give_back(self, connection: Connection, now: float) -> None:
        """Keeps a connection whose last answer was read to its end."""
        connection.idle_since = now
        with self._lock:
            if not self._is_closed and len(self._idle) < _IDLE_MAX:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
