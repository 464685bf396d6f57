"""Decimals of the API without loss, beyond the 28 digits of Python's default context."""

from __future__ import annotations

import re
from decimal import Decimal

_DECIMAL = re.compile("(-?)([0-9]+)(?:[.]([0-9]+))?", re.ASCII)


def parse_decimal(text: str) -> Decimal:
    """Reads a decimal of the API, such as "0.000346289". Raises ValueError if it is none."""
    _split(text)
    return Decimal(text)


def to_units(text: str, scale: int) -> int:
    """A decimal as a whole number of units of 10^-`scale`.

    `to_units("1.5", 9)` are the lamports of 1.5 SOL. Raises ValueError if it has digits beyond,
    other than zeros.
    """
    sign, whole, fraction = _split(text)
    if fraction[scale:].strip("0"):
        raise ValueError(f'"{text}" has more than {scale} digits after the point.')
    return int(f"{sign}{whole}{fraction[:scale].ljust(scale, '0')}")


def from_units(units: int, scale: int) -> str:
    """The decimal of a whole number of units of 10^-`scale`, with `scale` digits after the point."""
    sign = "-" if units < 0 else ""
    text = str(abs(units)).rjust(scale + 1, "0")
    point = len(text) - scale
    return f"{sign}{text}" if scale == 0 else f"{sign}{text[:point]}.{text[point:]}"


def add_decimals(*decimals: str) -> str:
    """The exact sum of decimals; "0" of none. Python's own sum rounds to 28 digits."""
    scale = max((len(_split(one)[2]) for one in decimals), default=0)
    return from_units(sum(to_units(one, scale) for one in decimals), scale)


def _split(text: str) -> tuple[str, str, str]:
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text[:50]}" is not a decimal number.')
    return match[1], match[2], match[3] or ""
