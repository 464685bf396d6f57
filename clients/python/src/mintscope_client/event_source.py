"""Reads server-sent events from bytes as they arrive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .errors import BadAnswerError


@dataclass(frozen=True, slots=True)
class ServerEvent:
    name: str
    data: str


class EventParser:
    """Takes the bytes of a stream in any parts. An event that is cut off is dropped."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._size = 0
        # The parts of a line whose end has not come.
        self._line: list[bytes] = []
        # A line ended with a carriage return: a line feed at the beginning of the next part is its.
        self._skips_feed = False
        self._name = ""
        self._data: list[str] = []

    def take(self, part: bytes) -> Iterator[ServerEvent]:
        """The events that end in this part. Raises BadAnswerError for one that is too long."""
        if self._skips_feed and part.startswith(b"\n"):
            part = part[1:]
            self._skips_feed = False
        if part == b"":
            return
        self._skips_feed = part.endswith(b"\r")
        # Lines end with a line feed, a carriage return, or both; splitlines of bytes knows no other.
        for line in part.splitlines(keepends=True):
            self._size += len(line)
            if self._size > self._bytes_max:
                raise BadAnswerError(f"A message is larger than {self._bytes_max} bytes.")
            self._line.append(line)
            if line[-1:] not in (b"\n", b"\r"):
                continue
            whole = b"".join(self._line).rstrip(b"\r\n")
            self._line.clear()
            if whole == b"":
                yield from self._dispatch()
            else:
                self._read_line(whole)

    def _read_line(self, line: bytes) -> None:
        # A comment, which keeps the connection from being idle.
        if line.startswith(b":"):
            self._size -= len(line)
            return
        try:
            field, _, value = line.decode("utf-8").partition(":")
        except UnicodeDecodeError as error:
            raise BadAnswerError("A message is not UTF-8.") from error
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)

    def _dispatch(self) -> Iterator[ServerEvent]:
        event = ServerEvent(self._name or "message", "\n".join(self._data))
        is_empty = not self._data
        self._name = ""
        self._data.clear()
        self._size = 0
        if not is_empty:
            yield event
