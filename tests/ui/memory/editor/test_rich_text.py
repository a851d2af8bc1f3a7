"""What browsers and office programs put on the clipboard becomes Markdown when it is pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.editor.rich_text import LONGEST, html_as_markdown

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
BROWSER = """<html><body><!--StartFragment--><h2 style="color: rgb(31, 35, 40);">Firing the kiln</h2>
<p>Bisque at <strong>1000 °C</strong>, then <em>glaze</em> at <a href="https://example.org/cone?a=1&amp;b=2">cone 6</a>.
A sentence that goes on for more than eighty columns is not broken where it happens to be long.</p>
<ul><li>wedge</li><li>throw<ul><li>small <code>bowls</code></li></ul></li></ul><ol><li>one</li><li>two</li></ol>
<pre><code class="language-py">def f(a_b):
    return a_b * 2
</code></pre><blockquote><p>Clay remembers.</p></blockquote>
<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2|3</td></tr></tbody></table>
<p><a href="javascript:alert(1)">a trap</a> and <del>old</del> <img src="https://example.org/t.png" alt="a pot"></p>
<script>alert(1)</script><!--EndFragment--></body></html>"""
FROM_BROWSER = """## Firing the kiln

Bisque at **1000 °C**, then *glaze* at [cone 6](https://example.org/cone?a=1&b=2). \
A sentence that goes on for more than eighty columns is not broken where it happens to be long.

- wedge
- throw
  - small `bowls`

1. one
2. two

```
def f(a_b):
    return a_b * 2
```

> Clay remembers.

| a | b |
| --- | --- |
| 1 | 2\\|3 |

a trap and ~~old~~ a pot"""
DOCS = (
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr">'
    '<span style="font-size:11pt;font-weight:700;">Bold</span><span style="font-weight:400;"> and </span>'
    '<span style="font-style:italic;">italic</span></p><ul><li><p><span>first_item</span></p></li>'
    "<li><p><span>2 * 3 [x]</span></p></li></ul></b>"
)
OFFICE = (
    '<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><p class=MsoNormal><b>Facts</b><o:p></o:p></p>'
    "<p class=MsoListParagraph><![if !supportLists]><span>·<span>&nbsp;&nbsp; </span></span><![endif]>likes tea</p>"
    "<p class=MsoNormal># no heading</p></body></html>"
)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (BROWSER, FROM_BROWSER),
        (DOCS, "**Bold** and *italic*\n\n- first_item\n- 2 \\* 3 \\[x\\]"),
        (OFFICE, "**Facts**\n\n- likes tea\n\n\\# no heading"),
        ("<span>tea</span>", "tea"),
        ("", ""),
    ],
    ids=["browser", "docs", "office", "words", "nothing"],
)
def test_rich_text_is_markdown(qtbot: QtBot, html: str, markdown: str) -> None:
    assert html_as_markdown(html) == markdown


def test_what_lies_in_an_item_is_indented_to_its_words(qtbot: QtBot) -> None:
    html = (
        "<ol start=1><li>one<br>more<ul><li>in one<ol><li>deep</li></ol></li></ul></li>"
        + "".join(f"<li>n{number}</li>" for number in range(2, 10))
        + "<li>ten<ul><li>in ten</li></ul></li></ol><p>Words</p><ul><li>again<ul><li>in it</li></ul></li></ul>"
    )
    rows = html_as_markdown(html).split("\n")
    assert [row for row in rows if not re.match(r"\d\. n\d$", row)] == [
        "1. one",
        "   more",
        "   - in one",
        "     1. deep",
        "10. ten",
        "    - in ten",
        "",
        "Words",
        "",
        "- again",
        "  - in it",
    ]


def test_nothing_that_it_names_is_loaded(qtbot: QtBot, tmp_path: Path) -> None:
    style = tmp_path / "style.css"
    style.write_text("p { font-weight: bold }")
    html = f'<html><head><link rel="stylesheet" href="file://{style}"></head><body><p>tea</p></body></html>'
    assert html_as_markdown(html) == "tea"


@pytest.fixture
def editor(qtbot: QtBot) -> Iterator[MemoryEditor]:
    editor = MemoryEditor()
    qtbot.addWidget(editor)
    with qtbot.waitExposed(editor):
        editor.show()
    editor.setFocus()
    yield editor
    QGuiApplication.clipboard().clear()


def copy(html: str, text: str, *, other: str = "") -> None:
    made = QMimeData()
    made.setHtml(html)
    made.setText(text)
    if other:
        made.setData(other, b"{}")
    QGuiApplication.clipboard().setMimeData(made)


def test_pasting_is_one_step_and_what_is_typed_next_another(editor: MemoryEditor) -> None:
    editor.load("- \n")
    editor.moveCursor(editor.textCursor().MoveOperation.EndOfBlock)
    copy("<b>green</b> tea", "green tea")
    QTest.keyClick(editor, Qt.Key.Key_V, CTRL)
    QTest.keyClicks(editor, "!")
    assert editor.text() == "- **green** tea!\n"
    editor.undo()
    assert editor.text() == "- **green** tea\n"
    editor.undo()
    assert editor.text() == "- \n"


def test_with_shift_the_words_alone_are_pasted(editor: MemoryEditor) -> None:
    copy("<b>green</b> tea", "green tea")
    QTest.keyClick(editor, Qt.Key.Key_V, CTRL | SHIFT)
    assert editor.text() == "green tea"


@pytest.mark.parametrize("other", ["vscode-editor-data", "text/markdown"])
def test_source_text_stays_as_it_is(editor: MemoryEditor, other: str) -> None:
    copy("<div style='font-family:monospace'>a_b * <b>c</b></div>", "a_b * c", other=other)
    QTest.keyClick(editor, Qt.Key.Key_V, CTRL)
    assert editor.text() == "a_b * c"


def test_in_a_code_block_and_of_too_much_the_words_alone_are_pasted(editor: MemoryEditor) -> None:
    editor.load("```\n\n```")
    editor.go_to_line(1)
    copy("<b>green</b> tea", "green tea")
    QTest.keyClick(editor, Qt.Key.Key_V, CTRL)
    assert editor.text() == "```\ngreen tea\n```"
    editor.load("")
    copy("<b>green</b>" + " " * LONGEST, "green")
    QTest.keyClick(editor, Qt.Key.Key_V, CTRL)
    assert editor.text() == "green"


def test_what_is_copied_here_is_pasted_as_it_was(editor: MemoryEditor) -> None:
    text = "# Tea\n\n- **green** `a_b`\u00a0c\n"
    editor.load(text)
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_C, CTRL)
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    QTest.keyClick(editor, Qt.Key.Key_V, CTRL)
    assert editor.text() == text + text
