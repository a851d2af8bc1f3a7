"""Conflicts in the memory pane: within the editor or waiting as suggestions, and the bar that leads to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt, Signal

from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.memory.change import MemoryConflict, MemoryOrigin
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.merge.conflict_resolution import SIDES, settle_conflict, write_instead
from mnemoscope.domain.merge.three_way import Conflict, merge_memory
from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.review import conflict_view
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.notices.notice_stack import NoticeStack
from mnemoscope.ui.widgets.page_stack import PageStack
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip

_BAR = "conflict"


@dataclass(frozen=True, slots=True)
class HeldConflict(MemoryConflict):
    """Describes a passage of a suggestion: `number` counts among those that wait of it."""

    suggestion: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class EditorConflict(MemoryConflict):
    """Describes a passage of the editor's text, which was `then` when both sides were brought together."""

    then: str = ""


def is_conflict(suggestion: Suggestion) -> bool:
    """Returns whether both sides changed something: there are passages to settle then, not a proposal to review."""
    return any(each.mine != each.base for each in suggestion.conflicts)


class Conflicts(QObject):
    """Emits `settled(suggestion, number, side, words)` for a passage of a suggestion; one of the editor is settled in
    its text.

    `left` when the page is done with.
    """

    settled = Signal(str, int, str, str)
    left = Signal()

    def __init__(
        self, view: LazyWidget[conflict_view.ConflictView], editor: MemoryEditor, pages: PageStack, bars: NoticeStack
    ) -> None:
        super().__init__(pages)
        self._view = view
        self._editor = editor
        self._pages = pages
        self._bars = bars
        self._theirs = ""
        self._read_only = False
        self.origin_of: Callable[[str], MemoryOrigin] = lambda kind: MemoryOrigin(kind)
        """Returns the origin of the newest text of that kind."""
        view.join(self._join)

    def _join(self, view: conflict_view.ConflictView) -> None:
        view.chosen.connect(self._on_chosen)
        view.closed.connect(self._on_closed)
        view.counted.connect(lambda _count: self.show_bar())

    @property
    def waiting(self) -> list[MemoryConflict]:
        """Returns the conflicts that wait."""
        return self._view.built.waiting if self._view.built is not None else []

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in what was typed for conflicts."""
        if self._view.built is not None:
            self._view.built.take_out(forgotten)

    def set_read_only(self, read_only: bool) -> None:
        """Looks, does not decide."""
        self._read_only = read_only
        self.show_bar()

    def note_theirs(self, text: str) -> None:
        """Notes that the conflicts which are added next are with this text."""
        self._theirs = text

    def add(self, conflicts: Sequence[Conflict], theirs: str) -> None:
        """Adds the conflicts that came of bringing the editor's words together with a text of the kind `theirs`."""
        mine, other, then = MemoryOrigin("editor"), self.origin_of(theirs), self._editor.text()
        self._view.widget.add_conflicts(
            [EditorConflict(one.base, one.mine, one.theirs, mine, other, then) for one in conflicts]
        )

    def show_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Adds the passages of these suggestions to what waits, in place of those that were held before."""
        held = [
            HeldConflict(one.base, one.mine, one.theirs, one.mine_from, one.theirs_from, suggestion.id, number)
            for suggestion in suggestions
            if is_conflict(suggestion)
            for number, one in enumerate(suggestion.conflicts)
        ]
        kept = [one for one in self.waiting if not isinstance(one, HeldConflict)]
        if [*kept, *held] != self.waiting:
            self._view.widget.set_conflicts([*kept, *held])

    def clear_editor(self) -> None:
        """Drops the conflicts of the editor, which holds another text now."""
        if waiting := self.waiting:
            self._view.widget.set_conflicts([one for one in waiting if isinstance(one, HeldConflict)])

    def open(self) -> None:
        """Opens the conflicts that wait, to be settled one by one."""
        if self.waiting and not self._read_only:
            self._pages.show_page("conflicts")
            self._view.widget.refresh()
            self.show_bar()

    def edit_again(self, suggestion: str, number: int, words: str) -> bool:
        """Opens a passage of a suggestion again with the person's words for it, which could not be written; returns
        whether it waits still."""
        for one in self.waiting:
            if isinstance(one, HeldConflict) and (one.suggestion, one.number) == (suggestion, number):
                self.open()
                self._view.widget.edit_again(one, words)
                return True
        return False

    def show_bar(self) -> None:
        """Says how many wait, unless they are being looked at."""
        waiting = self.waiting
        if not waiting or self._pages.page == "conflicts":
            self._bars.take(_BAR)
            return
        actions = [] if self._read_only else [(self.tr("Review"), self.open)]
        sentence = self.tr("%n passages changed on both sides.", "", len(waiting))
        sentence += " " + self.tr("Your wording stands; the other one is kept until you resolve it.")
        if (bar := self._bars.bar(_BAR)) is None or bar.sentence != sentence:
            bar = self._bars.put(_BAR, "warning", sentence, actions, closable=False)
            bar.setToolTip(plain_tooltip(f"{sentence}\n{meaning_of(Word.RESOLVE)}"))

    def _on_chosen(self, conflict: MemoryConflict, side: str, words: str) -> None:
        if isinstance(conflict, HeldConflict):
            self.settled.emit(conflict.suggestion, conflict.number, side, words)
            return
        now = self._editor.text()
        text = self._settled_in(now, conflict, side, words)
        if text is None and isinstance(conflict, EditorConflict):
            text = self._settled_since(now, conflict, side, words)
        if text is None:
            words = self.tr("You have changed that passage since. Here it is as it is now: choose once more.")
            self._bars.put("passage", "info", words, [])
        else:
            self._bars.take("passage")
            self._editor.replace_text(text, flash=True)

    def _settled_in(self, text: str, conflict: MemoryConflict, side: str, words: str) -> str | None:
        """Returns `text` with the passage as it was chosen; None where it is not there as it was shown."""
        passage = Conflict(conflict.base, conflict.mine, conflict.theirs)
        if side in SIDES:
            return settle_conflict(text, passage, SIDES[side], self._theirs)
        return write_instead(text, passage, words, self._theirs)

    def _settled_since(self, now: str, conflict: EditorConflict, side: str, words: str) -> str | None:
        """The same where the person went on typing in the passage; where that meets the choice it waits as it is now,
        and None is returned: the other wording is not to be lost."""
        wanted = self._settled_in(conflict.then, conflict, side, words)
        merge = merge_memory(conflict.then, now, conflict.then if wanted is None else wanted, rewrites=True)
        if wanted is not None and not merge.conflicts:
            return merge.text
        mine = merge.conflicts[0].mine if merge.conflicts else ""
        theirs = words if side == "edit" else conflict.theirs
        self._view.widget.add_conflicts([replace(conflict, mine=mine, theirs=theirs, then=now)])
        return None

    def _on_closed(self) -> None:
        if self._pages.page == "conflicts":
            self.left.emit()
            self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self.show_bar()
