"""The clients: what the API has as methods, and what they need of a connection."""

from __future__ import annotations

from .generated.async_operations import AsyncOperations
from .generated.operations import Operations


class MintscopeClient(Operations):
    """A client of one service. Safe to use from several threads.

    Requests that fail for a while are repeated where that cannot do harm.

        with MintscopeClient("http://localhost:8080", key) as client:
            token = client.get_token(token_address).data
    """


class AsyncMintscopeClient(AsyncOperations):
    """The same for asyncio.

        async with AsyncMintscopeClient("http://localhost:8080", key) as client:
            token = (await client.get_token(token_address)).data
    """
