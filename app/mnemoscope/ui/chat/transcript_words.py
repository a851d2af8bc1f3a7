"""The transcript's words in the window's language; the figures of an answer among them, a quiet line under it, and more
on hover, and what of memory it used."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.answer_receipt.memory_use import MemoryCounts
from mnemoscope.domain.conversation.answer_figures import AnswerFigures
from mnemoscope.domain.conversation.origin import FILE
from mnemoscope.domain.llm import own_name
from mnemoscope.domain.settings import is_built_in
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.support.money import cost_words

_LONGEST_NAME: Final = 40


def tr(text: str) -> str:
    """Returns a text in the window's language."""
    return QCoreApplication.translate("Transcript", text)


def caption_text(speaker: str, when: datetime | None) -> str:
    """Returns the words above a message: who speaks, and when, where that is known."""
    return f"{speaker} · {when:%H:%M}" if when else speaker


def origin_name(origin: str) -> str:
    """Returns what words are that nobody in the conversation wrote: `pasted` or `file`."""
    return tr("file") if origin == FILE else tr("pasted")


def figure_words(figures: AnswerFigures) -> str:
    """Returns the line under an answer: the model, tokens in and out, seconds, and money where it is known."""
    parts = [", ".join(map(_short_name, figures.models))]
    if figures.tokens_in is not None and figures.tokens_out is not None:
        words = tr("{tokens_in} tokens in, {tokens_out} out")
        parts.append(words.format(tokens_in=f"{figures.tokens_in:,}", tokens_out=f"{figures.tokens_out:,}"))
    if figures.seconds is not None:
        parts.append(tr("{seconds} s").format(seconds=_seconds(figures.seconds)))
    if figures.cost:
        parts.append(cost_words(figures.cost))
    return " · ".join(parts)


def figure_details(figures: AnswerFigures) -> str:
    """Returns what is known of an answer, a line for each thing."""
    lines = [tr("Model: {name}").format(name=", ".join(map(_full_name, figures.models)))]
    if figures.requests > 1:
        lines.append(tr("{count} requests, with the calls of tools between them").format(count=figures.requests))
    if figures.tokens_in is not None:
        lines.append(tr("Sent: {tokens} tokens").format(tokens=f"{figures.tokens_in:,}"))
    if figures.tokens_out is not None:
        words = tr("Answered: 1 token") if figures.tokens_out == 1 else tr("Answered: {tokens} tokens")
        lines.append(words.format(tokens=f"{figures.tokens_out:,}"))
    if figures.first_seconds is not None and figures.requests == 1:
        lines.append(tr("First word after {seconds} s").format(seconds=_seconds(figures.first_seconds)))
    if figures.seconds is not None:
        lines.append(tr("The model took {seconds} s").format(seconds=_seconds(figures.seconds)))
    if (speed := figures.tokens_a_second) is not None:
        lines.append(tr("{count} tokens a second").format(count=f"{speed:,.0f}" if speed >= 10 else f"{speed:.1f}"))
    if figures.cost:
        lines.append(
            tr("Cost: {money}, by the price list of the model's provider").format(money=cost_words(figures.cost))
        )
    return "\n".join(lines)


def used_words(counts: MemoryCounts) -> str:
    """Returns what of memory a prompt held, such as “used 12 lines of memory, 2 entries, 1 note”."""
    parts = []
    if counts.lines:
        parts.append(QCoreApplication.translate("AnswerReceipt", "%n lines of memory", None, counts.lines))
    if counts.entries:
        parts.append(QCoreApplication.translate("AnswerReceipt", "%n entries", None, counts.entries))
    if counts.notes:
        parts.append(QCoreApplication.translate("AnswerReceipt", "%n notes", None, counts.notes))
    if not parts:
        return QCoreApplication.translate("AnswerReceipt", "used no memory")
    comma = QCoreApplication.translate("AnswerReceipt", ", ", "between the parts of a list")
    return QCoreApplication.translate("AnswerReceipt", "used {parts}").format(parts=comma.join(parts))


def _full_name(model: str) -> str:
    return tr("Built-in, no language model") if is_built_in(model) else " ".join(tidied(model).split())


def _short_name(model: str) -> str:
    """Returns a model's name without its provider's."""
    name = tr("Built-in") if is_built_in(model) else own_name(" ".join(tidied(model).split()))
    return shortened(name, _LONGEST_NAME)


def _seconds(seconds: float) -> str:
    return f"{seconds:,.0f}" if seconds >= 100 else f"{seconds:.1f}"
