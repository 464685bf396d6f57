"""Ends requests and streams from another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock

from .errors import RequestCancelledError


class Cancellation:
    """Ends the requests and streams that it is given to, once and for all.

    They raise RequestCancelledError at once, also while they wait for the service.
    """

    def __init__(self) -> None:
        self._event = Event()
        self._lock = Lock()
        self._closers: list[Callable[[], None]] = []

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        self._event.set()
        with self._lock:
            closers = list(self._closers)
        for close in closers:
            close()

    def check(self) -> None:
        """Raises RequestCancelledError if it is cancelled."""
        if self._event.is_set():
            raise RequestCancelledError("The request was cancelled.")

    def wait(self, seconds: float) -> None:
        """Waits that long. Raises RequestCancelledError once it is cancelled."""
        self._event.wait(max(0.0, seconds))
        self.check()

    @contextmanager
    def closing(self, close: Callable[[], None]) -> Iterator[None]:
        """Calls `close` when it is cancelled within the block."""
        with self._lock:
            self._closers.append(close)
        try:
            if self.is_cancelled:
                close()
            yield
        finally:
            with self._lock:
                self._closers.remove(close)
