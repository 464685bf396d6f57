"""Lists that are read in pages, by the cursor of the next one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import BadAnswerError


class PageCursor:
    """The position in a list: begins before its first page."""

    def __init__(self) -> None:
        self.value: str | None = None
        self.is_last = False
        self._seen: set[str] = set()

    def move_past(self, page: Any) -> None:
        """Raises BadAnswerError for a page that leads nowhere, or back to an earlier one."""
        cursor = page.get("next_cursor", 0) if isinstance(page, Mapping) else 0
        if cursor is not None and not isinstance(cursor, str):
            raise BadAnswerError("A page must have next_cursor, a text or null.")
        if cursor is not None and cursor in self._seen:
            raise BadAnswerError("A page leads back to an earlier one.")
        self.is_last = cursor is None
        self.value = cursor
        if cursor is not None:
            self._seen.add(cursor)


def items_of(page: Mapping[str, Any]) -> list[Any]:
    """The list that a page always has: lists that are only there on request are after it."""
    for value in page.values():
        if isinstance(value, list):
            return value
    raise BadAnswerError("A page must have a list.")
