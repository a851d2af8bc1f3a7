"""How some two hundred answers look that are written as language models write them, and that streaming shows the same.

`tests/corpus/answers.json` holds each answer and what of it is shown, a line for a block: what the block is, then its
words, with styled ones in braces (b bold, i italic, s struck out, m code, ^ raised, @ a link and its address).
`python -m tests.ui.markdown.reading.test_answers` writes that anew after a change that is wanted; look through the
difference.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from mnemoscope.ui.chat.transcript.transcript import Transcript
from mnemoscope.ui.markdown.document.document_writer import write_text
from mnemoscope.ui.markdown.document.text_style import Mark, TextStyle
from mnemoscope.ui.widgets.theme import Theme, apply_theme
from tests.ui.chat.transcript.transcript_fixture import form_of, pane, said, text_of

__all__ = ["pane"]

CORPUS = Path(__file__).parents[3] / "corpus" / "answers.json"
ANSWERS = json.loads(CORPUS.read_text(encoding="utf-8"))


def shown_of(markdown: str) -> list[str]:
    document = QTextDocument()
    write_text(QTextCursor(document), markdown, TextStyle(Theme.current()), 600, breaks=True)
    return [line for line in _lines(document) if line]


def _lines(document: QTextDocument) -> Iterator[str]:
    block = document.begin()
    while block.isValid():
        if not block.blockFormat().boolProperty(Mark.SPARE):
            yield f"{_kind(block)} | {_words(block)}".strip(" |")
        block = block.next()


def _kind(block: QTextBlock) -> str:
    form = block.blockFormat()
    kinds = [f"h{form.headingLevel()}"] if form.headingLevel() else []
    kinds += [">" * form.intProperty(Mark.QUOTE)] if form.intProperty(Mark.QUOTE) else []
    kinds += ["card"] if form.intProperty(Mark.CARD) else []
    kinds += ["rule"] if form.boolProperty(Mark.RULE) else []
    if form.hasProperty(Mark.MARKER):
        kinds.append(f"{form.intProperty(Mark.DEPTH)}{form.stringProperty(Mark.MARKER)}")
    elif form.leftMargin():
        kinds.append(f"+{form.leftMargin():.0f}")
    cursor = QTextCursor(block)
    if (table := cursor.currentTable()) is not None:
        cell = table.cellAt(cursor)
        kinds.append(f"cell {cell.row()} {cell.column()} {form.alignment().name}")
    return " ".join(kinds)


def _words(block: QTextBlock) -> str:
    words, step = "", block.begin()
    while not step.atEnd():
        piece = step.fragment()
        style = _style(piece.charFormat())
        words += f"{{{style}:{piece.text()}}}" if style else piece.text()
        step += 1
    return words.replace("\u2028", "⏎").replace("\u200b", "")


def _style(form: QTextCharFormat) -> str:
    signs = "b" * (form.fontWeight() >= 600) + "i" * form.fontItalic() + "s" * form.fontStrikeOut()
    signs += "m" * (form.font().family() == Theme.current().font("code").family())
    signs += "^" * (form.verticalAlignment() == QTextCharFormat.VerticalAlignment.AlignSuperScript)
    return signs + (f"@{form.anchorHref()}" if form.isAnchor() else "")


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: " ".join(answer["markdown"].split())[:40])
def test_an_answer_reads_as_it_should(qtbot: QtBot, answer: dict[str, list[str]]) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "light")
    assert shown_of(str(answer["markdown"])) == answer["shown"]


def test_every_answer_is_shown_alike_when_it_comes_in_pieces(pane: Transcript) -> None:
    draw = random.Random(7)
    for number, answer in enumerate(ANSWERS):
        text = answer["markdown"]
        pane.show_messages(f"live {number}", [said("user", "go")])
        pane.begin_reply()
        at = 0
        while at < len(text):
            size = draw.randint(1, 24)
            pane.add_delta(text[at : at + size])
            pane.stream.flush()
            at += size
        message = said("assistant", text, 2)
        pane.append_message(1, message)
        pane.end_reply()
        live, words = form_of(pane), text_of(pane)
        pane.show_messages(f"again {number}", [said("user", "go"), message])
        assert (text_of(pane), form_of(pane)) == (words, live), text


if __name__ == "__main__":
    application = QApplication([])
    apply_theme(application, "light")
    for each in ANSWERS:
        each["shown"] = shown_of(each["markdown"])
    CORPUS.write_text(json.dumps(ANSWERS, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
