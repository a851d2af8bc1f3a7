"""Builds the prompt of Dream: a guide, the files it may edit, and what happened.

The guide is the workspace's prompts/dream.md where that has content, else the one that comes with Mnemoscope.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.dream.files import GUIDE_LIMIT
from mnemoscope.domain.llm import OutputMode
from mnemoscope.domain.memory.file_registry import DREAM_FILES
from mnemoscope.domain.memory.history_entries import day_in_words
from mnemoscope.domain.text.characters import with_plain_line_ends
from mnemoscope.store.files.atomic import read_stable
from mnemoscope.store.files.shipped import shipped_prompt
from mnemoscope.store.files.text_encoding import decoded_text
from mnemoscope.store.workspace.paths import WorkspacePaths

_HISTORY_HEADING: Final = "## Conversation History"
_FILE_HEADING: Final = "## File: "
REJECTED_HEADING: Final = "## Rejected by the User"
_AGAIN: Final = "## Your Last Answer"
_TASK: Final = "## Task"
GUIDE_README: Final = """\
# prompts

- dream.md: how Dream tends memory in this workspace. With content it is followed instead of Mnemoscope's own guide;
  empty or deleted, Mnemoscope's own is used. The conversation history is added by itself.
"""


@dataclass(frozen=True, slots=True)
class Guide:
    """Holds the guide of Dream. `own`: whether it is the workspace's. `cut`: characters beyond what is followed."""

    text: str
    own: bool
    cut: int = 0


def guide_of(paths: WorkspacePaths) -> Guide:
    """Returns the guide in force. Raises UnreadableFile where prompts/dream.md cannot be read."""
    data = read_stable(paths.dream_guide)
    text = with_plain_line_ends(decoded_text(data or b"", paths.dream_guide.name)).rstrip()
    if text.strip():
        return Guide(text[:GUIDE_LIMIT], True, max(0, len(text) - GUIDE_LIMIT))
    return Guide(shipped_guide(), False)


def shipped_guide() -> str:
    """Returns the guide that comes with Mnemoscope."""
    return shipped_prompt("dream")


def dream_messages(
    guide: Guide,
    texts: Mapping[str, str],
    entries: Sequence[str],
    *,
    mode: OutputMode = OutputMode.TOOL,
    problem: str = "",
    brief: bool = False,
    rejected: Sequence[str] = (),
) -> list[Message]:
    """Returns system message and question.

    `texts`: the files by path, a missing one is empty; `entries`: those of the journal. `mode`: how the edits are to
    come. `problem`: why the last answer could not be used. `brief`: in few words, for a model that holds little.
    `rejected`: facts that are not to be proposed again.
    """
    brief = brief and mode is not OutputMode.TOOL and not guide.own
    files = [f"{_FILE_HEADING}{path}\n{texts.get(path, '').strip() or '(empty)'}" for path in DREAM_FILES]
    history = "\n".join(map(_without_times, entries) if brief else entries)
    system, task = guide.text, ""
    if mode is not OutputMode.TOOL:
        if brief:
            # A small model does what stands last.
            system, task = shipped_prompt("dream-brief"), f"{_TASK}\n{shipped_prompt('dream-task')}"
        else:
            system = f"{guide.text}\n\n{shipped_prompt('dream-json')}"
    refused = rejected_section([f"- {fact}" for fact in rejected])
    again = asked_again(problem, "dream-json-again")
    asked = "\n\n".join(filter(None, [*files, refused, f"{_HISTORY_HEADING}\n{history}", again, task]))
    return [{"role": "system", "content": system}, {"role": "user", "content": asked}]


def rejected_section(lines: Sequence[str]) -> str:
    """Returns what a model is told of facts that the person rejected, given as lines of the prompt; "" for none."""
    return "\n".join([REJECTED_HEADING, shipped_prompt("rejected"), *lines]) if lines else ""


def asked_again(problem: str, step: str) -> str:
    """Returns the section that says why the last answer could not be used, and what to do, which the prompt of the name
    `step` says; "" without a problem."""
    if not problem:
        return ""
    return f"{_AGAIN}\n{shipped_prompt('asked-again').format(problem=problem, step=shipped_prompt(step))}"


def _without_times(entry: str) -> str:
    """Returns an entry with its day in words, and the messages in it without their times: these take as many tokens as
    the words, and a small model writes them on and on."""
    head = _MOMENT.match(entry)
    words = _MOMENT.sub(r"\g<indent>", entry)
    return f"({day_in_words(head['day'])}) {words}" if head else words


_MOMENT: Final = re.compile(r"^(?P<indent>[^\S\n]*)\[(?P<day>\d{4}-\d\d-\d\d)[^\]\n]*\] ", re.MULTILINE)
