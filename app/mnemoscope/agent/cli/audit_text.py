"""Writes an audit as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mnemoscope.domain.conversation.message import message_range
from mnemoscope.domain.settings import TWO_LAYER
from mnemoscope.domain.text.excerpt import shortened

_WIDTH: Final = 100
_INDENT: Final = "    "


def audit_text(found: Mapping[str, Any]) -> str:
    """Returns the text for an audit in its JSON form."""
    return "\n".join(_lines(found)).rstrip()


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"{'Store' if found['kind'] == 'store' else 'Workspace':<12}{_plain(found['workspace'])}"
    yield f"            {_kind(found)}"
    yield from _store(found) if found["kind"] == "store" else _workspace(found)
    for problem in found["problems"]:
        yield f"Problem     {_plain(problem)}"
    yield ""
    yield from _table(found["sessions"])
    for session in found["sessions"]:
        yield from _session(session)
    if found["closed"]:
        yield ""
        yield "Conversations that are closed, deleted or gone"
        for group in found["closed"]:
            yield from _group(group)
    yield from _memory_files(found["memory_files"])
    if "lines" in found:
        yield from _sources(found["lines"])
    yield ""
    yield "Damage was found." if found["damaged"] else "Nothing is damaged."


def _workspace(found: Mapping[str, Any]) -> Iterator[str]:
    if found["in_use_by"]:
        yield f"            in use by {_plain(found['in_use_by'])}"
    for place in found["words_go_to"]:
        yield f"Words go    to {_plain(place)}, once a person agreed"
    yield f"Memory      {found['memory_characters']:,} characters in {found['memory_file']}"
    yield f"History     {_count(found['history_entries'], 'entry', 'entries')} in memory/HISTORY.md"
    if found["profile"] == TWO_LAYER:
        yield f"Window      {found['memory_window']:,} messages until a consolidation"
    yield from _dream(found)
    if found["waiting_suggestions"]:
        yield f"Review      {_count(found['waiting_suggestions'], 'proposal waits', 'proposals wait')} for you"
    if found["unfinished"]:
        yield "Unfinished  a consolidation was interrupted; it is finished when the workspace is opened"
    yield from _unknown(found)


def _store(found: Mapping[str, Any]) -> Iterator[str]:
    files, loaded = found["memory_files"], sum(each["loaded_characters"] for each in found["memory_files"])
    yield f"Memory      {_count(len(files), 'file', 'files')}, {loaded:,} characters of them are in a prompt"
    yield from _unknown(found)


def _unknown(found: Mapping[str, Any]) -> Iterator[str]:
    if count := found["unknown_records"]:
        yield f"Not known   {_count(count, 'record', 'records')} of a type that this version does not know"


def _memory_files(files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not files:
        return
    yield ""
    yield f"{'Memory file':<46}{'for':<16}{'entries':>9}{'characters':>12}{'in a prompt':>13}"
    for each in files:
        counts = f"{each['entries']:>9,}{each['characters']:>12,}{each['loaded_characters']:>13,}"
        yield f"{_cut(each['path'], 44):<46}{_cut(each['role'], 15):<16}{counts}"


def _sources(lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yields each line of memory that says something, with the message it rests on below it."""
    path = None
    for each in lines:
        if not each["text"].strip():
            continue
        if each["path"] != path:
            path = each["path"]
            yield ""
            yield f"Lines of {_plain(path)}"
        yield f"{each['line']:>6,}  {_cut(each['text'], _WIDTH - 8)}"
        yield f"{_INDENT * 3}{_cut(_source(each), _WIDTH - 12)}"


def _source(line: Mapping[str, Any]) -> str:
    if line["commit"]:
        return f"from outside, with the commit {_plain(line['commit'])}"
    if line["unknown"]:
        return "cannot be told who wrote it"
    if line["by_person"]:
        return "from you, in the editor"
    if line["outside"]:
        return "from outside: no conversation wrote it"
    said = " ".join(line["message_text"].split())
    return f"{line['session']}: {said}" if said else f"{line['session']}, from no single message"


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
    if found["kind"] == "store":
        return f"{found['store']}, read and never written to"
    made_by = "made by another program" if found["kind"] == "peer" else "Mnemoscope's own"
    return f"{made_by}, profile {found['profile']}"


def _table(sessions: list[Mapping[str, Any]]) -> Iterator[str]:
    yield f"{'Conversation':<40}{'messages':>10}{'consolidated':>14}{'to go':>8}{'damaged':>10}  changed"
    for session in sessions:
        to_go = "–" if session["until_next"] is None else f"{session['until_next']:,}"
        there = session["messages"] - session["deleted"]
        consolidated = session["last_consolidated"] - session["deleted_consolidated"]
        yield (
            f"{_cut(session['title'] or session['key'], 38):<40}{there:>10,}"
            f"{consolidated:>14,}{to_go:>8}{len(session['damage']):>10,}"
            f"  {session['updated_at'][:16].replace('T', ' ')}"
        )
    if not sessions:
        yield "(none)"


def _session(session: Mapping[str, Any]) -> Iterator[str]:
    apart = ("groups", "damage", "problem", "complaints", "other_branches")
    if not any(session[name] for name in apart):
        return
    yield ""
    yield _cut(session["title"] or session["key"], _WIDTH)
    yield f"{_INDENT}{_plain(session['key'])}  {_plain(session['file'])}"
    if session["problem"]:
        yield f"{_INDENT}could not be read: {_plain(session['problem'])}"
    for group in session["groups"]:
        yield from _group(group)
    if session["unexplained"]:
        unexplained = _count(session["unexplained"], "consolidated message", "consolidated messages")
        yield f"{_INDENT}{unexplained} in no known entry"
    for damage in session["damage"]:
        if not damage["length"]:
            yield f"{_INDENT}damaged: {_plain(damage['reason'])}"
            continue
        place = f"line {damage['line']:,}, byte {damage['offset']:,}, {damage['length']:,} bytes"
        yield f"{_INDENT}damaged: {place}: {_plain(damage['reason'])}"
    for complaint in session["complaints"]:
        yield f"{_INDENT}note: {_plain(complaint)}"
    for branch in session["other_branches"]:
        messages = _count(branch["messages"] - branch["deleted"], "message", "messages")
        yield f"{_INDENT}another branch from message {branch['start'] + 1:,} on: {messages}, {_plain(branch['file'])}"
        for group in branch["groups"]:
            yield from _group(group)


def _group(group: Mapping[str, Any]) -> Iterator[str]:
    notes = [f"+{_count(len(group['facts_added']), 'fact', 'facts')}"] if group["facts_added"] else []
    notes += [f"-{_count(len(group['facts_removed']), 'fact', 'facts')}"] if group["facts_removed"] else []
    notes += [group["outcome"]] if group["outcome"] else []
    notes += ["matched by time"] if group["inferred"] else []
    suffix = f"  ({', '.join(notes)})" if notes else ""
    yield f"{_INDENT}{message_range(group['start'], group['stop'])}{suffix}"
    entry = " ".join(_plain(group["entry"]).split()) or "(no entry)"
    yield from textwrap.wrap(entry, _WIDTH, initial_indent=_INDENT * 2, subsequent_indent=_INDENT * 2)


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _cut(text: str, limit: int) -> str:
    return shortened(_plain(text), limit)


def _plain(text: str) -> str:
    """Returns a text without what a terminal would obey."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)
