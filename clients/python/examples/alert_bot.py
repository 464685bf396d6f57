"""Reports fraud findings as they come, and takes back what a fork takes back."""

import os

from mintscope_client import Gap, MintscopeClient, Ready, Undo

client = MintscopeClient(
    os.environ.get("MINTSCOPE_URL", "http://localhost:8080"), os.environ.get("MINTSCOPE_KEY")
)


def post(text: str) -> None:
    """Where a bot would post; here it prints."""
    print(text, flush=True)


left = int(os.environ.get("EVENTS", "0"))
for event in client.stream_findings():
    if isinstance(event, Ready):
        post(f"watching from slot {event.slot}")
    elif isinstance(event, Gap):
        newest = client.list_classifications(limit=20).data["classifications"]
        post(f"something was missed; the newest findings are {len(newest)}")
    else:
        finding = event.data
        is_over = isinstance(event, Undo) or finding["status"] == "false_positive"
        what = f"{finding['confidence_level']} {finding['fraud_type']}"
        post(f"{'withdrawn: ' if is_over else ''}{what} of {finding['token_address']}")
        left -= 1
        if left == 0:
            break
