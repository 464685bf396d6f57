"""Reads with the Python client what lines of standard input ask for, one answer for each line.

A line is {"kind": "json" | "items" | "text", "method": …, "arguments": {…}}.
"""

import json
import os
import sys
from decimal import Decimal
from typing import Any

from mintscope_client import MintscopeClient


def read(client: MintscopeClient, asked: dict[str, Any]) -> dict[str, Any]:
    name, arguments = asked["method"], asked["arguments"]
    match asked["kind"]:
        case "items":
            return {"result": list(getattr(client, f"{name}_items")(**arguments))}
        case "text":
            with getattr(client, name)(**arguments) as download:
                return {"result": b"".join(download).decode()}
        case _:
            answer = getattr(client, name)(**arguments)
            return {"result": answer.data, "slot": answer.slot}


def number(value: object) -> float:
    """JavaScript reads numbers as doubles: the same ones that these digits are."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{value!r} is no value of JSON")


with MintscopeClient(
    os.environ["MINTSCOPE_TEST_URL"], os.environ["MINTSCOPE_TEST_KEY"]
) as opened:
    for line in sys.stdin:
        try:
            answered = read(opened, json.loads(line))
        except Exception as error:  # The test names what failed.
            answered = {"error": repr(error)}
        print(json.dumps(answered, default=number), flush=True)
