"""Cuts the result of a tool to the length that a conversation may hold, and keeps the whole result in a file."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.tool_results import ToolResultFiles, whole_result

log = logging.getLogger(__name__)

RESULT_LIMIT: Final = 8_000
"""Characters of the longest result that is kept whole."""
_HEAD_SHARE: Final = 0.7
_TAIL_SHARE: Final = 0.2


def truncate_tool_result(result: str, max_chars: int = RESULT_LIMIT) -> str:
    """Cuts a result as `cut_result` does, under the name that Qanot gives it."""
    return cut_result(result, max_chars)


def missing_of(text: str) -> int:
    """Returns how many characters `cut_result` leaves out."""
    if len(text) <= RESULT_LIMIT:
        return 0
    return len(text) - int(RESULT_LIMIT * _HEAD_SHARE) - int(RESULT_LIMIT * _TAIL_SHARE)


def cut_result(text: str, limit: int = RESULT_LIMIT) -> str:
    """Returns the text, or its first 70 % and last 20 % of `limit` characters around a marker that says what is
    missing.
    """
    if len(text) <= limit:
        return text
    head, tail = int(limit * _HEAD_SHARE), int(limit * _TAIL_SHARE)
    left_out = len(text) - head - tail
    marker = f"[… {left_out:,} of {len(text):,} characters left out here …]"
    return f"{text[:head]}\n\n{marker}\n\n{text[len(text) - tail :]}"


class WholeResults:
    """Keeps the whole results of one workspace's tools, each in a file that the cut one names."""

    def __init__(
        self, files: ToolResultFiles, paths: WorkspacePaths, disk: Disk, clock: Callable[[], datetime] = datetime.now
    ) -> None:
        self._files = files
        self._paths = paths
        self._disk = disk
        self._clock = clock

    async def keep(self, tool: str, text: str) -> str:
        """Keeps a whole result and returns its file relative to the workspace, "" if the disk refuses.

        `text` is without keys of the keychain already: the conversation has its two ends.
        """
        try:
            kept = await self._disk.run(self._files.keep, tool, text, self._clock())
        except StorageError as error:
            log.warning("the whole result of %s could not be kept: %s", tool, error)
            return ""
        return kept.relative_to(self._paths.root).as_posix()

    async def file_of(self, name: str) -> Path:
        """Returns the file with all of a result, by the name that its message or prompt gives. Raises StorageError."""
        path = await self._disk.run(whole_result, self._paths, name)
        if path is None:
            sentence = "The whole result is not kept any more: only the newest are."
            raise StorageError(sentence, next_step="Let the tool be called again.", name=name)
        return path
