"""The tokens whose volume of people grows most, with their prices."""

import os
from itertools import islice

from mintscope_client import MintscopeClient

client = MintscopeClient(
    os.environ.get("MINTSCOPE_URL", "http://localhost:8080"), os.environ.get("MINTSCOPE_KEY")
)

tokens = client.get_tokens_items(order_by="trending", order_dir="desc", limit=20)
found = [token["token_address"] for token in islice(tokens, 40)]
if found:
    prices = client.batch_prices({"addresses": found})
    for item in prices.data["items"]:
        print(f"{item['address']} {item['data']['price_usd'] or 'unknown'}")
    print(f"{len(prices.data['items'])} prices as of slot {prices.slot}")
