"""Stores of Claude Code as versions up to 2.1.2xx lay them: a folder with projects, transcripts record by record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.foreign_stores.edit_histories import EditHistory, HistoryCall, Telling

PROJECT = "-home-ada-notes"
FOLDER = "/home/ada/notes"
SESSION = "11111111-2222-4333-8444-555555555555"
MEMORY = f"/home/ada/.claude/projects/{PROJECT}/memory/MEMORY.md"
BEGIN = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)

Record = dict[str, Any]


@dataclass(slots=True)
class ClaudeRecords:
    """The records of one transcript, in the order of the file. Each method adds one and returns its `uuid`; its parent
    is the one before it, unless another is named."""

    session: str = SESSION
    agent: str = ""
    records: list[Record] = field(default_factory=list)
    last: str | None = None
    now: datetime = BEGIN
    base: Record = field(default_factory=dict)
    count: int = 0

    def add(self, kind: str, parent: str | None = "", **given: Any) -> str:
        """Adds a record of any type that is part of the tree."""
        uuid = f"{self.agent or 'u'}{self.session[:4]}-{self.count}"
        self.count += 1
        self.now += timedelta(seconds=1)
        record = {
            "parentUuid": self.last if parent == "" else parent,
            "isSidechain": bool(self.agent),
            "userType": "external",
            "cwd": FOLDER,
            "sessionId": self.session,
            "version": "2.1.219",
            "gitBranch": "main",
            "type": kind,
            "uuid": uuid,
            "timestamp": self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
        if self.agent:
            record["agentId"] = self.agent
        self.records.append(record | self.base | given)
        self.last = uuid
        return uuid

    def beside(self, kind: str, **given: Any) -> None:
        """Adds a record that is no part of the tree."""
        self.records.append({"type": kind, "sessionId": self.session, **given})

    def person(self, content: Any, parent: str | None = "", **given: Any) -> str:
        """Adds a text in the user's role."""
        return self.add("user", parent, message={"role": "user", "content": content}, **given)

    def answer(self, *blocks: Mapping[str, Any] | str, id_: str = "", parent: str | None = "", **given: Any) -> str:
        """Adds a line of an answer; each string is a block of text."""
        content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
        message = {
            "id": id_ or f"msg_{self.session[:4]}{self.agent}{len(self.records)}",
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-4-1",
            "content": content,
            "stop_reason": None,
            "usage": {"input_tokens": 3, "output_tokens": 5, "cache_read_input_tokens": 100},
        }
        return self.add("assistant", parent, message=message, requestId=f"req_{len(self.records)}", **given)

    def result(self, call: str, content: Any = "done", parent: str | None = "", **given: Any) -> str:
        """Adds the result of a call; `failed` makes it an error."""
        failed = given.pop("failed", False)
        block = {"type": "tool_result", "tool_use_id": call, "content": content}
        if failed:
            block["is_error"] = True
        return self.person([block], parent, **given)

    def boundary(self, logical: str | None, kept: tuple[str, str, str] | None = None, **given: Any) -> str:
        """Adds the mark of a compaction. `kept`: head, anchor and tail of what is still sent."""
        metadata: Record = {"trigger": "auto", "preTokens": 150_000}
        if kept is not None:
            metadata["preservedSegment"] = dict(zip(("headUuid", "anchorUuid", "tailUuid"), kept, strict=True))
        return self.add(
            "system",
            None,
            subtype="compact_boundary",
            content="Conversation compacted",
            isMeta=False,
            logicalParentUuid=logical,
            **{"compactMetadata": metadata} | given,
        )

    def summary(self, text: str = "This session is being continued from a previous conversation.", **given: Any) -> str:
        """Adds the summary of a compaction."""
        return self.person(text, isCompactSummary=True, isVisibleInTranscriptOnly=True, **given)

    def data(self) -> bytes:
        """Returns the bytes of the file."""
        return b"".join(line_of(record) for record in self.records)

    def write(self, path: Path) -> Path:
        """Writes the file and returns its path."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data())
        return path


def line_of(record: Mapping[str, Any]) -> bytes:
    """Returns one line as the program writes it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def call(id_: str, name: str = "Bash", **arguments: Any) -> Record:
    """Returns a block that calls a tool."""
    return {"type": "tool_use", "id": id_, "name": name, "input": arguments}


def thinking(text: str = "Let me see.") -> Record:
    """Returns a block of thinking."""
    return {"type": "thinking", "thinking": text, "signature": "sig"}


