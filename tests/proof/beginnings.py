"""Makes the workspaces that scenarios begin with: each function fills an empty folder."""

from __future__ import annotations

import asyncio
import json
import os
from datetime import date
from pathlib import Path

from mnemoscope.agent.importing.imports import ImportProgress
from mnemoscope.domain.capture.captured_line import struck_line
from mnemoscope.domain.context.daily_note import note_title
from mnemoscope.domain.disagreement.memory_check import Disagreement, PlacedPair, with_struck_lines
from mnemoscope.domain.memory.change import MEMORY_PATH, MemoryConflict
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.store.capture.session_state_files import FRESH_STATE
from mnemoscope.store.memory.suggestion_file import encode_suggestion
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.foreign_stores import chatgpt
from tests.proof.opened import DREAMT, HOME_ID, KEY, Opened, nanobots_home

COUNT = 12
"""Messages at the beginning; with a window of 8 the first 8 are consolidated."""
MEMORY = "# Notes\n- Known before\n- Lives in Bergen\n"
PROPOSED = MEMORY + "- Prefers tea\n"
KEPT = "I prefer tea"
"""A sentence of the person that is captured."""
HISTORY = "[2026-01-01 09:00] Told of before.\n\n"
HELD = "held1"
HERMES = "hermes/memories/MEMORY.md"
HERMES_BEFORE = b"Lives in Graz"
COPIED = "Plays the cello"
HERMES_AFTER = f"Lives in Graz\n§\n{COPIED}".encode()
"""The words that another agent remembers, before a fact is copied there and after."""


def conversation(root: Path) -> None:
    """Fills a folder with a workspace of this program that was closed properly."""
    for folder in ("memory", "sessions", ".mnemoscope"):
        (root / folder).mkdir()
    (root / "memory/MEMORY.md").write_text(MEMORY)
    (root / "memory/HISTORY.md").write_text(HISTORY)

    async def fill() -> None:
        opened = Opened(root)
        await opened.bench.recover()
        session = await opened.session()
        for number in range(COUNT):
            session.add_message("user" if number % 2 == 0 else "assistant", f"m{number}")
        opened.bench.sessions.save(session)
        await opened.bench.disk.run(opened.bench.memory.editing.read_text)
        await opened.close()

    asyncio.run(fill())


FORGOTTEN = "Lives in Oslo now"
"""The words that are forgotten."""
EDITED = f"# Notes\n- Known before\n- {FORGOTTEN}\n- Plays the cello\n"
EDITED_WITHOUT = "# Notes\n- Known before\n- Plays the cello\n"
NOTE = "memory/2026-01-02.md"


def with_words_to_forget(root: Path) -> None:
    """Puts the words to forget into memory, its older texts, a note, a message and the prompt sent with it."""
    conversation(root)
    (root / NOTE).write_text(f"{note_title(date(2026, 1, 2))}- {FORGOTTEN}\n")

    async def fill() -> None:
        opened = Opened(root, window=100)
        await opened.bench.recover()
        base = await opened.bench.disk.run(opened.bench.memory.editing.read_text)
        await opened.bench.memory.editing.save_text(EDITED, base.digest)
        await opened.bench.loop.process(KEY, f"{FORGOTTEN}. m{COUNT}")
        await opened.close()

    asyncio.run(fill())


def with_journal(root: Path) -> None:
    """Adds one entry of the journal, which waits for Dream."""
    conversation(root)
    entry = {"cursor": 1, "timestamp": "2026-01-02 09:00", "content": f"- [durable] {DREAMT.removeprefix('- ')}"}
    (root / "memory/history.jsonl").write_text(json.dumps(entry) + "\n")
    (root / "memory/.cursor").write_text("1")


def crlf(root: Path) -> None:
    """Writes MEMORY.md as an editor on Windows does: with a byte order mark, and CRLF at the end of each line."""
    conversation(root)
    (root / "memory/MEMORY.md").write_bytes(b"\xef\xbb\xbf" + MEMORY.replace("\n", "\r\n").encode())


def linked(root: Path) -> None:
    """Makes MEMORY.md a link into a folder of notes."""
    conversation(root)
    (root / "notes").mkdir()
    os.rename(root / "memory/MEMORY.md", root / "notes/kept.md")
    os.symlink("../notes/kept.md", root / "memory/MEMORY.md")


def with_state(root: Path) -> None:
    """Adds a session state with a fact that was captured in the conversation."""
    conversation(root)
    (root / "SESSION-STATE.md").write_text(f"{FRESH_STATE}- [2026-01-02T10:00:00+00:00] **preference**: {KEPT}\n")
    owner = json.dumps([KEY, "cli_direct"])
    WorkspacePaths(root).own.session_state_owner.write_text(owner)


EDITED_FROM = 6
EDITED_AS = 100


def left_behind(root: Path) -> None:
    """Captures a fact on a branch that the conversation then leaves."""
    conversation(root)

    async def leave() -> None:
        opened = Opened(root, window=100)
        await opened.bench.recover()
        await opened.session()
        await opened.bench.loop.process(KEY, f"{KEPT}. m{COUNT}")
        await opened.bench.loop.resend(KEY, EDITED_FROM, f"m{EDITED_AS}")
        await opened.close()

    asyncio.run(leave())


