"""Streams of a server that lies, and the events in whatever parts they come."""

from __future__ import annotations

import random
import threading
import time
import unittest
from collections.abc import Generator
from typing import Any

from mintscope_client import (
    ApiError,
    BadAnswerError,
    Cancellation,
    Gap,
    Message,
    Ready,
    RequestCancelledError,
    StreamSettings,
    Undo,
)
from mintscope_client.event_source import EventParser, ServerEvent

from .lying_server import LyingServer, Say, endless, failing, head, json_answer, raw

HEAD = head(200, content_type="text/event-stream; charset=utf-8")
ACK = b'event: ack\nid: 1\ndata: {"seq":1,"slot":1}\n\n'
FAST = StreamSettings(reconnect_ms=(1, 20))


def message(seq: int, more: str = "") -> bytes:
    fields = f'"topic":"pool","seq":{seq},"slot":{seq},"data":{{"n":"é"}}{more}'
    return f"id: {seq}\ndata: {{{fields}}}\n\n".encode()


def stream_of(server: LyingServer, settings: StreamSettings = FAST, **given: Any) -> Generator[Any, None, None]:
    return server.client().stream_pool(settings=settings, **given)


class AStream(unittest.TestCase):
    def test_gives_messages_undos_and_gaps_and_ignores_what_later_versions_send(self) -> None:
        later = b"event: weather\ndata: sunny\n\nmore\n: comment\n\nretry: 1\n\n"
        gap = b'event: gap\nid: 9\ndata: {"from_seq":4,"to_seq":9,"seq":9,"more":1}\n\n'
        body = b"".join(
            [ACK, message(2, ',"more":1'), later, message(3, ',"undo":true'), gap, message(10)]
        )
        with LyingServer(raw(HEAD + body, then_close=False)) as server:
            stream = stream_of(server)
            events = [next(stream) for _ in range(5)]
            stream.close()
        data = {"n": "é"}
        self.assertEqual(
            events,
            [
                Ready(1, 1, False),
                Message("pool", 2, 2, data),
                Undo("pool", 3, 3, data),
                Gap(4, 9),
                Message("pool", 10, 10, data),
            ],
        )

    def test_drops_what_was_sent_before_and_continues_after_it(self) -> None:
        first = raw(HEAD + ACK + message(2) + message(3) + message(2) + message(4)[:-1])
        second = raw(HEAD + ACK + message(3) + message(4), then_close=False)
        with LyingServer(first, second) as server:
            stream = stream_of(server)
            events = [next(stream) for _ in range(5)]
            stream.close()
        self.assertEqual([each.seq for each in events], [1, 2, 3, 3, 4])
        self.assertTrue(events[3].is_resumed)
        self.assertEqual(
            [seen.line.split(" ")[1] for seen in server.seen],
            ["/v1/stream/sse?topic=pool", "/v1/stream/sse?topic=pool&since=3"],
        )

    def test_follows_a_service_whose_numbers_began_anew(self) -> None:
        gap = b'event: gap\ndata: {"from_seq":5,"to_seq":9,"seq":9}\n\n'
        with LyingServer(raw(HEAD + ACK + gap + message(5), then_close=False)) as server:
            stream = stream_of(server, since=100)
            events = [next(stream) for _ in range(3)]
            stream.close()
        self.assertEqual(events[2].seq, 5)

    def test_fails_with_events_that_are_none(self) -> None:
        for data in (
            *("<html>", "[]", "7", "null", "{", '{"seq":1}', '{"topic":"pool","seq":2,"slot":1}'),
            '{"topic":"pool","seq":1.5,"slot":1,"data":{}}',
            '{"topic":"pool","seq":true,"slot":1,"data":{}}',
            '{"topic":"pool","seq":9007199254740993,"slot":1,"data":{}}',
            '{"topic":"trades","seq":2,"slot":1,"data":{}}',
            '{"topic":"pool","seq":2,"slot":1,"data":{},"undo":"yes"}',
            '{"topic":"pool","seq":2,"slot":1,"data":{},"undo":false}',
        ):
            self.assert_bad(f"data: {data}\n\n".encode(), data)
        for event in (
            b'event: ack\ndata: {"seq":"1"}\n\n',
            b'event: ack\ndata: {"seq":1,"slot":-1}\n\n',
            b'event: gap\ndata: {"from_seq":-1,"to_seq":2}\n\n',
            b'data: {"n":"\xff"}\n\n',
        ):
            self.assert_bad(event, str(event))

    def assert_bad(self, event: bytes, name: str) -> None:
        with self.subTest(name), LyingServer(raw(HEAD + ACK + event, then_close=False)) as server:
            stream = stream_of(server)
            self.assertEqual(next(stream), Ready(1, 1, False))
            with self.assertRaises(BadAnswerError):
                next(stream)

    def test_fails_with_what_is_no_stream(self) -> None:
        for say in (
            json_answer({}),
            raw(head(200, content_type="text/html") + b"<p>"),
            raw(head(307, location="http://127.0.0.1:1", content_length="0")),
        ):
            with LyingServer(say) as server, self.assertRaises(BadAnswerError):
                next(stream_of(server))

    def test_fails_when_the_service_refuses_by_status_or_by_event(self) -> None:
        refused = b'event: error\ndata: {"code":422,"message":"No."}\n\n'
        for say, status in ((failing(401), 401), (raw(HEAD + refused), 422)):
            with LyingServer(say) as server, self.assertRaises(ApiError) as raised:
                next(stream_of(server))
            self.assertEqual(raised.exception.status, status)

    def test_connects_again_while_the_service_is_away_as_late_as_it_asks(self) -> None:
        later = b'event: error\ndata: {"code":503,"message":"Later."}\n\n'
        good = raw(HEAD + ACK, then_close=False)
        reasons: list[str] = []
        settings = StreamSettings(reconnect_ms=(1, 20), on_disconnect=reasons.append)
        away = (failing(502), raw(b""), raw(HEAD + later), failing(429, retry_after="1"))
        with LyingServer(*away, good) as server:
            stream = stream_of(server, settings)
            self.assertEqual(next(stream), Ready(1, 1, False))
            stream.close()
        self.assertEqual(len(reasons), 4)
        self.assertEqual(reasons[2], "the service asks to connect again")
        self.assertGreaterEqual(server.seen[4].at - server.seen[3].at, 0.99)

    def test_is_bounded_in_the_size_of_a_message(self) -> None:
        settings = StreamSettings(message_bytes_max=1_000_000)
        for first, again in (
            (b"data: ", b"a" * 65_536),
            (b"", b"data: a\n" * 1_000),
            (b"", b"a" * 65_536 + b"\n"),
        ):
            with LyingServer(endless(HEAD + first, again)) as server:
                with self.assertRaises(BadAnswerError) as raised:
                    next(stream_of(server, settings))
            self.assertEqual(str(raised.exception), "A message is larger than 1000000 bytes.")

    def test_is_bounded_in_what_frames_its_parts(self) -> None:
        chunked = head(200, content_type="text/event-stream", transfer_encoding="chunked")
        with LyingServer(endless(chunked + b"0\r\n", b"trailer: more\r\n" * 4_000)) as server:
            with self.assertRaises(BadAnswerError):
                next(stream_of(server))

    def test_lives_on_comments_and_gives_up_on_silence(self) -> None:
        reasons: list[str] = []
        settings = StreamSettings(2_000, (1, 20), on_disconnect=reasons.append)

        def comments(client: Any, _: Any) -> None:
            client.sendall(HEAD + ACK)
            # Longer in all than the silence that is allowed, and each pause far shorter.
            for _ in range(9):
                time.sleep(0.25)
                client.sendall(b":\n\n")
            client.sendall(message(2))

        with LyingServer(comments, raw(HEAD + ACK + message(3), then_close=False)) as server:
            stream = stream_of(server, settings)
            seqs = [next(stream).seq for _ in range(4)]
            stream.close()
        self.assertEqual(seqs, [1, 2, 2, 3])
        self.assertEqual(reasons, ["the service is silent"])

    def test_ends_with_its_cancellation_also_while_it_cannot_connect(self) -> None:
        says: tuple[Say, ...] = (raw(HEAD + ACK, then_close=False), failing(503))
        for say in says:
            cancellation = Cancellation()
            with LyingServer(say) as server:
                threading.Timer(0.1, cancellation.cancel).start()
                with self.assertRaises(RequestCancelledError):
                    for _ in stream_of(server, cancellation=cancellation):
                        pass

    def test_refuses_a_position_that_is_none_before_it_connects(self) -> None:
        for since in (-1, 2**53, True, 1.5):
            with LyingServer(failing(500)) as server, self.assertRaises(ValueError):
                next(stream_of(server, since=since))


class Parts(unittest.TestCase):
    def test_give_the_same_events_wherever_the_bytes_are_divided(self) -> None:
        events = [ServerEvent("ack", "1\n2"), ServerEvent("message", "é: x")]
        draws = random.Random(1)
        for ending in ("\n", "\r\n", "\r"):
            lines = [
                *(": comment", "event: ack", "data: 1", "data:2", "id: 4", ""),
                *("event: nothing", "", "data: é: x", "", "data: never ended"),
            ]
            text = ending.join(lines).encode()
            for _ in range(200):
                cuts = sorted(draws.sample(range(len(text)), 8))
                ends = [0, *cuts, len(text)]
                parser = EventParser(1_000)
                parts = [text[a:b] for a, b in zip(ends, ends[1:])]
                self.assertEqual([each for part in parts for each in parser.take(part)], events)


if __name__ == "__main__":
    unittest.main()
