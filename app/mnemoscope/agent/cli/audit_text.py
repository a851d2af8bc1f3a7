"""The audit as a person reads it in a terminal: aligned, at most 100 columns, nothing but text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mnemoscope.domain.conversation.message import message_numbers
from mnemoscope.domain.settings import TWO_LAYER

WIDTH: Final = 100
_INDENT: Final = "    "


def audit_text(found: Mapping[str, Any]) -> str:
    """Returns the text for an audit in its JSON form."""
    return "\n".join(_lines(found)).rstrip()


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"Workspace   {_plain(found['workspace'])}"
    yield f"            {_kind(found)}"
    if found["in_use_by"]:
        yield f"            in use by {_plain(found['in_use_by'])}"
    yield f"Memory      {found['memory_characters']:,} characters in {found['memory_file']}"
    yield f"History     {_count(found['history_entries'], 'entry', 'entries')} in memory/HISTORY.md"
    if found["profile"] == TWO_LAYER:
        yield f"Window      {found['memory_window']:,} messages until a consolidation"
    yield from _dream(found)
    if found["waiting_suggestions"]:
        yield f"Review      {_count(found['waiting_suggestions'], 'suggestion waits', 'suggestions wait')} for you"
    if found["unfinished"]:
        yield "Unfinished  a consolidation was interrupted; it is finished when the workspace is opened"
    for problem in found["problems"]:
        yield f"Problem     {_plain(problem)}"
    yield ""
    yield from _table(found["sessions"])
    for session in found["sessions"]:
        yield from _session(session)
    if found["closed"]:
        yield ""
        yield "Closed conversations (in sessions/archive/)"
        for group in found["closed"]:
            yield from _group(group)
    yield ""
    yield "Damage was found." if found["damaged"] else "Nothing is damaged."


def _dream(found: Mapping[str, Any]) -> Iterator[str]:
    if found["journal_entries"]:
        entries = _count(found["journal_entries"], "entry", "entries")
        read = f"Dream has read up to {found['dream_cursor']:,}, {found['dream_waiting']:,} to go"
        yield f"Journal     {entries} in memory/history.jsonl; {read}"
    if found["dream_runs"]:
        yield f"Dream       {_count(found['dream_runs'], 'run', 'runs')}"
    if found["versions"]:
        yield f"Versions    {found['versions']:,} of the memory files, in git"


def _kind(found: Mapping[str, Any]) -> str:
    made_by = "made by another program" if found["kind"] == "peer" else "Mnemoscope's own"
    return f"{made_by}, profile {found['profile']}"


def _table(sessions: list[Mapping[str, Any]]) -> Iterator[str]:
    yield f"{'Conversation':<44}{'messages':>10}{'settled':>10}{'to go':>8}{'damaged':>10}  changed"
    for session in sessions:
        to_go = "–" if session["until_next"] is None else f"{session['until_next']:,}"
        yield (
            f"{_cut(session['title'] or session['key'], 42):<44}{session['messages']:>10,}"
            f"{session['last_consolidated']:>10,}{to_go:>8}{len(session['damage']):>10,}"
            f"  {session['updated_at'][:16].replace('T', ' ')}"
        )
    if not sessions:
        yield "(none)"


def _session(session: Mapping[str, Any]) -> Iterator[str]:
    if not (session["groups"] or session["damage"] or session["problem"] or session["complaints"]):
        return
    yield ""
    yield _cut(session["title"] or session["key"], WIDTH)
    yield f"{_INDENT}{_plain(session['key'])}  {_plain(session['file'])}"
    if session["problem"]:
        yield f"{_INDENT}could not be read: {_plain(session['problem'])}"
    for group in session["groups"]:
        yield from _group(group)
    if session["unexplained"]:
        yield f"{_INDENT}{_count(session['unexplained'], 'settled message', 'settled messages')} in no known entry"
    for damage in session["damage"]:
        place = f"line {damage['line']:,}, byte {damage['offset']:,}, {damage['length']:,} bytes"
        yield f"{_INDENT}damaged: {place}: {_plain(damage['reason'])}"
    for complaint in session["complaints"]:
        yield f"{_INDENT}note: {_plain(complaint)}"


def _group(group: Mapping[str, Any]) -> Iterator[str]:
    notes = [f"+{len(group['facts_added'])} facts"] if group["facts_added"] else []
    notes += [f"-{len(group['facts_removed'])} facts"] if group["facts_removed"] else []
    notes += ["held for review"] if group["held_for_review"] else []
    notes += ["inferred from times"] if group["inferred"] else []
    suffix = f"  ({', '.join(notes)})" if notes else ""
    first, last = message_numbers(group["start"], group["stop"])
    yield f"{_INDENT}messages {first:,} to {last:,}{suffix}"
    entry = " ".join(_plain(group["entry"]).split()) or "(no entry)"
    yield from textwrap.wrap(entry, WIDTH, initial_indent=_INDENT * 2, subsequent_indent=_INDENT * 2)


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _cut(text: str, limit: int) -> str:
    text = _plain(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _plain(text: str) -> str:
    """Returns a text without what a terminal would obey."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
