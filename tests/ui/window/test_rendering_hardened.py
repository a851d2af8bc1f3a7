"""Words of a model, a file or another program never become more than words, wherever the window shows them.

What else holds is stated next to what does it: nothing is loaded and links (test_transcript, test_preview),
200 KB a message, runs of 2,000 characters and tables of 500 rows (tests/ui/markdown).
"""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFontMetrics, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QTextBrowser, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.ui.markdown.reading.block_splitter import TABLE_LIMIT
from mnemoscope.ui.markdown.reading.untrusted_text import MESSAGE_LIMIT, RUN_LIMIT
from mnemoscope.ui.support.external_actions import SCHEMES, open_link
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from mnemoscope.ui.widgets.plain_tooltip import plain_tooltip
from mnemoscope.ui.widgets.theme import apply_theme
from tests.ui.window_fixture import KEY, Stage, rest, until

NASTY = '<img src="file:///etc/passwd"><b>bold</b>'
ADDRESSES = (
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,x",
    "ftp://example.org",
    "vbscript:x",
    "mnemoscope:x",
    "",
)


def test_the_limits_are_those_promised() -> None:
    assert (MESSAGE_LIMIT, RUN_LIMIT, TABLE_LIMIT) == (200_000, 2_000, 500)
    assert {"http", "https", "mailto"} == SCHEMES


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_other_address_is_ever_opened(address: str) -> None:
    assert not open_link(address)


def test_a_tool_tip_says_a_name_to_the_letter(qtbot: QtBot) -> None:
    assert plain_tooltip("Tea and cake") == "Tea and cake"
    tip = plain_tooltip(NASTY)
    document = QTextDocument()
    document.setHtml(tip)
    assert document.toPlainText() == NASTY
    bar = NoticeBar("warning", NASTY, brief=("Words", NASTY))
    assert bar.toolTip() == tip
    label = ElidedLabel("")
    label.resize(10, 10)
    label.setText(NASTY)
    assert label.toolTip() == tip
    for widget in (bar, label):
        qtbot.addWidget(widget)


def rich(widget: QWidget) -> list[str]:
    """Returns what in a window Qt would read as HTML although it is somebody's words."""
    labels = [
        f"{type(label.parent()).__name__}: {label.text()}"
        for label in widget.findChildren(QLabel)
        # An elided label paints its words itself; what was never shown is not dressed yet.
        if label.isVisible() and label.textFormat() != Qt.TextFormat.PlainText and not isinstance(label, ElidedLabel)
    ]
    tips = [one.toolTip() for one in widget.findChildren(QWidget) if NASTY in one.toolTip()]
    return labels + tips


async def test_names_and_words_that_look_like_html_are_shown_as_they_are(stage: Stage) -> None:
    memory = f"# {NASTY}\n\n- {NASTY}\n"
    stage.make(("user", NASTY), ("assistant", NASTY), memory=memory)
    stage.paths.history_file.write_text(f"[2026-11-22 10:00] {NASTY}\n\n", "utf-8")
    person = await stage.open()
    await person.bench.conversations.rename(KEY, NASTY)
    await person.bench.config.change(model="openai/<b>x</b>")
    person.chat.notify("warning", NASTY)
    person.window.header.show_workspace(NASTY, NASTY, read_only=False)
    person.window.header.show_model(NASTY, NASTY, built_in=False)
    for pane in ("Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+4"):
        person.press(pane)
        await rest(0.1)
    await until(lambda: NASTY in person.text, "the words in the chat, to the letter")
    person.current.settings_controller.open()
    await rest(0.1)
    shown = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
    assert len(shown) == 2, "the window and its settings"
    assert [words for one in shown for words in rich(one)] == []
    assert person.current.settings_controller.dialog is not None
    person.current.settings_controller.dialog.reject()


def test_a_label_made_anywhere_says_words_to_the_letter(qtbot: QtBot) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "light")
    label = QLabel(NASTY)
    qtbot.addWidget(label)
    label.show()
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.sizeHint().width() > QFontMetrics(label.font()).horizontalAdvance("bold") * 2


async def test_no_view_loads_anything(stage: Stage) -> None:
    image = "![](file:///etc/passwd) ![](https://example.org/a.png)"
    stage.make(("user", "Look."), ("assistant", image), memory=f"# Memory\n\n{image}\n")
    person = await stage.open()
    person.press("Ctrl+2")
    await rest(0.1)
    document = int(QTextDocument.ResourceType.ImageResource)
    for view in person.window.findChildren(QTextEdit):
        if isinstance(view, QTextBrowser) or view.isReadOnly():
            for address in ("file:///etc/passwd", "https://example.org/a.png"):
                assert not view.loadResource(document, QUrl(address)), type(view).__name__
