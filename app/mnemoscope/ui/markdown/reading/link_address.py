"""Says where a link really goes, in words a person can judge. No Qt.

Only http, https and mailto are ever offered, and `#…` inside the text. The host is shown as it is looked up (punycode
beside its letters), and a name before `@`, which is no host however much it looks like one, is said to be none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import SplitResult, unquote, urlsplit

from mnemoscope.domain.text.characters import INVISIBLE

AddressKind = Literal["web", "mail", "anchor", "blocked"]

_SPACES: Final = re.compile(rf"[\s\x00-\x20{INVISIBLE}]")
_HOST: Final = re.compile(r"[A-Za-z0-9.\-_\[\]:]+")


@dataclass(frozen=True, slots=True)
class LinkWarning:
    """Gives a reason to look twice: `about` is the user name, or the host's letters, or the scheme."""

    kind: Literal["user", "letters", "plain"]
    about: str


@dataclass(frozen=True, slots=True)
class LinkAddress:
    """Describes a link's address: `shown` is for the person, in full, `target` for the browser."""

    kind: AddressKind
    target: str
    shown: str
    host: str = ""
    warnings: tuple[LinkWarning, ...] = ()


def inspect_link(href: str) -> LinkAddress:
    """Returns the truth about an address, whatever its text says; never raises."""
    address = href.strip()
    if address.startswith("#"):
        return LinkAddress("anchor", address, address)
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018  # raises where the port is no number
    except ValueError:
        return LinkAddress("blocked", "", address)
    if _SPACES.search(address) or "\\" in address:
        return LinkAddress("blocked", "", address)
    if parts.scheme in ("http", "https") and parts.hostname:
        return _web(address, parts)
    if parts.scheme == "mailto" and "@" in parts.path:
        return LinkAddress("mail", address, unquote(parts.path), parts.path.rpartition("@")[2])
    return LinkAddress("blocked", "", address)


def may_be_clicked(href: str) -> bool:
    """Returns whether a link with this address is drawn as one."""
    return inspect_link(href).kind != "blocked"


def _web(address: str, parts: SplitResult) -> LinkAddress:
    letters = parts.hostname or ""
    try:
        host = letters.encode("idna").decode("ascii") if not letters.isascii() else letters
    except UnicodeError:
        return LinkAddress("blocked", "", address)
    if not _HOST.fullmatch(host):
        return LinkAddress("blocked", "", address)
    warnings = []
    if parts.username is not None:
        warnings.append(LinkWarning("user", parts.username))
    if host != letters or "xn--" in host:
        warnings.append(LinkWarning("letters", _written(host)))
    if parts.scheme == "http":
        warnings.append(LinkWarning("plain", parts.scheme))
    port = f":{parts.port}" if parts.port else ""
    # Neither a user name nor other letters go to the browser: what is shown is what opens.
    target = parts._replace(netloc=host + port).geturl()
    return LinkAddress("web", target, target, host, tuple(warnings))


def _written(host: str) -> str:
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return host
