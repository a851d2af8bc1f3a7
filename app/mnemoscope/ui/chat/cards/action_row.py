"""What a command's answer offers to do next: links that look like buttons, below its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mnemoscope.domain.conversation.command_action import CommandAction
from mnemoscope.ui.markdown.document_writer import DocumentWriter
from mnemoscope.ui.markdown.text_style import INTERNAL, Mark
from mnemoscope.ui.markdown.untrusted_text import tidied

LABEL_LIMIT: Final = 60
_HARD_SPACE: Final = "\u00a0"


def write_actions(writer: DocumentWriter, offered: Sequence[CommandAction], index: int) -> None:
    """Write the offers of message `index`, in as many lines as they need; a label is never broken."""
    style = writer.style
    made = style.block(14, line=170)
    made.setProperty(Mark.CHROME, True)
    made.setProperty(Mark.PAINTED, True)
    made.setProperty(Mark.ACTIONS, True)
    writer.begin_block(made, style.caption)
    for place, action in enumerate(offered):
        words = " ".join(tidied(action.label).split())[:LABEL_LIMIT].replace(" ", _HARD_SPACE)
        form = style.link(f"{INTERNAL}run/{index}/{place}", style.chars())
        form.setToolTip(tidied(action.command))
        if place:
            writer.words("   ", style.caption)
        writer.words(f"{_HARD_SPACE * 2}{words}{_HARD_SPACE * 2}", form)
