"""Verifies deliveries of webhooks, which are signed as Standard Webhooks are."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from .errors import BadAnswerError, WebhookError
from .generated import messages
from .wire_json import parse_json

WebhookEvent = (
    messages.TriggerFiredWebhook
    | messages.TriggerRetractedWebhook
    | messages.FraudFoundWebhook
    | messages.FraudRaisedWebhook
    | messages.FraudWithdrawnWebhook
    | messages.SignalGivenWebhook
    | messages.VenueChangedWebhook
    | messages.PingWebhook
)
"""An event that a webhook delivers, distinguished by `type`. Others may be added."""

_PREFIX = "whsec_"
# Two are sent while a secret is rotated.
_SIGNATURES_MAX = 8


class HeaderItems(Protocol):
    """Headers as a mapping, or as the servers of the standard library have them."""

    def items(self) -> Iterable[tuple[str, str]]: ...


@dataclass(frozen=True)
class VerifiedWebhook:
    id: str
    """The same whenever the event is delivered: one that has been handled has a known id."""
    sent_at_ms: int
    """Time of this attempt."""
    event: WebhookEvent


def verify_webhook(
    secret: str | Sequence[str],
    headers: HeaderItems,
    body: bytes,
    *,
    tolerance_seconds: float = 300,
    now_ms: float | None = None,
) -> VerifiedWebhook:
    """Checks that a delivery was signed by the service with this secret, and recently.

    `secret` is what the webhook was registered with, `whsec_...`; both while it is rotated. `body`
    must be the bytes as they arrived. The clocks may differ by `tolerance_seconds`; a request may
    be as old. Raises WebhookError, whose `fault` says why not.
    """
    by_name = {name.lower(): value for name, value in headers.items()}
    id = _header(by_name, "webhook-id")
    timestamp = _header(by_name, "webhook-timestamp")
    given = _header(by_name, "webhook-signature")
    if re.fullmatch("[0-9]{1,12}", timestamp) is None:
        raise WebhookError("headers", "webhook-timestamp must be the seconds since 1970.")
    now_seconds = time.time() if now_ms is None else now_ms / 1_000
    ahead_seconds = int(timestamp) - now_seconds
    if ahead_seconds < -tolerance_seconds:
        raise WebhookError("too-old", "The request is too old; or the clock here is ahead.")
    if ahead_seconds > tolerance_seconds:
        raise WebhookError("too-new", "The request is from the future: the clock here is behind.")
    secrets = [secret] if isinstance(secret, str) else list(secret)
    keys = [_key(each) for each in secrets]
    signatures = [_signature(each) for each in given.split(" ")[:_SIGNATURES_MAX]]
    signed = f"{id}.{timestamp}.".encode("utf-8", "surrogatepass") + body
    rights = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    if not any(hmac.compare_digest(one, right) for one in signatures for right in rights):
        raise WebhookError("signature", "No signature of the request is right.")
    return VerifiedWebhook(id, int(timestamp) * 1_000, _event(body))


def _key(secret: str) -> bytes:
    key = _base64(secret.removeprefix(_PREFIX)) if secret.startswith(_PREFIX) else b""
    if not key:
        raise WebhookError("secret", f"The secret must begin with {_PREFIX}.")
    return key


def _signature(text: str) -> bytes:
    return _base64(text[3:]) if text.startswith("v1,") else b""


def _base64(text: str) -> bytes:
    """Empty for what is not base64. Padding may be missing."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if isinstance(value, str) and value != "":
        return value
    raise WebhookError("headers", f"The request has no header {name}.")


def _event(body: bytes) -> WebhookEvent:
    try:
        event: Any = parse_json(body)
    except BadAnswerError:
        event = None
    if isinstance(event, dict) and isinstance(event.get("type"), str):
        return cast(WebhookEvent, event)
    raise WebhookError("body", "The body is not an event.")
