"""What an answer says about itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Generic, TypeVar

T = TypeVar("T")

Headers = Mapping[str, str]
"""Headers of an answer by their names in lower case."""


@dataclass(frozen=True)
class Deprecation:
    """The announcement that an endpoint or parameter of the request will go."""

    since: datetime | None
    """Time from which on nobody should begin to use it."""
    until: datetime | None
    """Time until which it works; None if that is not said."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """An answer with data, and what it says about itself."""

    data: T
    slot: int | None
    """The slot that the data are as of; None for what is not data of the chain."""
    data_age_ms: int | None
    """Age of the newest slot in milliseconds."""
    is_complete: bool | None
    """False if a known gap touches the data; None if that is not said."""
    request_id: str | None
    api_version: str | None
    """Version of the service's API; None if it does not say."""
    deprecation: Deprecation | None
    """None unless something that the request used will go."""


def answer_of(data: T, headers: Headers) -> Answer[T]:
    complete = headers.get("x-complete")
    return Answer(
        data=data,
        slot=_int(headers.get("x-slot")),
        data_age_ms=_int(headers.get("x-data-age-ms")),
        is_complete=None if complete is None else complete == "true",
        request_id=headers.get("x-request-id"),
        api_version=headers.get("x-api-version"),
        deprecation=deprecation_of(headers),
    )


def deprecation_of(headers: Headers) -> Deprecation | None:
    """RFC 9745 and RFC 8594. What is not a valid time is None."""
    text = headers.get("deprecation")
    if text is None:
        return None
    seconds = _int(text.removeprefix("@")) if text.startswith("@") else None
    try:
        since = None if seconds is None else datetime.fromtimestamp(seconds, timezone.utc)
    except (ValueError, OverflowError, OSError):
        since = None
    return Deprecation(since, date_of(headers.get("sunset")))


def date_of(text: str | None) -> datetime | None:
    """A date of HTTP; None if it is none."""
    try:
        date = parsedate_to_datetime(text or "")
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=timezone.utc)


def _int(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch("[0-9]{1,15}", text) else None
