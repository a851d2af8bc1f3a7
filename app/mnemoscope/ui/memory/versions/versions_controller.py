"""The versions of one file behind their page: loaded by pages, compared, restored whole or by passages, undone."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from mnemoscope.agent.commits.memory_blame import record_of_trailers
from mnemoscope.domain import events
from mnemoscope.domain.commits import CommitInfo
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.memory.change import MemoryChange
from mnemoscope.domain.memory.consolidation_record import ConsolidationRecord
from mnemoscope.domain.text.diff import diff_lines
from mnemoscope.ui.memory.services import MemoryServices
from mnemoscope.ui.memory.versions import versions_view
from mnemoscope.ui.memory.versions.version_row import VersionRow, is_made_by, unite
from mnemoscope.ui.memory.versions.version_words import brief_name
from mnemoscope.ui.widgets.dialogs.question import ask
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.notices.notice_stack import NoticeStack
from mnemoscope.ui.widgets.page_stack import PageStack

_PAGE: Final = 50


class VersionsController(QObject):
    """Asks for nothing before somebody looks at the page."""

    undo_requested = Signal(object)
    """This logged MemoryChange is to be taken back."""
    restored = Signal()
    travel_chosen = Signal(object)
    """Everything is to be shown as it was when the version of this `VersionRow` began."""

    def __init__(
        self,
        view: LazyWidget[versions_view.VersionsView],
        pages: PageStack,
        bars: NoticeStack,
        path: str,
        services: MemoryServices,
    ) -> None:
        super().__init__(pages)
        self._view = view
        self._pages = pages
        self._bars = bars
        self._path = path
        self._bench = services.bench
        self._tasks = services.tasks
        self._changes: Sequence[MemoryChange] = ()
        self._commits: list[CommitInfo] = []
        self._whole = self._loading = False
        self._shown: tuple[str, str] = ("", "")
        """The two texts that are compared, the older one first."""
        self._source: ConsolidationRecord | None = None
        """The consolidation that made the version on show, whose messages are known."""
        self._looks = 0
        self._title_of = services.titles.title_of
        self._navigation = services.navigation
        view.join(self._join)
        services.bridge.on(events.CommitsChanged, lambda _event: self.refresh())

    def _join(self, view: versions_view.VersionsView) -> None:
        view.list.versions.title_of = self._title_of
        view.looked_at.connect(lambda: self._spawn(self._look()))
        view.more_requested.connect(lambda: self._spawn(self._load_more()))
        view.undo_chosen.connect(lambda row: self._spawn(self._undo(row)))
        view.restore_chosen.connect(lambda row: self._spawn(self._restore(row)))
        view.passage_chosen.connect(lambda number: self._spawn(self._put_back(number)))
        view.messages_requested.connect(self._show_messages)
        view.travel_chosen.connect(self.travel_chosen)

    def open(self, wanted: str = "") -> None:
        """Shows the page and looks at the version or the change of that id, or at the newest."""
        self._pages.show_page("versions")
        self._view.widget.setFocus()
        if not wanted:
            # What was looked at the last time is not the newest.
            self._view.widget.list.clearSelection()
        self._list(wanted)
        self._spawn(self._load(wanted))

    def show_changes(self, changes: Sequence[MemoryChange]) -> None:
        """Takes the logged changes as they are now, oldest first."""
        self._changes = changes
        self.refresh()

    def refresh(self) -> None:
        """Lists what is new, where the list is in sight."""
        if self._pages.page == "versions":
            self._spawn(self._load())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.spawn(work, "versions")

    async def _load(self, wanted: str = "") -> None:
        try:
            newest = await self._bench.commits.page(self._path, limit=_PAGE)
        except MnemoscopeError as error:
            self._bars.put("versions", "warning", str(error))
            newest = []
        ids = [commit.id for commit in newest]
        if self._commits and self._commits[0].id in ids:
            self._commits = [*newest[: ids.index(self._commits[0].id)], *self._commits]
        else:
            # Another history, as without forgotten words, or more than a page of it is new.
            self._commits, self._whole = newest, len(newest) < _PAGE
        self._list(wanted)
        while wanted and not self._whole and not any(_is(row, wanted) for row in self._view.widget.list.versions.rows):
            await self._load_more()

    def _list(self, wanted: str = "") -> None:
        self._view.widget.list.show_rows(unite(self._changes, self._commits), wanted)

    async def _load_more(self) -> None:
        if self._whole or self._loading or not self._commits:
            return
        self._loading = True
        try:
            older = await self._bench.commits.page(self._path, self._commits[-1].id, _PAGE)
        except MnemoscopeError as error:
            self._bars.put("versions", "warning", str(error))
            older = []
        finally:
            self._loading = False
        self._whole = len(older) < _PAGE
        self._commits += older
        self._view.widget.list.versions.add(_rows(self._changes, older))

    async def _look(self) -> None:
        self._looks += 1
        look, view = self._looks, self._view.widget
        chosen = view.list.chosen
        if not chosen:
            return
        source = await self._source_of(chosen[0]) if len(chosen) == 1 else None
        if look == self._looks:
            self._source = source
            view.offer_messages(source is not None)
        try:
            if len(chosen) == 2:
                texts = await self._text(chosen[1]), await self._text(chosen[0])
                title = self.tr("{older} → {newer}").format(older=brief_name(chosen[1]), newer=brief_name(chosen[0]))
            elif view.now_button.isChecked():
                now = await self._bench.disk.run(self._bench.memory.editing.read_text, self._path)
                texts, title = (await self._text(chosen[0]), now.text), self.tr("From this version to now")
            else:
                texts, title = await self._both(chosen[0]), self.tr("What it changed")
            rows = await self._bench.commits.on_thread(lambda: diff_lines(*texts))
        except MnemoscopeError:
            if look == self._looks:
                view.show_diff(None, self.tr("The texts of this change are not kept any more"))
            return
        if look == self._looks:
            self._shown = texts
            view.show_diff(rows, title)

    async def _source_of(self, row: VersionRow) -> ConsolidationRecord | None:
        """Returns the consolidation that made a version, or whose suggestion did; None where its messages are not
        known."""
        try:
            records = await self._bench.disk.run(self._bench.memory.ledger.records)
        except MnemoscopeError:
            records = []
        found = next((each for each in records if is_made_by(row, each)), None)
        found = found or (record_of_trailers(row.commit) if row.commit else None)
        return found if found and found.stop > found.start else None

    def _show_messages(self) -> None:
        if self._source is not None:
            self._navigation.show_messages(self._source)

    async def _text(self, row: VersionRow) -> str:
        """Returns the file right after a change."""
        if row.commit is not None:
            return await self._bench.commits.text_at(row.commit.id, self._path) or ""
        digest = row.change.after if row.change else ""
        return await self._bench.disk.run(self._bench.memory.editing.version_text, digest) if digest else ""

    async def _both(self, row: VersionRow) -> tuple[str, str]:
        if row.commit is not None:
            before = row.commit.parent and await self._bench.commits.text_at(row.commit.parent, self._path)
            return before or "", await self._text(row)
        before = row.change.before if row.change else ""
        return await self._bench.disk.run(
            self._bench.memory.editing.version_text, before
        ) if before else "", await self._text(row)

    async def _undo(self, row: VersionRow) -> None:
        if row.author == "Dream" and row.commit is not None:
            again = await self._ask_about_entries()
            if again is not None:
                await self._attempt(lambda: self._bench.commits.undo_commit(row.id, again))
        elif row.change is not None:
            self.undo_requested.emit(row.change)
        else:
            await self._attempt(lambda: self._bench.commits.undo_commit(row.id))

    async def _ask_about_entries(self) -> bool | None:
        sentence = self.tr(
            "Only what Dream changed is taken back, in all files of that run; everything later stays. "
            "The entries it read count as declined, unless they are to be dreamed again."
        )
        again, declined, nothing = self.tr("Undo and dream again"), self.tr("Undo"), self.tr("Cancel")
        choices = [("again", again), ("declined", declined), ("", nothing)]
        chosen = await ask(
            self._pages.window(), self.tr("Undo this run of Dream"), sentence, choices, default="declined"
        )
        return chosen == "again" if chosen else None

    async def _restore(self, row: VersionRow) -> None:
        if row.commit is not None:
            done = await self._attempt(lambda: self._bench.commits.restore_file(row.id, self._path))
        else:
            digest = row.change.after if row.change else ""
            done = await self._attempt(lambda: self._bench.memory.editing.restore_version(digest, self._path))
        if done:
            self.restored.emit()

    async def _put_back(self, number: int) -> None:
        """Puts the older wording of one passage into the text as it is now; what was changed there since stays."""
        try:
            is_put_back = await self._bench.commits.restore_passage(self._path, *self._shown, number)
        except MnemoscopeError as error:
            self._bars.put("versions", "danger", str(error))
            return
        if is_put_back:
            words = self.tr("The passage is as it was. Everything else stays.")
            self._bars.put("versions", "success", words)
        else:
            words = self.tr(
                "That passage is not as it was then; nothing was put back. Restore the whole version instead."
            )
            self._bars.put("versions", "info", words)

    async def _attempt(self, work: Callable[[], Coroutine[Any, Any, object]]) -> bool:
        try:
            await work()
        except MnemoscopeError as error:
            self._bars.put("versions", "danger", str(error))
            return False
        self._bars.take("versions")
        return True


def _is(row: VersionRow, wanted: str) -> bool:
    return row.id.startswith(wanted) or row.is_of_change(wanted)


def _rows(changes: Sequence[MemoryChange], commits: Sequence[CommitInfo]) -> list[VersionRow]:
    """Returns the rows of older versions: no change that has none comes after them."""
    return [row for row in unite(changes, commits) if row.commit is not None]