def write_files(root: Path, files: Mapping[str, str]) -> None:
    """Writes text files below a folder."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())


def sample_store(root: Path) -> Path:
    """Makes a store with two conversations, a subagent and memory; returns its root."""
    talk = ClaudeRecords()
    talk.beside("file-history-snapshot", messageId="x", snapshot={})
    talk.person("Please remember that I prefer tabs.")
    talk.answer(thinking(), id_="msg_1")
    talk.answer("I note that.", id_="msg_1")
    talk.answer(call("toolu_1", "Write", file_path=MEMORY, content="# Memory\n\n- Prefers tabs\n"), id_="msg_1")
    talk.result("toolu_1", f"File created successfully at: {MEMORY}")
    talk.answer("Noted.")
    talk.person("And that I live in Graz.")
    edit = {"file_path": MEMORY, "old_string": "- Prefers tabs", "new_string": "- Prefers tabs\n- Lives in Graz"}
    talk.answer(call("toolu_2", "Edit", **edit))
    talk.result("toolu_2", "The file has been updated.")
    talk.answer("Done.")
    talk.beside("ai-title", aiTitle="Tabs and Graz")
    talk.write(root / "projects" / PROJECT / f"{SESSION}.jsonl")
    helper = ClaudeRecords(agent="a1b2", now=BEGIN + timedelta(minutes=1))
    helper.person("Look for the parser.", None)
    helper.answer("It is in lexer.py.")
    helper.write(root / "projects" / PROJECT / SESSION / "subagents" / "agent-a1b2.jsonl")
    other = ClaudeRecords(session="99999999-2222-4333-8444-555555555555", now=BEGIN + timedelta(days=1))
    other.person("Good morning.")
    other.answer("Good morning!")
    other.write(root / "projects" / "-home-ada-other" / f"{other.session}.jsonl")
    memory = "# Memory\n\n- Prefers tabs\n- Lives in Graz\n- [Deploys](deploys.md): on Fridays\n"
    write_files(
        root,
        {
            "CLAUDE.md": "- Be brief.\n",
            "settings.json": "{}",
            f"projects/{PROJECT}/memory/MEMORY.md": memory,
            f"projects/{PROJECT}/memory/deploys.md": "---\nname: deploys\ndescription: when\n---\nOn Fridays.\n",
        },
    )
    return root


def store_of_history(root: Path, history: EditHistory, telling: Telling) -> Path:
    """Makes a store in which the calls of a history stand in the transcripts of its sessions, beside its text."""
    sessions: dict[int, ClaudeRecords] = {}
    for number, each in enumerate(history.calls):
        talk = sessions.setdefault(
            each.session, ClaudeRecords(session=f"{each.session:08}-0000-4000-8000-000000000000")
        )
        talk.now = each.when - timedelta(seconds=2)
        talk.person(each.said)
        name = f"toolu_{number}"
        talk.answer(call(name, each.tool, **_arguments(each)))
        talk.result(name, _said_of(each), failed=each.failed, **_recorded_result(each, telling))
    for talk in sessions.values():
        talk.write(root / "projects" / PROJECT / f"{talk.session}.jsonl")
    write_files(root, {f"projects/{PROJECT}/memory/MEMORY.md": history.text})
    return root


def _arguments(each: HistoryCall) -> Record:
    if each.tool == "Write":
        return {"file_path": MEMORY, "content": each.after}
    if each.tool == "Read":
        return {"file_path": MEMORY}
    pairs = [
        {"old_string": one.old, "new_string": one.new} | ({"replace_all": True} if one.is_all else {})
        for one in each.replacements
    ]
    return {"file_path": MEMORY} | ({"edits": pairs} if each.tool == "MultiEdit" else pairs[0])


def _said_of(each: HistoryCall) -> str:
    if each.failed:
        return "<tool_use_error>String to replace not found in file.</tool_use_error>"
    if each.tool == "Read":
        return "\n".join(f"{number:6}\u2192{line}" for number, line in enumerate(each.before.split("\n")[:-1], 1))
    return f"File created successfully at: {MEMORY}" if each.is_first else f"The file {MEMORY} has been updated."


def _recorded_result(each: HistoryCall, telling: Telling) -> Record:
    if each.failed or telling is not Telling.ORIGINALS:
        return {}
    if each.is_first:
        return {"toolUseResult": {"type": "create", "filePath": MEMORY, "content": each.after, "originalFile": None}}
    return {"toolUseResult": {"filePath": MEMORY, "originalFile": each.before, "userModified": False}}


def jsonl(lines: Iterable[bytes]) -> bytes:
    """Returns a file of these lines."""
    return b"".join(line.rstrip(b"\n") + b"\n" for line in lines)
