"""Trades of a token as a table of pandas, or as columns: python3 trades_table.py <token address>"""

import os
import sys
from itertools import islice

from mintscope_client import MintscopeClient, columns_of, to_pandas

client = MintscopeClient(
    os.environ.get("MINTSCOPE_URL", "http://localhost:8080"), os.environ.get("MINTSCOPE_KEY")
)

trades = client.list_trades_items(token_address=sys.argv[1], limit=100)
rows = [dict(trade) for trade in islice(trades, 250)]
# Exact: a float would lose digits.
decimals = ["price_usd", "value_usd"]
columns = columns_of(rows, decimals=decimals, times=["timestamp"])
volume = sum(value for value in columns["value_usd"] if value is not None)
print(f"{len(rows)} trades worth {volume} USD")
try:
    print(to_pandas(rows, decimals=decimals, times=["timestamp"]).tail())
except ImportError:
    print("pandas is not installed")
