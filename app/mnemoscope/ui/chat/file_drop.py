"""Text files that are dropped into a message: read away from the window, put in as what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.conversation.origin import FILE
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.files.imported_text import read_imported_text
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.tasks import Tasks

_AT_ONCE: Final = 8


class FileDrop(QObject):
    """Serves one composer; says why a file was not put in."""

    def __init__(self, chat: ChatColumn, bench: Workbench, tasks: Tasks, on_show: CurrentConversation) -> None:
        super().__init__(chat)
        self._chat, self._bench, self._on_show = chat, bench, on_show
        chat.composer.edit.files_dropped.connect(lambda paths: tasks.spawn(self._put_in(paths), "put in files"))

    async def _put_in(self, paths: list[str]) -> None:
        key, edit = self._on_show.key, self._chat.composer.edit
        if len(paths) > _AT_ONCE:
            self._chat.notify("info", self.tr("Only the first {count} files are put in.").format(count=_AT_ONCE))
        for path in paths[:_AT_ONCE]:
            try:
                text = await self._bench.disk.run(read_imported_text, Path(path))
            except MnemoscopeError as error:
                self._chat.notify("warning", str(error))
                continue
            if key != self._on_show.key:
                return
            if not edit.textCursor().atBlockStart():
                edit.insert_words("\n")
            edit.insert_words(text, FILE)
        edit.setFocus()
