"""The same for asyncio: tasks that are cancelled end at once, and leave no thread."""

from __future__ import annotations

import asyncio
import tempfile
import threading
import time
import unittest
from contextlib import aclosing
from pathlib import Path

from mintscope_client import ApiError, AsyncMintscopeClient, Message, Ready, StreamSettings

from .lying_server import GOOD, LyingServer, Say, failing, head, json_answer, raw, silent
from .test_stream_lies import ACK, HEAD, message

FAST = StreamSettings(reconnect_ms=(1, 20))


def client_of(server: LyingServer) -> AsyncMintscopeClient:
    return AsyncMintscopeClient(server.url, "k")


def threads() -> int:
    return sum(each.name.startswith("mintscope") for each in threading.enumerate())


class Asyncio(unittest.IsolatedAsyncioTestCase):
    async def test_requests_run_beside_each_other(self) -> None:
        # Nothing is answered before all requests have arrived.
        all_arrived = threading.Barrier(8, timeout=20)

        def together(client, seen) -> None:  # type: ignore[no-untyped-def]
            all_arrived.wait()
            GOOD(client, seen)

        with LyingServer(together) as server:
            async with client_of(server) as client:
                answers = await asyncio.gather(*(client.get_key() for _ in range(8)))
        self.assertEqual([answer.data for answer in answers], [{"a": "1"}] * 8)

    async def test_failures_are_raised_where_they_are_awaited(self) -> None:
        with LyingServer(failing(404)) as server:
            async with client_of(server) as client:
                with self.assertRaises(ApiError):
                    await client.get_key()

    async def test_pages_and_items_are_read_as_they_are_used(self) -> None:
        pages = (
            json_answer({"trades": ["a", "b"], "next_cursor": "p2"}),
            json_answer({"trades": ["c"], "next_cursor": None}),
        )
        with LyingServer(*pages) as server:
            async with client_of(server) as client:
                items = [item async for item in client.list_trades_items(limit=2)]
        self.assertEqual(items, ["a", "b", "c"])

    async def test_a_file_is_saved_or_read_in_parts(self) -> None:
        whole = raw(head(200, content_type="text/csv", content_length="5") + b"slot\n")
        with LyingServer(whole) as server, tempfile.TemporaryDirectory() as folder:
            async with client_of(server) as client:
                file = await client.export_trades(from_="2025-01-15", to="2025-01-16")
                path = await file.save(Path(folder) / "trades.csv")
                self.assertEqual(path.read_bytes(), b"slot\n")
                again = await client.export_trades(from_="2025-01-15", to="2025-01-16")
                self.assertEqual([part async for part in again], [b"slot\n"])

    async def test_a_task_that_is_cancelled_ends_its_request_at_once(self) -> None:
        says: tuple[Say, ...] = (silent, failing(429, retry_after="30"))
        for say in says:
            with LyingServer(say) as server:
                client = client_of(server)
                began = time.monotonic()
                with self.assertRaises(TimeoutError):
                    await asyncio.wait_for(client.get_key(), 0.2)
                client.close()
                await self.no_threads()
                self.assertLess(time.monotonic() - began, 5)

    async def test_a_stream_gives_its_events_and_ends_with_its_reader(self) -> None:
        body = ACK + message(2) + message(3)
        with LyingServer(raw(HEAD + body, then_close=False)) as server:
            async with client_of(server) as client:
                seen = []
                async with aclosing(client.stream_pool(settings=FAST)) as stream:
                    async for event in stream:
                        seen.append(event)
                        if isinstance(event, Message) and event.seq == 3:
                            break
                self.assertIsInstance(seen[0], Ready)
                self.assertEqual([each.seq for each in seen if isinstance(each, Message)], [2, 3])
                await self.no_threads(of_streams=True)

    async def test_a_stream_that_is_waited_for_can_be_cancelled(self) -> None:
        with LyingServer(raw(HEAD + ACK, then_close=False)) as server:
            async with client_of(server) as client:

                async def read() -> None:
                    async for _ in client.stream_pool(settings=FAST):
                        pass

                with self.assertRaises(TimeoutError):
                    await asyncio.wait_for(read(), 0.2)
                await self.no_threads(of_streams=True)

    async def no_threads(self, of_streams: bool = False) -> None:
        name = "mintscope-stream" if of_streams else "mintscope"
        for _ in range(200):
            if not any(each.name.startswith(name) for each in threading.enumerate()):
                return
            await asyncio.sleep(0.02)
        self.fail("A thread is left.")


if __name__ == "__main__":
    unittest.main()
