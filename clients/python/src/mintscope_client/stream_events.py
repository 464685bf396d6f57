"""What a stream consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Message(Generic[T]):
    """Data that a slot has changed."""

    topic: str
    seq: int
    """Continues after this event when it is given as `since`."""
    slot: int
    data: T


@dataclass(frozen=True, slots=True)
class Undo(Generic[T]):
    """Data of an earlier message that a fork has taken back."""

    topic: str
    seq: int
    slot: int
    data: T


@dataclass(frozen=True, slots=True)
class Ready:
    """The stream has begun, or continues. Reads from now on are of `slot` or later."""

    seq: int
    slot: int | None
    is_resumed: bool
    """Whether it continues after what was received before."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Messages can no longer be had: read the current state again."""

    from_seq: int
    to_seq: int


StreamEvent = Message[T] | Undo[T] | Ready | Gap


@dataclass(frozen=True)
class StreamSettings:
    silence_ms: float = 40_000
    """Silence after which the connection is given up; the service says something every 15 s."""
    reconnect_ms: tuple[float, float] = (250, 10_000)
    """Least and longest wait before connecting again."""
    message_bytes_max: int = 16 * 2**20
    """Bytes of a message beyond which it is an error."""
    on_disconnect: Callable[[str], None] | None = None
    """Called with the reason when the connection was lost; it is opened again."""
