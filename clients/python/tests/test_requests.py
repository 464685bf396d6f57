"""Requests: what is sent, what is repeated, and what a failure says."""

from __future__ import annotations

import socket
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from mintscope_client import (
    ApiError,
    BadAnswerError,
    Cancellation,
    ConnectionFailedError,
    MintscopeClient,
    RequestCancelledError,
)

from .lying_server import CUT, GOOD, LyingServer, failing, json_answer, raw, silent


class ARequest(unittest.TestCase):
    def test_returns_the_data_with_what_the_answer_says_about_them(self) -> None:
        with LyingServer(GOOD) as server:
            answer = server.client().get_key()
        self.assertEqual(answer.data, {"a": "1"})
        self.assertEqual((answer.slot, answer.is_complete), (7, False))
        self.assertEqual((answer.data_age_ms, answer.request_id), (None, None))

    def test_sends_the_key_and_what_the_client_is(self) -> None:
        with LyingServer(GOOD) as server:
            server.client().get_key()
        sent = server.seen[0]
        self.assertEqual(sent.line, "GET /v1/key HTTP/1.1")
        self.assertEqual(sent.headers["x-api-key"], "k")
        self.assertRegex(sent.headers["x-client-version"], r"^mintscope-python/\d+\.\d+\.\d+$")

    def test_writes_path_and_query_so_that_no_value_can_leave_its_place(self) -> None:
        with LyingServer(GOOD) as server:
            client = server.client()
            client.get_pool("../a?b#c%")
            client.get_token_holders("m", limit=5, cursor="a&b=c d")
            for trick in ("..", ".", ""):
                with self.assertRaises(ValueError):
                    client.get_pool(trick)
        self.assertEqual(
            [seen.line.split(" ")[1] for seen in server.seen],
            ["/v1/pools/..%2Fa%3Fb%23c%25", "/v1/token/m/holders?limit=5&cursor=a%26b%3Dc%20d"],
        )

    def test_writes_times_decimals_and_lists_as_the_api_reads_them(self) -> None:
        berlin = timezone(timedelta(hours=1))
        with LyingServer(json_answer({"trades": [], "next_cursor": None})) as server:
            client = server.client()
            client.list_trades(
                from_=datetime(2025, 1, 15, 15, 32, 8, tzinfo=berlin),
                min_value_usd=Decimal("1E+3"),
            )
            client.list_classifications(type=["fake_dump", "wash_volume"])
            with self.assertRaises(TypeError):
                client.list_trades(min_value_usd=0.1)  # type: ignore[arg-type]
            with self.assertRaises(ValueError):
                client.list_trades(from_=datetime(2025, 1, 15))
            with self.assertRaises(ValueError):
                client.list_trades(min_value_usd=Decimal("NaN"))
        self.assertEqual(
            [seen.line.split("?")[1].split(" ")[0] for seen in server.seen],
            [
                "from=2025-01-15T14%3A32%3A08.000Z&min_value_usd=1000",
                "type=fake_dump%2Cwash_volume",
            ],
        )

    def test_sends_a_body_as_json(self) -> None:
        with LyingServer(json_answer({"items": [], "missing": []})) as server:
            server.client().batch_prices({"addresses": ["é"]})
        self.assertEqual(server.seen[0].headers["content-type"], "application/json")
        self.assertEqual(server.seen[0].body, '{"addresses": ["é"]}'.encode())

    def test_reads_numbers_without_loss(self) -> None:
        body = b'{"sentiment": 0.1234567890123456789, "slot": 123456789012345678901234567890}'
        with LyingServer(json_answer(body)) as server:
            data = server.client().request("GET", "/v1/anything").data
        self.assertEqual(data["sentiment"], Decimal("0.1234567890123456789"))
        self.assertEqual(data["slot"], 123456789012345678901234567890)

    def test_returns_none_for_an_answer_without_a_body(self) -> None:
        with LyingServer(raw(b"HTTP/1.1 204 No Content\r\n\r\n", then_close=False)) as server:
            self.assertIsNone(server.client().end_session().data)

    def test_uses_a_connection_again_but_not_for_what_changes_something(self) -> None:
        with LyingServer(GOOD) as server:
            client = server.client()
            for _ in range(3):
                client.get_key()
            client.batch_prices({"addresses": []})
            client.get_key()
        self.assertEqual([seen.connection for seen in server.seen], [1, 1, 1, 2, 2])

    def test_opens_another_connection_for_one_that_was_closed(self) -> None:
        is_closed = threading.Event()

        def good_then_close(client, seen) -> None:  # type: ignore[no-untyped-def]
            GOOD(client, seen)
            client.shutdown(socket.SHUT_RDWR)
            is_closed.set()

        with LyingServer(good_then_close, GOOD) as server:
            client = server.client(attempts=1)
            client.get_key()
            self.assertTrue(is_closed.wait(20))
            client.get_key()
        self.assertEqual([seen.connection for seen in server.seen], [1, 2])

    def test_reads_an_answer_that_closes_its_connection(self) -> None:
        body = b'{"a":"1"}'
        whole = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n"
        with LyingServer(raw(whole + b"content-length: 9\r\n\r\n" + body)) as server:
            client = server.client()
            self.assertEqual(client.get_key().data, {"a": "1"})
            self.assertEqual(client.get_key().data, {"a": "1"})


