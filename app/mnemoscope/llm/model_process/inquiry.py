"""A model server is asked what it serves and how much its models can read, inside the model process.

What a server answers is not trusted: a body is read up to 2 MB, an inquiry takes at most 10 seconds in all, and of
names only those are taken that can be shown in one line. Nothing of a conversation is sent.

The forms that are understood: OpenAI's `/models` (`data[].id`), with the sizes that vLLM (`max_model_len`), llama.cpp
(`meta.n_ctx`), OpenRouter (`context_length`) and LM Studio (`loaded_context_length`, `max_context_length`, under
`/api/v0/models`) put beside it; llama.cpp's `/props` (`default_generation_settings.n_ctx`); Ollama's `/api/tags`,
`/api/ps` and `/api/show`; the litellm proxy's `/model/info` (`model_info.max_input_tokens`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from typing import Any, Final

from mnemoscope.domain.text.json_text import parsed_json
from mnemoscope.llm.failures import KEY_UNKNOWN, Failure, classify
from mnemoscope.llm.model_catalog import is_for_chat

_MOST_BYTES: Final = 2_000_000
_MOST_NAMES: Final = 500
_LONGEST_NAME: Final = 200
SECONDS: Final = 10.0
_MOST_TOKENS: Final = 100_000_000
_SAID_BYTES: Final = 2_000
_OK: Final = 200
_BAD_REQUEST: Final = 400
_REFUSED: Final = (401, 403)


class InquiryFailed(Exception):
    """A server that could not be asked, or whose answer is of no use."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.detail)
        self.failure = failure


class Inquiry:
    """Asks one server. `ask` is `{"inquire": "models" | "context", "address", "model", "api_key", "connect_seconds"}`;
    the address is one that `catalog.server_address` returned, and the model is named as its server names it."""

    def __init__(self, ask: Mapping[str, Any]) -> None:
        self._what = str(ask["inquire"])
        self._address = str(ask["address"]).rstrip("/")
        self._model = str(ask.get("model") or "")
        self._key = ask.get("api_key")
        self._connect_seconds = float(ask.get("connect_seconds") or SECONDS)

    async def run(self) -> dict[str, Any]:
        """Returns `{"models": [{"name", "context"}]}`, or `{"context", "most"}`: the tokens that the server gives the
        model, and those that the model could hold; 0 where it does not say. Raises InquiryFailed."""
        try:
            async with asyncio.timeout(SECONDS):
                return await (self._models() if self._what == "models" else self._context())
        except TimeoutError:
            raise InquiryFailed(Failure("timeout", detail=f"no whole answer in {SECONDS:g} s")) from None
        except InquiryFailed:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a server can make a client raise is a failed inquiry
            raise InquiryFailed(classify(error, secret=str(self._key or ""))) from None

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
        raise InquiryFailed(_failure_of(status))

    async def _context(self) -> dict[str, Any]:
        """Asks in the order in which the answers are certain: what is in force stands before what could be."""
        most = 0
        status, listed = await self._get(f"{self._address}/models")
        if status in _REFUSED:
            raise InquiryFailed(_failure_of(status))
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
        raise InquiryFailed(_failure_of(statuses[0]))

    async def _get(self, url: str, body: Mapping[str, Any] | None = None) -> tuple[int, Any]:
        """Returns the status and the JSON of an answer, None where it is none. What follows 2 MB is not read."""
        import httpx

        # A compressed answer could unfold to any size, so none is asked for and none is taken.
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        limit = httpx.Timeout(SECONDS, connect=self._connect_seconds)
        method = "GET" if body is None else "POST"
        async with (
            httpx.AsyncClient(timeout=limit) as client,
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
            raise InquiryFailed(Failure("too_much", detail=f"more than {_MOST_BYTES:,} bytes"))
        return status, parsed_json(bytes(data))


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


def models_in(document: Any) -> list[dict[str, Any]]:
    """Returns `{"name", "context"}` of each model for conversations in a list of OpenAI's or Ollama's form, each name
    once, at most 500. `context` is 0 where the list does not say."""
    found: dict[str, int] = {}
    for entry in _entries(document):
        name = _name_of(entry)
        if name and name not in found and is_for_chat(name):
            in_force, most = _sizes(entry)
            found[name] = in_force or most
            if len(found) == _MOST_NAMES:
                break
    return [{"name": name, "context": context} for name, context in found.items()]


def context_in(document: Any, model: str) -> tuple[int, int]:
    """Returns the tokens that a server's answer says are in force for a model, and those that the model could hold;
    0 where it does not say."""
    if not isinstance(document, Mapping):
        return 0, 0
    props = document.get("default_generation_settings")
    if isinstance(props, Mapping):
        return _tokens(props.get("n_ctx")), 0
    for entry in _entries(document):
        if _is_named(_name_of(entry), model):
            return _sizes(entry)
    return _shown(document)


def _shown(document: Mapping[str, Any]) -> tuple[int, int]:
    """Returns the sizes in what Ollama's `/api/show` answers."""
    in_force = 0
    parameters = document.get("parameters")
    if isinstance(parameters, str):
        for line in parameters[:_MOST_BYTES].splitlines():
            name, _, value = line.strip().partition(" ")
            if name == "num_ctx" and value.strip().isdecimal() and len(value.strip()) < 10:
                in_force = _tokens(int(value))
    details = document.get("model_info")
    sizes = (
        [_tokens(value) for name, value in details.items() if str(name).endswith(".context_length")]
        if isinstance(details, Mapping)
        else []
    )
    return in_force, max(sizes, default=0)


def _sizes(entry: Mapping[str, Any]) -> tuple[int, int]:
    """Returns the sizes in one entry of a list: in force, and possible."""
    places = [entry, *(entry[name] for name in ("meta", "model_info") if isinstance(entry.get(name), Mapping))]
    # Ollama's `/api/ps` lists what runs, so its `context_length` is in force; OpenRouter's is what one may send.
    in_force = ("loaded_context_length", "max_model_len", "n_ctx", "context_length", "max_input_tokens")
    most = ("max_context_length", "n_ctx_train")
    return _first(places, in_force), _first(places, most)


def _first(places: list[Mapping[str, Any]], names: tuple[str, ...]) -> int:
    return next((tokens for name in names for place in places if (tokens := _tokens(place.get(name)))), 0)


def _tokens(value: Any) -> int:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 < value <= _MOST_TOKENS else 0


def _entries(document: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(document, Mapping):
        lists = (document.get(name) for name in ("data", "models"))
        for entry in next((each for each in lists if isinstance(each, list)), ()):
            if isinstance(entry, Mapping):
                yield entry


def _name_of(entry: Mapping[str, Any]) -> str:
    """Returns a model's name; "" for one that cannot be shown in one line, as with marks that turn the writing."""
    for field in ("id", "name", "model", "model_name"):
        name = entry.get(field)
        if isinstance(name, str) and name.strip():
            name = name.strip()
            return name if name.isprintable() and len(name) <= _LONGEST_NAME else ""
    return ""


def _is_named(name: str, model: str) -> bool:
    """Returns whether a server's name is that of a model; Ollama's `:latest` may be left out."""
    return bool(name) and name.removesuffix(":latest") == model.removesuffix(":latest")
