"""Runs in a process of its own: qanot does to a workspace what each line of JSON on standard input says."""

from __future__ import annotations

import json
import sys
from typing import Any

sys.path.insert(0, sys.argv[1])
from qanot import memory, prompt, session  # type: ignore[import-not-found]


def answer(asked: dict[str, Any]) -> object:
    workspace = asked["workspace"]
    for user, said in asked.get("turns", []):
        memory.wal_write(memory.wal_scan(user), workspace)
        writer = session.SessionWriter(f"{workspace}/sessions")
        writer.log_assistant_message(said, [{"name": "read_file"}], parent_id=writer.log_user_message(user))
        memory.write_daily_note(f"**User:** {user}...\n**Agent:** {said}...", workspace)
    if asked.get("restore"):
        return {"restored": session.SessionWriter(f"{workspace}/sessions").restore_history("7")}
    if asked.get("prompt"):
        return {"prompt": prompt.build_system_prompt(workspace)}
    return {query: memory.memory_search(query, workspace) for query in asked.get("queries", [])}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))))
