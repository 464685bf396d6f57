"""Writes the trades of a span as Parquet: python3 backfill_parquet.py <from> <to> <file>"""

import os
import sys

from mintscope_client import MintscopeClient

client = MintscopeClient(
    os.environ.get("MINTSCOPE_URL", "http://localhost:8080"), os.environ.get("MINTSCOPE_KEY")
)

_, begin, end, file = sys.argv
# A file that was cut off raises here, and leaves nothing under its name.
client.export_trades_parquet(from_=begin, to=end).save(file)
print(f"wrote {file}")
