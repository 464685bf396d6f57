"""Streams over server-sent events: the standard library has no WebSocket."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from typing import Any

from .backoff import backoff_ms
from .cancellation import Cancellation
from .errors import ApiError, BadAnswerError, ConnectionFailedError, MintscopeError
from .event_source import EventParser
from .http import Http, Request, Response
from .request_text import target_of
from .stream_events import StreamEvent, StreamSettings
from .stream_session import AskedLater, StreamSession, is_position

_PATH = "/v1/stream/sse"
_SILENT = "the service is silent"
# What one read may take beside an event: the framing of its parts.
_READ_BYTES_MAX = 1_048_576


def stream_events(
    http: Http,
    topic: str,
    params: Mapping[str, object],
    since: int | None,
    settings: StreamSettings,
    cancellation: Cancellation,
) -> Generator[StreamEvent[Any], None, None]:
    """Each message exactly once over all connections that it takes.

    Ends only when it is closed, by the cancellation (RequestCancelledError), or when the service
    refuses.
    """
    if since is not None and not is_position(since):
        raise ValueError("since must be the seq of an event.")
    session = StreamSession(topic, since)
    failures = 0
    while True:
        wait_ms = 0.0
        try:
            for event in _connection_events(http, session, params, settings, cancellation):
                failures = 0
                yield event
            reason = "the service closed the connection"
        except AskedLater:
            reason = "the service asks to connect again"
        except MintscopeError as error:
            if not _is_passing(error):
                raise
            reason = str(error)
            asked_ms = http.wait_ms_after(error, "GET", failures)
            is_asked = isinstance(error, ApiError) and error.retry_after_ms is not None
            if is_asked and asked_ms is None:
                raise
            wait_ms = asked_ms if is_asked and asked_ms is not None else 0.0
        cancellation.check()
        if settings.on_disconnect is not None:
            settings.on_disconnect(reason)
        wait_ms = max(wait_ms, backoff_ms(failures, *settings.reconnect_ms))
        failures += 1
        cancellation.wait(wait_ms / 1_000)


def _connection_events(
    http: Http,
    session: StreamSession,
    params: Mapping[str, object],
    settings: StreamSettings,
    cancellation: Cancellation,
) -> Generator[StreamEvent[Any], None, None]:
    """The events of one connection."""
    query: dict[str, object] = {"topic": session.topic, **params, "since": session.position}
    target = target_of(_PATH, {}, query)
    request = Request("GET", target, accept="text/event-stream", cancellation=cancellation)
    parser = EventParser(settings.message_bytes_max)
    with http.opened(request, _READ_BYTES_MAX) as response:
        _assert_events(response)
        limits = response.connection.limits
        while True:
            limits.allow(settings.silence_ms / 1_000, _READ_BYTES_MAX, _SILENT)
            part = response.read_some()
            if part == b"":
                return
            for each in parser.take(part):
                event = session.take(each)
                if event is not None:
                    yield event


def _assert_events(response: Response) -> None:
    kind = response.headers.get("content-type", "no type")
    if re.match(r"text/event-stream\b", kind, re.I) is None:
        raise BadAnswerError(
            f"The service answered {response.status} with {kind} in place of events."
        )


def _is_passing(error: MintscopeError) -> bool:
    """Failures of a service that is away for a while, as it is when it is restarted."""
    if isinstance(error, ConnectionFailedError):
        return True
    return isinstance(error, ApiError) and (error.status == 429 or error.status >= 500)
