"""The words of a receipt: what of memory was used, as it reads, and what a second answer costs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.agent.workspace.answer_receipts import AnswerPrice, AnswerReceipt
from mnemoscope.domain.capture.captured_line import read_line
from mnemoscope.domain.llm import own_name
from mnemoscope.domain.memory.file_registry import HISTORY_PATH, STATE_PATH
from mnemoscope.domain.settings import is_built_in
from mnemoscope.domain.text.one_line_text import one_line_text
from mnemoscope.ui.support.money import cost_words

_DIGITS: Final = re.compile(r"\d+")
_FIGURE: Final = re.compile(r"\d+(?:[.,:/-]\d+)+")


def part_words(text: str) -> str:
    """Returns a part of memory as a person reads it, on one line: without the marks of Markdown, and of what was
    captured without its category."""
    line = " ".join(text.split())
    captured = read_line(line)
    if captured is not None and captured.category:
        return captured.text
    return one_line_text(text) or line


def whole_part_words(text: str) -> str:
    """Returns all that a part says, row by row as a person reads it."""
    return "\n".join(part_words(row) for row in text.strip().split("\n"))


def source_words(path: str) -> str:
    """Returns what the source of a part is called in the window; `path` is that of its file."""
    if path.endswith(STATE_PATH):
        return QCoreApplication.translate("AnswerReceipt", "Remembered in this conversation")
    if path.endswith(HISTORY_PATH):
        return QCoreApplication.translate("AnswerReceipt", "History")
    return path.rpartition("/")[2]


def sources_words(paths: Sequence[str]) -> str:
    """Returns what the files that have the same part are called, in a row."""
    return " · ".join(map(source_words, paths))


def price_words(receipt: AnswerReceipt, price: AnswerPrice, model: str, *, is_free: bool) -> str:
    """Returns what one more answer costs, before it is asked for; `is_free`: the model's server is on this computer."""
    tokens = f"{price.tokens:,}"
    if is_built_in(model):
        words = QCoreApplication.translate("AnswerReceipt", "Asks the built-in assistant, which costs nothing.")
    elif is_free:
        words = QCoreApplication.translate(
            "AnswerReceipt", "Sends about {tokens} tokens to {model}, on a server of this computer."
        ).format(tokens=tokens, model=own_name(model))
    elif price.dollars is not None:
        words = QCoreApplication.translate(
            "AnswerReceipt",
            "Sends about {tokens} tokens to {model}; with an answer as long as this one that costs about {money}.",
        ).format(tokens=tokens, model=own_name(model), money=cost_words(price.dollars))
    elif receipt.cost is not None and model == receipt.model:
        words = QCoreApplication.translate(
            "AnswerReceipt", "Sends about {tokens} tokens to {model}; the answer with all of memory cost {money}."
        ).format(tokens=tokens, model=own_name(model), money=cost_words(receipt.cost))
    else:
        words = QCoreApplication.translate(
            "AnswerReceipt", "Sends about {tokens} tokens to {model}; what it costs is not known."
        ).format(tokens=tokens, model=own_name(model))
    nothing = QCoreApplication.translate("AnswerReceipt", "Nothing of it is kept or remembered.")
    return f"{words} {nothing}"


def words_as_written(words: Sequence[str], text: str) -> list[str]:
    """Returns the words of a text that came back, with dates, times and sums as they stand in it, each once, where all
    of their parts came back: `2026-06-30` and not `2026`, `06` and `30`."""
    back, shown = set(words), list(words)
    for figure in dict.fromkeys(_FIGURE.findall(text)):
        parts = [part for part in _DIGITS.findall(figure) if part in shown]
        if parts and back.issuperset(_DIGITS.findall(figure)):
            shown[shown.index(parts[0])] = figure
            shown = [word for word in shown if word not in parts[1:]]
    return shown
