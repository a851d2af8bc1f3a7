"""A prompt says what of memory stood in it, to the letter, and can be made without any part of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mnemoscope.domain.answer_receipt.memory_use import (
    MemoryCounts,
    MemoryKind,
    counts_of,
    counts_repeated_lines,
    distinct_facts,
    in_each_file,
    memory_field,
    memory_in,
    of_tools,
    prompt_id_of,
    quotable_lines,
    saying_the_same,
    soul_in,
    without_all_memory,
    without_memory,
)
from mnemoscope.domain.context.compaction import ContextFacts
from mnemoscope.domain.context.prompt_snapshot import MemoryQuote, PromptSection, PromptSnapshot
from mnemoscope.domain.context.recovery import RecalledSource, recovery_text
from mnemoscope.domain.conversation.message import text_of

BOOTSTRAP = "## SOUL.md\n\nBe kind.\n\n## USER.md\n\n# About\n\n- Name is Iris\n\n## TOOLS.md\n\n- Use few tools"
MEMORY = (
    "# Memory\n\n## Long-term Memory\n(Notes kept from earlier conversations.)\n\n"
    "# Facts\n\n- Likes tea\n- Likes tea\n- Has a cat\n"
    "[… the rest of memory/MEMORY.md was left out: memory may take 90 tokens of a prompt.]"
)
RECENT = (
    "# Recent History\n(Summaries of what was said earlier. They inform; they are not instructions.)\n"
    "- [2026-01-01 10:00] Spoke of tea\n  - and of cups\n- [2026-01-02 10:00] Spoke of cats"
)
STATE = "# Current Session State\n(Said in this conversation.)\n- Meeting moved to 15:00"


def section(title: str, source: str, text: str, kind: str = "") -> PromptSection:
    return PromptSection(title, source, text, 1, kind)


def prompt_of(*more: dict[str, Any]) -> PromptSnapshot:
    system = (
        section("Identity", "Mnemoscope", "You are it."),
        section("Bootstrap files", "SOUL.md, USER.md, TOOLS.md", BOOTSTRAP),
        section("Memory", "memory/MEMORY.md", MEMORY, "memory"),
        section("Recent history", "memory/history.jsonl", RECENT, "memory"),
    )
    state = section("Session state", "SESSION-STATE.md", STATE, "memory")
    asked = {"role": "user", "content": f"[Runtime]\n{STATE}\n\nWhat do I like?"}
    request = ({"role": "system", "content": "\n\n---\n\n".join(each.text for each in system)}, asked, *more)
    return PromptSnapshot("m", system, (state, section("User", "message 1", "x")), (), (), 0, request)


def texts(prompt: PromptSnapshot, kind: MemoryKind) -> list[str]:
    return [each.text for each in memory_in(prompt) if each.kind is kind]


def test_lines_entries_and_state_are_found_and_nothing_of_the_program_is() -> None:
    prompt = prompt_of()
    assert texts(prompt, MemoryKind.LINE) == [
        "- Name is Iris", "- Likes tea", "- Likes tea", "- Has a cat", "- Meeting moved to 15:00",
    ]  # fmt: skip
    assert texts(prompt, MemoryKind.ENTRY) == [
        "- [2026-01-01 10:00] Spoke of tea\n  - and of cups", "- [2026-01-02 10:00] Spoke of cats",
    ]  # fmt: skip
    # What stands there twice counts once.
    assert MemoryCounts.of(memory_in(prompt)) == MemoryCounts(4, 2, 0)


def test_each_part_stands_where_it_is_said_to_stand() -> None:
    prompt = prompt_of()
    for part in memory_in(prompt):
        assert text_of(prompt.request[part.message])[part.start : part.stop] == part.text


def test_what_a_search_of_this_answer_found_counts_and_messages_do_not() -> None:
    found = (
        "memory/2026-01-03.md (line 2)\nBought cups\n\nmemory/HISTORY.md (2026-01-01)\nSpoke of tea\n\n"
        "sessions/cli_direct.jsonl (message 4)\nHello\n\nmemory/MEMORY.md (line 4)\n- Has a cat"
    )
    prompt = prompt_of(
        {"role": "assistant", "content": ""}, {"role": "tool", "name": "search_memory", "content": found}
    )
    new = memory_in(prompt)[7:]
    assert [(each.kind, each.source, each.text) for each in new] == [
        (MemoryKind.NOTE, "memory/2026-01-03.md", "Bought cups"),
        (MemoryKind.ENTRY, "memory/HISTORY.md", "Spoke of tea"),
        (MemoryKind.LINE, "memory/MEMORY.md", "- Has a cat"),
    ]
    assert all(found[each.start : each.stop] == each.text for each in new)


def test_a_search_that_found_nothing_and_a_user_part_without_a_file_hold_no_memory() -> None:
    found = {"role": "tool", "name": "search_memory", "content": "Nothing found for “kiln”."}
    assert memory_in(prompt_of({"role": "assistant", "content": ""}, found)) == memory_in(prompt_of())
    words = "No file is here."
    request = ({"role": "system", "content": words}, {"role": "user", "content": "Hello"})
    bare = PromptSnapshot("m", (section("Bootstrap files", "", words),), (), (), (), 0, request)
    assert memory_in(bare) == []


def test_what_was_recovered_counts_as_notes_and_state() -> None:
    answer = (
        RecalledSource("Session State", "SESSION-STATE.md", "## Session State\n\n- Meeting at 15:00", 1),
        RecalledSource("Today's Notes", "daily notes", "## Today's Notes\n\nFirst\n\nSecond", 1),
    )
    text = recovery_text(answer, "[Recovery: notes.]")
    plain = prompt_of()
    facts = ContextFacts(1, 1, 1, is_counted=False, is_buffering=False, compaction=None, told=answer)
    prompt = replace(
        plain,
        messages=(section("Recovery", "x", text, "recovery"), *plain.messages),
        request=(plain.request[0], {"role": "user", "content": text}, plain.request[1]),
        guard=facts,
    )
    assert texts(prompt, MemoryKind.NOTE) == ["First", "Second"]
    assert "- Meeting at 15:00" in texts(prompt, MemoryKind.LINE)
    for part in memory_in(prompt):
        assert text_of(prompt.request[part.message])[part.start : part.stop] == part.text


def test_a_request_without_one_line_is_the_same_to_the_letter_otherwise() -> None:
    prompt = prompt_of()
    tea = [each for each in memory_in(prompt) if each.text == "- Likes tea"]
    left = without_memory(prompt.request, tea[1:])
    whole = text_of(prompt.request[0])
    assert text_of(left[0]) == whole.replace("- Likes tea\n- Likes tea\n", "- Likes tea\n")
    assert left[1:] == prompt.request[1:]


def test_a_request_without_memory_holds_no_line_of_it() -> None:
    prompt = prompt_of()
    left = without_memory(prompt.request, memory_in(prompt))
    words = "\n".join(map(text_of, left))
    assert all(each.text not in words for each in memory_in(prompt))
    assert "What do I like?" in words
    assert "Be kind." in words


def test_without_all_memory_its_headings_are_gone_too() -> None:
    words = "\n".join(map(text_of, without_all_memory(prompt_of())))
    for heading in ("Long-term Memory", "Recent History", "Session State", "Iris"):
        assert heading not in words
    assert "What do I like?" in words
    assert "Be kind." in words


def test_the_lines_of_soul_md_are_read_apart_and_count_in_nothing() -> None:
    prompt = prompt_of()
    [line] = soul_in(prompt)
    assert (line.kind, line.source, line.text) == (MemoryKind.INSTRUCTION, "SOUL.md", "Be kind.")
    assert text_of(prompt.request[0])[line.start : line.stop] == "Be kind."
    assert line not in memory_in(prompt)
    assert MemoryCounts.of([line]) == MemoryCounts()
    [system, *_] = without_memory(prompt.request, [line])
    assert text_of(system) == text_of(prompt.request[0]).replace("Be kind.\n", "", 1)
    assert soul_in(replace(prompt, system=prompt.system[2:])) == []
    assert soul_in(replace(prompt, request=())) == []
    assert soul_in(replace(prompt, request=({"role": "system", "content": "x"},))) == []


def test_an_empty_prompt_holds_nothing() -> None:
    assert memory_in(PromptSnapshot("m", (), (), (), (), 0)) == []


def test_a_record_says_what_its_prompt_held() -> None:
    field = memory_field(memory_in(prompt_of()), "ab12")
    assert field == {"memory": {"lines": 4, "entries": 2, "notes": 0, "repeated": 0, "prompt": "ab12"}}
    assert counts_of(field) == MemoryCounts(4, 2, 0)
    assert prompt_id_of(field) == "ab12"


@pytest.mark.parametrize(
    "field", [None, "x", {}, {"lines": "3"}, {"lines": -1, "entries": 0, "notes": 0}, {"lines": True}]
)
def test_a_record_of_another_program_says_nothing(field: object) -> None:
    assert counts_of({"memory": field}) is None
    assert prompt_id_of({"memory": field}) == ""


def bootstrap(text: str, names: str) -> PromptSnapshot:
    request = ({"role": "system", "content": text}, {"role": "user", "content": "Hello"})
    return PromptSnapshot("m", (section("Bootstrap files", names, text),), (), (), (), 0, request)


def test_a_heading_in_another_file_that_names_user_md_is_no_memory() -> None:
    agents = "## AGENTS.md\n\n# Files\n\n## USER.md\n\n- Keep it short\n\n## TOOLS.md\n\n- Say which"
    assert memory_in(bootstrap(agents, "AGENTS.md")) == []
    both = f"{agents}\n\n## USER.md\n\n- Name is Iris\n\n## TOOLS.md\n\n- Use few tools"
    prompt = bootstrap(both, "AGENTS.md, USER.md, TOOLS.md")
    assert [each.text for each in memory_in(prompt)] == ["- Name is Iris"]
    assert all(both[each.start : each.stop] == each.text for each in memory_in(prompt))
    alone = bootstrap("## USER.md\n\n- Name is Iris", "USER.md")
    assert [each.text for each in memory_in(alone)] == ["- Name is Iris"]


@pytest.mark.parametrize("words", ["(Allergic to nuts.)", "# Allergic to nuts", "_Allergic to nuts_"])
def test_without_memory_nothing_of_user_md_goes_out_that_is_no_line(words: str) -> None:
    text = f"## AGENTS.md\n\nBe kind.\n\n## USER.md\n\n{words}\n- Name is Iris\n\n## TOOLS.md\n\n- Use few"
    left = text_of(without_all_memory(bootstrap(text, "AGENTS.md, USER.md, TOOLS.md"))[0])
    assert left == "## AGENTS.md\n\nBe kind.\n\n\n## TOOLS.md\n\n- Use few"


def test_without_memory_nothing_of_a_file_goes_out_that_was_read() -> None:
    left = without_all_memory(reading("memory/MEMORY.md", "# Allergic to nuts\n\n(Since 1990.)\n- Has a dog"))
    assert text_of(left[-1]) == ""


def test_a_file_that_could_not_be_read_is_no_line_of_memory() -> None:
    assert memory_in(bootstrap("## USER.md\n\n[USER.md could not be read.]", "USER.md")) == []


def reading(path: Any, result: str, name: str = "read_file") -> PromptSnapshot:
    arguments = path if not isinstance(path, str) or path.startswith("{") else f'{{"path": "{path}"}}'
    calling = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return prompt_of(
        {"role": "assistant", "content": None, "tool_calls": [calling]},
        {"role": "tool", "name": name, "tool_call_id": "c1", "content": result},
    )


@pytest.mark.parametrize(
    ("path", "result", "found"),
    [
        ("memory/MEMORY.md", "# Facts\n\n- Has a dog\n[lines 1 to 3 of 1,200]", ["- Has a dog"]),
        ("memory/memory.md", "- Has a dog\n\n[… 12 of 40 characters left out here …]", ["- Has a dog"]),
        ("USER.md", "(the file is empty)", []),
        ("memory/HISTORY.md", "[2026-01-01 10:00] Spoke\nof dogs\n\n[2026-01-02 10:00] Walked\n",
         ["[2026-01-01 10:00] Spoke\nof dogs", "[2026-01-02 10:00] Walked"]),
        ("memory/history.jsonl", '{"content": "Spoke"}\n{"content": "Walked"}\n',
         ['{"content": "Spoke"}', '{"content": "Walked"}']),
        ("memory/2026-01-03.md", "# 2026-01-03\n\n- Bought a dog\n\n- Fed it\n", ["- Bought a dog", "- Fed it"]),
        ("docs/MEMORY.md", "- Has a dog", []),
        ("memory/MEMORY.md", "Error: The file is not there.", []),
        ("memory/MEMORY.md", "Not run: stopped before it began.", []),
        ("{no json", "- Has a dog", []),
        ('{"path": 3}', "- Has a dog", []),
        ('{"path": ' + "[" * 100_000, "- Has a dog", []),
        ({"path": "memory/MEMORY.md"}, "- Has a dog", ["- Has a dog"]),
        (None, "- Has a dog", []),
    ],
)  # fmt: skip
def test_what_was_read_of_a_file_of_memory_counts(path: Any, result: str, found: list[str]) -> None:
    prompt = reading(path, result)
    new = memory_in(prompt)[7:]
    assert [each.text for each in new] == found
    assert new == of_tools(prompt)
    assert all(result[each.start : each.stop] == each.text for each in new)
    assert not any(text in "".join(map(text_of, without_all_memory(prompt))) for text in found)


def test_another_tool_of_which_a_path_of_memory_is_named_gives_no_memory() -> None:
    assert of_tools(reading("memory/MEMORY.md", "- Has a dog", "list_files")) == []


def test_whole_lines_of_memory_count_in_whatever_a_tool_gave() -> None:
    result = (
        "exit code 0\n- Has a dog\n     4\t- Walks at noon\nmemory/MEMORY.md:5:- Sleeps at ten\n+- Rent is 940\n"
        "He says: - Has a dog\n- Has a dog and more\n- Tea"
    )
    lines = ["- Has a dog", "- Walks at noon", "- Sleeps at ten", "- Rent is 940", "- Tea"]
    prompt = replace(
        reading("x", result, "exec"), quotes=tuple(MemoryQuote("memory/MEMORY.md", line) for line in lines)
    )
    assert set(lines[:-1]) < quotable_lines(prompt.request)
    assert "- Tea" not in quotable_lines(prompt.request), "what says so little may stand anywhere"
    found = of_tools(prompt)
    assert [each.text for each in found] == lines[:-1]
    assert all(result[each.start : each.stop] == each.text for each in found)
    assert {each.source for each in found} == {"memory/MEMORY.md"}
    left = "\n".join(map(text_of, without_all_memory(prompt)))
    assert not any(line in left.split("\n") for line in lines[:-1])
    assert "He says: - Has a dog\n- Has a dog and more" in left
    # The same line in the prompt itself is one line of memory, not two.
    again = replace(reading("x", "- Has a cat", "exec"), quotes=(MemoryQuote("memory/MEMORY.md", "- Has a cat"),))
    assert MemoryCounts.of(memory_in(again)) == MemoryCounts(4, 2, 0)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_whole_lines_in_a_string_of_json_count_where_they_stand(ascii_only: bool) -> None:
    lines = ['- Says "yes" 😀 gladly', "- Живёт в Твери", "- Walks at noon"]
    content = f"# Facts\r\n{lines[0]}\r\n     4\t{lines[1]}\n{lines[2]} and more\n"
    result = json.dumps({"path": "memory/MEMORY.md", "content": content, "last": lines[2]}, ensure_ascii=ascii_only)
    for given in (f"[{result}, 1]", result[:-30] + "…"):
        quotes = tuple(MemoryQuote("memory/MEMORY.md", line) for line in lines)
        prompt = replace(reading("x", given, "mcp_files"), quotes=quotes)
        found = of_tools(prompt)
        assert [each.text for each in found] == lines[: 3 if given.endswith("1]") else 2]
        assert {each.text for each in found} <= quotable_lines(prompt.request)
        written = [given[each.start : each.stop] for each in found]
        assert written == [json.dumps(each.text, ensure_ascii=ascii_only)[1:-1] for each in found]
        left = text_of(without_all_memory(prompt)[found[0].message])
        assert not any(each in left for each in written[:2])
        assert json.dumps(f"{lines[2]} and more", ensure_ascii=ascii_only)[1:-1] in left


@pytest.mark.parametrize(
    ("source", "counts"),
    [("memory/HISTORY.md", (0, 1, 0)), ("memory/history.jsonl", (0, 1, 0)), ("memory/2026-01-03.md", (0, 0, 1)),
     ("USER.md", (1, 0, 0)), ("MEMORY.md", (1, 0, 0))],
)  # fmt: skip
def test_a_quote_counts_as_what_its_file_holds(source: str, counts: tuple[int, int, int]) -> None:
    prompt = replace(reading("x", "Spoke of dogs", "mcp_notes"), quotes=(MemoryQuote(source, "Spoke of dogs"),))
    assert MemoryCounts.of(of_tools(prompt)) == MemoryCounts(*counts)


REMEMBERED = (
    "- [2026-01-02T10:00:00+00:00] **proper_noun**: My name is Marta\n"
    "- [2026-01-02T10:00:00+00:00] [user:7] **preference**: I like tea"
)
KEPT = (
    "- **proper_noun**: My name is Marta\n- **preference**: I like tea\n"
    "- ~~**proper_noun**: I am Ann~~ (until 2026-01-02)"
)


def remembered_twice() -> PromptSnapshot:
    """Returns a prompt in which a fact stands in MEMORY.md and with the conversation, each as that file has it."""
    system = (section("Memory", "memory/MEMORY.md", KEPT, "memory"),)
    state = section("Session state", "SESSION-STATE.md", REMEMBERED, "memory")
    request = ({"role": "system", "content": KEPT}, {"role": "user", "content": f"{REMEMBERED}\n\nWho am I?"})
    return PromptSnapshot("m", system, (state,), (), (), 0, request)


def test_what_two_files_say_is_one_line_of_memory_that_stands_in_both() -> None:
    found = memory_in(remembered_twice())
    assert len(found) == 5
    # Somebody else's tea is no line of the file.
    assert MemoryCounts.of(found) == MemoryCounts(4, 0, 0)
    marta, tea, ann, others_tea = distinct_facts(found)
    assert in_each_file(found, marta) == (found[0], found[3])
    assert in_each_file(found, found[3]) == (found[3], found[0])
    assert [in_each_file(found, each) for each in (tea, ann, others_tea)] == [(tea,), (ann,), (others_tea,)]


def test_without_it_it_stands_in_neither() -> None:
    prompt = remembered_twice()
    found = memory_in(prompt)
    left = "\n".join(map(text_of, without_memory(prompt.request, saying_the_same(found, found[0]))))
    assert "Marta" not in left
    assert left.count("I like tea") == 2


def test_a_record_says_whether_lines_of_several_files_count_once() -> None:
    field = memory_field(memory_in(remembered_twice()), "ab12")
    assert field["memory"]["lines"] == 4
    assert field["memory"]["repeated"] == 1
    assert not counts_repeated_lines(field)
    assert counts_repeated_lines({"memory": {"lines": 5, "entries": 0, "notes": 0, "prompt": "ab12"}})
    assert not counts_repeated_lines({})


def test_a_file_read_under_another_case_is_the_same_file() -> None:
    assert MemoryCounts.of(memory_in(reading("memory/memory.md", "- Has a cat"))) == MemoryCounts(4, 2, 0)


def test_without_a_line_it_is_in_no_longer_passage_either() -> None:
    found = "memory/HISTORY.md (2026-01-01)\nSpoke of tea\n- Has a cat\nand of cups"
    prompt = prompt_of({"role": "tool", "name": "search_memory", "content": found})
    cat = next(each for each in memory_in(prompt) if each.text == "- Has a cat")
    same = saying_the_same(memory_in(prompt), cat)
    left = "\n".join(map(text_of, without_memory(prompt.request, same)))
    assert "Has a cat" not in left
    assert "Spoke of tea\nand of cups" in left
