"""Requests to the service on a simulated market, compared with what it answered to others."""

from __future__ import annotations

import csv
import io
import unittest
from datetime import datetime, timedelta
from typing import Any

from mintscope_client import ApiError, MintscopeClient, parse_decimal, verify_webhook

from .served import FACTS, KEY, URL, needs_service


@needs_service
class Market(unittest.TestCase):
    def setUp(self) -> None:
        self.client = MintscopeClient(URL, KEY)
        self.addCleanup(self.client.close)

    def test_a_token_is_as_the_service_answers_it(self) -> None:
        answer = self.client.get_token(FACTS["mint"])
        self.assertEqual(answer.data, FACTS["token"])
        self.assertEqual(answer.slot, FACTS["lastSlot"])

    def test_every_trade_of_a_list_is_read_once_over_its_pages(self) -> None:
        trades = self.client.list_trades_items(token_address=FACTS["mint"], limit=7)
        ids = [trade["trade_id"] for trade in trades]
        self.assertEqual(ids, FACTS["tradeIds"])
        self.assertGreater(len(ids), 14)

    def test_no_number_of_an_answer_is_a_float(self) -> None:
        def assert_exact(value: Any) -> None:
            self.assertNotIsInstance(value, float)
            for each in value.values() if isinstance(value, dict) else value:
                if isinstance(each, (dict, list)):
                    assert_exact(each)
                self.assertNotIsInstance(each, float)

        mint = FACTS["mint"]
        assert_exact(self.client.get_social_summary(token_address=mint).data)
        bars = self.client.get_udf_history(
            symbol=mint, resolution="1", from_=FACTS["fromSeconds"], to=FACTS["toSeconds"]
        ).data
        self.assertEqual(bars["s"], "ok")
        assert_exact(bars)

    def test_a_span_as_times_is_the_span_as_text(self) -> None:
        at = datetime.fromisoformat(FACTS["tradedAt"])
        hour = timedelta(hours=1)
        begin, end = at - hour, at + hour
        times = self.client.list_trades_items(token_address=FACTS["mint"], from_=begin, to=end)
        texts = self.client.list_trades_items(
            token_address=FACTS["mint"], from_=begin.isoformat(), to=end.isoformat()
        )
        self.assertEqual([one["trade_id"] for one in times], [one["trade_id"] for one in texts])

    def test_a_file_has_the_rows_of_the_list(self) -> None:
        at = datetime.fromisoformat(FACTS["tradedAt"])
        hour = timedelta(hours=1)
        file = self.client.export_trades(
            from_=at - hour, to=at + hour, token_address=FACTS["mint"]
        )
        text = b"".join(file).decode()
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
        self.assertEqual(len(rows), len(FACTS["tradeIds"]))

    def test_decimals_of_a_batch_are_text_that_is_exact(self) -> None:
        items = self.client.batch_prices({"addresses": [FACTS["mint"]]}).data["items"]
        price = items[0]["data"]["price_usd"]
        assert price is not None
        self.assertEqual(format(parse_decimal(price), "f"), price)

    def test_the_version_of_the_service_is_that_of_the_client(self) -> None:
        self.client.get_key()
        self.assertEqual(self.client.versions.relation, "same")

    def test_a_refusal_has_the_sentence_of_the_service(self) -> None:
        with self.assertRaises(ApiError) as raised:
            self.client.get_token("x")
        self.assertEqual(raised.exception.status, 400)
        self.assertRegex(str(raised.exception), "token_address")
        self.assertIsNotNone(raised.exception.request_id)

    def test_a_trigger_is_added_listed_and_removed(self) -> None:
        condition = FACTS["condition"]
        added = self.client.add_trigger(
            {"trigger_id": "python", "pair_address": FACTS["pool"], "conditions": [condition]}
        )
        self.assertIsNotNone(added.data)
        listed = self.client.request("GET", "/v1/triggers").data
        self.assertIn("python", str(listed))
        self.client.remove_trigger(body={"trigger_id": "python"})
        self.assertNotIn("python", str(self.client.request("GET", "/v1/triggers").data))

    def test_a_delivery_that_the_service_signs_is_verified_while_its_secret_is_rotated(
        self,
    ) -> None:
        delivery = FACTS["delivery"]
        body = delivery["body"].encode()
        for secret in delivery["secrets"]:
            verified = verify_webhook(secret, delivery["headers"], body)
            self.assertEqual(verified.event["type"], "ping")


if __name__ == "__main__":
    unittest.main()
