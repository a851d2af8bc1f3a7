"""What the memory pane says in words."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject

from mnemoscope.agent.workspace.memory_files import DREAM_GUIDE
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.records import Suggestion
from mnemoscope.ui.memory.file_tabs import name_of

_NAMED: Final = 4
"""Reasons of a suggestion that its card names."""


class MemorySentences(QObject):
    """Sentences about one file, `path` relative to the workspace, and its writers."""

    def __init__(self, parent: QObject, path: str = MEMORY_PATH) -> None:
        super().__init__(parent)
        self.path, self.name = path, name_of(path)

    @property
    def is_guide(self) -> bool:
        """Whether it is Dream's guide, which no conversation's prompt holds."""
        return self.path == DREAM_GUIDE

    @property
    def has_starter(self) -> bool:
        """Whether there is something the file begins with."""
        return self.path != MEMORY_PATH

    def gone(self) -> str:
        """The file, or all that was in it, was taken away by another program."""
        return self.tr("There is nothing in {name} now. Its last text is kept.").format(name=self.name)

    def empty(self, messages: int) -> str:
        """While there is nothing in the file."""
        if self.is_guide:
            return self.tr("Empty: Mnemoscope's own guide is followed.")
        if self.has_starter:
            about = {
                "SOUL.md": self.tr("how the assistant should sound and behave"),
                "USER.md": self.tr("who you are and how you like answers"),
            }
            words = self.tr("{name} is not there, or empty. It says {what}.")
            return words.format(name=self.name, what=about.get(self.name, ""))
        if messages <= 1:
            return self.tr("Memory is written after every message.")
        return self.tr("Memory is written after about {count} messages.").format(count=messages)

    def begin(self) -> str:
        """The button of an empty file."""
        if self.is_guide:
            return self.tr("Start from Mnemoscope's guide")
        return self.tr("Create") if self.has_starter else self.tr("Write something yourself")

    def figures(self, lines: int) -> str:
        """What the text costs: `{lines}` and `{tokens}` are put in."""
        if self.is_guide:
            return self.tr("{lines} lines · about {tokens} tokens in every run of Dream")
        many = self.tr("{lines} lines · about {tokens} tokens in every prompt")
        return self.tr("1 line · about {tokens} tokens in every prompt") if lines == 1 else many

    def changed_while_typing(self, origin: str) -> str:
        """Someone else wrote while there were unsaved words."""
        sentences = {
            "consolidation": self.tr("{name} was changed by consolidation while you were typing."),
            "dream": self.tr("{name} was changed by Dream while you were typing."),
            "agent": self.tr("{name} was changed by the assistant while you were typing."),
            "capture": self.tr("{name} keeps what you said in a message while you were typing here."),
            "editor": self.tr("{name} was changed from this window while you were typing."),
            "restore": self.tr("An earlier version of {name} was restored while you were typing."),
            "draft": self.tr("{name} was changed since you last typed here. Your unsaved words are back."),
        }
        other = self.tr("{name} was changed by another program while you were typing.")
        words = sentences.get(origin, other).format(name=self.name)
        return words + " " + self.tr("Nothing of yours was touched.")

    def emptied(self) -> str:
        """Another program took every word out of the file, or the file away."""
        words = self.tr(
            "{name} was emptied or deleted by another program. "
            "Its last text is kept; nothing is written until you decide."
        )
        return words.format(name=self.name)

    def difference(self, origin: str) -> str:
        """Title of the comparison with what someone else wrote."""
        titles = {
            "consolidation": self.tr("What consolidation changed"),
            "dream": self.tr("What Dream changed"),
            "agent": self.tr("What the assistant changed"),
            "capture": self.tr("What was kept of your message"),
            "draft": self.tr("From your unsaved words to the file"),
        }
        return titles.get(origin, self.tr("What the other program changed"))

    def updated_by(self, origin: str) -> str:
        """The editor followed someone else's change."""
        words = {
            "consolidation": self.tr("Consolidated"),
            "dream": self.tr("Updated by Dream"),
            "agent": self.tr("By the assistant"),
            "capture": self.tr("Captured"),
            "outside": self.tr("Changed outside"),
            "restore": self.tr("Restored"),
        }
        return words.get(origin, self.tr("Saved"))

    def saved(self, merged: bool) -> str:
        """A save came back."""
        return self.tr("Saved and merged") if merged else self.tr("Saved")

    def saving(self) -> str:
        """A save is on its way."""
        return self.tr("Saving…")

    def kept_mine(self) -> str:
        """The person let their words stand."""
        return self.tr("Your text stays as it is. Saving will replace the other version.")

    def waiting(self, suggestions: list[Suggestion]) -> str:
        """The bar of the suggestions that wait."""
        stays = self.tr("{name} stays as it is until you decide.").format(name=self.name)
        return "\n".join([f"{self._how_many(suggestions)} {stays}", *self._reasons(suggestions[0], _NAMED)])

    def waiting_briefly(self, suggestions: list[Suggestion]) -> tuple[str, str]:
        """The same in a few words and what is below them: the text wants most of the room."""
        stays = self.tr("{name} stays as it is until you decide.").format(name=self.name)
        return self._how_many(suggestions), "\n".join([stays, *self._reasons(suggestions[0], 1)])

    def _how_many(self, suggestions: list[Suggestion]) -> str:
        if len(suggestions) > 1:
            return self.tr("{count} suggestions are waiting.").format(count=len(suggestions))
        return self.tr("1 suggestion is waiting.")

    def _reasons(self, suggestion: Suggestion, most: int) -> list[str]:
        told = [f"• {reason}" for reason in suggestion.reasons[:most]]
        more = len(suggestion.reasons) - most
        return [*told, self.tr("• and %n more", "", more)] if more > 0 else told

    def conflicts(self, count: int) -> str:
        """Passages both sides changed."""
        words = self.tr("%n passage(s) changed on both sides.", "", count)
        return words + " " + self.tr("Yours stand; the other wordings are kept until you settle them.")

    def editing(self) -> str:
        """A suggestion was opened in the editor."""
        return self.tr("This is the suggestion, with your text. Change what you like: saving settles it.")

    def passage_moved(self) -> str:
        """A conflict's passage was changed since it was shown."""
        return self.tr("You have changed that passage since. Here it is as it is now: choose once more.")
