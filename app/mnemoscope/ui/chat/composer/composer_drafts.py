"""Keeps what a person typed and did not send yet, for each conversation, until it is in the session file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.ui.chat.composer.composer import Composer
from mnemoscope.ui.chat.composer.composer_text import ComposerText, cut_quotes, joined
from mnemoscope.ui.chat.composer.message_queue import MessageQueue
from mnemoscope.ui.support.drafts import Drafts


class ComposerDrafts:
    """Lets words leave the drafts only when the disk has them as a message; where it refuses they come back."""

    def __init__(self, drafts: Drafts, composer: Composer) -> None:
        self._drafts, self._composer = drafts, composer
        self.queue = MessageQueue(drafts, composer)
        self._unsent: dict[str, ComposerText] = {}
        self._shown = ""
        """The conversation whose words the composer holds."""
        self._left = ""
        """The content of the field when drafts were kept last."""

    async def show(self, key: str, newest: Sequence[Message]) -> None:
        """Puts back what was typed in this conversation; a kill may have left a draft of what was sent.

        What was typed since the conversation before was left, while this one was opened, is meant for it.
        `newest`: its newest messages.
        """
        draft = await self._load(key)
        sent = next((text_of(one) for one in newest[-8:][::-1] if one.get("role") == "user"), None)
        if draft.text and draft.text.strip() == sent:
            self._drafts.forget(_name(key))
            draft = ComposerText()
        if key != self._shown:
            self._composer.set_draft(joined(draft, self._typed_since()))
        self._shown = key

    def are_shown(self, key: str) -> bool:
        """Returns whether the composer holds this conversation's words."""
        return bool(key) and key == self._shown

    async def is_any(self, key: str) -> bool:
        """Returns whether something was typed in this conversation, or given an image, and not sent."""
        draft = await self._load(key)
        return bool(draft.text.strip() or draft.images) or await self.queue.is_any(key)

    def keep(self, key: str) -> None:
        """Keeps what is typed now, at once. While a conversation is opened the composer's words are not its own yet."""
        if not self.are_shown(key):
            return
        self._left = self._composer.content().text
        typed = self._typed(key)
        if typed.text or typed.images:
            self._drafts.save(_name(key), typed.as_draft())
        else:
            self._drafts.forget(_name(key))

    def carry(self, key: str, onward: str) -> None:
        """Takes what is typed in the conversation on show along to another one, which is about to be opened; nothing
        of it stays with the one before."""
        typed = self._composer.content()
        self._composer.set_draft("")
        self.keep(key)
        if typed.text or typed.images:
            self._drafts.save(_name(onward), typed.as_draft())

    def unsaved(self, key: str) -> dict[str, dict[str, Any]]:
        """Returns what is typed in this conversation and what waits there, as drafts by their names."""
        typed = self._typed(key)
        return ({_name(key): typed.as_draft()} if typed.text or typed.images else {}) | self.queue.unsaved(key)

    def take_out(self, forgotten: ForgottenText) -> None:
        """Puts the mark where forgotten words stand in what is typed, on its way or waiting, but for the composer's own
        field: it would be kept again."""
        self._composer.take_out(forgotten)
        self._unsent = {key: content.without(forgotten) for key, content in self._unsent.items()}
        self.queue.take_out(forgotten)

    def sending(self, key: str, content: ComposerText) -> None:
        """Keeps words that are on their way."""
        self._unsent[key] = content
        self._drafts.save(_name(key), content.as_draft())

    def recorded(self, key: str, *, shown: bool) -> None:
        """Forgets words that are in the session file. `shown`: the composer belongs to this conversation."""
        sent = self._unsent.pop(key, None)
        if sent is None:
            return
        self._drafts.forget(_name(key))
        if shown and self._composer.content().text.strip() == sent.text.strip():
            self._composer.set_draft("")

    def not_taken(self, key: str, *, shown: bool) -> None:
        """Brings words that were not written back to the composer; where something is typed there, they are held above
        it, in sight and kept beside it."""
        unsent = self._unsent.get(key)
        if unsent is None or not shown:
            return
        typed = self._composer.unsent()
        if typed.text or typed.images:
            self.queue.add_refused(key, unsent)
            del self._unsent[key]
            self.keep(key)
        else:
            self._composer.set_draft(unsent)

    def _typed(self, key: str) -> ComposerText:
        typed = self._composer.unsent()
        return typed if typed.text or typed.images else self._unsent.get(key, typed)

    def _typed_since(self) -> ComposerText:
        """Returns what was added behind the words that were kept."""
        now, start = self._composer.content(), len(self._left)
        if not now.text.startswith(self._left):
            return ComposerText()
        return ComposerText(now.text[start:], cut_quotes(now.quotes, start, len(now.text)))

    async def _load(self, key: str) -> ComposerText:
        return ComposerText.of_draft(await self._drafts.load(_name(key)))


def _name(key: str) -> str:
    return f"composer:{key}"
