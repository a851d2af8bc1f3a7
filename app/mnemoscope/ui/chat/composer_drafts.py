"""What a person typed and what was not sent yet, for each conversation: kept until it is in the session file."""

from __future__ import annotations

from mnemoscope.domain.message import text_of
from mnemoscope.store.session import Session
from mnemoscope.ui.chat.composer import Composer
from mnemoscope.ui.shell.drafts import Drafts


class ComposerDrafts:
    """Words leave the drafts only when the disk has them as a message; where it refuses they come back."""

    def __init__(self, drafts: Drafts, composer: Composer) -> None:
        self._drafts, self._composer = drafts, composer
        self._unsent: dict[str, str] = {}

    async def show(self, key: str, session: Session) -> None:
        """Put back what was typed in this conversation; a kill may have left a draft of what was sent."""
        text = await self._load(key)
        newest = next((text_of(one) for one in session.messages[-8:][::-1] if one.get("role") == "user"), None)
        if text and text.strip() == newest:
            self._drafts.forget(_name(key))
            text = ""
        self._composer.set_draft(text)

    async def is_any(self, key: str) -> bool:
        """Whether something was typed in this conversation and not sent."""
        return bool((await self._load(key)).strip())

    def keep(self, key: str) -> None:
        """Keep what is typed now, at once."""
        self._drafts.save(_name(key), {"text": self._composer.draft() or self._unsent.get(key, "")})

    def unsaved(self, key: str) -> dict[str, dict[str, str]]:
        """What is typed in this conversation, as a draft by its name."""
        text = self._composer.draft() or self._unsent.get(key, "")
        return {_name(key): {"text": text}} if text else {}

    def sending(self, key: str, text: str) -> None:
        """These words are on their way."""
        self._unsent[key] = text
        self._drafts.save(_name(key), {"text": text})

    def recorded(self, key: str, *, shown: bool) -> None:
        """A message of the person is in the session file. `shown`: the composer belongs to this conversation."""
        text = self._unsent.pop(key, None)
        if text is None:
            return
        self._drafts.forget(_name(key))
        if shown and self._composer.draft().strip() == text.strip():
            self._composer.set_draft("")

    def not_taken(self, key: str, *, shown: bool) -> None:
        """Sending is over. Words that were not written come back to the composer, unless something is typed there."""
        text = self._unsent.get(key)
        if text is not None and shown and not self._composer.draft():
            self._composer.set_draft(text)

    async def _load(self, key: str) -> str:
        return str((await self._drafts.load(_name(key)) or {}).get("text", ""))


def _name(key: str) -> str:
    return f"composer:{key}"
