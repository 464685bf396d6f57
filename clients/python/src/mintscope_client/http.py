"""Sends requests with the key, within the limits that the service names."""

from __future__ import annotations

import http.client
import json
import re
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from threading import Lock
from typing import Any, TypeVar

from .answer import Headers, date_of
from .backoff import backoff_ms
from .cancellation import Cancellation
from .connection import Connection
from .connection_pool import ConnectionPool
from .errors import ApiError, BadAnswerError, ConnectionFailedError, MintscopeError
from .versions import CLIENT_NAME, Versions, compare_versions
from .wire_json import parse_json

T = TypeVar("T")

_FIRST_BACKOFF_MS = 250
_MOST_BACKOFF_MS = 10_000
_BUSY = (502, 503, 504)
_FAILURE_BYTES_MAX = 65_536
# The head of an answer, and what its framing adds to the body.
_FRAMING_BYTES_MAX = 1_048_576


@dataclass(frozen=True)
class HttpSettings:
    key: str | None
    timeout_ms: float
    """Time allowed for an attempt, with its body."""
    attempts: int
    """Attempts of a request in all."""
    wait_ms_max: float
    """A service that asks for a longer wait than this is not waited for."""
    bytes_max: int
    """Bytes of a JSON body."""


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    """Path and query."""
    body: object = None
    body_type: str | None = None
    accept: str = "application/json, */*;q=0.5"
    cancellation: Cancellation | None = None

    def encoded_body(self) -> bytes | None:
        if self.body_type is None or self.body is None:
            return None
        if self.body_type == "application/json":
            return json.dumps(self.body, allow_nan=False, ensure_ascii=False).encode()
        return self.body.encode() if isinstance(self.body, str) else bytes(self.body)  # type: ignore[call-overload]


class Response:
    """The head of an answer that is no refusal, and the way to its body."""

    def __init__(
        self,
        raw: http.client.HTTPResponse,
        connection: Connection,
        cancellation: Cancellation,
    ) -> None:
        self._raw = raw
        self._cancellation = cancellation
        self.connection = connection
        self.status = raw.status
        self.headers = _headers(raw)

    @property
    def is_at_end(self) -> bool:
        """Whether the connection can be used for another request."""
        if self._raw.length == 0 and not self._raw.chunked:
            self._raw.close()
        return self._raw.isclosed() and self.connection.is_open

    def read_some(self) -> bytes:
        """The next bytes of the body; empty at its end. Raises if it was cut off."""
        part = self._raw.read1(65_536)
        # A body that is shorter than its length ends like one that is complete.
        if part == b"":
            self._cancellation.check()
            if self._raw.length:
                raise ConnectionFailedError("The answer was cut off.")
        return part

    def read_all(self, bytes_max: int) -> bytes:
        parts: list[bytes] = []
        size = 0
        while part := self.read_some():
            size += len(part)
            if size > bytes_max:
                raise BadAnswerError(f"The answer is larger than {bytes_max} bytes.")
            parts.append(part)
        return b"".join(parts)


