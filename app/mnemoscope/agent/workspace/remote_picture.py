"""Loads a picture that a text links to, once and because a person asked for it: bounded, and never from this network.

The address is one that a model may have written. So each host is looked up here, every address it has must be a public
one, and the connection goes to the address that was looked at: nothing can change between the two. Redirects are
followed by the same rule. No cookie, no referrer and nothing of the conversation goes along but the address itself.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urljoin, urlsplit

from mnemoscope.domain.errors import MnemoscopeError

if TYPE_CHECKING:
    import httpx

MOST_BYTES: Final = 10_000_000
_REDIRECTS: Final = 3
_SECONDS: Final = 20.0
_GIVEN_OUT: Final = ipaddress.IPv6Network("2000::/3")
"""All of IPv6 that is given out for the internet. The rest is local, reserved, or leads on to IPv4."""
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
"""IPv6 addresses behind which a network translates to IPv4, whichever address that is."""
_PORTS: Final = {"http": 80, "https": 443}
Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Returns the numeric addresses of a host."""


async def resolved(host: str, port: int) -> list[str]:
    """Returns the numeric addresses of a host. Raises OSError where it has none."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


class RemotePictures:
    """Loads pictures over http and https. `transport` stands for the network."""

    def __init__(self, resolve: Resolve = resolved, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._resolve = resolve
        self._transport = transport

    async def load(self, address: str) -> bytes:
        """Returns the bytes behind an address. Raises MnemoscopeError where they may not be had, or cannot be."""
        import httpx  # rarely needed: ten megabytes that only a click for an image on the web asks for

        # Neither a proxy nor a password of the surroundings comes into play.
        client = httpx.AsyncClient(transport=self._transport, trust_env=False, timeout=_SECONDS)
        try:
            async with asyncio.timeout(_SECONDS), client:
                return await self._follow(client, address)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise MnemoscopeError("The image could not be loaded.", next_step="Open the address instead.") from error

    async def _follow(self, client: httpx.AsyncClient, address: str) -> bytes:
        for _ in range(_REDIRECTS + 1):
            url, headers, extensions = await self._pinned(address)
            request = client.build_request("GET", url, headers=headers, extensions=extensions)
            response = await client.send(request, stream=True)
            try:
                if not response.has_redirect_location:
                    return await _bounded(response)
                address = urljoin(address, response.headers["location"])
            finally:
                await response.aclose()
        raise MnemoscopeError("The image could not be loaded.", next_step="Open the address instead.")

    async def _pinned(self, address: str) -> tuple[str, dict[str, str], dict[str, str]]:
        """Returns URL, headers and extensions of a request to an address as it was looked up. Raises MnemoscopeError
        for one that is not public."""
        parts = urlsplit(address)
        if parts.scheme not in _PORTS or not parts.hostname:
            raise MnemoscopeError("The image could not be loaded.", next_step="Open the address instead.")
        host, port = parts.hostname, parts.port or _PORTS[parts.scheme]
        numbers = await self._resolve(host, port)
        if not numbers or not all(map(_is_public, numbers)):
            raise MnemoscopeError(
                "The image lies in a private network, so it is not loaded.", next_step="Open the address instead."
            )
        number = f"[{numbers[0]}]" if ":" in numbers[0] else numbers[0]
        shown = f"[{host}]" if ":" in host else host
        named = shown if port == _PORTS[parts.scheme] else f"{shown}:{port}"
        url = parts._replace(netloc=f"{number}:{port}", fragment="").geturl()
        return url, {"Host": named, "Accept": "image/*"}, {"sni_hostname": host}


def _is_public(number: str) -> bool:
    try:
        found = ipaddress.ip_address(number.partition("%")[0])
    except ValueError:
        return False
    is_itself = isinstance(found, ipaddress.IPv4Address) or found in _GIVEN_OUT
    reached = [found, *_within(found)] if is_itself else _within(found)
    return bool(reached) and all(each.is_global and not each.is_multicast for each in reached)


def _within(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """Returns the IPv4 addresses that what is sent to an IPv6 address may be led on to."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found = [each for each in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())) if each is not None]
    if address in _NAT64:
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return found


async def _bounded(response: httpx.Response) -> bytes:
    response.raise_for_status()
    data = bytearray()
    async with aclosing(cast("AsyncGenerator[bytes, None]", response.aiter_bytes())) as parts:
        async for part in parts:
            data += part
            if len(data) > MOST_BYTES:
                raise MnemoscopeError(
                    f"The image has more than {MOST_BYTES // 1_000_000} MB.", next_step="Open the address instead."
                )
    return bytes(data)
