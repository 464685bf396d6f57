"""A server that lies: each lie is one clear error, in bounded time and memory."""

from __future__ import annotations

import time
import unittest
from typing import Any

from mintscope_client import (
    ApiError,
    BadAnswerError,
    ConnectionFailedError,
    MintscopeError,
    VersionError,
)
from mintscope_client.generated.version import API_VERSION
from mintscope_client.versions import compare_versions

from .lying_server import (
    CUT,
    GOOD,
    JSON_HEAD,
    LyingServer,
    Say,
    endless,
    failing,
    head,
    json_answer,
    raw,
)


def error_of(say: Say, **options: Any) -> MintscopeError:
    with LyingServer(say) as server:
        try:
            server.client(**{"attempts": 1, **options}).get_key()
        except MintscopeError as error:
            return error
    raise AssertionError("The lie was believed.")


class Lies(unittest.TestCase):
    def test_a_page_of_html_and_500_is_an_error_with_its_status_without_the_page(self) -> None:
        error = error_of(raw(head(500, content_type="text/html") + b"<html>" * 100_000))
        assert isinstance(error, ApiError)
        self.assertEqual(error.status, 500)
        self.assertEqual(str(error), "The service answered 500 without a reason.")

    def test_what_is_not_json_is_a_bad_answer_and_not_repeated(self) -> None:
        for name, say in {
            "HTML": raw(head(200, content_type="text/html") + b"<p>"),
            "no type": raw(head(200) + b"{}"),
            "cut JSON": json_answer(b'{"a":'),
            "no UTF-8": json_answer(b'{"a":"\xff"}'),
            "NaN": json_answer(b'{"a":NaN}'),
            "Infinity": json_answer(b"[-Infinity]"),
            "deep": json_answer(b"[" * 200_000),
            "a number of many digits": json_answer(b"9" * 10_000),
            "a large exponent": json_answer(b"1e99999999999999999999"),
        }.items():
            with self.subTest(name), LyingServer(say) as server:
                with self.assertRaises(BadAnswerError):
                    server.client().get_key()
                self.assertEqual(len(server.seen), 1)

    def test_what_is_not_http_is_a_bad_answer(self) -> None:
        for name, data in {
            "SMTP": b"220 mail.example ESMTP\r\n",
            "a long line": b"HTTP/1.1 200 " + b"a" * 100_000,
            "many headers": b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 1_000 + b"\r\n",
            "another version": b"HTTP/9.9 200 OK\r\n\r\n",
        }.items():
            with self.subTest(name):
                self.assertIsInstance(error_of(raw(data)), BadAnswerError)

    def test_a_body_that_is_cut_is_asked_for_again(self) -> None:
        with LyingServer(CUT, GOOD) as server:
            self.assertEqual(server.client().get_key().data, {"a": "1"})
            self.assertEqual(len(server.seen), 2)
        chunked = head(200, transfer_encoding="chunked", **JSON_HEAD)
        for say in (CUT, raw(b""), raw(b"HTTP/1.1 2"), raw(chunked + b"ff\r\n{"), raw(chunked)):
            error = error_of(say)
            self.assertIsInstance(error, (ConnectionFailedError, BadAnswerError))
        self.assertIsInstance(error_of(CUT), ConnectionFailedError)

    def test_a_body_without_end_is_cut_off_at_the_allowed_size(self) -> None:
        spaces = b" " * 65_536
        chunked = head(200, transfer_encoding="chunked", **JSON_HEAD)
        for say in (
            endless(head(200, **JSON_HEAD), spaces),
            endless(chunked, b"10000\r\n" + spaces + b"\r\n"),
            # A negative size of a part would be read to the end.
            endless(chunked + b"-1\r\n", spaces),
            endless(chunked + b"0\r\n", b"trailer: more\r\n"),
            endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        ):
            error = error_of(say, bytes_max=1_000_000, timeout_ms=1_000)
            self.assertIsInstance(error, (BadAnswerError, ConnectionFailedError))
        error = error_of(endless(head(200, **JSON_HEAD), spaces), bytes_max=1_000_000)
        self.assertEqual(str(error), "The answer is larger than 1000000 bytes.")

    def test_an_answer_that_does_not_end_is_given_up_in_time_however_it_drips(self) -> None:
        for say in (
            raw(b"", then_close=False),
            endless(b"HTTP/1.1 200 OK\r\na: ", b"a", 0.02),
            endless(head(200, content_length="999999", **JSON_HEAD), b" ", 0.02),
        ):
            began = time.monotonic()
            error = error_of(say, timeout_ms=200)
            self.assertLess(time.monotonic() - began, 2)
            self.assertIsInstance(error, ConnectionFailedError)
            self.assertEqual(str(error), "No complete answer within 200 ms.")

    def test_a_redirect_does_not_get_the_key_elsewhere(self) -> None:
        with LyingServer(GOOD) as other:
            error = error_of(raw(head(307, location=other.url, content_length="0")))
            self.assertEqual(other.seen, [])
        self.assertIsInstance(error, BadAnswerError)
        self.assertRegex(str(error), "redirects are not followed")

    def test_a_failure_of_another_shape_is_an_error_with_its_status(self) -> None:
        for body in (b"[]", b"null", b'{"message":7}', b"{", b" " * 100_000):
            error = error_of(json_answer(body, 400))
            assert isinstance(error, ApiError)
            self.assertEqual(str(error), "The service answered 400 without a reason.")

    def test_headers_that_are_none_are_ignored(self) -> None:
        headers = {"x_slot": "-1", "x_data_age_ms": "1e3", "x_api_version": "new"}
        announced = {"deprecation": "@99999999999999", "sunset": "never"}
        with LyingServer(json_answer({}, 200, **headers, **announced)) as server:
            client = server.client()
            answer = client.get_key()
        self.assertEqual((answer.slot, answer.data_age_ms), (None, None))
        self.assertEqual(client.versions.relation, "unknown")
        assert answer.deprecation is not None
        self.assertEqual((answer.deprecation.since, answer.deprecation.until), (None, None))
        for retry in ("soon", "-1", "1e9", "Thu, 99 Jul 9999 00:00:00 GMT"):
            error = error_of(failing(429, retry_after=retry))
            assert isinstance(error, ApiError)
            self.assertIsNone(error.retry_after_ms)

    def test_a_file_that_is_cut_off_leaves_nothing_under_its_name(self) -> None:
        import tempfile
        from pathlib import Path

        cut = raw(head(200, content_type="text/csv", content_length="100") + b"slot\n")
        with tempfile.TemporaryDirectory() as folder, LyingServer(cut) as server:
            file = server.client().export_trades(from_="2025-01-15", to="2025-01-16")
            with self.assertRaises(ConnectionFailedError):
                file.save(Path(folder) / "trades.csv")
            self.assertEqual(list(Path(folder).iterdir()), [])

    def test_a_failure_of_the_caller_is_not_one_of_the_connection(self) -> None:
        whole = raw(head(200, content_type="text/csv", content_length="5") + b"slot\n")
        with LyingServer(whole) as server:
            file = server.client().export_trades(from_="2025-01-15", to="2025-01-16")
            with self.assertRaises(FileNotFoundError):
                file.save("/no/such/folder/trades.csv")


