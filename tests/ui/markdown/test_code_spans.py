"""Code in a page that leaves the window has the colours of the window, light and dark."""

from __future__ import annotations

import re

import pytest

from mnemoscope.agent.export.exported_conversation import ExportedConversation, ExportWords
from mnemoscope.agent.export.html_export import html_parts
from mnemoscope.ui.markdown.code_spans import CODE_ROLES, page_colours
from mnemoscope.ui.markdown.html_writer import html_of
from mnemoscope.ui.markdown.page_formulas import PageFormulas
from mnemoscope.ui.widgets.theme import DARK, LIGHT

CODE = "def brew(tea):\n    # <b>\n    return 'tea' * 3"


def test_code_in_a_page_is_coloured_and_says_what_was_written() -> None:
    with PageFormulas() as formulas:
        page = formulas.html_of(f"```python\n{CODE}\n```")
    assert '<span style="color: var(--warning)">3</span>' in page
    assert '<span style="color: var(--text-faint); font-style: italic"># &lt;b&gt;</span>' in page
    assert re.sub("<[^>]+>", "", html_of(f"```python\n{CODE}\n```", colours=page_colours)).strip() == CODE.replace(
        "<b>", "&lt;b&gt;"
    )


@pytest.mark.parametrize("roles", [LIGHT, DARK], ids=["light", "dark"])
def test_a_page_names_the_colour_of_every_role_of_code(roles: dict[str, str]) -> None:
    empty = ExportedConversation("key", "Tea", ())
    page = "".join(map(str, html_parts(empty, ExportWords(), html_of))).lower()
    for role in CODE_ROLES:
        assert f"--{role.replace('_', '-')}: {roles[role].lower()};" in page
