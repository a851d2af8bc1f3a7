"""What Qt says about itself: one line that a window offscreen repeats for every sheet is left out, nothing else."""

from __future__ import annotations

import sys
from typing import Final

from PySide6.QtCore import QMessageLogContext, QtMsgType, qFormatLogMessage, qInstallMessageHandler

UNTOLD: Final = "This plugin does not support propagateSizeHints()"
"""There is no window manager offscreen that could be told how large a window may be, and nothing is lost by it."""


def hush_offscreen() -> None:
    """From now on `UNTOLD` is not told; every other message goes where it went before, else to stderr."""

    def hear(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if message == UNTOLD:
            return
        if before is not None:
            before(kind, context, message)
        else:
            print(qFormatLogMessage(kind, context, message), file=sys.stderr, flush=True)

    before = qInstallMessageHandler(hear)
