"""Messages that wait for the answer that is being written: kept as drafts, sent one after the other, or taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.ui.chat.composer.composer_text import ComposerText
from mnemoscope.ui.support.drafts import Drafts


@dataclass(eq=False, slots=True)
class WaitingMessage:
    """Describes one message that waits. A held one goes only when the person says so."""

    content: ComposerText
    held: bool = False
    sent_at: int | None = None
    """The number of messages in the conversation when this one was handed over to be written; None before that."""
    refused: bool = False
    """The disk refused it, or another turn came first; trying again may still write it."""
    editing: bool = False
    """Whether its words are being changed: it is not sent meanwhile."""
    replaces: int | None = None
    """The message whose place it takes; None for one that goes to the end, as all do that were held."""

    def as_draft(self) -> dict[str, Any]:
        """Returns the message as JSON holds it."""
        return self.content.as_draft() | ({} if self.sent_at is None else {"sent_at": self.sent_at})


class MessageQueue(QObject):
    """Knows what waits in each conversation.

    Everything that waits is on the disk until it is in the session file. What a stop, a failure or the end of the
    program left waiting is held: it is never sent by itself.
    """

    changed = Signal(str)
    """The messages that wait in the conversation of this key are other than before."""

    def __init__(self, drafts: Drafts, parent: QObject) -> None:
        super().__init__(parent)
        self._drafts = drafts
        self._waiting: dict[str, list[WaitingMessage]] = {}
        self._loaded: set[str] = set()

    def of(self, key: str) -> Sequence[WaitingMessage]:
        """Returns what waits in a conversation, the first to be sent first."""
        return tuple(self._waiting.get(key, ()))

    async def is_any(self, key: str) -> bool:
        """Returns whether an earlier window left something waiting in a conversation."""
        return bool(await self._drafts.load(_name(key)))

    async def load(self, key: str, messages: Sequence[Message]) -> Sequence[WaitingMessage]:
        """Returns what an earlier window left waiting, held, without what of it is among the messages."""
        if key in self._loaded:
            return ()
        self._loaded.add(key)
        kept = await self._drafts.load(_name(key)) or {}
        entries = kept.get("waiting")
        found = [_read(entry) for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
        left = [one for one in found if one.content.text and not _is_among(one, messages)]
        for one in left:
            one.held, one.sent_at = True, None
        if found:
            self._waiting[key] = left + self._waiting.get(key, [])
            self._keep(key)
        return left

    def add(self, key: str, content: ComposerText, *, replaces: int | None = None) -> None:
        """Has a message wait for the answer that is being written. `replaces`: the message whose place it takes."""
        self._waiting.setdefault(key, []).append(WaitingMessage(content, replaces=replaces))
        self._keep(key)

    def add_refused(self, key: str, content: ComposerText) -> None:
        """Holds a message that was not taken, while another one is typed."""
        self._waiting.setdefault(key, []).append(WaitingMessage(content, held=True, refused=True))
        self._keep(key)

    def take_back(self, key: str, one: WaitingMessage) -> None:
        """Removes a message that the person wants back; the caller has kept its words before."""
        if one in self._waiting.get(key, ()):
            self._waiting[key].remove(one)
            self._keep(key)

    def next(self, key: str) -> WaitingMessage | None:
        """Returns the message that is to be sent now, or None."""
        waiting = self._waiting.get(key, [])
        if any(one.sent_at is not None for one in waiting):
            return None
        first = next((one for one in waiting if not one.held), None)
        return None if first is None or first.editing else first

    def begin_editing(self, one: WaitingMessage) -> None:
        """Notes that the words of a message are being changed."""
        one.editing = True
        self._notify(one)

    def end_editing(self, one: WaitingMessage, content: ComposerText | None) -> None:
        """Gives a message other words, or leaves it as it was where `content` is None."""
        one.editing = False
        if content is not None and one.sent_at is None:
            one.content = content
        self._notify(one)

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in what waits."""
        for key, waiting in self._waiting.items():
            for one in waiting:
                one.content = one.content.without(forgotten)
            self._keep(key)

    def _notify(self, one: WaitingMessage) -> None:
        key = next((key for key, waiting in self._waiting.items() if one in waiting), None)
        if key is not None:
            self._keep(key)

    def hand_over(self, key: str, one: WaitingMessage, count: int) -> None:
        """Notes that a message is on its way to the session file, which has `count` messages before it."""
        one.sent_at = count if one.replaces is None else one.replaces
        self._keep(key)

    def recorded(self, key: str, text: str = "") -> None:
        """Forgets the message that was on its way: it is in the session file. `text`: what was written, which may be
        one that the disk had refused before."""
        before = self._waiting.get(key, [])
        left = [one for one in before if one.sent_at is None]
        late = next((one for one in left if one.refused and one.content.text.strip() == text.strip()), None)
        if len(left) == len(before) and late is not None:
            left.remove(late)
        if len(left) < len(before):
            self._waiting[key] = left
            self._keep(key)

    def hold(self, key: str) -> None:
        """Holds all that waits, with what was on its way and was not taken."""
        waiting = self._waiting.get(key, [])
        for one in waiting:
            one.refused = one.refused or one.sent_at is not None
            one.held = True
            one.sent_at = one.replaces = None
        if waiting:
            self._keep(key)

    def release(self, key: str) -> None:
        """Lets what is held go on, as the person said."""
        for one in self._waiting.get(key, []):
            one.held = False
        self.changed.emit(key)

    def unsaved(self, key: str) -> dict[str, dict[str, Any]]:
        """Returns what waits in a conversation, as a draft by its name."""
        return {_name(key): self._draft(key)} if self._waiting.get(key) else {}

    def _draft(self, key: str) -> dict[str, Any]:
        return {"waiting": [one.as_draft() for one in self._waiting[key]]}

    def _keep(self, key: str) -> None:
        if self._waiting.get(key):
            self._drafts.save(_name(key), self._draft(key))
        else:
            self._drafts.forget(_name(key))
        self.changed.emit(key)


def _read(entry: Mapping[str, Any]) -> WaitingMessage:
    sent_at = entry.get("sent_at")
    return WaitingMessage(ComposerText.of_draft(dict(entry)), sent_at=sent_at if isinstance(sent_at, int) else None)


def _is_among(one: WaitingMessage, messages: Sequence[Message]) -> bool:
    """Returns whether a message that was on its way arrived: one with its words stands behind those there were."""
    if one.sent_at is None:
        return False
    later = messages[max(0, one.sent_at) :]
    return any(each.get("role") == "user" and text_of(each).strip() == one.content.text.strip() for each in later)


def _name(key: str) -> str:
    return f"queue:{key}"
