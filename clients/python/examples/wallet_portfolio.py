"""What a wallet holds, and what it is worth to the digit: python3 wallet_portfolio.py <address>"""

import os
import sys

from mintscope_client import MintscopeClient, add_decimals, parse_decimal

client = MintscopeClient(
    os.environ.get("MINTSCOPE_URL", "http://localhost:8080"), os.environ.get("MINTSCOPE_KEY")
)

positions = list(client.list_wallet_positions_items(sys.argv[1], status="open"))
# None is unknown, and is not nothing.
known = [position["value_usd"] for position in positions if position["value_usd"] is not None]
for position in sorted(positions, key=lambda one: -parse_decimal(one["value_usd"] or "0")):
    name = position["symbol"] or position["token_address"]
    print(f"{name}: {position['balance'] or '?'} worth {position['value_usd'] or '?'} USD")
realised = add_decimals(
    *(one for position in positions if (one := position["realised_usd"]) is not None)
)
print(f"total {add_decimals(*known)} USD, realised {realised} USD")
