"""Lets no test reach beyond this machine: a look-up or connection past loopback raises, and fails the test."""

import ipaddress
import sys
from collections.abc import Iterator

import pytest

_reached: list[str] = []


class NetworkReachedError(RuntimeError):
    """A test reached past loopback, which alone is open to it. It fails even if the code under test swallows this."""


def _is_loopback(host: object) -> bool:
    if host is None or host in ("", b"", "localhost", b"localhost"):
        return True
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse_the_network(event: str, args: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        host = address[0] if isinstance(address, tuple) and address else None
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = args[0]
    else:
        return
    if not _is_loopback(host):
        _reached.append(f"{event} {host!r}")
        raise NetworkReachedError(_reached[-1])


def pytest_configure() -> None:
    sys.addaudithook(_refuse_the_network)


@pytest.fixture(autouse=True)
def _stays_on_this_machine() -> Iterator[None]:
    _reached.clear()
    yield
    if _reached:
        pytest.fail(f"The test tried to reach the network: {', '.join(_reached)}", pytrace=False)
