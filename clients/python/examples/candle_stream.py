"""Candles of a token, kept current: python3 candle_stream.py <token address>"""

import os
import sys

from mintscope_client import Gap, Message, MintscopeClient, Ready, Undo

client = MintscopeClient(
    os.environ.get("MINTSCOPE_URL", "http://localhost:8080"), os.environ.get("MINTSCOPE_KEY")
)

token_address = sys.argv[1]
candles: dict[str, str | None] = {}


def read_again() -> None:
    """What was traded before the stream began, or during a gap."""
    answer = client.get_ohlc(token_address=token_address, interval="30s")
    for candle in answer.data["timeframes"].get("30s") or []:
        candles[candle["timestamp"]] = candle["close"]


left = int(os.environ.get("EVENTS", "0"))
for event in client.stream_candles(token_address=token_address):
    match event:
        # A read after this is of the slot of the stream or a later one: nothing lies between.
        case Ready(is_resumed=False) | Gap():
            read_again()
        case Undo():
            candles.pop(event.data["timestamp"], None)
        case Message():
            candle = event.data
            candles[candle["timestamp"]] = candle["close"]
            prices = f"{candle['open']} {candle['high']} {candle['low']} {candle['close']}"
            size = f"{candle['volume']} ({len(candles)} candles)"
            print(candle["timestamp"], prices, size, flush=True)
            left -= 1
            if left == 0:
                break
