"""Finds who wrote each line of one file, on the versions' thread; follows the lines as a person types; fills a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QPoint, QTimer, Signal

from mnemoscope.agent.commits.memory_blame import records_behind
from mnemoscope.domain import events
from mnemoscope.domain.commits import ENTRIES, BlameLine, CommitInfo
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.ui.memory.blame import blame_card
from mnemoscope.ui.memory.editor.blame_gutter import LineOwners, owners_of
from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.services import MemoryServices
from mnemoscope.ui.memory.versions.version_row import VersionRow, unite
from mnemoscope.ui.widgets.notices.notice_stack import NoticeStack

_SETTLE_MS: Final = 150
_REST_MS: Final = 350
"""Milliseconds that the mouse rests on a line before its card shows, and stays away from it before the card goes."""


class BlameController(QObject):
    """Shows who wrote each line of one file, in the gutter and on a card, once somebody asks for it."""

    version_requested = Signal(str)
    """The version of this id is to be shown."""
    keep_requested = Signal(str)
    """This line was forgotten and came back, and is to be kept."""

    def __init__(self, editor: MemoryEditor, bars: NoticeStack, path: str, services: MemoryServices) -> None:
        super().__init__(editor)
        self._editor = editor
        self._bars = bars
        self._path = path
        self._bench = services.bench
        self._tasks = services.tasks
        self._title_of = services.titles.title_of
        self._navigation = services.navigation
        self._holders_of = services.holders_of
        self._card: blame_card.BlameCard | None = None
        self._blame: list[BlameLine] = []
        self._shown = False
        self._shown_words = ""
        """The words of the line that the card tells of."""
        self._line = -1
        self._lines = editor.blockCount()
        self._carry_soon = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._carry_soon.timeout.connect(lambda: self._tasks.spawn(self._carry(), "blame"))
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._on_rested)
        gutter = editor.blame
        gutter.pointed.connect(self._on_pointed)
        gutter.chosen.connect(lambda line: self.show_author(line, with_keyboard=False))
        editor.document().contentsChange.connect(self._on_edit)
        editor.scrolled.connect(self._put_away)
        services.bridge.on(events.CommitsChanged, lambda _event: self._tasks.spawn(self._read(), "blame"))

    def show(self, wanted: bool) -> None:
        """Has the gutter there or not."""
        self._shown = wanted
        self._editor.show_blame(wanted)
        if wanted:
            self._tasks.spawn(self._read(), "blame")
        else:
            self._put_away()
            self._bars.take("blame")

    def show_author(self, line: int, *, with_keyboard: bool = True) -> None:
        """Shows who wrote a line."""
        if line >= 0:
            self._tasks.spawn(self._show_card(line, with_keyboard=with_keyboard), "blame")

    def show_messages(self, line: int) -> None:
        """Shows the messages a line came from; where none are known, who wrote it."""
        self._tasks.spawn(self._show_messages(line), "blame")

    @property
    def card(self) -> blame_card.BlameCard:
        """Returns the card, over the window; made when it is needed, because only then there is a window."""
        if self._card is None:
            card = self._card = blame_card.BlameCard(self._editor.window(), self._title_of)
            card.version_requested.connect(self.version_requested)
            card.entry_requested.connect(self._navigation.show_entry)
            card.messages_requested.connect(self._navigation.show_messages)
            card.grounds_requested.connect(lambda record: self._navigation.show_grounds(record, self._shown_words))
            card.keep_requested.connect(lambda: self.keep_requested.emit(self._shown_words))
            card.gone.connect(self._on_gone)
            card.entered.connect(self._rest.stop)
            card.left.connect(lambda: self._on_pointed(-1))
        return self._card

    async def _read(self) -> None:
        if not self._shown:
            return
        try:
            self._blame = await self._bench.commits.blame(self._path)
        except MnemoscopeError as error:
            self._bars.put("blame", "warning", str(error))
            return
        if self._blame:
            self._bars.take("blame")
        elif self._editor.text():
            words = self.tr("No version of this file is kept yet: they begin with the first change that is saved.")
            self._bars.put("blame", "info", words)
        await self._carry()

    async def _carry(self) -> None:
        """Brings the newest version's lines and the editor's together; not on the loop, a long text takes a while."""
        editor, blame = self._editor, self._blame
        text = editor.text()
        owners = await self._bench.commits.on_thread(lambda: owners_of(blame, text))
        if editor.holds(text):
            editor.blame.show_owners(owners, unsaved=self._editor.document().isModified())

    async def _show_card(self, line: int, *, with_keyboard: bool) -> None:
        if not self._shown:
            await self._read_once()
        owners: LineOwners = self._editor.blame.owners
        commit = owners.owner(line)
        words = self._editor.document().findBlockByNumber(line).text()
        row, records = await self._behind(commit, words)
        card, self._shown_words = self.card, words
        card.show_line(
            row,
            records,
            unsaved=self._editor.document().isModified(),
            is_forgotten=line in self._editor.numbers.forgotten,
            can_keep=not self._editor.isReadOnly(),
        )
        card.stand_at(*self._place(line))
        if with_keyboard:
            card.take_keyboard()
        holders = await self._holders_of(words)
        if holders and card.isVisible() and self._shown_words == words:
            card.show_holders(holders)
            card.stand_at(*self._place(line))

    async def _show_messages(self, line: int) -> None:
        if not self._shown:
            await self._read_once()
        words = self._editor.document().findBlockByNumber(line).text()
        _row, records = await self._behind(self._editor.blame.owners.owner(line), words)
        said = next((each for each in records if each.stop > each.start), None)
        if said is not None:
            self._navigation.show_grounds(said, words)
        else:
            await self._show_card(line, with_keyboard=True)

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
            changes = await self._bench.disk.run(self._bench.memory.editing.changes, self._path)
            records = await self._bench.disk.run(self._bench.memory.ledger.records)
            first, last = commit.span(ENTRIES)
            between = self._bench.memory.dream.journal.between
            entries = await self._bench.disk.run(between, first, last) if last else []
        except MnemoscopeError:
            return VersionRow(commit, None), records_behind(commit, ())
        row = next(row for row in unite(changes, [commit]) if row.commit is not None)
        return row, records_behind(commit, records, entries, line)

    def _place(self, line: int) -> tuple[QPoint, int]:
        """Returns where a line begins, in the window, and how high it is, over all the rows it is broken into."""
        editor, window = self._editor, self._editor.window()
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
            self.show_author(self._line, with_keyboard=False)
        elif self._card is not None and not self._card.isAncestorOf(self._card.window().focusWidget() or self._card):
            self._put_away()

    def _on_gone(self, had_keyboard: bool) -> None:
        if had_keyboard:
            self._editor.setFocus()

    def _put_away(self) -> None:
        self._rest.stop()
        if self._card is not None:
            self._card.leave()

    def _on_edit(self, position: int, _removed: int, _added: int) -> None:
        editor = self._editor
        before, self._lines = self._lines, editor.blockCount()
        if not self._shown:
            return
        editor.blame.owners.note_edit(editor.document().findBlock(position).blockNumber(), self._lines - before)
        editor.blame.unsaved = True
        editor.blame.update()
        self._put_away()
        self._carry_soon.start()
