"""Files of the service, read as they arrive."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from .http import Http, Request, Response

_SILENT = "The service sent nothing more in time."
_READ_BYTES_MAX = 1_048_576


class Download:
    """A file: its bytes in parts, once. To be used in a `with` block, or read to its end.

    Only silence is bounded: files may be large. One that is cut off raises ConnectionFailedError
    at its end.
    """

    def __init__(self, http: Http, request: Request) -> None:
        self._seconds = http.settings.timeout_ms / 1_000
        self._stack = ExitStack()

        def open_once() -> Response:
            return self._stack.enter_context(http.opened(request, _READ_BYTES_MAX))

        self._response = http.repeated(request, open_once)
        self.headers = self._response.headers

    def __enter__(self) -> Download:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __iter__(self) -> Generator[bytes, None, None]:
        limits = self._response.connection.limits
        # Names the failures of the connection, but not those of the caller.
        with self._stack:
            while True:
                limits.allow(self._seconds, _READ_BYTES_MAX, _SILENT)
                part = self._response.read_some()
                if part == b"":
                    return
                yield part

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes it to a file, which appears under its name once it is complete."""
        target = Path(path)
        part = target.with_name(f"{target.name}.part")
        try:
            with self, part.open("wb") as file:
                for each in self:
                    file.write(each)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return part.replace(target)

    def close(self) -> None:
        self._stack.close()
