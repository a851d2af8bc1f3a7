"""The program's log: a file that begins anew when it is long, with every key taken out of its lines."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from mnemoscope.domain.secrets.detection import mask_secrets

_MOST_BYTES: Final = 1_000_000
_KEPT: Final = 2


def program_log(
    file: Path, secrets: Callable[[], Collection[str]], *, most_bytes: int = _MOST_BYTES
) -> logging.Handler:
    """Returns the handler that appends to `file` and keeps the last two logs beside it. See `MaskedFormatter`."""
    handler = RotatingFileHandler(file, maxBytes=most_bytes, backupCount=_KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(MaskedFormatter(secrets))
    return handler


class MaskedFormatter(logging.Formatter):
    """Formats a record, its traceback included, and masks whatever `secrets()` names at that moment."""

    def __init__(self, secrets: Callable[[], Collection[str]]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line as it is written."""
        return mask_secrets(super().format(record), self._secrets())
