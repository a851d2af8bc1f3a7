"""The line in the composer: how full the context is, what the conversation cost, why an answer keeps one waiting."""

from __future__ import annotations

from PySide6.QtCore import QObject

from mnemoscope.domain.events import PromptSnapshot
from mnemoscope.ui.chat.composer.composer import Composer
from mnemoscope.ui.support.context_share import percent_of_context


def cost_words(dollars: float) -> str:
    """Money spent in this conversation since it was opened: cents below a dollar, dollars above."""
    return f"${dollars:,.2f}" if dollars >= 1 else f"{100 * dollars:.2g} ¢"


class UsageLine(QObject):
    """Adds up what one conversation used; a delay is told in its place until it ends."""

    def __init__(self, composer: Composer) -> None:
        super().__init__(composer)
        self._composer = composer
        self._cost = 0.0
        self._share = ""
        self._delayed = False

    def begin(self) -> None:
        """Another conversation is on show, of which nothing was used yet."""
        self._cost, self._share = 0.0, ""
        self.show()

    def show(self) -> None:
        """Say what was used; a delay is over."""
        self._delayed = False
        cost = cost_words(self._cost) if self._cost else ""
        self._composer.set_status(" · ".join(filter(None, (self._share, cost))))

    def note_prompt(self, prompt: PromptSnapshot) -> None:
        """What was or would be sent: from now on its share of the model's context is told, as the prompt pane does."""
        percent = percent_of_context(prompt)
        words = self.tr("{percent} % of the context") if percent else self.tr("{tokens} tokens")
        self._share = words.format(percent=percent, tokens=f"{prompt.tokens:,}")
        if not self._delayed:
            self.show()

    def add_cost(self, dollars: object) -> None:
        """A record's cost, if it names one; told when the turn has ended."""
        self._cost += dollars if isinstance(dollars, (int, float)) else 0.0

    def tell_delay(self, reason: str, seconds: float) -> None:
        """Say why the answer is not coming yet, and when the model is asked again."""
        self._delayed = True
        why = {
            "rate": self.tr("The server asks to wait"),
            "timeout": self.tr("The server did not answer in time"),
        }.get(reason, self.tr("The server had an error"))
        when = self.tr("trying again in {0} s…").format(max(1, round(seconds)))
        self._composer.set_status(f"{why} · {when}")

    def end_delay(self) -> None:
        """Something arrived."""
        if self._delayed:
            self.show()
