"""What the generated methods call."""

from __future__ import annotations

import re
import ssl
from collections.abc import Generator, Mapping
from types import TracebackType
from typing import Any, Self

from .answer import Answer, answer_of
from .cancellation import Cancellation
from .connection import Origin
from .connection_pool import ConnectionPool
from .download import Download
from .http import Http, HttpSettings, Request
from .pages import PageCursor, items_of
from .request_text import target_of
from .stream import stream_events
from .stream_events import StreamEvent, StreamSettings
from .versions import Versions

Values = Mapping[str, object]

_JSON = "application/json"


class Base:
    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        timeout_ms: float = 30_000,
        attempts: int = 4,
        wait_ms_max: float = 60_000,
        bytes_max: int = 64 * 2**20,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """
        base_url: Address of the service, such as `http://localhost:8080`.
        key: API key.
        timeout_ms: Time allowed for an attempt, with its body.
        attempts: Attempts of a request in all.
        wait_ms_max: Longest wait that the service may ask for before it is an error.
        bytes_max: Bytes of a JSON body beyond which it is an error.
        ssl_context: For certificates that the system does not know.
        """
        origin = Origin.of(base_url)
        if key is not None and re.fullmatch("[!-~]+", key) is None:
            raise ValueError("The key must be plain text without spaces.")
        if attempts < 1 or timeout_ms <= 0:
            raise ValueError("attempts and timeout_ms must be more than 0.")
        context = (ssl_context or ssl.create_default_context()) if origin.is_secure else None
        self._pool = ConnectionPool(origin, context)
        settings = HttpSettings(key, timeout_ms, attempts, wait_ms_max, bytes_max)
        self._http = Http(self._pool, origin.prefix, settings)

    @property
    def versions(self) -> Versions:
        """The version of the API that this package was made of, and that of the last answer."""
        return self._http.versions

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes idle connections. Requests that run are not ended."""
        self._pool.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Values | None = None,
        body: object = None,
        cancellation: Cancellation | None = None,
    ) -> Answer[Any]:
        """Any request with a JSON answer, as for an endpoint that is newer than this package."""
        if not path.startswith("/") or not method.isalpha():
            raise ValueError("A request needs a method such as GET, and a path that begins with /.")
        return self._answer(
            method.upper(), path, path={}, query=query or {}, body=body, cancellation=cancellation
        )

    def _answer(
        self,
        method: str,
        template: str,
        *,
        path: Values,
        query: Values,
        body: object = None,
        body_type: str = _JSON,
        cancellation: Cancellation | None = None,
    ) -> Answer[Any]:
        target = target_of(template, path, query)
        request = Request(method, target, body, body_type, cancellation=cancellation)
        json, headers = self._http.json(request)
        return answer_of(json, headers)

    def _pages(
        self,
        method: str,
        template: str,
        *,
        path: Values,
        query: Values,
        cancellation: Cancellation | None = None,
    ) -> Generator[Any, None, None]:
        cursor = PageCursor()
        while not cursor.is_last:
            page_query: dict[str, object] = {**query, "cursor": cursor.value}
            page = self._answer(
                method, template, path=path, query=page_query, cancellation=cancellation
            ).data
            cursor.move_past(page)
            yield page

    def _items(
        self,
        method: str,
        template: str,
        *,
        path: Values,
        query: Values,
        cancellation: Cancellation | None = None,
    ) -> Generator[Any, None, None]:
        for page in self._pages(
            method, template, path=path, query=query, cancellation=cancellation
        ):
            yield from items_of(page)

    def _download(
        self,
        method: str,
        template: str,
        *,
        path: Values,
        query: Values,
        cancellation: Cancellation | None = None,
    ) -> Download:
        target = target_of(template, path, query)
        return Download(self._http, Request(method, target, cancellation=cancellation))

    def _stream(
        self,
        topic: str,
        params: Values,
        *,
        since: int | None,
        settings: StreamSettings | None,
        cancellation: Cancellation | None = None,
    ) -> Generator[StreamEvent[Any], None, None]:
        return stream_events(
            self._http,
            topic,
            params,
            since,
            settings or StreamSettings(),
            cancellation or Cancellation(),
        )
