"""Answers programs outside about one workspace's memory: they may search, read and trace it, and propose to it.

Only `propose` writes: it adds a file to the inbox, and the person decides about it. Every answer is bounded, and has
its secrets masked.
"""

from __future__ import annotations

import os
import secrets
import stat
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from mnemoscope.agent.mcp.line_origins import LineOrigins, MessageShown, find_line
from mnemoscope.domain.errors import StorageError, ToolError
from mnemoscope.domain.forgetting.forgotten_lines import LEFT_OUT, with_marks, without_forgotten
from mnemoscope.domain.forgetting.tombstone import Recall
from mnemoscope.domain.memory.facts import fact_key, fact_lines, headings
from mnemoscope.domain.memory.file_registry import LOG_NAMES, STATE_PATH, USER_PATH
from mnemoscope.domain.memory.outside_proposal import (
    LONGEST_PROPOSAL,
    MOST_OF_A_CALLER,
    MOST_PROPOSALS,
    OutsideProposal,
    claimed_name,
    proposed_lines,
)
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.domain.secrets.detection import mask_secrets
from mnemoscope.domain.text.characters import decoded, with_plain_line_ends
from mnemoscope.domain.text.excerpt import shortened
from mnemoscope.memory.search.inactive_exchanges import InactiveExchanges
from mnemoscope.memory.search.origins import agent_passages
from mnemoscope.memory.search.recall import found_in_files, passages_without_forgotten
from mnemoscope.store.files.atomic import READ_FLAGS, encode_text, read_at_most
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.files.text_encoding import decoded_text
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.forgetting.tombstones_file import Tombstones
from mnemoscope.store.logs.history_log import DAILY_NOTE
from mnemoscope.store.memory.proposal_inbox import ProposalInbox
from mnemoscope.store.search.search_hit import SearchHit, files_of, without_inactive
from mnemoscope.store.search.search_sources import SearchKind
from mnemoscope.store.search.workspace_search import WorkspaceSearch
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import MEMORY_NAME, WorkspacePaths
from mnemoscope.store.workspace.workspace import open_workspace

MOST_HITS: Final = 40
LONGEST_QUERY: Final = 1_000
LONGEST_LINE: Final = 4_000
"""Characters of a line that is asked about."""
LONGEST_ANSWER: Final = 24_000
"""Characters of an answer."""
_PAGE: Final = 20_000
"""Characters of a file in one answer."""
_MOST_READ: Final = 400_000
"""Bytes that are read of a file: the first of memory, the last of a log."""
_PASSAGE: Final = 1_200
_MESSAGE: Final = 4_000
_SPARE: Final = 20
"""Passages looked at beyond those that are given: words of models give way to the person's."""
_INDEXING_SECONDS: Final = 20.0
_NO_KEY: Final = (
    "What the person had forgotten in this workspace cannot be told from the rest here: its key is on another computer,"
    " or in a keychain that is locked. Until the key is here, nothing of this memory is given out."
)
_LEFT_TITLE: Final = "[…]"
"""Replaces the title of a conversation where that was forgotten."""
_LEFT: Final = "[left out: of a message that is deleted, or lies on a branch that is not active]"
_MOST_NOTES: Final = 14
_TITLES_NAMED: Final = 20
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class _Readable:
    """Describes a file that may be read: `is_log` where its end counts most."""

    path: Path
    is_log: bool = False


