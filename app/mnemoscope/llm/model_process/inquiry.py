"""A model server is asked what it serves and how much its models can read, inside the model process.

What a server answers is not trusted: a body is read up to 2 MB, an inquiry takes at most 10 seconds in all, and of
names only those are taken that can be shown in one line. Nothing of a conversation is sent.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from contextlib import aclosing
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.llm.failures import Failure
from mnemoscope.llm.model_process.classification import KEY_UNKNOWN, classify
from mnemoscope.llm.model_process.model_request import RequestFailed
from mnemoscope.llm.model_process.served_models import context_in, models_in

if TYPE_CHECKING:
    import httpx

_MOST_BYTES: Final = 2_000_000
SECONDS: Final = 10.0
_SAID_BYTES: Final = 2_000
_OK: Final = 200
_BAD_REQUEST: Final = 400
_REFUSED: Final = (401, 403)


class Inquiry:
    """Asks one server. `ask` is `{"inquire": "models" | "context", "address", "model", "api_key", "connect_seconds"}`;
    the address is one that `model_catalog.server_address` returned, and the model is named as its server names it."""

    def __init__(self, ask: Mapping[str, Any]) -> None:
        self._what = str(ask["inquire"])
        self._address = str(ask["address"]).rstrip("/")
        self._model = str(ask.get("model") or "")
        self._key = ask.get("api_key")
        self._connect_seconds = float(ask.get("connect_seconds") or SECONDS)

    async def run(self) -> dict[str, Any]:
        """Returns `{"models": [{"name", "context"}]}`, or `{"context", "most"}`: the tokens that the server gives the
        model, and those that the model could hold; 0 where it does not say. Raises RequestFailed."""
        try:
            async with asyncio.timeout(SECONDS):
                return await (self._models() if self._what == "models" else self._context())
        except TimeoutError:
            raise RequestFailed(Failure("timeout", detail=f"no whole answer in {SECONDS:g} s")) from None
        except RequestFailed:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a server can make a client raise is a failed inquiry
            raise RequestFailed(classify(error, secret=str(self._key or ""))) from None

    @property
    def _root(self) -> str:
        """Returns the address without the path of OpenAI's protocol."""
        return self._address.removesuffix("/v1")

    async def _models(self) -> dict[str, Any]:
        status, listed = await self._get(f"{self._address}/models")
        if not (found := models_in(listed)) and status not in _REFUSED:
            other, tags = await self._get(f"{self._root}/api/tags")
            found = models_in(tags)
            status = status if other != _OK else other
        if found:
            return {"models": found}
        if status == _OK and _is_empty_list(listed):
            return {"models": []}
        raise RequestFailed(_failure_of(status))

    async def _context(self) -> dict[str, Any]:
        """Asks in the order in which the answers are certain: what is in force stands before what could be."""
        most = 0
        status, listed = await self._get(f"{self._address}/models")
        if status in _REFUSED:
            raise RequestFailed(_failure_of(status))
        statuses = [status]
        for path in ("/props", "/api/ps", "/api/v0/models", "/model/info"):
            status, document = await self._get(f"{self._root}{path}")
            statuses.append(status)
            in_force, could = context_in(document, self._model)
            most = max(most, could)
            if in_force:
                return {"context": in_force, "most": max(most, in_force)}
        _, shown = await self._get(f"{self._root}/api/show", {"model": self._model})
        in_force, could = context_in(shown, self._model)
        most = max(most, could)
        if not in_force:
            in_force, could = context_in(listed, self._model)
        if in_force or could or most or _OK in statuses:
            return {"context": in_force, "most": max(most, could)}
        raise RequestFailed(_failure_of(statuses[0]))

    async def _get(self, url: str, body: Mapping[str, Any] | None = None) -> tuple[int, Any]:
        """Returns the status and the JSON of an answer, None where it is none. What follows 2 MB is not read."""
        # A compressed answer could unfold to any size, so none is asked for and none is taken.
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        method = "GET" if body is None else "POST"
        async with (
            _client(self._connect_seconds) as client,
            client.stream(method, url, headers=headers, json=body) as answer,
        ):
            if _may_refuse_key(answer) and KEY_UNKNOWN.search((await answer.aread()).decode("utf-8", "replace")):
                return _REFUSED[0], None
            if answer.status_code != _OK or answer.headers.get("content-encoding", "identity") != "identity":
                return answer.status_code, None
            status, data = answer.status_code, bytearray()
            async with aclosing(answer.aiter_raw()) as pieces:  # type: ignore[type-var] # it is a generator
                async for piece in pieces:
                    data += piece
                    if len(data) > _MOST_BYTES:
                        break
        # Outside, where what was not read has been let go.
        if len(data) > _MOST_BYTES:
            raise RequestFailed(Failure("too_much", detail=f"more than {_MOST_BYTES:,} bytes"))
        return status, parsed_json(bytes(data))


def _client(connect_seconds: float) -> httpx.AsyncClient:
    """Returns a client that waits for each piece of an answer as long as an inquiry may take in all."""
    import httpx

    limit = httpx.Timeout(SECONDS, connect=connect_seconds)
    return httpx.AsyncClient(timeout=limit, verify=_certificates(httpx.create_ssl_context))


@cache
def _certificates(read: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
    """Returns by what servers are known. To `read` it takes 40 ms: each client would do it again."""
    return read()


def _may_refuse_key(answer: Any) -> bool:
    """Returns whether an answer is short and has the status under which a proxy says that it does not know a key."""
    length = answer.headers.get("content-length", "")
    return answer.status_code == _BAD_REQUEST and length.isdecimal() and int(length) <= _SAID_BYTES


def _failure_of(status: int) -> Failure:
    if status in _REFUSED:
        return Failure("key", status)
    return Failure("no_list" if status < 500 else "server", status)


def _is_empty_list(document: Any) -> bool:
    """Returns whether a server said plainly that it serves nothing."""
    return isinstance(document, Mapping) and document.get("data", document.get("models")) == []
