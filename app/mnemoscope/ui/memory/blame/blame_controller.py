"""Who wrote each line of one file: read on the versions' thread, carried along while a person types, told on a card."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QTimer, Signal

from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain import events
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.records import ConsolidationRecord
from mnemoscope.ui.memory.blame.blame_card import BlameCard
from mnemoscope.ui.memory.blame.blame_sources import entries_of, records_behind
from mnemoscope.ui.memory.editor.blame_gutter import LineOwners, owners_of
from mnemoscope.ui.memory.memory_document import MemoryDocument
from mnemoscope.ui.memory.versions.origin_words import TitleOf
from mnemoscope.ui.memory.versions.version_row import VersionRow, unite
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.tasks import Tasks

if TYPE_CHECKING:
    from mnemoscope.domain.commits import BlameLine, CommitInfo

_SETTLE_MS: Final = 150
_REST_MS: Final = 350
"""How long the mouse rests on a line before its card shows, and stays away before it goes."""


class BlameController(QObject):
    """Made when somebody asks for it the first time."""

    version_wanted = Signal(str)
    entry_wanted = Signal(object)
    messages_wanted = Signal(object)

    def __init__(
        self, document: MemoryDocument, bench: Workbench, bridge: Bridge, tasks: Tasks, title_of: TitleOf
    ) -> None:
        super().__init__(document)
        self._document, self._bench, self._tasks, self._title_of = document, bench, tasks, title_of
        self._blame: list[BlameLine] = []
        self._shown = False
        self._by_keyboard = False
        self._line = -1
        self._lines = document.editor.blockCount()
        self._carry_soon = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._carry_soon.timeout.connect(lambda: self._tasks.spawn(self._carry(), "blame"))
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._on_rested)
        gutter = document.editor.blame
        gutter.pointed.connect(self._on_pointed)
        gutter.chosen.connect(lambda line: self.tell(line, with_keyboard=False))
        document.editor.document().contentsChange.connect(self._on_edit)
        document.editor.scrolled.connect(self._put_away)
        bridge.on(events.CommitsChanged, lambda _event: self._tasks.spawn(self._read(), "blame"))

    def show(self, wanted: bool) -> None:
        """Have the gutter there or not."""
        self._shown = wanted
        self._document.editor.show_blame(wanted)
        if wanted:
            self._tasks.spawn(self._read(), "blame")
        else:
            self._put_away()
            self._document.bars.take("blame")

    def tell(self, line: int, *, with_keyboard: bool = True) -> None:
        """Tell who wrote a line."""
        if line >= 0:
            self._tasks.spawn(self._tell(line, with_keyboard=with_keyboard), "blame")

    @cached_property
    def card(self) -> BlameCard:
        """The card, over the window."""
        card = BlameCard(self._document.window(), self._title_of)
        card.version_wanted.connect(self.version_wanted)
        card.entry_wanted.connect(self.entry_wanted)
        card.messages_wanted.connect(self.messages_wanted)
        card.gone.connect(self._on_gone)
        card.entered.connect(self._rest.stop)
        card.left.connect(lambda: self._on_pointed(-1))
        return card

    async def _read(self) -> None:
        if not self._shown:
            return
        try:
            self._blame = await self._bench.commits.blame(self._document.path)
        except MnemoscopeError as error:
            self._document.bars.put("blame", "warning", str(error))
            return
        if self._blame:
            self._document.bars.take("blame")
        elif self._document.editor.text():
            words = self.tr("No version of this file is kept yet: they begin with the first change that is saved.")
            self._document.bars.put("blame", "info", words)
        await self._carry()

    async def _carry(self) -> None:
        """Bring the newest version's lines and the editor's together; not on the loop, a long text takes a while."""
        editor, blame = self._document.editor, self._blame
        text = editor.text()
        owners = await self._bench.commits.on_thread(lambda: owners_of(blame, text))
        if editor.holds(text):
            editor.blame.show_owners(owners, unsaved=self._document.is_dirty())

    async def _tell(self, line: int, *, with_keyboard: bool) -> None:
        if not self._shown:
            await self._read_once()
        owners: LineOwners = self._document.editor.blame.owners
        commit = owners.owner(line)
        row, records = await self._behind(commit, self._document.editor.document().findBlockByNumber(line).text())
        card = self.card
        card.show_line(row, records, unsaved=self._document.is_dirty())
        card.stand_at(*self._place(line))
        self._by_keyboard = with_keyboard
        if with_keyboard:
            card.take_keyboard()

    async def _read_once(self) -> None:
        self._shown = True
        try:
            await self._read()
        finally:
            self._shown = False

    async def _behind(
        self, commit: CommitInfo | None, line: str
    ) -> tuple[VersionRow | None, Sequence[ConsolidationRecord]]:
        if commit is None:
            return None, ()
        try:
            changes = await self._bench.disk.run(self._bench.memory.editing.changes, self._document.path)
            records = await self._bench.disk.run(self._bench.memory.ledger.records)
            first, last = entries_of(commit)
            between = self._bench.memory.dream.journal.between
            entries = await self._bench.disk.run(between, first, last) if last else []
        except MnemoscopeError:
            return VersionRow(commit, None), records_behind(commit, ())
        row = next(row for row in unite(changes, [commit]) if row.commit is not None)
        return row, records_behind(commit, records, entries, line)

    def _place(self, line: int) -> tuple[QPoint, int]:
        """Where a line begins, in the window, and how high it is, over all the rows it is broken into."""
        editor, window = self._document.editor, self._document.window()
        block = editor.document().findBlockByNumber(line)
        place = editor.blockBoundingGeometry(block).translated(editor.contentOffset())
        room, row = editor.viewport().height(), editor.fontMetrics().lineSpacing()
        at = min(max(0, round(place.top())), room - row)
        height = min(max(row, round(place.bottom()) - at), room - at)
        return editor.viewport().mapTo(window, QPoint(0, at)), height

    def _on_pointed(self, line: int) -> None:
        self._line = line
        self._rest.start()

    def _on_rested(self) -> None:
        if self._line >= 0:
            self.tell(self._line, with_keyboard=False)
        elif "card" in vars(self) and not self.card.isAncestorOf(self.card.window().focusWidget() or self.card):
            self._put_away()

    def _on_gone(self) -> None:
        if self._by_keyboard:
            self._by_keyboard = False
            self._document.editor.setFocus()

    def _put_away(self) -> None:
        self._rest.stop()
        if "card" in vars(self):
            self.card.leave()

    def _on_edit(self, position: int, _removed: int, _added: int) -> None:
        if not self._shown:
            return
        editor = self._document.editor
        before, self._lines = self._lines, editor.blockCount()
        editor.blame.owners.note_edit(editor.document().findBlock(position).blockNumber(), self._lines - before)
        editor.blame.unsaved = True
        editor.blame.update()
        self._put_away()
        self._carry_soon.start()
