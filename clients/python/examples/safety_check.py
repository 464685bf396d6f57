"""Should a sniper buy this token? python3 safety_check.py <token address>"""

import asyncio
import os
import sys

from mintscope_client import AsyncMintscopeClient, to_units

# A tenth of the supply, in millionths.
SHARE_MAX = 100_000


async def main(token_address: str) -> None:
    url = os.environ.get("MINTSCOPE_URL", "http://localhost:8080")
    async with AsyncMintscopeClient(url, os.environ.get("MINTSCOPE_KEY")) as client:
        fraud, token, holders = await asyncio.gather(
            client.check_fraud(token_address=token_address),
            client.get_token(token_address),
            client.get_token_holders(token_address, limit=10),
        )
    reasons = [
        f"{found['fraud_type']} with confidence {found['confidence_score']}"
        for found in fraud.data["classifications"]
    ]
    if token.data["token"]["mint_authority_address"] is not None:
        reasons.append("more tokens can be minted")
    if token.data["token"]["freeze_authority_address"] is not None:
        reasons.append("accounts can be frozen")
    for holder in holders.data["holders"]:
        share = holder["share_of_supply"]
        if holder["kind"] == "wallet" and share is not None and to_units(share, 6) > SHARE_MAX:
            reasons.append(f"{holder['holder_address']} holds more than 10 %")
    if fraud.is_complete is False:
        reasons.append("the service has missed a part of the chain")
    print(f"{'do not buy' if reasons else 'buy'} {token_address} (slot {fraud.slot})")
    for reason in reasons:
        print(f"- {reason}")


asyncio.run(main(sys.argv[1]))
