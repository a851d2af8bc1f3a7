"""Without a language model, Dream puts lasting facts of the journal, once each, where facts of their kind stand."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from mnemoscope.domain.conversation.message import Message, text_of
from mnemoscope.domain.llm import LLMResponse, ToolCallRequest
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.domain.memory.journal_entry import QUOTED_MARK, JournalFact, facts_of
from mnemoscope.llm.offline.answers import call_id
from mnemoscope.llm.offline.consolidation import begins_sections, insert_fact, likeness_key
from mnemoscope.llm.offline.stated_facts import StatedFact, facts_in

_FILE: Final = re.compile(r"^## File: (?P<path>\S+)\n", re.MULTILINE)
_HISTORY: Final = "\n\n## Conversation History\n"
_ENTRY: Final = re.compile(r"^\[\d{4}-\d\d-\d\d[^\]]*\] ", re.MULTILINE)
_RAW_USER: Final = re.compile(r"^ *\[[^\]]*\] USER: (.*)$", re.MULTILINE)
_PREFERENCE: Final = re.compile(r"\b(?:prefer|like|love|hate|dislike|favou?rite)", re.IGNORECASE)
_DECISION: Final = re.compile(r"\b(?:decided|agreed|chose)", re.IGNORECASE)


def is_dream(messages: Sequence[Mapping[str, Any]], offered: Collection[str]) -> bool:
    """Returns whether this is Dream asking, with its tools and the files with the journal below them."""
    return {"edit_file", "write_file"} <= set(offered) and any(
        message.get("role") == "user" and _HISTORY in text_of(message) and _FILE.match(text_of(message))
        for message in messages[:2]
    )


def dream_response(messages: Sequence[Message]) -> LLMResponse:
    """Returns the edits first, and once they are made a word about them."""
    results = [text_of(message) for message in messages if message.get("role") == "tool"]
    if results:
        done = sum(result.endswith("is changed.") for result in results)
        return LLMResponse(f"Added what the history log states to {done} {'file' if done == 1 else 'files'}.", cost=0.0)
    question = next(text_of(message) for message in messages if message.get("role") == "user")
    files, history = _read(question)
    calls: list[ToolCallRequest] = []
    for path, facts in _by_file(history).items():
        before = files.get(path, "")
        after = _with_facts(before, facts)
        if after != before:
            calls.append(_call(f"{call_id(messages)}_{len(calls)}", path, before, after))
    if not calls:
        return LLMResponse("Nothing in the history log is new to the memory.", cost=0.0)
    return LLMResponse(None, tuple(calls), "tool_calls", cost=0.0)


def _read(question: str) -> tuple[dict[str, str], str]:
    shown, _, history = question.partition(_HISTORY)
    starts = list(_FILE.finditer(shown))
    ends = [match.start() for match in starts[1:]] + [len(shown)]
    texts = {match["path"]: shown[match.end() : end].strip() for match, end in zip(starts, ends, strict=True)}
    return {path: "" if text == "(empty)" else text for path, text in texts.items()}, history


def _by_file(history: str) -> dict[str, list[StatedFact]]:
    found: dict[str, list[StatedFact]] = {USER_PATH: [], MEMORY_PATH: []}
    for entry in _ENTRY.split(history):
        stated = [fact for fact in facts_of(entry) if not fact.text.endswith(QUOTED_MARK) and fact.kind != "ephemeral"]
        for fact in stated:
            found[USER_PATH if fact.kind == "permanent" else MEMORY_PATH].append(StatedFact(fact.text, _kind(fact)))
        if entry.startswith("[RAW]"):
            for words in _RAW_USER.findall(entry):
                for said in facts_in(words):
                    about_person = said.kind in ("person", "preference")
                    found[USER_PATH if about_person else MEMORY_PATH].append(said)
    return found


def _kind(fact: JournalFact) -> str:
    if fact.kind == "permanent":
        return "preference" if _PREFERENCE.search(fact.text) else "person"
    return "decision" if _DECISION.search(fact.text) else "note"


def _with_facts(text: str, facts: Sequence[StatedFact]) -> str:
    lines = text.split("\n") if text else []
    makes_headings = begins_sections(lines)
    known = likeness_key(text)
    for fact in facts:
        key = likeness_key(fact.text)
        if key and f" {key} " not in f" {known} ":
            insert_fact(lines, fact, makes_headings=makes_headings)
            known += f" {key} "
    return "\n".join(lines)


def _call(identity: str, path: str, before: str, after: str) -> ToolCallRequest:
    if not before:
        return ToolCallRequest(identity, "write_file", {"path": path, "content": after.rstrip("\n") + "\n"})
    return ToolCallRequest(identity, "edit_file", {"path": path, "old_text": before, "new_text": after})
