"""Writes the values of a request so that none can leave its place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from urllib.parse import quote, urlencode

_NAME = re.compile(r"\{([^}]+)\}")


def target_of(template: str, path: Mapping[str, object], query: Mapping[str, object]) -> str:
    """The path and query of a request. Arguments that are None are left out.

    Raises ValueError for a path without a value, and TypeError for a float, which would not have
    the digits of a decimal.
    """

    def filled(match: re.Match[str]) -> str:
        value = path.get(match[1])
        if value is None or value == "":
            raise ValueError(f"The path needs {match[1]}.")
        text = text_of(value)
        # Some servers and proxies resolve these even when they are escaped.
        if text in (".", ".."):
            raise ValueError(f"{match[1]} must not be {text}.")
        return quote(text, safe="")

    given = [(name, text_of(value)) for name, value in query.items() if value is not None]
    address = _NAME.sub(filled, template)
    return f"{address}?{urlencode(given, quote_via=quote)}" if given else address


def text_of(value: object) -> str:
    """A value as the API reads it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return _decimal_text(value)
    if isinstance(value, datetime):
        return _instant_text(value)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return ",".join(text_of(each) for each in value)
    if isinstance(value, float):
        raise TypeError("A decimal is given as text or Decimal: a float would lose digits.")
    raise TypeError(f"{type(value).__name__} is no type of a parameter.")


def _decimal_text(value: Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"{value} is not a number.")
    return format(value, "f")


def _instant_text(value: datetime) -> str:
    if value.tzinfo is None:
        raise ValueError("A time must have a zone, such as datetime.now(timezone.utc).")
    text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
