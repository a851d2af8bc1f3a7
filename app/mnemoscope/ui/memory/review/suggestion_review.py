"""Suggestions that wait: their bar, their review, and what was decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal

from mnemoscope.domain.disagreement.settlement import items_with_pairs
from mnemoscope.domain.memory.suggestion import BACK_AGAIN, Suggestion
from mnemoscope.ui.memory.review import suggestion_view
from mnemoscope.ui.memory.review.reason_words import said
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.widgets.lazy_widget import LazyWidget
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction
from mnemoscope.ui.widgets.notices.notice_stack import NoticeStack
from mnemoscope.ui.widgets.page_stack import PageStack
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip

_BAR = "suggestion"
_SECOND = len("2026-03-12T14:30:00")
_NAMED: Final = 4
"""Reasons of a suggestion that its card names."""


class SuggestionReview(QObject):
    """Leads through the suggestions held for review.

    `settled(id, "accept" | "reject", text or None)`; `edit_chosen(text)` opens a text in the editor, and saving it
    settles the suggestion (`edited`); `left` when the review page is done with.
    """

    settled = Signal(str, str, object)
    edit_chosen = Signal(str)
    left = Signal()

    def __init__(
        self, view: LazyWidget[suggestion_view.SuggestionView], pages: PageStack, bars: NoticeStack, name: str
    ) -> None:
        super().__init__(pages)
        self._view = view
        self._pages = pages
        self._bars = bars
        self._name = name
        self._suggestions: list[Suggestion] = []
        self._answered: set[str] = set()
        self.edited = ""
        """The suggestion that is open in the editor, by its id; "" for none."""
        self._read_only = False
        self._said = "", 0
        """The words and the number of offers of the bar, so that the same bar is not made anew."""
        view.join(self._join)

    def _join(self, view: suggestion_view.SuggestionView) -> None:
        view.settled.connect(self._on_settled)
        view.closed.connect(self.left)
        view.set_read_only(self._read_only)

    @property
    def waiting(self) -> list[Suggestion]:
        """Returns the suggestions that nothing was decided about yet."""
        return [suggestion for suggestion in self._suggestions if suggestion.id not in self._answered]

    def show_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Takes these suggestions for the ones that wait."""
        self._suggestions = list(suggestions)
        self._answered.clear()
        self._refresh()

    def set_read_only(self, read_only: bool) -> None:
        """Looks, does not decide."""
        self._read_only = read_only
        if (view := self._view.built) is not None:
            view.set_read_only(read_only)
        self._refresh()

    def ask_again(self) -> None:
        """Offers everything again, as what was decided could not be done."""
        self._answered.clear()
        self._refresh()

    def of_conversation(self, session_key: str, when: str) -> Suggestion | None:
        """Returns the suggestion that a conversation's assistant made at an ISO time or next after it; else any of that
        conversation."""
        ours = [one for one in self.waiting if one.session_key == session_key]
        return next((one for one in ours if one.when[:_SECOND] >= when[:_SECOND]), ours[0] if ours else None)

    def open(self, chosen: str = "") -> None:
        """Shows the one of this id, or the first one that waits."""
        self._bars.take("moved")
        if self.waiting:
            self._view.widget.show_suggestions(self.waiting, chosen)
            self._pages.show_page("review")
            self._view.widget.setFocus(Qt.FocusReason.OtherFocusReason)
            self.show_bar()

    def show_again(self, name: str, sentence: str) -> None:
        """Opens again a suggestion that would write something else by now; `sentence` above it says so."""
        self._answered.discard(name)
        self.open(name)
        self._bars.put("moved", "warning", sentence)

    def refresh(self) -> None:
        """Shows what accepting would do now that the file moved on."""
        if self._is_in_sight:
            self._view.widget.refresh()

    def saved(self, settled: str) -> None:
        """Takes note that the editor's text is in the file, and that with it the suggestion of this id is resolved; ""
        for none."""
        if settled:
            if settled == self.edited:
                self.stop_editing()
            self._bars.take("moved")
            self._answered.add(settled)
            self._refresh()

    def stop_editing(self) -> None:
        """Forgets the suggestion that was opened in the editor; its text is no longer about one."""
        self.edited = ""
        self._bars.take("editing")
        self.show_bar()

    @property
    def _is_in_sight(self) -> bool:
        return self._pages.page == "review"

    def _refresh(self) -> None:
        if self._is_in_sight:
            self._view.widget.show_suggestions(self.waiting)
            if not self.waiting:
                self.left.emit()
        self.show_bar()

    def show_bar(self) -> None:
        """Says what waits, unless it is being looked at or something more pressing is said."""
        if not self.waiting or self._is_in_sight or self.edited or self._bars.bar("incoming"):
            self._bars.take(_BAR)
            return
        actions: list[NoticeAction] = [(self.tr("Review"), self.open)]
        # To keep what was forgotten, and came back, is to let a model read it: that is decided where its words are.
        if len(self.waiting) == 1 and not self._read_only and not self.waiting[0].is_written_back:
            actions.append((self.tr("Keep mine"), self._keep_mine))
        stays = self.tr("{name} stays as it is until you decide.").format(name=self._name)
        words = "\n".join([f"{self._how_many()} {stays}", *self._reasons(_NAMED)])
        # The text wants most of the room: one reason will do there.
        brief = self._how_many(), "\n".join([stays, *self._reasons(1)])
        shown = self._bars.bar(_BAR)
        if shown is not None and self._said == (words, len(actions)):
            return
        self._said = words, len(actions)
        bar = self._bars.put(_BAR, "warning", words, actions, closable=False, brief=brief)
        bar.setToolTip(plain_tooltip(f"{words}\n{meaning_of(Word.WAITING)}"))

    def _how_many(self) -> str:
        # As the review of all counts them: each passage is decided by itself.
        count = len(items_with_pairs(self.waiting))
        if count > 1:
            return self.tr("{count} proposals are waiting for review.").format(count=count)
        return self.tr("1 proposal is waiting for review.")

    def _reasons(self, most: int) -> list[str]:
        """Returns the first reasons of the first suggestion, and how many more there are."""
        # How it came back is said before which lines it is about.
        reasons = sorted(self.waiting[0].reasons, key=lambda reason: reason not in BACK_AGAIN)
        named = [f"• {said(reason)}" for reason in reasons[:most]]
        more = len(reasons) - most
        return [*named, self.tr("• and %n more reasons", "", more)] if more > 0 else named

    def _keep_mine(self) -> None:
        self._decide(self.waiting[0].id, "reject", None)

    def _on_settled(self, name: str, decision: str, text: str) -> None:
        if decision == "edit":
            self.edited = name
            self.edit_chosen.emit(text)
            words = self.tr("This is the proposal, with your text. Change what you like: saving decides it.")
            self._bars.put("editing", "info", words, [(self.tr("Not now"), self.stop_editing)])
            self.show_bar()
        else:
            self._decide(name, decision, text if decision == "accept" else None)

    def _decide(self, name: str, decision: str, text: str | None) -> None:
        self._bars.take("moved")
        self._answered.add(name)
        self._refresh()
        self.settled.emit(name, decision, text)