class Http:
    """Safe to use from several threads."""

    def __init__(self, pool: ConnectionPool, prefix: str, settings: HttpSettings) -> None:
        self.settings = settings
        self._pool = pool
        self._prefix = prefix
        self._lock = Lock()
        # The key was refused for its rate: no request is sent before this time.
        self._paused_until = 0.0
        self.versions: Versions = compare_versions(None)

    def json(self, request: Request) -> tuple[Any, Headers]:
        """The JSON of an answer; None for one without a body."""

        def read(response: Response) -> tuple[Any, Headers]:
            body = response.read_all(self.settings.bytes_max)
            if body == b"":
                return None, response.headers
            if not _is_json(response.headers):
                kind = response.headers.get("content-type", "no type")
                raise BadAnswerError(
                    f"The service answered {response.status} with {kind} in place of JSON."
                )
            return parse_json(body), response.headers

        return self.repeated(request, lambda: self._attempt(request, read))

    def repeated(self, request: Request, attempt: Callable[[], T]) -> T:
        """Repeats attempts that fail for a while, where that cannot do harm."""
        cancellation = request.cancellation or Cancellation()
        failures = 0
        while True:
            cancellation.wait(self._paused_until - time.monotonic())
            try:
                return attempt()
            except MintscopeError as error:
                cancellation.check()
                wait_ms = self.wait_ms_after(error, request.method, failures)
                failures += 1
                if wait_ms is None or failures >= self.settings.attempts:
                    raise
            cancellation.wait(wait_ms / 1_000)

    def wait_ms_after(self, error: MintscopeError, method: str, failures: int) -> float | None:
        """The wait before a request is repeated; None if it is not."""
        # What is refused for its rate has not been carried out.
        is_refused = isinstance(error, ApiError) and error.status == 429
        if not (is_refused or _may_repeat(method, error)):
            return None
        asked = error.retry_after_ms if isinstance(error, ApiError) else None
        own = backoff_ms(failures, _FIRST_BACKOFF_MS, _MOST_BACKOFF_MS)
        wait_ms = own if asked is None else float(asked)
        if wait_ms > self.settings.wait_ms_max:
            return None
        if is_refused:
            with self._lock:
                until = time.monotonic() + wait_ms / 1_000
                self._paused_until = max(self._paused_until, until)
        return wait_ms

    def _attempt(self, request: Request, read: Callable[[Response], T]) -> T:
        bytes_max = self.settings.bytes_max + _FRAMING_BYTES_MAX
        with self.opened(request, bytes_max) as response:
            return read(response)

    @contextmanager
    def opened(self, request: Request, bytes_max: int) -> Generator[Response, None, None]:
        """The answer of one attempt, whose body is read within the block.

        Raises ApiError for a refusal, and VersionError for a service of another major version.
        """
        cancellation = request.cancellation or Cancellation()
        cancellation.check()
        connection: Connection | None = None
        is_whole = False
        try:
            with _named_failures(cancellation):
                connection = self._connect(request, bytes_max)
                with cancellation.closing(connection.cancel):
                    response = self._send(connection, request, cancellation)
                    yield response
                    is_whole = response.is_at_end
        finally:
            if connection is not None and is_whole:
                self._pool.give_back(connection, time.monotonic())
            elif connection is not None:
                connection.close()

    def _connect(self, request: Request, bytes_max: int) -> Connection:
        timeout_ms = self.settings.timeout_ms
        sentence = f"No complete answer within {timeout_ms:g} ms."
        is_new = request.method != "GET"
        return self._pool.take(timeout_ms / 1_000, bytes_max, sentence, is_new=is_new)

    def _send(
        self, connection: Connection, request: Request, cancellation: Cancellation
    ) -> Response:
        body = request.encoded_body()
        headers = {"accept": request.accept, "x-client-version": CLIENT_NAME}
        if self.settings.key is not None:
            headers["x-api-key"] = self.settings.key
        if body is not None and request.body_type is not None:
            headers["content-type"] = request.body_type
        target = f"{self._prefix}{request.target}"
        raw = connection.send(request.method, target, headers, body)
        response = Response(raw, connection, cancellation)
        self.versions = compare_versions(response.headers.get("x-api-version"))
        if not 200 <= response.status < 300:
            raise _refusal(response)
        return response


@contextmanager
def _named_failures(cancellation: Cancellation) -> Generator[None, None, None]:
    """Failures of the connection as errors of this package."""
    try:
        yield
    except MintscopeError:
        cancellation.check()
        raise
    # The end of a connection that was idle, and of one that was cut, are ConnectionResetError.
    except (OSError, http.client.IncompleteRead) as error:
        cancellation.check()
        is_cut = isinstance(error, (http.client.HTTPException, ConnectionResetError))
        why = "the connection was cut off" if is_cut else str(error) or type(error).__name__
        raise ConnectionFailedError(f"The service cannot be reached: {why}.") from error
    except http.client.HTTPException as error:
        cancellation.check()
        raise BadAnswerError("The answer is not one of HTTP.") from error


def _refusal(response: Response) -> MintscopeError:
    status = response.status
    if 300 <= status < 400:
        return BadAnswerError(
            f"The service answered {status}: redirects are not followed, since the key would be sent"
            " there."
        )
    unknown = f"The service answered {status} without a reason."
    message: object = None
    if _is_json(response.headers):
        try:
            body = parse_json(response.read_all(_FAILURE_BYTES_MAX))
        except BadAnswerError:
            body = None
        message = body.get("message") if isinstance(body, dict) else None
    return ApiError(
        status,
        message if isinstance(message, str) else unknown,
        _retry_after_ms(status, response.headers),
        response.headers.get("x-request-id"),
    )


def _may_repeat(method: str, error: MintscopeError) -> bool:
    """A request that changes something is repeated only if it cannot have been carried out."""
    if method != "GET":
        return False
    if isinstance(error, ConnectionFailedError):
        return True
    return isinstance(error, ApiError) and error.status in _BUSY


def _retry_after_ms(status: int, headers: Headers) -> int | None:
    """Seconds or a date; for a refusal for its rate also the reset of the limit."""
    text = headers.get("retry-after")
    if text is None and status == 429:
        text = headers.get("ratelimit-reset")
    if text is None:
        return None
    if re.fullmatch("[0-9]{1,9}", text):
        return int(text) * 1_000
    date = date_of(text)
    if date is None:
        return None
    return max(0, round((date - datetime.now(timezone.utc)).total_seconds() * 1_000))


def _headers(raw: http.client.HTTPResponse) -> Headers:
    return {name.lower(): value for name, value in raw.getheaders()}


def _is_json(headers: Headers) -> bool:
    return re.match(r"application/json\b", headers.get("content-type", ""), re.I) is not None
