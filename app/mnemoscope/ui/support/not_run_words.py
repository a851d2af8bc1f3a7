"""Says to the person why a call of a tool did not run: its result speaks to the model."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.conversation.message import NOT_RUN
from mnemoscope.ui.translation.core_words import core_words
from mnemoscope.ui.widgets.text.scripts import isolated


def not_run_words(result: str) -> str:
    """Returns the first line of a result that begins with NOT_RUN as the person is told it."""
    return tr("not run: {0}").format(isolated(why_not_run(result.removeprefix(NOT_RUN).split("\n", 1)[0])))


def why_not_run(sentence: str) -> str:
    """Returns in a person's words the reason that a result gives the model."""
    reasons = {
        "The person did not allow this command.": tr("you did not allow it"),
        "stopped before it began.": tr("stopped before it began"),
        "it names a key": tr("it names a key of the keychain"),
        "Running commands is switched off.": tr("commands are switched off in Settings"),
        "Commands cannot be confined": tr("commands cannot be confined on this computer"),
        "The workspace lies in": tr("the workspace lies in a folder of the system"),
        "The program was changed": tr("the program changed while you were asked"),
    }
    return next((words for begins, words in reasons.items() if sentence.startswith(begins)), core_words(sentence))


def tr(text: str) -> str:
    """Returns a text in the window's language."""
    return QCoreApplication.translate("Transcript", text)
