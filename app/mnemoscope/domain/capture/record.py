"""A record is kept of each capture and each refusal: what was said where, what became of it, and why.

.mnemoscope/captures.jsonl holds one JSON object each; a later object with the same id replaces an earlier one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

STATE_HEADER: Final = "# SESSION-STATE.md — Active Working Memory"
"""The head of the file that captures of a conversation go to."""
KEPT: Final = "kept"
REFUSED: Final = "refused"
UNDONE: Final = "undone"
_OUTCOMES: Final = (KEPT, REFUSED, UNDONE)
SECRET: Final = "secret"
DUPLICATE: Final = "duplicate"
TOMBSTONE: Final = "tombstone"
FORGOTTEN: Final = "forgotten"
PAUSED: Final = "paused"
NO_MEMORY: Final = "no memory file"
"""The reasons, from SECRET on, for which something is not captured: it holds a key, it is kept already, the person
deleted it or had it forgotten, capture is paused, or the memory file was removed. The constants below are further
reasons."""
NOTHING_BEFORE: Final = "nothing before it"
"""Nothing stands before a wish to remember `this`, so there is nothing to keep."""
NOT_OWN_WORDS: Final = "not your own words"
"""A wish to remember, or what stands before it, is quoted, pasted, code or a text to work on."""
QUESTION: Final = "question"
VAGUE: Final = "too vague"
HYPOTHETICAL: Final = "hypothetical"
_TOLD: Final = frozenset(
    {HYPOTHETICAL, SECRET, TOMBSTONE, FORGOTTEN, PAUSED, NO_MEMORY, NOTHING_BEFORE, NOT_OWN_WORDS, QUESTION, VAGUE}
)
_TWIN: Final = f"{DUPLICATE} of "
_MARK: Final = 16
_LEFT: Final = "[…]"
"""The mark where forgotten words stood (`MARK` in forgetting.forgotten_text)."""


@dataclass(frozen=True, slots=True)
class CaptureRecord:
    """Holds the record of one capture or refusal, of message `index` of a conversation that began at
    `session_created_at`.

    `text` holds the words with keys masked, `fact` the hash of what they say. A capture that was kept has `state_line`
    and `memory_line` ("" if it was not added there), and `replaced`, the line of memory it replaced, which stands there
    as `struck` now; `change_id` names the change of memory. `replaced_state` is the line of the state that it struck.
    `reason` says why it was refused, or which line said it already. `when` is naive local ISO 8601.
    """

    id: str
    when: str
    session_key: str
    session_created_at: str
    index: int
    category: str
    text: str
    rule: str = ""
    language: str = ""
    outcome: str = KEPT
    reason: str = ""
    fact: str = ""
    state_line: str = ""
    memory_line: str = ""
    replaced: str = ""
    struck: str = ""
    change_id: str = ""
    known_line: str = ""
    """The number of the line of MEMORY.md that said it already, or says it still after this was undone; "" for none."""
    known_by: str = ""
    """The author of that line, as the kind of a MemoryOrigin; "" where nobody knows."""
    replaced_state: str = ""

    @property
    def is_known(self) -> bool:
        """Returns whether memory says it in a line that this capture did not write."""
        return bool(self.known_line) and not (self.outcome == KEPT and self.wrote_memory)

    @property
    def twin(self) -> str:
        """Returns the line that said it already, "" for none."""
        return self.reason.removeprefix(_TWIN) if self.reason.startswith(_TWIN) else ""

    @property
    def is_forgotten(self) -> bool:
        """Returns whether all its words were forgotten: a mark alone stands in their place."""
        return self.text.strip() == _LEFT

    @property
    def may_be_undone(self) -> bool:
        """Returns whether there is anything to take back: what memory knows without this capture stays in it."""
        return self.outcome == KEPT and not self.is_known and not self.is_forgotten

    @property
    def wrote_memory(self) -> bool:
        """Returns whether the line of memory is its own: a change of memory says so. Earlier versions claimed lines
        that stood there before."""
        return bool(self.memory_line and self.change_id)

    @property
    def may_be_kept(self) -> bool:
        """Returns whether a person may have it kept after all: not a secret, nor what is there already, nor words
        that are not there any more."""
        return not self.is_forgotten and (
            (self.outcome == UNDONE and not self.is_known)
            or (
                self.outcome == REFUSED
                and self.reason not in (SECRET, NOTHING_BEFORE)
                and not self.reason.startswith(DUPLICATE)
            )
        )

    @property
    def is_refused_wish(self) -> bool:
        """Returns whether the person asked to have something remembered and it was not: that is told them."""
        return (self.category, self.outcome) == ("remember", REFUSED) and self.reason in _TOLD


def twin_reason(line: str) -> str:
    """Returns the reason that names the line which said it already."""
    return f"{_TWIN}{line.strip()}"


def capture_hash(key: tuple[str, str, str]) -> str:
    """Returns the hash that names a fact in the log: 16 hexadecimal digits, the same for the same fact in other
    words."""
    return hashlib.sha256("\n".join(key).encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]


def as_document(record: CaptureRecord) -> dict[str, Any]:
    """Returns the record as a line of the log holds it."""
    return asdict(record)


def record_of(document: object) -> CaptureRecord | None:
    """Returns the record that a JSON object holds, or None if it holds none."""
    if not isinstance(document, Mapping):
        return None
    known = {field.name: document[field.name] for field in fields(CaptureRecord) if field.name in document}
    if not all(type(value) is (int if name == "index" else str) for name, value in known.items()):
        return None
    if known.get("outcome", KEPT) not in _OUTCOMES or known.get("index", 0) < 0:
        return None
    try:
        return CaptureRecord(**known)
    except TypeError:
        return None
