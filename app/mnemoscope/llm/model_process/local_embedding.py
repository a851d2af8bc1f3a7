"""The embedding model of this computer runs inside a process of its own. Nothing of it asks the network.

Its package is an extra that a person may add at any time, so it is looked for again until it is there.
"""

from __future__ import annotations

import gc
import importlib
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mnemoscope.llm.failures import Failure
from mnemoscope.llm.model_process.completion import Ask, Emit, Failed
from mnemoscope.llm.model_process.embedding import packed

LONGEST: Final = 20_000
"""Characters of a text that are read: a text's meaning is the mean of its words', which more hardly move."""
_ENVIRONMENT: Final[Mapping[str, str]] = {"HF_HUB_OFFLINE": "1", "DO_NOT_TRACK": "1", "OPENBLAS_NUM_THREADS": "1"}


class LocalEmbedding:
    """Answers requests, one at a time; loads the model with the first."""

    def __init__(self) -> None:
        os.environ.update(_ENVIRONMENT)
        self._model: Any = None

    async def answer(self, ask: Ask, _emit: Emit) -> dict[str, Any]:
        """Returns `{"vectors": [...]}`, one for each text of `ask["embed"]`, as `packed` makes them. Raises Failed."""
        if self._model is None:
            self._model = _loaded()
        return {"vectors": [packed(vector) for vector in self._vectors([text[:LONGEST] for text in ask["embed"]])]}

    def _vectors(self, texts: Sequence[str]) -> list[list[float]]:
        with warnings.catch_warnings():
            # A text without a word has no mean: its numbers are none, and it is near to nothing.
            warnings.simplefilter("ignore", RuntimeWarning)
            # One by one: together, all would be as long as the longest.
            vectors: list[list[float]] = self._model.embed(list(texts), batch_size=1, return_np=False)
        return vectors


def _loaded() -> Any:
    importlib.invalidate_caches()
    try:
        import wordllama

        # The weights and the words lie in the package, which looks for the words in its cache alone.
        model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    except (ImportError, FileNotFoundError) as error:
        raise Failed(Failure("missing", detail=f"{type(error).__name__}: {error}")) from error
    gc.collect()
    gc.freeze()
    return model
