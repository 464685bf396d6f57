"""Streams of a service whose connections are cut, and which is restarted."""

from __future__ import annotations

import asyncio
import threading
import unittest
from collections.abc import Callable
from typing import Any

from mintscope_client import (
    ApiError,
    AsyncMintscopeClient,
    Gap,
    Message,
    MintscopeClient,
    Ready,
    StreamSettings,
    Undo,
)

from .served import FACTS, KEY, URL, needs_service, order

FAST = StreamSettings(reconnect_ms=(1, 20))


def slots_of(events: list[Any]) -> list[int]:
    return [event.slot for event in events if isinstance(event, Message)]


class Reader:
    """Reads a stream in a thread until an event is the last one."""

    def __init__(self, client: MintscopeClient, is_last: Callable[[Any], bool]) -> None:
        self.events: list[Any] = []
        self.losses = 0
        self._failure: Exception | None = None
        self.ready = threading.Semaphore(0)
        self._is_last = is_last
        settings = StreamSettings(reconnect_ms=(1, 20), on_disconnect=self._lose)
        self._stream = client.stream_pool(pair_address=FACTS["pool"], settings=settings)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _lose(self, _: str) -> None:
        self.losses += 1

    def _read(self) -> None:
        try:
            for event in self._stream:
                self.events.append(event)
                if isinstance(event, Ready):
                    self.ready.release()
                if self._is_last(event):
                    break
        except Exception as error:
            self._failure = error
            self.ready.release()
        self._stream.close()

    def wait_until_ready(self) -> None:
        if not self.ready.acquire(timeout=30):
            raise AssertionError("The stream did not continue.")
        if self._failure is not None:
            raise self._failure

    def join(self) -> None:
        self._thread.join(60)
        if self._thread.is_alive():
            raise AssertionError(f"The last event did not come: {self.events[-3:]}")
        if self._failure is not None:
            raise self._failure


@needs_service
class Streams(unittest.TestCase):
    def setUp(self) -> None:
        order("reset")
        self.client = MintscopeClient(URL, KEY, attempts=1)
        self.addCleanup(self.client.close)

    def test_begins_with_where_it_is_and_surfaces_what_a_fork_takes_back(self) -> None:
        events: list[Any] = []
        for event in self.client.stream_pool(pair_address=FACTS["pool"], settings=FAST):
            events.append(event)
            if isinstance(event, Ready):
                order("publish")
                order("undo")
            if isinstance(event, Undo):
                break
        ready, message, undo = events
        self.assertFalse(ready.is_resumed)
        self.assertEqual(message.data["pair_address"], FACTS["pool"])
        self.assertEqual(undo.data, message.data)
        self.assertEqual((undo.slot, undo.seq), (message.slot, message.seq + 1))

    def test_50_cut_connections_lose_nothing_and_double_nothing(self) -> None:
        cuts, per_round = 50, 8
        total = (cuts + 1) * per_round
        reader = Reader(self.client, lambda event: getattr(event, "slot", 0) == total)
        reader.wait_until_ready()
        for cut in range(cuts):
            # Some messages precede the cut, some come while nobody can connect, some after it.
            before = cut % per_round
            for _ in range(before):
                order("publish")
            order("cut")
            order("publish")
            order("mend")
            reader.wait_until_ready()
            for _ in range(per_round - before - 1):
                order("publish")
        for _ in range(per_round):
            order("publish")
        reader.join()
        self.assertEqual(slots_of(reader.events), list(range(1, total + 1)))
        self.assertEqual([event for event in reader.events if isinstance(event, Gap)], [])
        self.assertGreaterEqual(reader.losses, cuts)

    def test_says_what_is_lost_with_the_memory_of_the_service_and_continues(self) -> None:
        reader = Reader(self.client, lambda event: getattr(event, "slot", 0) == 3)
        reader.wait_until_ready()
        order("publish")
        order("publish")
        while slots_of(reader.events) != [1, 2]:
            threading.Event().wait(0.01)
        order("restart")
        reader.wait_until_ready()
        order("publish")
        reader.join()
        kinds = [type(event) for event in reader.events]
        self.assertEqual(kinds, [Ready, Message, Message, Ready, Gap, Message])
        self.assertTrue(reader.events[3].is_resumed)
        self.assertEqual(slots_of(reader.events), [1, 2, 3])

    def test_continues_another_one_after_the_last_event_that_was_handled(self) -> None:
        def read(last: int, since: int | None = None) -> list[Any]:
            events = []
            pool = FACTS["pool"]
            for event in self.client.stream_pool(pair_address=pool, since=since, settings=FAST):
                events.append(event)
                if isinstance(event, Ready) and since is None:
                    for _ in range(3):
                        order("publish")
                if isinstance(event, Message) and event.slot == last:
                    break
            return events

        first = read(2)
        order("publish")
        second = read(4, since=first[-1].seq)
        self.assertEqual(slots_of(first) + slots_of(second), [1, 2, 3, 4])

    def test_a_slow_reader_loses_nothing(self) -> None:
        events = []
        for event in self.client.stream_pool(pair_address=FACTS["pool"], settings=FAST):
            events.append(event)
            if isinstance(event, Ready) and not event.is_resumed:
                order("publish/3000")
                threading.Event().wait(0.5)
            if isinstance(event, Message) and event.slot == 3000:
                break
        self.assertEqual(slots_of(events), list(range(1, 3001)))

    def test_gives_up_a_connection_whose_other_side_is_gone(self) -> None:
        reasons: list[str] = []

        def mend(reason: str) -> None:
            reasons.append(reason)
            order("mend")

        settings = StreamSettings(300, (1, 20), on_disconnect=mend)
        for event in self.client.stream_pool(pair_address=FACTS["pool"], settings=settings):
            if isinstance(event, Ready) and not event.is_resumed:
                order("stall")
                order("publish")
            if isinstance(event, Message):
                break
        self.assertIn("the service is silent", reasons)

    def test_fails_with_a_key_that_is_not_valid_and_with_a_subscription_that_is_refused(
        self,
    ) -> None:
        for key, status in (("tik_wrong", 401), (KEY, 422)):
            with MintscopeClient(URL, key, attempts=1) as client:
                with self.assertRaises(ApiError) as raised:
                    next(client.stream_candles())
            self.assertEqual(raised.exception.status, status)

    def test_two_of_asyncio_run_beside_each_other(self) -> None:
        async def read(client: AsyncMintscopeClient, ready: asyncio.Event) -> list[int]:
            slots = []
            async for event in client.stream_pool(pair_address=FACTS["pool"], settings=FAST):
                if isinstance(event, Ready):
                    ready.set()
                if isinstance(event, Message):
                    slots.append(event.slot)
                    if event.slot == 5:
                        break
            return slots

        async def run() -> list[list[int]]:
            async with AsyncMintscopeClient(URL, KEY) as client:
                begun = [asyncio.Event(), asyncio.Event()]
                tasks = [asyncio.create_task(read(client, each)) for each in begun]
                for each in begun:
                    await asyncio.wait_for(each.wait(), 30)
                for _ in range(5):
                    await asyncio.to_thread(order, "publish")
                return await asyncio.gather(*tasks)

        self.assertEqual(asyncio.run(run()), [[1, 2, 3, 4, 5]] * 2)


if __name__ == "__main__":
    unittest.main()
