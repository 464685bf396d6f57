"""HTTP/1.1 connections whose every read and write ends in time."""

from __future__ import annotations

import io
import select
import socket
import ssl
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from typing import Any, cast
from urllib.parse import urlsplit

from .errors import BadAnswerError, ConnectionFailedError


@dataclass(frozen=True)
class Origin:
    """Where the service is: `https://host:port/prefix`."""

    is_secure: bool
    host: str
    port: int
    prefix: str

    @staticmethod
    def of(base_url: str) -> Origin:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("base_url must begin with http:// or https:// and name a host.")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("base_url must have no user, query or fragment.")
        is_secure = parts.scheme == "https"
        port = parts.port or (443 if is_secure else 80)
        return Origin(is_secure, parts.hostname, port, parts.path.rstrip("/"))


class Limits:
    """How long the current step of a connection may take, and how much it may read."""

    def __init__(self) -> None:
        self._ends_at = 0.0
        self._sentence = ""
        self._bytes_left = 0

    def allow(self, seconds: float, bytes_max: int, sentence: str) -> None:
        """From now on. `sentence` is what is said when the time is over."""
        self._ends_at = time.monotonic() + seconds
        self._bytes_left = bytes_max
        self._sentence = sentence

    def seconds_left(self) -> float:
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise ConnectionFailedError(self._sentence)
        return left

    def count(self, size: int) -> None:
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise BadAnswerError("The answer is larger than allowed.")

    def too_late(self) -> ConnectionFailedError:
        return ConnectionFailedError(self._sentence)


class _BoundedReader(io.RawIOBase):
    def __init__(self, raw: socket.socket, limits: Limits) -> None:
        self._raw = raw
        self._limits = limits

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._raw.settimeout(self._limits.seconds_left())
        try:
            size = self._raw.recv_into(buffer)
        except TimeoutError as error:
            raise self._limits.too_late() from error
        self._limits.count(size)
        return size


class _BoundedSocket:
    """What http.client uses of a socket."""

    def __init__(self, raw: socket.socket, limits: Limits) -> None:
        self._raw = raw
        self._limits = limits

    def sendall(self, data: bytes) -> None:
        self._raw.settimeout(self._limits.seconds_left())
        try:
            self._raw.sendall(data)
        except TimeoutError as error:
            raise self._limits.too_late() from error

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_BoundedReader(self._raw, self._limits), 65_536)

    def close(self) -> None:
        # http.client closes it when it has read a head that announces the end: the body follows.
        pass


class Connection:
    """One connection, for one request after another."""

    def __init__(self, origin: Origin, context: ssl.SSLContext | None, limits: Limits) -> None:
        self.limits = limits
        self._raw = _connect(origin, context, limits)
        self._http = HTTPConnection(origin.host, origin.port)
        # A connection that has ended is not opened again behind the back of the limits.
        self._http.auto_open = 0
        self._http.sock = cast(socket.socket, _BoundedSocket(self._raw, limits))
        self.idle_since = 0.0

    def send(
        self, method: str, target: str, headers: dict[str, str], body: bytes | None
    ) -> HTTPResponse:
        """Sends a request, and returns its answer once the head has come."""
        self._http.request(method, target, body=body, headers=headers)
        return self._http.getresponse()

    def cancel(self) -> None:
        """Ends a read that another thread waits for."""
        try:
            # Of the plain socket: that of TLS would drop its state while the other thread reads.
            socket.socket.shutdown(self._raw, socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        self._http.close()
        self._raw.close()

    @property
    def is_open(self) -> bool:
        """Whether the service has not announced that the connection ends."""
        return self._http.sock is not None

    def is_fresh(self, idle_seconds_max: float) -> bool:
        """Whether another request can be sent: idle for a short time, and not ended."""
        if not self.is_open or time.monotonic() - self.idle_since > idle_seconds_max:
            return False
        # An end, or bytes that nobody asked for.
        return not _is_readable(self._raw)


def _is_readable(raw: socket.socket) -> bool:
    poll = select.poll() if hasattr(select, "poll") else None
    if poll is None:
        return bool(select.select([raw], [], [], 0)[0])
    poll.register(raw, select.POLLIN | select.POLLHUP | select.POLLERR)
    return bool(poll.poll(0))


def _connect(origin: Origin, context: ssl.SSLContext | None, limits: Limits) -> socket.socket:
    try:
        raw = socket.create_connection((origin.host, origin.port), timeout=limits.seconds_left())
    except TimeoutError as error:
        raise limits.too_late() from error
    try:
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context is None:
            return raw
        raw.settimeout(limits.seconds_left())
        return context.wrap_socket(raw, server_hostname=origin.host)
    except TimeoutError as error:
        raw.close()
        raise limits.too_late() from error
    except BaseException:
        raw.close()
        raise
