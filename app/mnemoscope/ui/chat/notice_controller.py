"""Bars over the chat: what the core wants a person to know, each with the command that helps."""

from __future__ import annotations

from pathlib import PurePosixPath

from PySide6.QtCore import QCoreApplication, QObject, Signal

from mnemoscope.domain import events
from mnemoscope.domain.events import MessagesLost
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.support.bridge import Bridge
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.glossary import Word, meaning_of
from mnemoscope.ui.support.window_ports import Commands
from mnemoscope.ui.widgets.notices.notice_bar import NoticeAction, NoticeBar
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.status_line import StatusLine


class NoticeController(QObject):
    """Puts the core's notices above the conversation."""

    reopen_requested = Signal()
    """The conversation on show is to be shown anew."""
    damage_requested = Signal(str)
    """The damaged records of the conversation of this key are to be shown."""
    try_again_requested = Signal()
    """The newest message is to be answered anew."""

    def __init__(
        self, chat: ChatColumn, status: StatusLine, bridge: Bridge, current: CurrentConversation, commands: Commands
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._status = status
        self._current = current
        self._commands = commands
        self._kept: dict[str, str] = {}
        self._interrupted: dict[str, NoticeBar] = {}
        """The notices of interrupted answers, by the key of their conversation."""
        bridge.on(events.SessionCleared, self._on_cleared)
        bridge.on(events.MessagesLost, self._on_lost)
        bridge.on(events.RecordsDamaged, self._on_damaged)
        bridge.on(events.AnswerRecovered, self._on_recovered)
        for gone_on in (events.RecordAppended, events.BranchChanged, events.SessionCleared, events.MessagesLost):
            bridge.on(gone_on, self._on_gone_on)
        bridge.on(events.Noticed, self._on_noticed)
        bridge.on(events.NoticePast, lambda event: self._chat.dismiss_notices_with(event.sentence))

    def kept_words(self, key: str) -> str:
        """Returns where the transcript that /new closed is kept, or "" if none was closed."""
        return self._kept.get(key, "")

    def _on_cleared(self, event: events.SessionCleared) -> None:
        kept = self.tr("The conversation before is kept in the list, under “Archived”.")
        self._kept[event.session_key] = kept if event.archived_as else ""
        if self._current.is_of(event):
            self.reopen_requested.emit()
            self._status.show_remark(self._kept[event.session_key])

    def _on_lost(self, event: events.MessagesLost) -> None:
        if self._current.is_of(event):
            self._chat.transcript.show_messages("", ())
            self.reopen_requested.emit()
            level, words = loss_words(event)
            self._notify(level, words, "workspace.show", about=event.session_key)

    def _on_damaged(self, event: events.RecordsDamaged) -> None:
        if event.kept_in:
            words = self.tr(
                "%n damaged records moved to quarantine in {folder}. Everything else was read.", "", event.count
            )
        else:
            words = self.tr("%n damaged records left where they are. Everything else was read.", "", event.count)
        view = (self.tr("View"), lambda: self.damage_requested.emit(event.session_key))
        sentence = words.format(folder=PurePosixPath(event.kept_in).parent)
        bar = self._chat.notify("warning", sentence, [view], stays=True, about=event.session_key)
        bar.setToolTip(plain_tooltip(f"{sentence}\n{meaning_of(Word.QUARANTINE)}"))

    def _on_recovered(self, event: events.AnswerRecovered) -> None:
        words = self.tr(
            "The program ended in the middle of an answer. What had arrived is kept, marked as interrupted; "
            "nothing else was lost."
        )

        def try_again() -> None:
            bar.dismiss()
            self.try_again_requested.emit()

        actions: list[NoticeAction] = [(self.tr("Keep"), lambda: bar.dismiss()), (self.tr("Try again"), try_again)]
        bar = self._chat.notify("info", words, actions, stays=True, about=event.session_key, noted=True)
        bar.closed.connect(lambda: self._interrupted.pop(event.session_key, None))
        self._interrupted[event.session_key] = bar

    def _on_gone_on(self, event: events.SessionEvent) -> None:
        """Takes away what is said of an interrupted answer: it is not the newest message any more, which alone can be
        made anew."""
        bar = self._interrupted.get(event.session_key)
        if bar is not None:
            bar.dismiss()

    def _on_noticed(self, event: events.Noticed) -> None:
        self._notify(event.level, f"{event.sentence} {event.next_step}".strip(), event.action, stays=event.stays)

    def _notify(self, level: str, words: str, command: str, *, about: str = "", stays: bool = True) -> None:
        action = self._commands.get(command)
        actions: list[NoticeAction] = [(action.text().replace("&", ""), action.trigger)] if action else []
        self._chat.notify(level, words, actions, stays=stays, about=about, noted=stays)


def loss_words(event: MessagesLost) -> tuple[str, str]:
    """Returns the level of the bar, and what happened and what is safe."""
    if event.kind == "begun":
        return "info", _tr("Another program began this conversation anew.")
    if event.kind == "branched":
        return "info", _tr("Another window went to another branch of this conversation.")
    safe = _tr("The history log and the memory were not touched.")
    if event.kind == "removed":
        one = _tr("Another program removed the file of this conversation, which held 1 message.")
        many = _tr("Another program removed the file of this conversation, which held {known} messages.")
        words = one if event.known == 1 else many
        safe += " " + _tr("Your next message begins a new file.")
    elif event.kind == "shortened":
        one = _tr("Another program shortened the file of this conversation: 1 of {known} messages is left.")
        many = _tr("Another program shortened the file of this conversation: {left} of {known} messages are left.")
        words = one if event.left == 1 else many
    else:
        words = _tr("Another program replaced the messages of this conversation. What its file holds now is shown.")
    return "warning", words.format(known=f"{event.known:,}", left=f"{event.left:,}") + " " + safe


def _tr(text: str) -> str:
    return QCoreApplication.translate("ConversationController", text)
