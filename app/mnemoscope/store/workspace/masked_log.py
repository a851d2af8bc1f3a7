"""Lines of the log, with every key taken out: those that are known, and what looks like one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection


class MaskedFormatter(logging.Formatter):
    """Formats a record, its traceback included, and masks whatever `secrets()` names at that moment."""

    def __init__(self, secrets: Callable[[], Collection[str]]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """The line as it is written."""
        from mnemoscope.domain.secrets.detection import mask_secrets  # its patterns: not before something is told

        return mask_secrets(super().format(record), self._secrets())
