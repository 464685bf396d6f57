"""What the signals of each model were worth after costs, beside random minutes."""

import os
import sys

from mintscope_client import ApiError, MintscopeClient

client = MintscopeClient(
    os.environ.get("MINTSCOPE_URL", "http://localhost:8080"), os.environ.get("MINTSCOPE_KEY")
)

from_date = sys.argv[1] if len(sys.argv) > 1 else "2025-01-01"
try:
    data = client.get_signal_statistics(from_date=from_date).data
except ApiError as error:
    print(f"refused with {error.status}: {error}")
    sys.exit()
for model in data["model_breakdown"]:
    count, highest = model["signal_count"], model["median_max_roi"]
    print(f"{model['model_name']}: {count} signals, median highest return {highest} %")
for rule in data["execution_statistics"]:
    won = rule["win_rate"] or "unknown"
    what = f"{rule['exit_rule']} with {rule['ticket_usd']} USD"
    print(f"{what}: median {rule['median_return']} %, won {won}")
print(f"{data['total_signals']} signals since {data['from_date']}")