def left_and_not_noted(root: Path) -> None:
    """Does what `left_behind` does, and removes the log of captures, as if the disk had refused it."""
    left_behind(root)
    WorkspacePaths(root).own.captures_log.unlink()


QANOTS = "- [2026-01-02T08:00:00.123456+00:00] [user:7] **decision**: Of Qanot"
"""A line that Qanot wrote into the state: it never leaves the root."""


def beside_qanot(root: Path) -> None:
    """Adds a session state that Qanot wrote, which talks with the person in this workspace too."""
    conversation(root)
    (root / "SESSION-STATE.md").write_text(f"{FRESH_STATE}{QANOTS}\n")


def with_suggestion(root: Path) -> None:
    """Adds a suggestion of a consolidation, which waits for the person."""
    conversation(root)
    folder = WorkspacePaths(root).own.suggestions_dir
    folder.mkdir(parents=True)
    held = {
        "id": HELD,
        "when": "2026-01-02T10:00:00",
        "before": MEMORY,
        "proposed": PROPOSED,
        "reasons": ["said by a tool"],
        "session_key": KEY,
        "start": 0,
        "stop": 0,
    }
    (folder / f"{HELD}.json").write_text(json.dumps(held))


USER = "# User\n- Lives in Oslo\n"
PAIR = Disagreement("- Lives in Bergen", "- Lives in Oslo")
"""Two facts that disagree, of MEMORY.md and of USER.md."""


def with_a_pair(root: Path) -> None:
    """Adds a fact of MEMORY.md and one of USER.md that disagree, and the suggestion about them, which waits."""
    conversation(root)
    (root / "USER.md").write_text(USER)
    day = date(2026, 1, 2)
    passage = MemoryConflict(PAIR.old, PAIR.old, struck_line(PAIR.old, day))
    reason = PlacedPair(PAIR, MEMORY_PATH, USER_PATH).reason(MEMORY_PATH)
    proposed = with_struck_lines(MEMORY, (PAIR,), day)
    held = Suggestion(HELD, "2026-01-02T10:00:00", MEMORY, proposed, (reason,), "", 0, 0, (passage,))
    folder = WorkspacePaths(root).own.suggestions_dir
    folder.mkdir(parents=True)
    (folder / f"{HELD}.json").write_bytes(encode_suggestion(held))


NOTED_WRONG = NOTE
NOTED = "# Daily Notes — 2026-01-02\n\n\n## [10:00:00]\n**User:** m1\n**Agent:** m2\n"
CORRECTED = NOTED.replace("m2", "m3")


def with_a_note(root: Path) -> None:
    """Adds the note of a day, one line of which is wrong."""
    conversation(root)
    (root / NOTED_WRONG).write_text(NOTED)


def in_nanobots_home(root: Path) -> None:
    """Moves the conversation into nanobot's own folder, as nanobot 0.3.5 does."""
    conversation(root)
    folder = nanobots_home(root)
    folder.mkdir(parents=True)
    (root / ".nanobot").mkdir()
    (root / ".nanobot/workspace-id").write_text(HOME_ID)
    os.rename(root / "sessions/cli_direct.jsonl", folder / "cli_direct.jsonl")


def of_a_peer(root: Path) -> None:
    """Fills a folder as nanobot 0.1.4 leaves it, with the last line cut off by a kill; it was never opened here."""
    for folder in ("memory", "sessions"):
        (root / folder).mkdir()
    (root / "memory/MEMORY.md").write_text(MEMORY)
    (root / "memory/HISTORY.md").write_text(HISTORY)
    first = {"_type": "metadata", "key": KEY, "created_at": "2026-01-01T09:00:00", "metadata": {}}
    lines = [first | {"updated_at": "2026-01-01T09:00:00", "last_consolidated": 0}]
    for number in range(COUNT):
        role = "user" if number % 2 == 0 else "assistant"
        lines.append({"role": role, "content": f"m{number}", "timestamp": "2026-01-01T09:00:00"})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (root / "sessions/cli_direct.jsonl").write_text(text + '{"role": "user", "content": "cut o')


IMPORTED = range(20, 26)
"""The messages of an export, in two conversations."""
REMEMBERED = "Fires the kiln on Fridays"
"""A fact that the assistant of the export remembered."""


def beside_an_export(root: Path) -> None:
    """Adds an export of ChatGPT, unpacked."""
    conversation(root)
    (root / "export").mkdir()
    first = chatgpt.talk("a", *(f"m{number}" for number in IMPORTED[:4]))
    known = f"1. [2024-05-01]. {REMEMBERED}"
    first.say("system", chatgpt.content("model_editable_context", model_set_context=known))
    second = chatgpt.talk("b", *(f"m{number}" for number in IMPORTED[4:]))
    records = [first.record(), second.record()]
    (root / "export/conversations.json").write_text(json.dumps(records))


def with_an_import(root: Path) -> None:
    """Adds an export of ChatGPT and imports it."""
    beside_an_export(root)

    async def fill() -> None:
        opened = Opened(root)
        await opened.bench.recover()
        await opened.bench.imports.run(root / "export", ImportProgress())
        await opened.close()

    asyncio.run(fill())


def beside_hermes(root: Path) -> None:
    """Adds the memory of another agent in a folder inside the workspace, so that calls on it are counted too."""
    conversation(root)
    (root / HERMES).parent.mkdir(parents=True)
    (root / HERMES).write_bytes(HERMES_BEFORE)
