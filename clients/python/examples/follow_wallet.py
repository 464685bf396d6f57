"""Every trade of a wallet once, over restarts: python3 follow_wallet.py <address> <file>"""

import os
import sys
from pathlib import Path

from mintscope_client import Gap, MintscopeClient, Ready, Undo

client = MintscopeClient(
    os.environ.get("MINTSCOPE_URL", "http://localhost:8080"), os.environ.get("MINTSCOPE_KEY")
)

wallet_address = sys.argv[1]
position = Path(sys.argv[2])
since = int(position.read_text()) if position.exists() else None

left = int(os.environ.get("EVENTS", "0"))
for event in client.stream_trades(wallet_address=wallet_address, since=since):
    if isinstance(event, Gap):
        print("some trades were missed: read list_trades for them")
    if isinstance(event, (Gap, Ready)):
        continue
    trade = event.data
    undone = "not " if isinstance(event, Undo) else ""
    what = f"{trade['side']} {trade['token_amount']} of {trade['token_address']}"
    print(f"{undone}{what}: {trade['value_usd']}", flush=True)
    # Written once the trade has been handled: the next start continues after it.
    position.write_text(str(event.seq))
    left -= 1
    if left == 0:
        break
