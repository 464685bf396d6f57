"""A client of Mintscope's API: requests, pages, streams and webhooks, without dependencies."""

from .answer import Answer, Deprecation
from .async_base import AsyncDownload
from .cancellation import Cancellation
from .client import AsyncMintscopeClient, MintscopeClient
from .decimals import add_decimals, from_units, parse_decimal, to_units
from .download import Download
from .errors import (
    ApiError,
    BadAnswerError,
    ConnectionFailedError,
    MintscopeError,
    RequestCancelledError,
    VersionError,
    WebhookError,
    WebhookFault,
)
from .frames import columns_of, to_pandas, to_polars
from .stream_events import Gap, Message, Ready, StreamEvent, StreamSettings, Undo
from .versions import Versions
from .webhook import VerifiedWebhook, WebhookEvent, verify_webhook

__all__ = [
    "Answer",
    "ApiError",
    "AsyncDownload",
    "AsyncMintscopeClient",
    "BadAnswerError",
    "Cancellation",
    "ConnectionFailedError",
    "Deprecation",
    "Download",
    "Gap",
    "Message",
    "MintscopeClient",
    "MintscopeError",
    "Ready",
    "RequestCancelledError",
    "StreamEvent",
    "StreamSettings",
    "Undo",
    "VerifiedWebhook",
    "VersionError",
    "Versions",
    "WebhookError",
    "WebhookEvent",
    "WebhookFault",
    "add_decimals",
    "columns_of",
    "from_units",
    "parse_decimal",
    "to_pandas",
    "to_polars",
    "to_units",
    "verify_webhook",
]