class Versions(unittest.TestCase):
    def test_a_newer_and_an_older_service_answer_and_the_difference_is_a_value(self) -> None:
        known = {"a": "1", "field_of_later": {"x": 1}}
        for version, relation in (
            (API_VERSION, "same"),
            (f"{API_VERSION.split('.')[0]}.999999.0", "service-newer"),
        ):
            with LyingServer(json_answer(known, x_api_version=version)) as server:
                client = server.client()
                self.assertEqual(client.versions.relation, "unknown")
                answer = client.get_key()
            self.assertEqual(answer.data, known)
            self.assertEqual(answer.api_version, version)
            self.assertEqual(client.versions.relation, relation)
            self.assertEqual(client.versions.service, version)

    def test_are_compared_part_by_part(self) -> None:
        for service, relation in (
            ("1.2.3", "same"),
            ("1.2.4", "service-newer"),
            ("1.10.0", "service-newer"),
            ("1.2.2", "service-older"),
            ("1.1.9", "service-older"),
            ("1.2", "unknown"),
            ("1.2.3-beta", "unknown"),
            ("", "unknown"),
            (None, "unknown"),
        ):
            self.assertEqual(compare_versions(service, "1.2.3").relation, relation)
        for service in ("0.9.9", "2.0.0", "10.2.3"):
            with self.assertRaises(VersionError):
                compare_versions(service, "1.2.3")

    def test_another_major_version_is_an_error_that_says_what_to_do(self) -> None:
        error = error_of(json_answer({}, x_api_version="7.0.0"), attempts=4)
        self.assertIsInstance(error, VersionError)
        self.assertRegex(str(error), "install a client of version 7[.]$")

    def test_a_deprecation_is_a_value_of_the_answer(self) -> None:
        headers = {"deprecation": "@1796083200", "sunset": "Thu, 01 Jul 2027 00:00:00 GMT"}
        with LyingServer(json_answer({}, 200, **headers)) as server:
            deprecation = server.client().get_key().deprecation
        assert deprecation is not None and deprecation.since and deprecation.until
        self.assertEqual(deprecation.since.isoformat(), "2026-12-01T00:00:00+00:00")
        self.assertEqual(deprecation.until.isoformat(), "2027-07-01T00:00:00+00:00")
        with LyingServer(GOOD) as server:
            self.assertIsNone(server.client().get_key().deprecation)


if __name__ == "__main__":
    unittest.main()
