"""The service that a test was given, and the faults that it asks for."""

from __future__ import annotations

import json
import os
import unittest
import urllib.request
from typing import Any

URL = os.environ.get("MINTSCOPE_TEST_URL", "")
KEY = os.environ.get("MINTSCOPE_TEST_KEY", "")
FACTS: dict[str, Any] = json.loads(os.environ.get("MINTSCOPE_TEST_FACTS", "{}"))

needs_service = unittest.skipIf(URL == "", "SKIPPING: MINTSCOPE_TEST_URL names no service.")


def order(what: str) -> None:
    """Has the service, or the network before it, do something."""
    request = urllib.request.Request(FACTS["control"] + what, method="POST")
    with urllib.request.urlopen(request, timeout=30) as answer:
        answer.read()
