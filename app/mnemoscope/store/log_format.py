"""Lines of the log, with every key that is known taken out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

MASK = "[key]"


class MaskedFormatter(logging.Formatter):
    """Formats a record, its traceback included, and replaces whatever `secrets()` names at that moment."""

    def __init__(self, secrets: Callable[[], Collection[str]]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """The line as it is written."""
        line = super().format(record)
        for secret in self._secrets():
            line = line.replace(secret, MASK)
        return line
