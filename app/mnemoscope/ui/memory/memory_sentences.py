"""Holds the sentences of the memory pane."""

from __future__ import annotations

from PySide6.QtCore import QObject

from mnemoscope.agent.prompt.memory_budget import SentOfFile
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import DREAM_GUIDE, SOUL_PATH, USER_PATH, file_of_page
from mnemoscope.domain.settings import DREAM, THREE_TIER, TWO_LAYER


def file_name(path: str) -> str:
    """Returns what a file is called where its folder is of no interest."""
    return file_of_page(path).rpartition("/")[2]


class MemorySentences(QObject):
    """Words the sentences about one file, `path` relative to the workspace, and its writers."""

    def __init__(self, parent: QObject, path: str = MEMORY_PATH) -> None:
        super().__init__(parent)
        self.path = path
        self.name = file_name(path)

    @property
    def _is_guide(self) -> bool:
        """Returns whether it is Dream's guide, which no conversation's prompt holds."""
        return self.path == DREAM_GUIDE

    @property
    def has_starter(self) -> bool:
        """Returns whether there is something the file begins with."""
        return self.path != MEMORY_PATH

    def gone(self) -> str:
        """Returns what is said where another program took the file away, or all that was in it."""
        return self.tr("There is nothing in {name} now. Its last text is kept.").format(name=self.name)

    def empty(self, messages: int, profile: str = TWO_LAYER) -> str:
        """Returns what is said while there is nothing in the file: of memory, when it is written."""
        if self._is_guide:
            return self.tr("Empty: Mnemoscope's own guide is followed.")
        if self.has_starter:
            about = {
                SOUL_PATH: self.tr("how the assistant should sound and behave"),
                USER_PATH: self.tr("who you are and how you like answers"),
            }
            words = self.tr("{name} is not there, or empty. It says {what}.")
            return words.format(name=self.name, what=about.get(self.name, ""))
        if profile == DREAM:
            return self.tr("Dream writes memory, from the history log.")
        if profile == THREE_TIER:
            return self.tr("Memory is written at once, from what you say.")
        if messages <= 1:
            return self.tr("Memory is written after every message.")
        return self.tr("Memory is written after about {count} messages.").format(count=messages)

    def begin(self) -> str:
        """Returns what the button of an empty file says."""
        if self._is_guide:
            return self.tr("Start from Mnemoscope's guide")
        return self.tr("Create") if self.has_starter else self.tr("Write something yourself")

    def figures(self, lines: int, count: SentOfFile) -> str:
        """Returns what a text of so many lines costs, and how much of it is not sent."""
        if self._is_guide:
            one, many = (
                self.tr("about 1 token in every run of Dream"),
                self.tr("about {tokens} tokens in every run of Dream"),
            )
            words = f"{self._lines(lines)} · {one if count.tokens == 1 else many}"
        elif count.sent == count.tokens:
            one, many = self.tr("about 1 token in every prompt"), self.tr("about {tokens} tokens in every prompt")
            words = f"{self._lines(lines)} · {one if count.tokens == 1 else many}"
        elif count.cut is None:
            words = self.tr("{sent} of {tokens} tokens are sent · not what is struck out or forgotten")
        else:
            words = self.tr("{sent} of {tokens} tokens are sent · nothing from line {cut} on")
        first = "" if count.cut is None else f"{count.cut + 1:,}"
        return words.format(tokens=f"{count.tokens:,}", sent=f"{count.sent:,}", cut=first)

    def _lines(self, count: int) -> str:
        return self.tr("1 line") if count == 1 else self.tr("{count} lines").format(count=f"{count:,}")

    def emptied(self) -> str:
        """Returns what is said where another program took every word out of the file, or the file away."""
        words = self.tr(
            "{name} was emptied or deleted by another program. "
            "Its last text is kept; nothing is written until you decide."
        )
        return words.format(name=self.name)

    def updated_by(self, origin: str) -> str:
        """Returns what is said where the editor followed someone else's change."""
        words = {
            "consolidation": self.tr("Consolidated"),
            "dream": self.tr("Updated by Dream"),
            "agent": self.tr("By the assistant"),
            "capture": self.tr("Remembered"),
            "outside": self.tr("Changed outside"),
            "restore": self.tr("Restored"),
            "forgotten": self.tr("Forgotten words taken out"),
        }
        return words.get(origin, self.tr("Saved"))

    def saved(self, merged: bool) -> str:
        """Returns what is said once a save came back."""
        return self.tr("Saved and merged") if merged else self.tr("Saved")

    def saving(self) -> str:
        """Returns what is said while a save is on its way."""
        return self.tr("Saving…")
