"""The exports of other assistants that can be imported. Another one is a module beside this one, and a line here."""

from __future__ import annotations

from pathlib import Path

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_export import ForeignExport
from mnemoscope.store.foreign.exports.chatgpt_export import CONVERSATIONS as OF_CHATGPT
from mnemoscope.store.foreign.exports.chatgpt_export import ChatGptExport
from mnemoscope.store.foreign.exports.claude_export import CONVERSATIONS as OF_CLAUDE
from mnemoscope.store.foreign.exports.claude_export import MEMORIES, ClaudeExport
from mnemoscope.store.foreign.exports.export_files import ExportFiles
from mnemoscope.store.foreign.reading.json_array import decoded_object, elements


def open_export(path: Path) -> ForeignExport | None:
    """Opens an export: a folder, a zip, or one of a set of zips; None where it is none. Raises StorageError where
    nothing can be read there."""
    files = ExportFiles(path)
    if _is_claudes(files):
        return ClaudeExport(files)
    if files.matching(OF_CHATGPT):
        return ChatGptExport(files)
    files.close()
    if files.unopened:
        step = "Download the export once more, or choose the folder that it was unpacked to."
        raise StorageError(files.unopened[0], next_step=step)
    return None


def _is_claudes(files: ExportFiles) -> bool:
    """Returns whether an export is Claude's: both may have a `conversations.json`, so the first record decides."""
    for name in files.matching(OF_CLAUDE):
        found, _ = elements(files.read(name))
        for raw in found[:20]:
            conversation = decoded_object(raw) or {}
            if "chat_messages" in conversation:
                return True
            if "mapping" in conversation:
                return False
    return bool(files.matching(MEMORIES)) or bool(files.matching(r"manifest.*\.json"))