class SharedMemory:
    """Answers for one workspace. Its methods block on the disk, one at a time, and raise MnemoscopeError; each sees the
    workspace as it is then. `keys`: known ones that are masked in whatever comes in or goes out. `tombstone_key`:
    the one for what the person had forgotten, of which nothing that came back is given out; None for no key. Where
    something was forgotten and its key is not here, nothing is given out at all: nobody can tell what came back."""

    def __init__(
        self,
        root: Path,
        *,
        keys: Callable[[], Collection[str]] = frozenset,
        clock: Callable[[], datetime] = datetime.now,
        tombstone_key: TombstoneKey | None = None,
    ) -> None:
        self._root = root
        self._tombstone_key = tombstone_key or TombstoneKey()
        self._tombstones: Tombstones | None = None
        self._keys = keys
        self._clock = clock
        self._lock = threading.Lock()
        self._search: tuple[WorkspacePaths, WorkspaceSearch] | None = None

    def close(self) -> None:
        """Throws the search index away, which lies in a temporary folder."""
        with self._lock:
            if self._search is not None:
                self._search[1].close()
                self._search = None

    def abandon(self) -> None:
        """Removes the search index at once, whatever is being done with it, because the process ends."""
        if self._search is not None:
            self._search[1].database.abandon()

    def search(self, query: str, limit: int) -> str:
        """Returns the passages of memory, notes, history and conversations that were found, best first."""
        with self._opened() as paths:
            self._require_key()
            index = self._index(paths).passages
            index.catch_up(_INDEXING_SECONDS)
            hits = index.find(query[:LONGEST_QUERY], limit + _SPARE)
            if index.state.problem:
                found = found_in_files(paths, query[:LONGEST_QUERY], _inactive_exchanges(paths).lines)
            else:
                hits = without_inactive(hits, _inactive_exchanges(paths).lines(files_of(hits)))
                found = agent_passages(paths, [hit for hit in hits if _is_given_out(hit)])
            found = list(islice(passages_without_forgotten(found, self._is_forgotten), limit))
            passages = [f"{each.source} ({each.where})\n{shortened(each.text, _PASSAGE)}" for each in found]
            is_whole = index.state.is_current or bool(index.state.problem)
        answer = "\n\n".join(passages) or "Nothing was found for this query."
        return self._given(answer if is_whole else f"{answer}\n\n(Not everything is indexed yet: ask once more.)")

    def read(self, name: str, from_line: int | None) -> str:
        """Returns lines of a memory file: from `from_line`, counted from 1; of a log the last ones where it is None."""
        with self._opened() as paths:
            self._require_key()
            return self._page(paths, name, from_line)

    def memory(self) -> str:
        """Returns the beginning of MEMORY.md."""
        return self.read(MEMORY_NAME, None)

    def history(self) -> str:
        """Returns the newest part of the log that is written: history.jsonl, or else HISTORY.md, or else the newest
        daily note."""
        with self._opened() as paths:
            self._require_key()
            readable = _readable(paths)
            notes = (name for name in readable if DAILY_NOTE.fullmatch(name))
            there = next((name for name in (*reversed(LOG_NAMES), *notes) if name in readable), None)
            return self._page(paths, there, None) if there else "There is no history yet."

    def source(self, line: str) -> str:
        """Returns who wrote a line of MEMORY.md, and the messages it rests on."""
        with self._opened() as paths:
            self._require_key()
            row = find_line(_text_of(_Readable(paths.memory_file), links=True).split("\n"), line)
            if row is None or with_marks(row, self._is_forgotten)[1]:
                raise ToolError(
                    "No single line of MEMORY.md says that.", next_step="Give the line as memory_read shows it."
                )
            found = LineOrigins(paths).of(row)
        parts = [row, f"Written by {found.author}." if found.author else "Nobody noted who wrote it."]
        parts += [self._message(each) for each in found.messages]
        if found.is_withheld:
            parts.append("The messages behind it are not here any more, or are not given out.")
        elif not found.messages:
            parts.append("No message is known that it rests on.")
        return self._given("\n\n".join(parts))

    def propose(self, text: str, heading: str, caller: str) -> str:
        """Puts a proposal into the inbox, where it waits for the person, and says so."""
        name, text = claimed_name(caller), mask_secrets(text, self._keys())
        with self._opened() as paths:
            if len(encode_text(text)) > LONGEST_PROPOSAL:
                raise ToolError(f"A proposal has at most {LONGEST_PROPOSAL:,} bytes.", next_step="Send it in parts.")
            lines = proposed_lines(text)
            if not lines:
                raise ToolError("There is nothing in this proposal.", next_step="Say one fact a line.")
            memory = _text_of(_Readable(paths.memory_file), links=True)
            self._require_heading(memory, heading)
            inbox = ProposalInbox(paths)
            waiting = _Waiting(inbox, Ledger(paths))
            if said := waiting.said_already(memory, lines, name):
                return said
            waiting.require_room(name)
            heading = heading.strip()
            inbox.put(OutsideProposal(secrets.token_hex(8), self._clock().isoformat(), name, text, heading))
            count = waiting.of(name) + 1
        return (
            "It waits for the person's review in Mnemoscope, and is part of memory only if they accept it. "
            f"Of your proposals, {count:,} of at most {MOST_OF_A_CALLER:,} wait."
        )

    def status(self, caller: str) -> str:
        """Returns what this memory is, what can be read of it, and how many proposals wait."""
        name = claimed_name(caller)
        with self._opened() as paths:
            opened = open_workspace(self._root, read_only=True).report
            memory = _text_of(_Readable(paths.memory_file), links=True)
            waiting = _Waiting(ProposalInbox(paths), Ledger(paths))
            where = "has this workspace open now" if opened.in_use_by else "does not have this workspace open now"
            rows = [
                f"Memory of the workspace “{paths.root.name}”, profile {opened.profile}.",
                f"MEMORY.md: {len(memory):,} characters, {len(fact_lines(memory)):,} facts.",
                f"Files that memory_read gives: {', '.join(_readable(paths)) or 'none yet'}.",
                _NO_KEY if self._lacks_key() else f"Sections: {self._named_titles(memory) or 'none'}.",
                f"You are known as “{name}”. Of your proposals, {waiting.of(name):,} of {MOST_OF_A_CALLER:,} wait.",
                f"A person decides on each of them in Mnemoscope, which {where}.",
            ]
        return self._given("\n".join(rows))

    @contextmanager
    def _opened(self) -> Iterator[WorkspacePaths]:
        with self._lock, open_workspace(self._root, read_only=True) as workspace:
            _require_inside(workspace.paths)
            if self._tombstones is None:
                self._tombstones = Tombstones(workspace.paths.own.tombstones_file, self._tombstone_key)
            yield workspace.paths

    def _lacks_key(self) -> bool:
        return self._tombstones is not None and bool(self._tombstones.problem())

    def _require_key(self) -> None:
        """Raises ToolError where it cannot be told what the person had forgotten."""
        if self._lacks_key():
            raise ToolError(_NO_KEY, next_step="Ask the person; what is proposed still waits for their review.")

    def _is_forgotten(self, line: str) -> bool:
        return self._tombstones is not None and self._tombstones.match(line) is Recall.FORGOTTEN

    def _index(self, paths: WorkspacePaths) -> WorkspaceSearch:
        """Returns the search, whose index is a temporary file and is kept from one call to the next."""
        if self._search is None or self._search[0] != paths:
            if self._search is not None:
                self._search[1].close()
            self._search = paths, WorkspaceSearch(paths, writable=False)
        return self._search[1]

    def _page(self, paths: WorkspacePaths, name: str, from_line: int | None) -> str:
        readable = _readable(paths)
        if name not in readable:
            raise ToolError(
                f"There is no memory file called “{shortened(name, 60)}”.",
                next_step=f"There are: {', '.join(readable) or 'none yet'}.",
            )
        # Masked before it is cut: half a key would not be known as one.
        text = mask_secrets(_text_of(readable[name], links=name == MEMORY_NAME), self._keys())
        file = path_within(readable[name].path, paths.root)
        left = _inactive_exchanges(paths).lines([file]).get(file, frozenset())
        rows = [self._row(row, left) for row in text.removesuffix("\n").split("\n")]
        start = _first_of_last_page(rows) if readable[name].is_log and from_line is None else (from_line or 1) - 1
        stop, room = start, _PAGE
        while stop < len(rows) and (stop == start or len(rows[stop]) < room):
            room -= len(rows[stop]) + 1
            stop += 1
        if start >= len(rows):
            raise ToolError(f"{name} has {len(rows):,} lines.", next_step="Ask for an earlier one.")
        more = f"; it goes on at line {stop + 1:,}" if stop < len(rows) else ""
        return self._given(
            "\n".join([f"({name}, lines {start + 1:,} to {stop:,} of {len(rows):,}{more})", *rows[start:stop]])
        )

    def _row(self, row: str, left: Collection[str]) -> str:
        if with_marks(row, self._is_forgotten)[1]:
            return LEFT_OUT
        return _LEFT if row.strip() in left else shortened(row, _PAGE)

    def _require_heading(self, memory: str, heading: str) -> None:
        if heading.strip() and heading.strip() not in headings(memory):
            raise ToolError(
                "MEMORY.md has no section of that title.",
                next_step="Name none."
                if self._lacks_key()
                else f"Its sections are: {self._named_titles(memory) or 'none'}. Or name none.",
            )

    def _named_titles(self, memory: str) -> str:
        named = (each for each in headings(memory) if not self._is_forgotten(each))
        return ", ".join(f"“{shortened(mask_secrets(each), 80)}”" for each in islice(named, _TITLES_NAMED))

    def _message(self, shown: MessageShown) -> str:
        text = without_forgotten(shown.text, self._is_forgotten)[0]
        text = shortened(mask_secrets(text, self._keys()), _MESSAGE)
        title = _LEFT_TITLE if self._is_forgotten(shown.title) else shown.title
        return f"Message {shown.number:,} of “{title}”, {shown.when or 'no time'}, by {shown.said_by}:\n{text}"

    def _given(self, text: str) -> str:
        return shortened(mask_secrets(text, self._keys()), LONGEST_ANSWER)


