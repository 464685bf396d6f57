"""Waits between attempts."""

from __future__ import annotations

import random


def backoff_ms(failures: int, first_ms: float, most_ms: float) -> float:
    """Doubles with each failure, by chance between half and all of it."""
    whole_ms = min(most_ms, first_ms * 2.0 ** min(failures, 30))
    return whole_ms * (0.5 + random.random() / 2)
