"""A picture is loaded from a public address alone, bounded, and from the very address that was looked at."""

from __future__ import annotations

import httpx
import pytest

from mnemoscope.agent.workspace.remote_picture import MOST_BYTES, RemotePictures, resolved
from mnemoscope.domain.errors import MnemoscopeError

PUBLIC = "93.184.216.34"
HOSTS = {
    "example.org": [PUBLIC],
    "six.example": ["2606:2800:220:1::1"],
    "mixed.example": [PUBLIC, "10.0.0.8"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "odd.example": ["fe80::1%eth0"],
    "none.example": [],
    "many.example": ["224.0.1.1"],
    "words.example": ["not a number"],
}


class Web:
    """Answers as a server would; `asked` notes what came."""

    def __init__(self, **pages: httpx.Response) -> None:
        self.pages = pages
        self.asked = list[httpx.Request]()

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return self.pages.get(request.url.path.strip("/"), httpx.Response(404))


async def look_up(host: str, _port: int) -> list[str]:
    if host not in HOSTS:
        # A number is its own address.
        return [host]
    return HOSTS[host]


def pictures(web: Web) -> RemotePictures:
    return RemotePictures(look_up, httpx.MockTransport(web.answer))


def moved(to: str) -> httpx.Response:
    return httpx.Response(302, headers={"location": to})


async def test_it_goes_to_the_address_that_was_looked_up_under_the_host_s_name() -> None:
    web = Web(a=httpx.Response(200, content=b"picture"))
    assert await pictures(web).load("https://example.org:8443/a#part") == b"picture"
    request = web.asked[0]
    assert str(request.url) == f"https://{PUBLIC}:8443/a"
    assert request.headers["host"] == "example.org:8443"
    assert request.extensions["sni_hostname"] == "example.org"
    assert not {"cookie", "referer", "authorization"} & set(request.headers)
    assert await pictures(web).load("http://six.example/a") == b"picture"
    assert web.asked[1].url.host == "2606:2800:220:1::1"
    assert web.asked[1].headers["host"] == "six.example"


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/a",
        "http://[::1]/a",
        "http://169.254.169.254/a",
        "http://192.168.1.1/a",
        "http://[::ffff:10.0.0.8]/a",
        "http://[2002:a00:8::1]/a",
        "http://[64:ff9b::a00:8]/a",
        "http://[64:ff9b:1::a00:8]/a",
        "http://[::a00:8]/a",
        "http://[::ffff:0:a00:8]/a",
        "http://[fec0::1]/a",
        "http://[fd00::1]/a",
        "http://mixed.example/a",
        "http://mapped.example/a",
        "http://odd.example/a",
        "http://none.example/a",
        "http://many.example/a",
        "http://words.example/a",
        "file:///etc/passwd",
        "ftp://example.org/a",
        "http:///a",
        "http://example.org:99999/a",
    ],
)
async def test_what_is_not_public_is_not_asked(address: str) -> None:
    web = Web(a=httpx.Response(200, content=b"secret"))
    with pytest.raises(MnemoscopeError):
        await pictures(web).load(address)
    assert web.asked == []


@pytest.mark.parametrize("number", ["[::ffff:5db8:d822]", "[64:ff9b::5db8:d822]", "[2002:5db8:d822::1]"])
async def test_what_leads_on_to_a_public_address_is_public(number: str) -> None:
    web = Web(a=httpx.Response(200, content=b"picture"))
    assert await pictures(web).load(f"http://{number}/a") == b"picture"


async def test_a_redirect_goes_by_the_same_rule() -> None:
    web = Web(a=moved("/b"), b=moved("https://example.org/c"), c=httpx.Response(200, content=b"picture"))
    assert await pictures(web).load("http://example.org/a") == b"picture"
    web = Web(a=moved("http://10.0.0.8/b"), b=httpx.Response(200, content=b"secret"))
    with pytest.raises(MnemoscopeError, match="private network"):
        await pictures(web).load("http://example.org/a")
    assert len(web.asked) == 1
    web = Web(a=moved("/a"))
    with pytest.raises(MnemoscopeError, match="could not be loaded"):
        await pictures(web).load("http://example.org/a")
    assert len(web.asked) == 4


async def test_too_much_or_an_error_is_no_picture() -> None:
    web = Web(a=httpx.Response(200, content=bytes(MOST_BYTES + 1)))
    with pytest.raises(MnemoscopeError, match="more than 10 MB"):
        await pictures(web).load("http://example.org/a")
    with pytest.raises(MnemoscopeError, match="could not be loaded"):
        await pictures(web).load("http://example.org/gone")


async def test_numbers_are_looked_up_without_a_network() -> None:
    assert await resolved("127.0.0.1", 80) == ["127.0.0.1"]
