"""A conversation is kept whole, kept as one that memory does not take from, or not kept at all.

A conversation on the disk names its kind in its metadata; a temporary one has a key of its own kind, so that whoever
holds the key alone knows it too.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from mnemoscope.domain.errors import KeptOut

DISCRETION: Final = "discretion"
"""The field of a session's metadata that names the kind; there is none where the conversation is remembered."""
DISCREET_SINCE: Final = "discretion_since"
"""The field of a session's metadata with the number of messages that were said before the kind was chosen."""
TEMPORARY_PREFIX: Final = "desktop-temporary:"
"""The keys of temporary conversations begin so. No session file is ever written under one."""


class Trace(Enum):
    """Names something that a conversation may leave behind, or bring about. The value says that it does not."""

    SESSION_FILE = "it is kept in no file"
    CAPTURE = "nothing of it is captured"
    NOTES = "nothing of it is noted"
    CONSOLIDATION = "it is not consolidated"
    PROMPT_LOG = "what the model was sent is not kept"
    DRAFTS = "nothing is kept before it is said"
    COMPACTION = "what is left out of its prompt is not noted"
    TOOL_RESULTS = "long results of tools are not kept whole"
    TOOL_WRITES = "its tools write nothing and run no commands"
    TITLE = "no title is asked for"


class Discretion(Enum):
    """Names the three kinds of conversation. The value is what stands in a session's metadata."""

    REMEMBERED = "remembered"
    READS_MEMORY = "reads-memory"
    TEMPORARY = "temporary"

    def permits(self, trace: Trace) -> bool:
        """Returns whether a conversation of this kind may leave this trace."""
        return trace in _PERMITTED[self]

    def require(self, trace: Trace) -> None:
        """Raises KeptOut, with a sentence on the kind and on what is not done, where this trace may not be left."""
        if not self.permits(trace):
            raise KeptOut(f"{_NAMED[self]}: {trace.value}.")


_PERMITTED: Final[Mapping[Discretion, frozenset[Trace]]] = {
    Discretion.REMEMBERED: frozenset(Trace),
    Discretion.READS_MEMORY: frozenset({Trace.SESSION_FILE, Trace.TITLE}),
    Discretion.TEMPORARY: frozenset(),
}
_NAMED: Final[Mapping[Discretion, str]] = {
    Discretion.REMEMBERED: "This conversation is remembered",
    Discretion.READS_MEMORY: "This conversation reads memory and writes none",
    Discretion.TEMPORARY: "This conversation is temporary",
}


class Transition(Enum):
    """Tells what choosing another kind for a conversation means for what was said in it."""

    NONE = "the kind stays as it is"
    STOP = "what was said stays as it is, and nothing more of it becomes memory"
    RESUME = "all that was said may become memory again"
    KEEP = "a temporary conversation is kept from now on, with what was said in it"
    BEGIN = "a conversation of the other kind begins, and this one stays as it is"


def transition(now: Discretion, wanted: Discretion) -> Transition:
    """Returns what a change of kind means. What lies on the disk cannot become temporary: another one begins."""
    if now is wanted:
        return Transition.NONE
    if wanted is Discretion.TEMPORARY:
        return Transition.BEGIN
    if now is Discretion.TEMPORARY:
        return Transition.KEEP
    return Transition.STOP if wanted is Discretion.READS_MEMORY else Transition.RESUME


def discretion_of(key: str, metadata: Mapping[str, Any]) -> Discretion:
    """Returns the kind of a conversation. A name that is not known counts as the stricter kind."""
    if is_temporary(key):
        return Discretion.TEMPORARY
    stated = metadata.get(DISCRETION, Discretion.REMEMBERED.value)
    return Discretion.REMEMBERED if stated == Discretion.REMEMBERED.value else Discretion.READS_MEMORY


def is_temporary(key: str) -> bool:
    """Returns whether a key is that of a temporary conversation."""
    return key.startswith(TEMPORARY_PREFIX)


def since_of(metadata: Mapping[str, Any], total: int) -> int:
    """Returns how many of `total` messages were said before the kind was chosen."""
    since = metadata.get(DISCREET_SINCE, 0)
    return min(max(since, 0), total) if type(since) is int else 0


def marked(metadata: Mapping[str, Any], discretion: Discretion, since: int = 0) -> dict[str, Any]:
    """Returns a session's metadata with this kind in it, chosen after `since` messages."""
    plain = {name: value for name, value in metadata.items() if name not in (DISCRETION, DISCREET_SINCE)}
    if discretion is Discretion.REMEMBERED:
        return plain
    return plain | {DISCRETION: discretion.value} | ({DISCREET_SINCE: since} if since else {})
