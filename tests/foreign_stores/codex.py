"""A store of Codex as its public source writes it in 2026: rollouts line by line, and the folder of memories."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

ID: Final = "0199f0a2-5c1e-7d30-9b51-000000000001"
START: Final = datetime(2026, 10, 5, 9, 0, tzinfo=UTC)


class Rollout:
    """A rollout in the making. Each method appends what Codex would, with one second between lines."""

    def __init__(self, root: Path, *, id: str = ID, cwd: str = "/home/ann/shop", start: datetime = START) -> None:
        self.id, self.cwd = id, cwd
        self._when = start
        stamp = start.strftime("%Y-%m-%dT%H-%M-%S")
        self.path = root / "sessions" / start.strftime("%Y/%m/%d") / f"rollout-{stamp}-{id}.jsonl"
        self.lines: list[dict[str, Any]] = []
        self._calls = 0

    def set_clock(self, when: datetime) -> None:
        self._when = when

    def line(self, type_: str, payload: Any) -> Rollout:
        self._when += timedelta(seconds=1)
        stamp = self._when.isoformat().replace("+00:00", "Z")
        self.lines.append({"timestamp": stamp, "type": type_, "payload": payload})
        return self

    def meta(self, **more: Any) -> Rollout:
        payload = {"id": self.id, "timestamp": self._when.isoformat(), "cwd": self.cwd, "originator": "codex_cli_rs"}
        return self.line("session_meta", payload | {"cli_version": "0.130.0", "source": "cli", "git": {}} | more)

    def item(self, **payload: Any) -> Rollout:
        return self.line("response_item", payload)

    def event(self, type_: str, **payload: Any) -> Rollout:
        return self.line("event_msg", {"type": type_, **payload})

    def injected(self) -> Rollout:
        """Returns what a conversation begins with: nothing of it was said by anybody."""
        self.item(**message("developer", "<permissions instructions>Be careful.</permissions instructions>"))
        instructions = "# AGENTS.md instructions for /home/ann/shop\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>"
        self.item(**message("user", instructions))
        self.item(**message("user", f"<environment_context>\n  <cwd>{self.cwd}</cwd>\n</environment_context>"))
        return self.line("turn_context", {"cwd": self.cwd, "model": "gpt-5.4", "approval_policy": "on-request"})

    def says(self, text: str) -> Rollout:
        self.item(**message("user", text))
        return self.event("user_message", message=text, images=[])

    def answers(self, text: str) -> Rollout:
        self.event("agent_message", message=text)
        self.item(**message("assistant", text))
        return self.event("token_count", info=None)

    def thinks(self) -> Rollout:
        summary = [{"type": "summary_text", "text": "**Looking**"}]
        return self.item(type="reasoning", summary=summary, content=None, encrypted_content="gAAAA")

    def calls(
        self, name: str, arguments: Any, output: Any = "Exit code: 0\nOutput:\nok", *, custom: bool = False
    ) -> Rollout:
        """Returns a call and its output; without one where that is None."""
        self._calls += 1
        call_id = f"call_{self._calls}"
        if custom:
            self.item(type="custom_tool_call", status="completed", call_id=call_id, name=name, input=arguments)
        else:
            self.item(type="function_call", name=name, arguments=json.dumps(arguments), call_id=call_id)
        if output is not None:
            kind = "custom_tool_call_output" if custom else "function_call_output"
            self.item(type=kind, call_id=call_id, output=output)
        return self

    def patches(self, patch: str, output: Any = None) -> Rollout:
        """Returns an `apply_patch` that is a call of its own."""
        done = {"output": "Success. Updated the following files:\n", "metadata": {"exit_code": 0}}
        return self.calls("apply_patch", patch, json.dumps(done) if output is None else output, custom=True)

    def compacts(self, summary: str, kept: list[dict[str, Any]] | None) -> Rollout:
        payload: dict[str, Any] = {"message": summary}
        if kept is not None:
            standing = f"Another language model started to solve this problem and produced a summary.\n{summary}"
            payload["replacement_history"] = [*kept, message("user", standing)]
        self.line("compacted", payload)
        return self.event("context_compacted")

    def write(self) -> Rollout:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.lines)
        self.path.write_text(text, encoding="utf-8")
        return self


def message(role: str, text: str) -> dict[str, Any]:
    """Returns an item of a rollout that holds words."""
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def patch_of(*parts: str) -> str:
    """Returns a patch of such parts."""
    return "\n".join(["*** Begin Patch", *parts, "*** End Patch"])


def memories(root: Path) -> Path:
    """Returns the folder of memories, filled as Codex's two phases leave it."""
    folder = root / "memories"
    (folder / "rollout_summaries").mkdir(parents=True)
    (folder / "extensions" / "ad_hoc" / "notes").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "memory_summary.md").write_text("v1\n\n## User Profile\n- Runs a pottery\n- Writes Python\n")
    (folder / "MEMORY.md").write_text(
        "# Task Group: shop\n\n## Task 1\n- prices are in stock.csv\n- never force-push\n"
    )
    raw = "# Raw Memories\n\n## Thread `a`\n- one\n- two\n\n## Thread `b`\n- three\n"
    (folder / "raw_memories.md").write_text(raw)
    (folder / "rollout_summaries" / "2026-10-05-shop.md").write_text("# Shop\n\n- one\n- two\n")
    (folder / "extensions" / "ad_hoc" / "instructions.md").write_text("- Read the notes.\n")
    (root / "memories_1.sqlite").write_bytes(b"SQLite format 3\0")
    return folder


def make_store(root: Path) -> Path:
    """Returns a whole store: a conversation with a compaction, one that was put aside, instructions and memories."""
    note = f"{root}/memories/extensions/ad_hoc/notes/2026-10-05T09-00-30-glaze.md"
    root.mkdir(parents=True, exist_ok=True)
    memories(root)
    (root / "AGENTS.md").write_text("# Rules\n\n- Be brief.\n- No emoji.\n")
    (root / "config.toml").write_text('model = "gpt-5.4"\n')
    first = Rollout(root).meta().injected()
    first.says("Set up the shop").answers("I will look.").calls("shell", {"command": ["ls"]})
    first.says("Remember: celadon needs 1222 degrees").thinks()
    first.patches(patch_of(f"*** Add File: {note}", "+# Glaze", "+- celadon at 1222 degrees"))
    first.answers("Noted.")
    kept = [message("user", "Remember: celadon needs 1222 degrees"), message("assistant", "Noted.")]
    first.compacts("The shop was set up.", kept)
    first.says("And the bowls?").answers("They are done.").write()
    Path(note).write_text("# Glaze\n- celadon at 1222 degrees\n- by hand\n")
    second = Rollout(root, id=f"{ID[:-1]}2", start=START + timedelta(days=1)).meta().injected()
    second.says("Second thing").answers("Done.").write()
    archived = root / "archived_sessions"
    archived.mkdir()
    second.path.rename(archived / second.path.name)
    named = {"id": ID, "thread_name": "The shop", "updated_at": "2026-10-05T10:00:00Z"}
    (root / "session_index.jsonl").write_text(f"{json.dumps(named)}\n{{cut\n")
    return root