class _Waiting:
    """Counts the proposals that wait, in the inbox and as suggestions."""

    def __init__(self, inbox: ProposalInbox, ledger: Ledger) -> None:
        self._held: list[Suggestion] = [each for each in ledger.suggestions() if each.claimed_by]
        taken = {each.id for each in self._held}
        self._sent = [each for each in inbox.look().proposals if each.id not in taken]
        self._counts = Counter([*(each.claimed_by for each in self._held), *(each.caller for each in self._sent)])

    def of(self, name: str) -> int:
        """Returns how many of this name's wait."""
        return self._counts[name]

    def require_room(self, name: str) -> None:
        """Raises StorageError where no more may wait."""
        if self.of(name) >= MOST_OF_A_CALLER or self._counts.total() >= MOST_PROPOSALS:
            of_whom = "of yours" if self.of(name) >= MOST_OF_A_CALLER else "in all"
            count = MOST_OF_A_CALLER if of_whom == "of yours" else MOST_PROPOSALS
            raise StorageError(
                f"{count:,} proposals {of_whom} wait for review already, which is the most there may be.",
                next_step="A person has to decide on them in Mnemoscope first.",
            )

    def said_already(self, memory: str, lines: Collection[str], name: str) -> str:
        """Returns a sentence where memory says all of the lines, or the same proposal waits; "" where neither is so."""
        wanted = {fact_key(line) for line in lines}
        if wanted <= _keys_of(memory):
            return "Memory says this already, so nothing was proposed."
        waits = [proposed_lines(each.text) for each in self._sent if each.caller == name]
        texts = ["\n".join(each) for each in waits] + [each.proposed for each in self._held if each.claimed_by == name]
        return "The same waits for review already." if any(wanted <= _keys_of(text) for text in texts) else ""


