"""The program's own log, without keys, words that a person or a model wrote, and names of a person's files."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.store.files.display_names import has_usual_name

_MOST_LOG_BYTES: Final = 1_000_000
_LOGS_KEPT: Final = 2
_WORDS_IN_QUOTES: Final = re.compile(r"“[^”]*”|“[^”\n]*")
_A_STRING: Final = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
_A_PATH: Final = re.compile(
    rf"""(\[Errno -?\d+\] [^\n'"]*|'path': (?:PosixPath\()?)({_A_STRING})(?:( -> )({_A_STRING}))?"""
)


def program_log(
    file: Path, secrets: Callable[[], Collection[str]], *, most_bytes: int = _MOST_LOG_BYTES
) -> logging.Handler:
    """Returns the handler that appends to `file` and keeps the last two logs beside it. See `MaskedFormatter`."""
    handler = RotatingFileHandler(file, maxBytes=most_bytes, backupCount=_LOGS_KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(MaskedFormatter(secrets))
    return handler


class MaskedFormatter(logging.Formatter):
    """Formats a record, its traceback included, without words in quotes and names of a person's files, and masks
    whatever `secrets()` names at that moment."""

    def __init__(self, secrets: Callable[[], Collection[str]]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line as it is written."""
        return mask_secrets(_without_names(super().format(record)), self._secrets())


def _without_names(line: str) -> str:
    """Returns a line of the log without words in quotes, which a person or a model wrote, and without paths of files
    that have a name of their own."""

    def shown(path: str | None) -> str:
        return "“…”" if path and not has_usual_name(Path(path[1:-1])) else path or ""

    def without_path(found: re.Match[str]) -> str:
        return f"{found[1]}{shown(found[2])}{found[3] or ''}{shown(found[4])}"

    return _A_PATH.sub(without_path, _WORDS_IN_QUOTES.sub("“…”", line))
