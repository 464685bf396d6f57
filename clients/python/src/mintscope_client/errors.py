"""What this package raises. Arguments that are wrong are TypeError or ValueError."""

from __future__ import annotations

from typing import Literal


class MintscopeError(Exception):
    """Any failure that this package reports."""


class ApiError(MintscopeError):
    """The service refused: `status` is that of HTTP, the text is the service's sentence."""

    def __init__(
        self,
        status: int,
        message: str,
        retry_after_ms: int | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.retry_after_ms = retry_after_ms
        """Time after which the service asks to be tried again; None if it named none."""
        self.request_id = request_id
        """Names the request in the logs of the service; None if the answer had none."""


class ConnectionFailedError(MintscopeError):
    """No complete answer came: the connection failed, was cut, or took longer than allowed."""


class BadAnswerError(MintscopeError):
    """An answer that the API does not give: not JSON, of another shape, or larger than allowed."""


class VersionError(MintscopeError):
    """The service has another major version of the API than this package."""


class RequestCancelledError(MintscopeError):
    """The request or stream was ended by its Cancellation."""


WebhookFault = Literal["headers", "secret", "too-old", "too-new", "signature", "body"]


class WebhookError(MintscopeError):
    """A delivery that does not come from the service, or not now. Answer it with 401."""

    def __init__(self, fault: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.fault: WebhookFault = fault
