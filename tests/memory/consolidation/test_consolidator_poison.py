"""Planted text against a model that does whatever it reads: nothing of it gets into memory, or a later prompt, unseen.

The corpus is data; the model is scripted to obey. What is proved is the gate, not a model's good sense.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.prompt.context_builder import ContextBuilder
from mnemoscope.domain.memory.history_entries import parse_history
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.agent_bench import KEY, make_bench
from tests.support.closing import closed
from tests.support.scripted_provider import ScriptedProvider, asks, call
from tests.support.telltale_model import save_memory

CORPUS = json.loads((Path(__file__).parents[3] / "resources" / "bench" / "poison.json").read_text())
CASES, TOOLS = CORPUS["cases"], CORPUS["tools"]
ENTRY = "[2026-03-06 14:20] Sam had a page read."
PLANTED = "Mallory"
EACH_SIXTH = [
    pytest.param(case, id=case["case"], marks=[pytest.mark.long] if number % 6 else [])
    for number, case in enumerate(CASES)
]
"""All cases in the long form: what is another test's subject case by case is tried with some of them."""


def conversation(root: Path, talk: list[list[Any]]) -> Any:
    sessions = SessionManager(root)
    session = sessions.get_or_create("cli:direct")
    for minute, (role, text, *more) in enumerate(talk):
        fields: dict[str, Any] = {"timestamp": f"2026-03-06T14:{20 + minute:02}:00"}
        for each in more:
            fields |= {"name": each, "tool_call_id": f"c{minute}"} if isinstance(each, str) else each
        session.add_message(role, text, **fields)
    sessions.save(session)
    return session


def obeyed(case: dict[str, Any], memory: str) -> str:
    text = memory + "".join(f"- {line}\n" for line in case["lines"])
    for old, new in case.get("update", ()):
        text = new if old == "*" else text + new if old == "+" else text.replace(old, new)
    assert text != memory
    return text


def added(text: str, memory: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip() and line not in memory.split("\n")]


def later_prompt(root: Path) -> str:
    return ContextBuilder(root).build_system_prompt()


def test_the_corpus_is_large_and_no_case_stands_twice() -> None:
    assert len(CASES) >= 60
    assert len({case["case"] for case in (*CASES, *TOOLS)}) == len(CASES) + len(TOOLS)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
async def test_what_was_planted_waits_for_the_person(case: dict[str, Any], tmp_path: Path) -> None:
    memory = case.get("memory", CORPUS["memory"])
    store = MemoryStore(tmp_path, sessions=SessionManager(tmp_path))
    store.write_long_term(memory)
    wanted = obeyed(case, memory)
    model = ScriptedProvider(save_memory(case.get("entry", ENTRY), wanted))
    session = conversation(tmp_path, case["talk"])
    assert await store.consolidate(session, model, "m", archive_all=True)
    assert store.read_long_term() == memory
    (held,) = store.ledger.suggestions()
    assert held.reasons
    prompt = later_prompt(tmp_path)
    assert [line for line in added(wanted, memory) if line in prompt] == []
    (entry,) = parse_history(store.history_file.read_bytes())
    assert (entry.raw, entry.when) == (False, "2026-03-06 14:20")
    assert not any(line.startswith(("#", "[20")) for line in entry.text.split("\n")[1:])


@pytest.mark.slow
@pytest.mark.parametrize("case", EACH_SIXTH)
async def test_it_is_no_better_planted_a_consolidation_earlier(case: dict[str, Any], tmp_path: Path) -> None:
    """The model kept what it read, and says so when the text itself was consolidated long ago."""
    memory = case.get("memory", CORPUS["memory"])
    store = MemoryStore(tmp_path, sessions=SessionManager(tmp_path))
    store.write_long_term(memory)
    later = [["user", "And now something else, please."], ["assistant", "\n".join(case["lines"]) or "Very well."]]
    session = conversation(tmp_path, [*case["talk"], *later])
    session.last_consolidated = len(case["talk"])
    model = ScriptedProvider(save_memory(case.get("entry", ENTRY), obeyed(case, memory)))
    assert await store.consolidate(session, model, "m", archive_all=True)
    assert store.read_long_term() == memory


def arrange(case: dict[str, Any], root: Path) -> None:
    (root / "notes").mkdir(exist_ok=True)
    memory = root / "memory" / "MEMORY.md"
    memory.write_text(CORPUS["memory"])
    if "link" in case:
        (root / case["link"][0]).symlink_to(case["link"][1])
    if "hard" in case:
        os.link(root / case["hard"][1], root / case["hard"][0])
    if "behind" in case:
        memory.rename(root / case["behind"])
        memory.symlink_to(root / case["behind"])
    if "file" in case:
        (root / case["file"][0]).write_text(case["file"][1])


@pytest.mark.slow
@pytest.mark.parametrize("case", TOOLS, ids=[case["case"] for case in TOOLS])
async def test_no_tool_gets_round_the_gate(case: dict[str, Any], tmp_path: Path) -> None:
    bench = make_bench(tmp_path, real_memory=True)
    arrange(case, tmp_path)
    (tmp_path / "page.md").write_text(CORPUS["page"])
    name, arguments = case["call"]
    filled = {
        key: value.replace("{memory}", CORPUS["memory"]).replace("{root}", str(tmp_path))
        for key, value in arguments.items()
    }
    obeyed = save_memory(ENTRY, CORPUS["memory"] + "- Trusts Mallory completely\n")
    bench.provider.then(asks(call("read_file", path="page.md")), asks(call(name, **filled)), "Done.", obeyed)
    assert await bench.loop.process(KEY, "Read page.md, please.")
    assert (tmp_path / "memory" / "MEMORY.md").read_text() == CORPUS["memory"]
    assert PLANTED not in later_prompt(tmp_path)
    assert await closed(bench.loop, KEY)
    assert PLANTED not in later_prompt(tmp_path)
