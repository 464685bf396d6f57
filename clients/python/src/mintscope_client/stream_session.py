"""What has been received of a stream, over all its connections."""

from __future__ import annotations

from typing import Any, NoReturn, TypeGuard

from .errors import ApiError, BadAnswerError
from .event_source import ServerEvent
from .stream_events import Gap, Message, Ready, StreamEvent, Undo
from .wire_json import parse_json

_POSITION_MAX = 2**53 - 1
# The service is computing its state again, or has too many streams: asked again later.
_LATER = 503


class AskedLater(Exception):
    """The service asks to connect again."""


class StreamSession:
    """Each message once: those up to the position were handed out before."""

    def __init__(self, topic: str, since: int | None) -> None:
        self.topic = topic
        self._is_resumed = since is not None
        self.position = since
        """The last message that was received; None before the first answer."""

    def take(self, event: ServerEvent) -> StreamEvent[Any] | None:
        """None for what is to be ignored.

        Raises AskedLater, ApiError if the service refuses, and BadAnswerError for what is no event
        of a stream.
        """
        if event.name not in ("message", "ack", "gap", "error"):
            # What later versions send is none of the messages that were subscribed to.
            return None
        fields = parse_json(event.data)
        if not isinstance(fields, dict):
            raise BadAnswerError("A message of the stream is not a JSON object.")
        match event.name:
            case "ack":
                return self._begin(fields)
            case "gap":
                return self._skip(fields)
            case "error":
                _refused(fields)
            case _:
                return self._receive(fields)

    def _receive(self, fields: dict[str, Any]) -> StreamEvent[Any] | None:
        seq, slot = fields.get("seq"), fields.get("slot")
        if not is_position(seq) or not is_position(slot) or fields.get("topic") != self.topic:
            raise BadAnswerError(
                "A message of the stream has no seq, no slot or another topic."
            )
        if "data" not in fields or fields.get("undo", True) is not True:
            raise BadAnswerError("A message of the stream has no data, or undo that is not true.")
        # It was received before the connection was lost.
        if self.position is not None and seq <= self.position:
            return None
        self.position = seq
        if "undo" in fields:
            return Undo(self.topic, seq, slot, fields["data"])
        return Message(self.topic, seq, slot, fields["data"])

    def _begin(self, fields: dict[str, Any]) -> Ready:
        seq, slot = fields.get("seq"), fields.get("slot")
        if not is_position(seq) or not (slot is None or is_position(slot)):
            raise BadAnswerError("An ack of the stream has no seq, or a slot that is none.")
        is_resumed = self._is_resumed
        if self.position is None:
            self.position = seq
        self._is_resumed = True
        return Ready(self.position, slot, is_resumed)

    def _skip(self, fields: dict[str, Any]) -> Gap:
        from_seq, to_seq = fields.get("from_seq"), fields.get("to_seq")
        if not is_position(from_seq) or not is_position(to_seq):
            raise BadAnswerError("A gap of the stream has no from_seq or no to_seq.")
        # Numbers that begin before what was received are those of a service whose clock went back.
        is_behind = self.position is not None and from_seq <= self.position
        self.position = from_seq - 1 if is_behind else to_seq
        return Gap(from_seq, to_seq)


def is_position(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= _POSITION_MAX


def _refused(fields: dict[str, Any]) -> NoReturn:
    code, message = fields.get("code"), fields.get("message")
    if code == _LATER:
        raise AskedLater()
    status = code if type(code) is int else 500
    raise ApiError(status, message if isinstance(message, str) else "Refused without a reason.")
