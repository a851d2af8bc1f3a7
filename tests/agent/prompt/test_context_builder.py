"""The system prompt in its order, stable from turn to turn, and honest about what was cut."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.agent.prompt.context_builder import (
    RUNTIME_TAG,
    SEPARATOR,
    ContextBuilder,
    PromptFrame,
    extended,
)
from mnemoscope.agent.prompt.memory_budget import SentOfFile
from mnemoscope.agent.prompt.sent_messages import GuardPlan, MessagesBefore
from mnemoscope.agent.prompt.skills import find_skills
from mnemoscope.domain.context.recovery import RecalledSource
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_tokens
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.settings import THREE_TIER, TWO_LAYER, Settings

MORNING = datetime(2026, 11, 21, 9, 0)
EVENING = datetime(2026, 11, 21, 18, 30)
FRAME = PromptFrame("scripted", (), 32_000)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("AGENTS", "SOUL", "IDENTITY", "USER", "TOOLS"):
        (tmp_path / f"{name}.md").write_text(f"This is {name}.\n")
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "MEMORY.md").write_text("# Facts\n- Likes green tea\n")
    return tmp_path


def skill(root: Path, name: str, head: str, text: str = "Do it so.") -> None:
    (root / "skills" / name).mkdir(parents=True)
    (root / "skills" / name / "SKILL.md").write_text(f"---\nname: {name}\n{head}\n---\n\n{text}\n")


def test_the_parts_stand_in_the_order_of_nanobot(root: Path) -> None:
    parts = ContextBuilder(root).build_system_prompt().split(SEPARATOR)
    assert parts[0].startswith("# Mnemoscope")
    names = ("AGENTS", "SOUL", "IDENTITY", "USER", "TOOLS")
    assert parts[1] == "\n\n".join(f"## {name}.md\n\nThis is {name}." for name in names)
    assert parts[2].startswith("# Memory\n\n## Long-term Memory\n")
    assert parts[2].endswith("# Facts\n- Likes green tea")
    assert parts[3].startswith("# Active Skills\n\n### Skill: memory\n\n")
    assert parts[4].startswith("# Skills\n\n")
    assert "<name>memory</name>" in parts[4]
    assert len(parts) == 5


@pytest.mark.parametrize(
    ("settings", "log"),
    [
        (Settings(profile=TWO_LAYER), "- History log: {}/memory/HISTORY.md (what happened, searchable; each entry"),
        (Settings(profile=THREE_TIER), "- Daily notes: {}/memory/YYYY-MM-DD.md (what happened, searchable; a file"),
        (Settings(profile=THREE_TIER, daily_notes="off"), ""),
    ],
)
def test_the_prompt_names_the_log_that_the_profile_writes(tmp_path: Path, settings: Settings, log: str) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"mnemoscope": {"profile": settings.profile}}))
    prompt = ContextBuilder(tmp_path, settings=lambda: settings).build_system_prompt()
    assert f"\n{log.format(tmp_path)}" in prompt
    assert ("HISTORY.md" in prompt) is (settings.profile == TWO_LAYER)
    assert ("memory/MEMORY.md" in prompt) is (settings.profile == TWO_LAYER)
    assert f"- Long-term memory: {tmp_path}/{'memory/' * (settings.profile == TWO_LAYER)}MEMORY.md (" in prompt
    assert "{" not in prompt.partition("# Active Skills")[0]


def test_memory_enters_as_notes_and_not_as_instructions(root: Path) -> None:
    assert "not instructions" in ContextBuilder(root).build_system_prompt()


def test_two_turns_share_the_system_prompt_byte_for_byte(root: Path) -> None:
    builder = ContextBuilder(root)
    first = builder.build_messages([], "Hello", now=MORNING, session_key="a")
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    second = builder.build_messages(history, "And now?", now=EVENING, session_key="b")
    assert first[0]["content"].encode() == second[0]["content"].encode()
    assert "2026-11-21" not in first[0]["content"]
    assert (
        second[-1]["content"]
        == f"{RUNTIME_TAG}\nCurrent time: 2026-11-21 18:30 (Saturday)\nConversation: b\n\nAnd now?"
    )
    assert second[1:-1] == history


def test_missing_and_empty_files_leave_no_heading(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("  \n")
    prompt = ContextBuilder(tmp_path).build_system_prompt()
    assert "SOUL.md" not in prompt
    assert "# Memory\n\n## Long-term" not in prompt


def test_a_huge_file_is_cut_with_a_notice(root: Path) -> None:
    (root / "memory" / "MEMORY.md").write_text("- fact\n" * 700_000)
    builder = ContextBuilder(root, settings=lambda: Settings(memory_budget_tokens=100_000))
    sections, notices, _cut, _ = builder.system_sections()
    memory = next(section for section in sections if section.title == "Memory")
    assert 99_900 < memory.tokens <= 100_000
    assert memory.text.count("was left out") == 1
    assert notices == [
        "memory/MEMORY.md: only the first 2,000,000 characters are read.",
        f"memory/MEMORY.md: cut to {memory.tokens:,} of 500,057 tokens, memory's budget.",
    ]


def test_how_much_of_memory_is_sent_is_what_the_prompt_holds(root: Path) -> None:
    rows = ["", "", *(f"- fact {number}" + " of many" * (number % 7) for number in range(4_000))]
    rows[3] = "- ~~fact one~~ (until 2026-11-22)"
    text = "\n".join(rows)
    (root / "memory" / "MEMORY.md").write_text(text)
    for budget in (500, 1_000, 8_000):
        builder = ContextBuilder(root, settings=partial(Settings, memory_budget_tokens=budget))
        count = builder.sent_of_file(MEMORY_PATH, text)
        assert count.cut is not None
        prompt = builder.build_system_prompt().split("\n")
        assert rows[count.cut - 1] in prompt
        assert rows[count.cut] not in prompt
        assert budget - 80 < count.sent <= budget
        assert count.tokens == estimate_tokens(text)


def test_of_a_memory_that_fits_all_is_sent_but_what_was_struck(root: Path) -> None:
    builder = ContextBuilder(root)
    assert builder.sent_of_file(MEMORY_PATH, "- one\n- two\n") == SentOfFile(3, 3)
    assert builder.sent_of_file(MEMORY_PATH, "") == SentOfFile(0, 0)
    struck = "- one\n- ~~two~~ (until 2026-11-22)\n"
    count = builder.sent_of_file(MEMORY_PATH, struck)
    assert (count.sent, count.cut) == (2, None)
    assert count.sent < count.tokens


def test_the_other_files_are_counted_to_where_their_prompt_ends(root: Path) -> None:
    builder = ContextBuilder(root)
    rows = [f"Word {number}" for number in range(4_000)]
    text = "\n".join(rows)
    (root / "SOUL.md").write_text(text)
    count = builder.sent_of_file("SOUL.md", text)
    assert count.cut is not None
    prompt = builder.build_system_prompt().split("\n")
    assert rows[count.cut] not in prompt
    assert rows[count.cut - 2] in prompt
    assert count.sent == 6_000 < count.tokens
    assert builder.sent_of_file("prompts/dream.md", text).cut is None


@pytest.mark.parametrize("name", ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", MEMORY_PATH])
def test_a_line_that_the_person_had_forgotten_is_not_sent_and_told(root: Path, name: str) -> None:
    text = "- Likes walks\n- Has a locker\n- Likes tea\n"
    (root / name).write_text(text)
    builder = ContextBuilder(root, forgotten=lambda: lambda words: "Has a locker" in words)
    sections, notices, _cut, _ = builder.system_sections()
    prompt = SEPARATOR.join(section.text for section in sections)
    assert "locker" not in prompt
    assert "- Likes walks\n- Likes tea" in prompt
    assert notices == [f"{name}: 1 line that you chose to forget and that came back."]
    count = builder.sent_of_file(name, text)
    assert (count.forgotten, count.cut) == ((1,), None)
    assert count.sent < count.tokens


def test_what_was_forgotten_is_looked_up_once_for_all_lines_of_a_text(root: Path) -> None:
    (root / MEMORY_PATH).write_text("- Likes walks\n" * 200)
    looks = []

    def forgotten() -> Callable[[str], bool]:
        looks.append(1)
        return lambda _words: False

    ContextBuilder(root, forgotten=forgotten).system_sections()
    assert len(looks) < 20


def test_a_file_of_which_all_was_forgotten_leaves_no_heading(root: Path) -> None:
    (root / "SOUL.md").write_text("- Has a locker\n")
    builder = ContextBuilder(root, forgotten=lambda: lambda words: "Has a locker" in words)
    assert "SOUL.md" not in builder.build_system_prompt()


def test_what_was_forgotten_is_not_recovered_from_notes_either(root: Path) -> None:
    builder = ContextBuilder(root, forgotten=lambda: lambda words: words == "Has a locker")
    notes = RecalledSource("Today's Notes", "daily notes", "- Likes tea\n- **note**: Has a locker", 12)
    shot = builder.snapshot([], 0, "now", now=MORNING, session_key="k", frame=FRAME, plan=GuardPlan(recalled=(notes,)))
    assert "Likes tea" in json.dumps(shot.request)
    assert "locker" not in json.dumps(shot.request)
    assert "daily notes: 1 line that you chose to forget and that came back." in shot.left_out


def test_a_file_that_cannot_be_read_is_named_and_nothing_breaks(root: Path) -> None:
    (root / "SOUL.md").unlink()
    (root / "SOUL.md").mkdir()
    (root / "USER.md").write_bytes(b"caf\xe9 \xff")
    sections, notices, *_ = ContextBuilder(root).system_sections()
    assert "[SOUL.md could not be read.]" in sections[1].text
    assert notices == [
        "SOUL.md could not be read: it is a folder.",
        "USER.md is not UTF-8 text (byte 3 cannot be read).",
    ]


@pytest.mark.parametrize("form", ["utf-16", "utf-16-le", "utf-32", "latin-1", "gbk"])
def test_a_garbled_memory_is_never_sent(root: Path, form: str) -> None:
    words = {"latin-1": "Zoë's café", "gbk": "喜欢喝茶"}.get(form, "Likes tea")
    (root / "memory" / "MEMORY.md").write_bytes(f"# Notes\n\n- {words}\n- Lives in Leeds\n".encode(form))
    builder = ContextBuilder(root)
    notices = builder.system_sections().notices
    prompt = builder.build_system_prompt()
    assert "[memory/MEMORY.md could not be read.]" in prompt
    assert not {"\0", "\ufffd", "Notes"} & {*prompt, *prompt.split()}
    assert any(each.startswith("memory/MEMORY.md is not UTF-8 text") for each in notices)


def test_a_long_file_is_cut_within_a_character_without_harm(root: Path) -> None:
    (root / "USER.md").write_text("a" + "茶" * 40_000, "utf-8")
    sections, notices, cut, _ = ContextBuilder(root).system_sections()
    assert "\ufffd" not in sections[1].text
    assert notices == ["USER.md: only the first 24,000 characters are read."]
    assert [each.more for each in cut] == [None]


def test_lines_beyond_what_is_read_of_a_file_are_counted_where_all_of_it_is_looked_through(root: Path) -> None:
    (root / "USER.md").write_text(f"{'x' * 99}\n" * 900, "utf-8")
    [cut] = ContextBuilder(root).system_sections().cut
    assert (cut.text.count("\n") + 1, cut.more) == (400, 260)


def test_skills_are_active_listed_or_unavailable(root: Path) -> None:
    skill(root, "tea", "description: How to brew <tea>\nalways: true")
    skill(root, "moon", 'description: "Fly"\nmetadata: {"nanobot": {"requires": {"bins": ["no-such-program"]}}}')
    skill(root, "peer", 'metadata: {"nanobot": {"always": true}}', "From the peer.")
    prompt = ContextBuilder(root).build_system_prompt()
    active, _, listed = prompt.partition("# Active Skills")[2].partition("# Skills")
    assert "### Skill: tea\n\nDo it so." in active
    assert "From the peer." in active
    assert "moon" not in active
    assert "<description>How to brew &lt;tea&gt;</description>" in listed
    assert '<skill available="false">\n    <name>moon</name>' in listed
    assert "<requires>no-such-program</requires>" in listed
    assert "<location>skills/tea/SKILL.md</location>" in listed


def test_the_workspaces_own_skill_stands_before_the_shipped_one(root: Path) -> None:
    skill(root, "memory", "description: mine\nalways: true", "My own way.")
    assert [each.description for each in find_skills(root) if each.name == "memory"] == ["mine"]


def test_the_snapshot_says_what_is_left_out_and_why(root: Path) -> None:
    messages: list[Any] = [
        {"role": "user", "content": "settled"},
        {"role": "assistant", "content": "settled"},
        {"role": "tool", "content": "r", "tool_call_id": "gone", "name": "t"},
        {"role": "user", "content": "/help", "_command": True},
        {"role": "user", "content": "kept"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "x", "function": {"name": "t", "arguments": "{}"}}]},
    ]
    shot = ContextBuilder(root).snapshot(messages, 2, "now", now=MORNING, session_key="k", frame=FRAME)
    assert shot.left_out == (
        "2 messages before the pointer: consolidated into memory and the history log.",
        "1 message: before the first user message that is sent.",
        "1 message: tool call without all its results.",
        "1 message: a command, never sent.",
    )
    assert [message["role"] for message in shot.request] == ["system", "user", "user"]
    assert [section.source for section in shot.messages] == ["message 5", "message 7"]
    assert shot.request[0]["content"] == SEPARATOR.join(section.text for section in shot.system)
    assert shot.tokens == sum(part.tokens for part in (*shot.system, *shot.messages))


def test_more_than_the_limit_is_left_out_by_number(root: Path) -> None:
    messages = [{"role": "user", "content": str(n)} for n in range(700)]
    shot = ContextBuilder(root).snapshot(messages, 50, "now", now=MORNING, session_key="k", frame=FRAME)
    assert "150 messages: older than the last messages that are sent." in shot.left_out
    assert len(shot.request) == 502


def test_what_does_not_fit_the_models_context_is_left_out_and_said(root: Path) -> None:
    messages = [{"role": "user", "content": "word " * 200} for _ in range(40)]
    shot = ContextBuilder(root).snapshot(
        messages, 0, "now", now=MORNING, session_key="k", frame=PromptFrame("scripted", (), 6_000, 1_000)
    )
    sent = len(shot.request) - 2
    assert 5 < sent < 40
    assert shot.tokens + 1_000 <= 6_000
    assert shot.left_out == (f"{40 - sent} messages: older than the last messages that are sent.",)


def test_a_context_too_small_for_anything_still_gets_the_newest_message(root: Path) -> None:
    messages = [{"role": "user", "content": "word " * 2_000}, {"role": "assistant", "content": "long " * 2_000}]
    frame = PromptFrame("scripted", (), 500, 100)
    shot = ContextBuilder(root).snapshot(messages, 0, "now", now=MORNING, session_key="k", frame=frame)
    assert [message["role"] for message in shot.request] == ["system", "user"]


def test_the_next_round_is_the_same_request_and_more(root: Path) -> None:
    shot = ContextBuilder(root).snapshot([], 0, "now", now=MORNING, session_key="k", frame=FRAME)
    longer = extended(shot, [{"role": "assistant", "content": "so far"}], 1)
    assert [section.source for section in longer.messages] == ["message 1", "message 2"]
    assert longer.request[:-1] == shot.request
    assert longer.tokens > shot.tokens


def test_a_view_of_the_messages_before_one_decodes_nothing_else() -> None:
    class Counting(list[int]):
        touched = 0

        def __getitem__(self, place: Any) -> Any:
            Counting.touched += 1 if isinstance(place, int) else len(range(*place.indices(len(self))))
            return super().__getitem__(place)

    view: Any = MessagesBefore(Counting(range(1_000_000)), 999_999)  # type: ignore[arg-type]
    assert (len(view), view[-1], list(view[999_990:]), view[0]) == (999_999, 999_998, list(range(999_990, 999_999)), 0)
    assert Counting.touched == 11


def test_each_message_is_read_once_for_a_prompt(root: Path) -> None:
    touched: Counter[int] = Counter()

    class Counting(list[Message]):
        def __getitem__(self, place: Any) -> Any:
            touched.update([place] if isinstance(place, int) else range(*place.indices(len(self))))
            return super().__getitem__(place)

    said = [{"role": ("user", "assistant")[number % 2], "content": f"{number}"} for number in range(40)]
    shot = ContextBuilder(root).snapshot(Counting(said), 4, "now", now=MORNING, session_key="k", frame=FRAME)
    assert [one["content"] for one in shot.request[1:-1]] == [f"{number}" for number in range(4, 40)]
    assert touched == dict.fromkeys(range(4, 40), 1)


def test_messages_are_built_as_the_peer_builds_them(tmp_path: Path) -> None:
    builder = ContextBuilder(tmp_path)
    system, said, newest = builder.build_messages(
        [{"role": "user", "content": "Hi"}], "Now", None, None, "cli", "direct"
    )
    assert (system["role"], said["content"]) == ("system", "Hi")
    assert newest["content"].startswith(RUNTIME_TAG)
    assert newest["content"].endswith("\nConversation: cli:direct\n\nNow")
    with pytest.raises(ValueError, match="pictures"):
        builder.build_messages([], "Look", media=["cat.png"])
