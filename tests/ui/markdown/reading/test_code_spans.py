"""Code in a page that leaves the window has the colours of the window, light and dark."""

from __future__ import annotations

import re

from mnemoscope.ui.markdown.page.html_writer import html_of
from mnemoscope.ui.markdown.page.page_formulas import PageFormulas
from mnemoscope.ui.markdown.reading.code_spans import page_colours
from mnemoscope.ui.widgets.palettes import DARK, LIGHT

CODE = "def brew(tea):\n    # <b>\n    return 'tea' * 3"


def test_code_in_a_page_is_coloured_and_says_what_was_written() -> None:
    with PageFormulas() as formulas:
        page = formulas.html_of(f"```python\n{CODE}\n```")
    number, comment = (f"light-dark({LIGHT[role]}, {DARK[role]})" for role in ("warning", "text_faint"))
    assert f'<span style="color: {number}">3</span>' in page
    assert f'<span style="color: {comment}; font-style: italic"># &lt;b&gt;</span>' in page
    assert re.sub("<[^>]+>", "", html_of(f"```python\n{CODE}\n```", colours=page_colours)).strip() == CODE.replace(
        "<b>", "&lt;b&gt;"
    )