def _is_given_out(hit: SearchHit) -> bool:
    """Returns whether a passage may be given: not one of a branch that the person left, nor of a conversation's state,
    which stays where it is when the conversation is not remembered any more."""
    return hit.kind not in (SearchKind.BRANCH, SearchKind.STATE) and not hit.path.endswith(STATE_PATH)


def _inactive_exchanges(paths: WorkspacePaths) -> InactiveExchanges:
    """Returns what knows the lines that a conversation has left: of daily notes alone, as no state is given out."""
    return InactiveExchanges(paths, SessionManager(paths.root, read_only=True).with_branch)


def _keys_of(text: str) -> set[str]:
    return {fact_key(line) for line in fact_lines(text)}


def _require_inside(paths: WorkspacePaths) -> None:
    """Raises StorageError where a folder or file that is read leads out of the workspace: who asks may be locked into
    it, and has no business elsewhere."""
    places = (
        paths.memory_dir,
        paths.memory_file,
        paths.sessions_dir,
        paths.archive_dir,
        paths.branches_dir,
        paths.root / "memories",
        paths.own.folder,
        paths.own.suggestions_dir,
        paths.own.settled_dir,
        paths.own.ledger_dir,
    )
    root = paths.root.resolve()
    for place in places:
        if not place.resolve().is_relative_to(root):
            name = path_within(place, paths.root)
            raise StorageError(f"“{name}” leads out of the workspace, so nothing is given out.", next_step="")


def _readable(paths: WorkspacePaths) -> dict[str, _Readable]:
    """Returns the files that may be read, by the one name each has here: no path is ever taken from a caller."""
    named = {MEMORY_NAME: _Readable(paths.memory_file), USER_PATH: _Readable(paths.file(USER_PATH))}
    named |= {name: _Readable(paths.memory_dir / name, is_log=True) for name in LOG_NAMES}
    try:
        days = sorted((name for name in os.listdir(paths.memory_dir) if DAILY_NOTE.fullmatch(name)), reverse=True)
    except OSError:
        days = []
    named |= {name: _Readable(paths.memory_dir / name) for name in days[:_MOST_NOTES]}
    return {
        name: each
        for name, each in named.items()
        if each.path.is_file() and (name == MEMORY_NAME or not each.path.is_symlink())
    }


def _text_of(readable: _Readable, *, links: bool) -> str:
    """Returns the text of a plain file, the last of a long log; "" where there is none. Raises StorageError."""
    try:
        descriptor = os.open(readable.path, READ_FLAGS | (0 if links else _NO_LINK))
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise StorageError(f"{readable.path.name} could not be read.", next_step="") from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise StorageError(f"{readable.path.name} is no plain file.", next_step="")
        if readable.is_log and status.st_size > _MOST_READ:
            file.seek(status.st_size - _MOST_READ)
            file.readline()
        data = read_at_most(file, _MOST_READ)
    if readable.is_log:
        return decoded(data)
    return with_plain_line_ends(decoded_text(data, readable.path.name, whole=status.st_size <= len(data)))


def _first_of_last_page(rows: list[str]) -> int:
    room, start = _PAGE, len(rows)
    while start and (start == len(rows) or len(rows[start - 1]) < room):
        start -= 1
        room -= len(rows[start]) + 1
    return start
