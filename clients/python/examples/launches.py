"""New tokens and what is found about them, two streams beside each other."""

import asyncio
import os

from mintscope_client import AsyncMintscopeClient, Message

names: dict[str, str] = {}


async def watch_launches(client: AsyncMintscopeClient) -> None:
    async for event in client.stream_new_tokens():
        if isinstance(event, Message):
            token = event.data["token"]
            name = token["name"] or token["token_address"]
            names[token["token_address"]] = name
            print(f"launched: {name}", flush=True)


async def watch_findings(client: AsyncMintscopeClient, left: int) -> None:
    async for event in client.stream_findings():
        if isinstance(event, Message):
            address = event.data["token_address"]
            print(f"{event.data['fraud_type']}: {names.get(address, address)}", flush=True)
            left -= 1
            if left == 0:
                return


async def main() -> None:
    url = os.environ.get("MINTSCOPE_URL", "http://localhost:8080")
    async with AsyncMintscopeClient(url, os.environ.get("MINTSCOPE_KEY")) as client:
        launches = asyncio.create_task(watch_launches(client))
        await watch_findings(client, int(os.environ.get("EVENTS", "0")))
        launches.cancel()


asyncio.run(main())
