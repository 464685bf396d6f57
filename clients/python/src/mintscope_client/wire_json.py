"""Reads JSON without loss: numbers with a fraction are Decimal, never float."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from .errors import BadAnswerError


def parse_json(body: bytes | str) -> Any:
    """Raises BadAnswerError for what is not JSON, NaN and Infinity included."""
    try:
        text = body if isinstance(body, str) else body.decode("utf-8")
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse)
    # Deep nesting is a RecursionError; numbers of thousands of digits are a ValueError.
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise BadAnswerError("The answer is not valid JSON.") from error


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON.")
