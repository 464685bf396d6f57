"""The same for asyncio: each request and each stream waits in a thread of its own.

A task that is cancelled ends its request at once: its connection is shut down.
"""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from .answer import Answer, Headers
from .base import Base
from .cancellation import Cancellation
from .download import Download
from .pages import PageCursor, items_of
from .stream_events import StreamEvent, StreamSettings
from .versions import Versions

T = TypeVar("T")

Values = Mapping[str, object]

_END: Any = object()


class AsyncBase:
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
        concurrency: int = 32,
    ) -> None:
        """As for MintscopeClient. concurrency: Requests at a time; others wait for their turn."""
        self._client = Base(
            base_url,
            key,
            timeout_ms=timeout_ms,
            attempts=attempts,
            wait_ms_max=wait_ms_max,
            bytes_max=bytes_max,
            ssl_context=ssl_context,
        )
        self._threads = ThreadPoolExecutor(concurrency, thread_name_prefix="mintscope")

    @property
    def versions(self) -> Versions:
        """The version of the API that this package was made of, and that of the last answer."""
        return self._client.versions

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Takes no more requests."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._client.close()

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Values | None = None,
        body: object = None,
    ) -> Answer[Any]:
        """Any request with a JSON answer, as for an endpoint that is newer than this package."""
        client = self._client
        return await _in_thread(
            self._threads,
            lambda cancellation: client.request(
                method, path, query=query, body=body, cancellation=cancellation
            ),
        )

    async def _answer(self, method: str, template: str, **given: Any) -> Answer[Any]:
        client = self._client
        return await _in_thread(
            self._threads,
            lambda cancellation: client._answer(
                method, template, **given, cancellation=cancellation
            ),
        )

    async def _pages(
        self, method: str, template: str, *, path: Values, query: Values
    ) -> AsyncGenerator[Any, None]:
        cursor = PageCursor()
        while not cursor.is_last:
            page_query: dict[str, object] = {**query, "cursor": cursor.value}
            page = (await self._answer(method, template, path=path, query=page_query)).data
            cursor.move_past(page)
            yield page

    async def _items(
        self, method: str, template: str, *, path: Values, query: Values
    ) -> AsyncGenerator[Any, None]:
        async for page in self._pages(method, template, path=path, query=query):
            for item in items_of(page):
                yield item

    async def _download(self, method: str, template: str, **given: Any) -> AsyncDownload:
        client = self._client
        # Of the whole file: the request is not over when its head has come.
        cancellation = Cancellation()
        download = await _in_thread(
            self._threads,
            lambda _: client._download(method, template, **given, cancellation=cancellation),
            cancellation,
        )
        return AsyncDownload(download, self._threads, cancellation)

    def _stream(
        self,
        topic: str,
        params: Values,
        *,
        since: int | None,
        settings: StreamSettings | None,
    ) -> AsyncGenerator[StreamEvent[Any], None]:
        cancellation = Cancellation()
        events = self._client._stream(
            topic, params, since=since, settings=settings, cancellation=cancellation
        )
        return _from_thread(events, cancellation)


class AsyncDownload:
    """A file: its bytes in parts, once, by `async for`; or `save`."""

    def __init__(
        self, download: Download, threads: ThreadPoolExecutor, cancellation: Cancellation
    ) -> None:
        self._download = download
        self._threads = threads
        self._cancellation = cancellation
        self.headers: Headers = download.headers

    async def __aenter__(self) -> AsyncDownload:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._download.close()

    def __aiter__(self) -> AsyncGenerator[bytes, None]:
        return _from_thread(iter(self._download), self._cancellation)

    async def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes it to a file, which appears under its name once it is complete."""
        download = self._download
        return await _in_thread(
            self._threads, lambda _: download.save(path), self._cancellation
        )


async def _in_thread(
    threads: ThreadPoolExecutor,
    call: Callable[[Cancellation], T],
    cancellation: Cancellation | None = None,
) -> T:
    ending = cancellation or Cancellation()
    try:
        return await asyncio.get_running_loop().run_in_executor(threads, call, ending)
    except asyncio.CancelledError:
        ending.cancel()
        raise


async def _from_thread(
    items: Generator[T, None, None], cancellation: Cancellation
) -> AsyncGenerator[T, None]:
    """The items of a generator that waits, each when it is asked for."""
    thread = ThreadPoolExecutor(1, thread_name_prefix="mintscope-stream")
    loop = asyncio.get_running_loop()
    try:
        while True:
            item = await loop.run_in_executor(thread, next, items, _END)
            if item is _END:
                return
            yield item
    finally:
        cancellation.cancel()
        # In the same thread, after what it waits for has ended.
        thread.submit(items.close)
        thread.shutdown(wait=False)
