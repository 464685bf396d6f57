"""Decimals, tables and webhooks: what needs no connection."""

from __future__ import annotations

import sys
import types
import unittest
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any
from unittest import mock

from mintscope_client import (
    WebhookError,
    add_decimals,
    columns_of,
    from_units,
    parse_decimal,
    to_pandas,
    to_polars,
    to_units,
    verify_webhook,
)


class Decimals(unittest.TestCase):
    def test_are_units_and_back_without_loss(self) -> None:
        for text, scale, units in (
            ("1.5", 9, 1_500_000_000),
            ("-0.000000001", 9, -1),
            ("1.500", 1, 15),
            ("7", 0, 7),
            ("18446744073709551615.123456789", 9, 18446744073709551615123456789),
        ):
            self.assertEqual(to_units(text, scale), units)
            self.assertEqual(to_units(from_units(units, scale), scale), units)
        self.assertEqual(from_units(-5, 2), "-0.05")

    def test_with_digits_beyond_the_scale_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            to_units("1.55", 1)

    def test_are_added_to_the_last_digit(self) -> None:
        long = "12345678901234567890123456789012345678901.000000001"
        self.assertEqual(add_decimals(long, "0.1", "-0.000000001"), long[:-9] + "100000000")
        self.assertEqual(add_decimals(), "0")

    def test_that_are_none_are_refused(self) -> None:
        for text in ("", "1.", ".5", "1e3", "+1", "NaN", " 1", "١", "1\n"):
            with self.assertRaises(ValueError, msg=text):
                parse_decimal(text)
        self.assertEqual(parse_decimal("0.10"), Decimal("0.10"))


ROWS: list[dict[str, Any]] = [
    {"price_usd": "0.1", "at": "2025-01-15T14:32:08.000Z", "side": "buy"},
    {"price_usd": None, "at": "2025-01-15T14:32:09.000Z", "more": 1},
]


class Tables(unittest.TestCase):
    def test_keep_decimals_as_text_unless_they_are_named(self) -> None:
        self.assertEqual(columns_of(ROWS)["price_usd"], ["0.1", None])
        self.assertEqual(columns_of(ROWS, decimals=["price_usd"])["price_usd"][0], Decimal("0.1"))
        self.assertEqual(columns_of(ROWS, floats=["price_usd"])["price_usd"], [0.1, None])
        self.assertEqual(
            columns_of(ROWS, times=["at"])["at"][0],
            datetime(2025, 1, 15, 14, 32, 8, tzinfo=timezone.utc),
        )

    def test_have_all_columns_and_none_where_a_row_has_no_value(self) -> None:
        columns = columns_of(ROWS)
        self.assertEqual(list(columns), ["price_usd", "at", "side", "more"])
        self.assertEqual((columns["side"], columns["more"]), (["buy", None], [None, 1]))

    def test_refuse_a_column_that_no_row_has(self) -> None:
        with self.assertRaisesRegex(ValueError, "No row has prize."):
            columns_of(ROWS, decimals=["prize"])
        self.assertEqual(columns_of([], decimals=["prize"]), {})

    def test_import_pandas_and_polars_only_when_they_are_asked_for(self) -> None:
        for name, convert in (("pandas", to_pandas), ("polars", to_polars)):
            fake = types.ModuleType(name)
            fake.DataFrame = lambda columns, **_: ("frame", columns)  # type: ignore[attr-defined]
            with mock.patch.dict(sys.modules, {name: fake}):
                frame, columns = convert(iter(ROWS), floats=["price_usd"])
            self.assertEqual((frame, columns["price_usd"]), ("frame", [0.1, None]))
            with mock.patch.dict(sys.modules, {name: None}), self.assertRaises(ImportError):
                convert(ROWS)

    def test_are_frames_of_pandas_and_polars_where_they_are_installed(self) -> None:
        for name, convert in (("pandas", to_pandas), ("polars", to_polars)):
            try:
                __import__(name)
            except ImportError:
                print(f"SKIPPING tables of {name}: it is not installed.", file=sys.stderr)
                continue
            frame = convert(ROWS, decimals=["price_usd"], times=["at"])
            self.assertEqual(frame.shape, (2, 4))
            self.assertEqual(list(frame["price_usd"])[0], Decimal("0.1"))


# https://github.com/standard-webhooks/standard-webhooks, its test vector.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
BODY = b'{"test": 2432232314}'
NOW_MS = 1_614_265_330_000


def fault_of(**changed: Any) -> str:
    given: dict[str, Any] = {"secret": SECRET, "headers": HEADERS, "body": BODY, "now_ms": NOW_MS, **changed}
    try:
        verify_webhook(**given)
    except WebhookError as error:
        return error.fault
    return "none"


class Webhooks(unittest.TestCase):
    def test_are_right_with_the_example_of_standard_webhooks(self) -> None:
        # The signature is right; only what it signs is no event.
        self.assertEqual(fault_of(), "body")
        self.assertEqual(fault_of(secret=["whsec_AAAA", SECRET]), "body")

    def test_are_refused_if_anything_that_is_signed_differs(self) -> None:
        self.assertEqual(fault_of(body=BODY + b" "), "signature")
        self.assertEqual(fault_of(secret="whsec_AAAA"), "signature")
        self.assertEqual(fault_of(secret=[]), "signature")
        for name, value in (
            ("Webhook-Id", "msg_2"),
            ("webhook-timestamp", "1614265331"),
            ("webhook-signature", "v1,AAAA"),
            ("webhook-signature", "v1,"),
            ("webhook-signature", "v1,not base64 at all"),
            ("webhook-signature", "v2," + HEADERS["webhook-signature"][3:]),
        ):
            self.assertEqual(fault_of(headers={**HEADERS, name: value}), "signature", value)

    def test_are_refused_if_the_clocks_differ_too_much(self) -> None:
        self.assertEqual(fault_of(now_ms=NOW_MS + 301_000), "too-old")
        self.assertEqual(fault_of(now_ms=NOW_MS - 301_000), "too-new")
        self.assertEqual(fault_of(now_ms=NOW_MS + 299_000), "body")
        self.assertEqual(fault_of(now_ms=NOW_MS - 301_000, tolerance_seconds=600), "body")

    def test_are_refused_without_their_headers_and_a_secret(self) -> None:
        for name in HEADERS:
            without = {each: value for each, value in HEADERS.items() if each != name}
            self.assertEqual(fault_of(headers=without), "headers")
        for timestamp in ("now", "-1", "1e9", "٣"):
            changed = {**HEADERS, "webhook-timestamp": timestamp}
            self.assertEqual(fault_of(headers=changed), "headers")
        for secret in ("", "whsec_", "secret", "whsec_***"):
            self.assertEqual(fault_of(secret=secret), "secret")


if __name__ == "__main__":
    unittest.main()
