"""Finds the lines of memory that stand, word for word, in what a tool gave that neither searches memory nor reads its
files: a command, another program's tool, a file that repeats them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from mnemoscope.domain.answer_receipt.memory_use import quotable_lines
from mnemoscope.domain.context.prompt_snapshot import MemoryQuote, PromptSnapshot
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import HISTORY_PATH, JOURNAL_PATH, STATE_PATH, USER_PATH
from mnemoscope.store.logs.history_log import DAILY_NOTE
from mnemoscope.store.workspace.paths import WorkspacePaths


def with_quotes(prompt: PromptSnapshot, workspace: Path) -> PromptSnapshot:
    """Returns the prompt with the lines of memory that results of tools quote. Reads the files of memory where any
    result may; one that cannot be read quotes nothing."""
    wanted = quotable_lines(prompt.request)
    if not wanted:
        return prompt
    paths, quotes = WorkspacePaths.found(workspace), dict[str, MemoryQuote]()
    for source in _sources(paths):
        # What another program is writing at this moment may be missed: nothing waits for it here.
        with suppress(OSError), (paths.root / source).open(encoding="utf-8-sig", errors="replace") as rows:
            for row in rows:
                if (line := row.strip()) in wanted:
                    quotes.setdefault(line, MemoryQuote(source, line))
    return replace(prompt, quotes=tuple(quotes.values()))


def _sources(paths: WorkspacePaths) -> list[str]:
    """Returns the paths of the files of memory, relative to the workspace."""
    names = [paths.name_on_disk(MEMORY_PATH), USER_PATH, STATE_PATH, HISTORY_PATH, JOURNAL_PATH]
    folder = paths.memory_dir
    notes = folder.iterdir() if folder.is_dir() else ()
    return [*names, *sorted(f"memory/{each.name}" for each in notes if DAILY_NOTE.fullmatch(each.name))]
