"""Says where the words are still that went out of a file by the person's word, with the way to have them forgotten."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.events import ForgottenLinesTakenOut
from mnemoscope.domain.forgetting.forgotten_lines import words_after_head
from mnemoscope.domain.forgetting.plan import FoundPlace
from mnemoscope.domain.memory.file_registry import file_of_page
from mnemoscope.ui.forgetting.place_words import kind_name
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.support.window_ports import Notices
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar

log = logging.getLogger(__name__)

_MOST_KINDS: Final = 6
"""Kinds of places that the notice names."""


class TakenOutNotice(QObject):
    """Tells of lines that the person had forgotten, that had come back, and that they let go: what was taken out, so
    that it can be undone, is kept in other places until it is forgotten there. One notice tells of all of them.
    """

    def __init__(
        self, bench: Workbench, tasks: Tasks, notices: Notices, forget: Callable[[str], None], parent: QObject
    ) -> None:
        """`forget` lists the places of words, and takes them out where the person says so."""
        super().__init__(parent)
        self._bench = bench
        self._tasks = tasks
        self._notices = notices
        self._forget = forget
        self._lines: dict[str, str] = {}
        """The lines that are out, each with the file that it went out of."""
        self._bar: NoticeBar | None = None
        self._searches = 0

    def take(self, event: ForgottenLinesTakenOut) -> None:
        """Takes note of lines that went, or are back, and says what is true now."""
        for line in event.lines:
            if event.is_undone:
                self._lines.pop(line, None)
            else:
                self._lines[line] = file_of_page(event.path)
        self._look_soon()

    def follow_forgetting(self) -> None:
        """Says what is true once words were forgotten, where it is still being said."""
        if self._bar is not None:
            self._look_soon()

    def _look_soon(self) -> None:
        self._searches += 1
        self._tasks.spawn(self._look(self._searches), "places of words that were taken out")

    async def _look(self, search: int) -> None:
        files = ", ".join(dict.fromkeys(self._lines.values()))
        words = "\n".join(words_after_head(line).strip() for line in self._lines)
        places: Sequence[FoundPlace] = ()
        try:
            places = (await self._bench.forgetting.plan([words])).places if words else ()
        except MnemoscopeError as error:
            # Words that are too few to be told from others are in no list of places either.
            log.info("the places of what was taken out are not known: %s", error)
        if search != self._searches:
            return
        if (shown := self._bar) is not None:
            self._bar = None
            shown.dismiss()
        if not places:
            self._lines.clear()
            return
        kinds = [kind_name(each) for each in dict.fromkeys(place.kind for place in places)]
        named = ", ".join([*kinds[:_MOST_KINDS], *(["…"] if len(kinds) > _MOST_KINDS else [])])
        sentence = self.tr(
            "What you chose to forget is taken out of {files}. Its words are still in these places, until you forget "
            "them there: {places}."
        )
        actions = [(self.tr("Forget there too…"), partial(self._forget, words))]
        bar = self._bar = self._notices.notify("info", sentence.format(files=files, places=named), actions, stays=True)
        bar.closed.connect(lambda: self._on_closed(bar))

    def _on_closed(self, bar: NoticeBar) -> None:
        """Tells no more of what the person was told of, once they close it."""
        if self._bar is bar:
            self._bar = None
            self._lines.clear()
