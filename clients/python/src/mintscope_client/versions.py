"""How the versions of the service's API and of this package compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .errors import VersionError
from .generated.version import API_VERSION

CLIENT_NAME = f"mintscope-python/{API_VERSION}"
"""What requests call this client, in `x-client-version`."""

Relation = Literal["same", "service-newer", "service-older", "unknown"]

_VERSION = re.compile("([0-9]{1,6})[.]([0-9]{1,6})[.]([0-9]{1,6})")


@dataclass(frozen=True)
class Versions:
    """The version of the API that this package was made of, and that of the service."""

    client: str
    service: str | None
    """None before the first answer, and for a service that does not say."""
    relation: Relation
    """A service that is newer answers an older client: what this package does not know is there,
    and not in its types. In an older one something that this package knows may be missing.
    """


def compare_versions(service: str | None, client: str = API_VERSION) -> Versions:
    """Raises VersionError if the major versions differ."""
    ours, theirs = _parts(client), _parts(service)
    if ours is None or theirs is None:
        return Versions(client, service, "unknown")
    if ours[0] != theirs[0]:
        raise VersionError(
            f"The service has version {service} of the API, and this client is made for {client}:"
            f" install a client of version {theirs[0]}."
        )
    if ours == theirs:
        return Versions(client, service, "same")
    return Versions(client, service, "service-newer" if theirs > ours else "service-older")


def _parts(version: str | None) -> tuple[int, int, int] | None:
    match = _VERSION.fullmatch(version or "")
    return None if match is None else (int(match[1]), int(match[2]), int(match[3]))
