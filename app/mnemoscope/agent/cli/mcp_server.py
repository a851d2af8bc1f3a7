"""`mnemoscope mcp WORKSPACE`: memory in reach of other agents, over the Model Context Protocol. Needs no Qt, no model.

It reads without owning the workspace, and leaves proposals in the workspace's inbox for whoever does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from mnemoscope.store.workspace.workspace import inspect_workspace

_FINE: Final = 0
_CANNOT_SERVE: Final = 2
_HOW_TO_INSTALL: Final = (
    "`mnemoscope mcp` needs a package that is not installed: install `mnemoscope[mcp]` in place of `mnemoscope`, for "
    'example with `uv tool install --python 3.13 "mnemoscope[mcp]"`.'
)


def main(argv: Sequence[str]) -> int:
    """Serves until the caller hangs up and returns 0; 2 where there is no workspace, or the package is missing."""
    parser = argparse.ArgumentParser(
        prog="mnemoscope mcp",
        description="Serve a workspace's memory to another agent over the Model Context Protocol, on standard input "
        "and output. The agent may search and read; what it proposes waits for you in the window.",
    )
    parser.add_argument("workspace", type=Path, metavar="WORKSPACE", help="the folder whose memory is served")
    options = parser.parse_args(argv)
    if find_spec("mcp") is None:
        print(_HOW_TO_INSTALL, file=sys.stderr)
        return _CANNOT_SERVE
    report = inspect_workspace(options.workspace)
    if report.kind not in {"workspace", "peer"}:
        print(f"{report.sentence} There is no memory to serve.", file=sys.stderr)
        return _CANNOT_SERVE
    # The package is there only with the extra, and takes a second to import.
    from mnemoscope.agent.mcp.server import serve_workspace

    serve_workspace(report.root)
    return _FINE