class AFailure(unittest.TestCase):
    def test_has_the_sentence_of_the_service_and_is_not_repeated(self) -> None:
        with LyingServer(failing(404, x_request_id="r1")) as server:
            with self.assertRaises(ApiError) as raised:
                server.client().get_key()
        error = raised.exception
        self.assertEqual((error.status, str(error), error.request_id), (404, "Because 404.", "r1"))
        self.assertEqual(len(server.seen), 1)

    def test_for_the_rate_waits_as_long_as_the_service_says_and_others_with_it(self) -> None:
        for header in ("retry_after", "ratelimit_reset"):
            with LyingServer(failing(429, **{header: "1"}), GOOD) as server:
                client = server.client()
                first = threading.Thread(target=lambda: client.batch_prices({"addresses": []}))
                first.start()
                # The first request has read the refusal, on which the second one waits too.
                while client._http._paused_until == 0:
                    time.sleep(0.005)
                client.get_key()
                first.join()
            refused, *later = [seen.at for seen in server.seen]
            self.assertEqual(len(later), 2)
            for at in later:
                self.assertGreaterEqual(at - refused, 0.99)

    def test_is_raised_when_the_service_asks_for_a_longer_wait_than_is_allowed(self) -> None:
        with LyingServer(failing(429, retry_after="3600")) as server:
            with self.assertRaises(ApiError) as raised:
                server.client().get_key()
        self.assertEqual(raised.exception.retry_after_ms, 3_600_000)
        self.assertEqual(len(server.seen), 1)

    def test_of_a_busy_service_is_repeated_at_most_as_often_as_allowed(self) -> None:
        busy = failing(503, retry_after="0")
        with LyingServer(busy, busy, GOOD) as server:
            self.assertEqual(server.client().get_key().data, {"a": "1"})
            self.assertEqual(len(server.seen), 3)
        with LyingServer(busy) as server:
            with self.assertRaises(ApiError):
                server.client(attempts=2).get_key()
            self.assertEqual(len(server.seen), 2)

    def test_of_what_changes_something_is_not_repeated(self) -> None:
        for say, kind in ((CUT, ConnectionFailedError), (failing(503, retry_after="0"), ApiError)):
            with LyingServer(say) as server:
                with self.assertRaises(kind):
                    server.client().create_stream_ticket()
                self.assertEqual(len(server.seen), 1)

    def test_to_connect_says_so(self) -> None:
        with LyingServer(GOOD) as server:
            pass
        with self.assertRaisesRegex(ConnectionFailedError, "^The service cannot be reached: "):
            server.client(attempts=2).get_key()

    def test_of_arguments_comes_before_anything_is_sent(self) -> None:
        for url in ("localhost:8080", "ftp://a", "http://", "http://user:pw@a", "http://a?b"):
            with self.assertRaises(ValueError):
                MintscopeClient(url)
        for key in ("", "a b", "a\r\nx: y", "é"):
            with self.assertRaises(ValueError):
                MintscopeClient("http://a", key)


class Cancelling(unittest.TestCase):
    def test_ends_a_request_in_flight_and_while_it_waits(self) -> None:
        for say in (silent, failing(429, retry_after="30"), raw(b"HTTP/1.1 2", then_close=False)):
            with LyingServer(say) as server:
                cancellation = Cancellation()
                threading.Timer(0.1, cancellation.cancel).start()
                began = time.monotonic()
                with self.assertRaises(RequestCancelledError):
                    server.client().get_key(cancellation=cancellation)
                self.assertLess(time.monotonic() - began, 5)

    def test_ends_a_download(self) -> None:
        say = raw(b"HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\n\r\nslot\n", then_close=False)
        with LyingServer(say) as server:
            cancellation = Cancellation()
            file = server.client().export_trades(
                from_="2025-01-15", to="2025-01-16", cancellation=cancellation
            )
            parts = iter(file)
            self.assertEqual(next(parts), b"slot\n")
            threading.Timer(0.1, cancellation.cancel).start()
            with self.assertRaises(RequestCancelledError):
                next(parts)


class Pages(unittest.TestCase):
    @staticmethod
    def page(cursor: str | None, *trades: str):  # type: ignore[no-untyped-def]
        return json_answer({"trades": list(trades), "next_cursor": cursor})

    def test_are_read_to_the_last_one_each_once_in_order(self) -> None:
        page = self.page
        with LyingServer(page("p2", "a", "b"), page("p3"), page(None, "c")) as server:
            items = list(server.client().list_trades_items(limit=2))
        self.assertEqual(items, ["a", "b", "c"])
        self.assertEqual(
            [seen.line.split(" ")[1] for seen in server.seen],
            [
                "/v1/trades?limit=2",
                "/v1/trades?limit=2&cursor=p2",
                "/v1/trades?limit=2&cursor=p3",
            ],
        )

    def test_are_read_no_further_than_they_are_used(self) -> None:
        with LyingServer(self.page("p2", "a")) as server:
            self.assertEqual(next(server.client().list_trades_items()), "a")
            self.assertEqual(len(server.seen), 1)

    def test_that_lead_in_a_circle_end_with_an_error(self) -> None:
        page = self.page
        with LyingServer(page("p2", "a"), page("p3", "b"), page("p2", "c")) as server:
            with self.assertRaises(BadAnswerError):
                list(server.client().list_trades_items())

    def test_of_another_shape_are_a_bad_answer(self) -> None:
        for body in (
            *("null", "[]", "7", "{}", '{"next_cursor":7}'),
            *('{"next_cursor":null}', '{"trades":{},"next_cursor":null}'),
        ):
            with LyingServer(json_answer(body.encode())) as server:
                with self.assertRaises(BadAnswerError, msg=body):
                    list(server.client().list_trades_items())


if __name__ == "__main__":
    unittest.main()
