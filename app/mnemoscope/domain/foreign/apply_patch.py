"""The patch format of Codex's `apply_patch`: it is read as its grammar says, and applied as Codex applies it.

Between `*** Begin Patch` and `*** End Patch` stand parts for one file each: `*** Add File: PATH` with lines that begin
with `+`, `*** Delete File: PATH`, or `*** Update File: PATH`, perhaps `*** Move to: PATH`, and chunks. A chunk begins
with `@@` or `@@ LINE`, a line to look for first; its lines begin with a blank, `-` or `+`, and `*** End of File` says
that it stands at the end. The place of a chunk is where its old lines stand, to the letter, else without trailing
blanks, else without blanks around them, else with typographic dashes, quotes and blanks taken for plain ones. A chunk
of new lines alone goes to the end. (codex-rs/apply-patch: parser.rs, lib.rs and seek_sequence.rs, read in 2026.)

In a shell the patch is a here-document: `apply_patch <<'EOF'`, after `cd FOLDER &&` at most. What else stands on the
command line makes it uncertain what was run, and Codex itself takes no other form for a patch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

_BEGIN: Final = "*** Begin Patch"
_END: Final = "*** End Patch"
_ADD: Final = "*** Add File: "
_DELETE: Final = "*** Delete File: "
_UPDATE: Final = "*** Update File: "
_MOVE: Final = "*** Move to: "
_END_OF_FILE: Final = "*** End of File"
_BARE_HEREDOC: Final = re.compile(r"<<(['\"]?)EOF\1\n(?P<body>.*)\n?EOF\s*\Z", re.DOTALL)
_SHELL: Final = re.compile(
    r"\s*(?:cd\s+(?P<folder>'[^'\n]*'|\"[^\"$`\\\n]*\"|[^\s'\"$`\\;&|<>()*?]+)\s*&&\s*)?"
    r"(?P<name>apply_patch|applypatch)\s*<<-?\s*(?P<quote>['\"]?)(?P<word>[\w.-]+)(?P=quote)[ \t]*\n"
    r"(?P<body>.*?)\n(?P=word)\s*\Z",
    re.DOTALL,
)
_CHANGED_BY_SHELL: Final = re.compile(r"[$`\\]")
_PLAIN: Final = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " ")
)


class PatchMalformed(ValueError):
    """A text is no patch; Codex refuses it."""


@dataclass(frozen=True, slots=True)
class PatchChunk:
    """Holds lines that take the place of others. `context` is a line that stands before them, "" for none."""

    context: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class FilePatch:
    """Holds the part of a patch for one file. `kind` is add, delete or update; `added` is the text of a file that is
    new, and `moved_to` its new path, "" where it stays."""

    kind: str
    path: str
    added: str = ""
    moved_to: str = ""
    chunks: tuple[PatchChunk, ...] = field(default=())

    def apply(self, text: str) -> str | None:
        """Returns the text of the file after the patch, "" for one that is deleted; None where it does not fit."""
        if self.kind != "update":
            return self.added
        return _patched(text, self.chunks)


@dataclass(frozen=True, slots=True)
class ShellPatch:
    """Holds a patch in a command line, and the folder it is applied in, "" for the one the command runs in."""

    patch: str
    folder: str = ""


def patch_in_shell(script: str) -> ShellPatch | None:
    """Returns the patch that a command line applies and nothing else; None for any other command."""
    found = _SHELL.match(script)
    # Between quotes a shell changes nothing.
    if found is None or (not found["quote"] and _CHANGED_BY_SHELL.search(found["body"])):
        return None
    return ShellPatch(found["body"], (found["folder"] or "").strip("'\""))


def parse_patch(text: str) -> list[FilePatch]:
    """Returns the parts of a patch, in order. Raises PatchMalformed."""
    heredoc = _BARE_HEREDOC.match(text.strip())
    lines = (heredoc["body"] if heredoc else text).strip().split("\n")
    if len(lines) < 2 or lines[0].strip() != _BEGIN or lines[-1].strip() != _END:
        raise PatchMalformed("it has no beginning or no end")
    return list(_parts([line.removesuffix("\r") for line in lines[1:-1]]))


def _parts(lines: Sequence[str]) -> Iterator[FilePatch]:
    place = 0
    while place < len(lines):
        head = lines[place].strip()
        place += 1
        if head.startswith(_ADD):
            first = place
            while place < len(lines) and lines[place].startswith("+"):
                place += 1
            yield FilePatch("add", head[len(_ADD) :], "".join(f"{line[1:]}\n" for line in lines[first:place]))
        elif head.startswith(_DELETE):
            yield FilePatch("delete", head[len(_DELETE) :])
        elif head.startswith(_UPDATE):
            moved = ""
            if place < len(lines) and lines[place].startswith(_MOVE):
                moved = lines[place][len(_MOVE) :].strip()
                place += 1
            place, chunks = _chunks(lines, place)
            if not chunks and not moved:
                raise PatchMalformed("an update is empty")
            yield FilePatch("update", head[len(_UPDATE) :], "", moved, tuple(chunks))
        else:
            raise PatchMalformed("a part has no head")


def _chunks(lines: Sequence[str], place: int) -> tuple[int, list[PatchChunk]]:
    """Returns the chunks from a place on, and the place after them."""
    chunks: list[PatchChunk] = []
    while place < len(lines) and not lines[place].startswith("***"):
        if not lines[place].strip():
            place += 1
            continue
        context = ""
        if lines[place].startswith("@@"):
            context = lines[place][2:].removeprefix(" ")
            place += 1
        elif chunks:
            raise PatchMalformed("a chunk has no head")
        place, chunk = _chunk(lines, place, context)
        chunks.append(chunk)
    return place, chunks


def _chunk(lines: Sequence[str], place: int, context: str) -> tuple[int, PatchChunk]:
    old: list[str] = []
    new: list[str] = []
    first = place
    while place < len(lines):
        line = lines[place]
        if line.rstrip() == _END_OF_FILE:
            if place == first:
                break
            return place + 1, PatchChunk(context, tuple(old), tuple(new), at_end=True)
        if line and line[0] not in " +-":
            break
        if line[:1] != "+":
            old.append(line[1:])
        if line[:1] != "-":
            new.append(line[1:])
        place += 1
    if place == first:
        raise PatchMalformed("a chunk is empty")
    return place, PatchChunk(context, tuple(old), tuple(new))


def _patched(text: str, chunks: Sequence[PatchChunk]) -> str | None:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    replacements: list[tuple[int, int, Sequence[str]]] = []
    old: Sequence[str]
    new: Sequence[str]
    at = 0
    for chunk in chunks:
        if chunk.context:
            found = _seek(lines, [chunk.context], at, at_end=False)
            if found is None:
                return None
            at = found + 1
        old, new = chunk.old, chunk.new
        if not old:
            replacements.append((len(lines), 0, new))
            continue
        found = _seek(lines, old, at, at_end=chunk.at_end)
        if found is None and old[-1] == "":
            # The last line may stand for the end of the region's last line.
            old, new = old[:-1], new[:-1] if tuple(new[-1:]) == ("",) else new
            found = _seek(lines, old, at, at_end=chunk.at_end)
        if found is None:
            return None
        replacements.append((found, len(old), new))
        at = found + len(old)
    for start, count, new in sorted(replacements, key=lambda each: each[0], reverse=True):
        lines[start : start + count] = new
    return "".join(f"{line}\n" for line in lines)


def _seek(lines: Sequence[str], wanted: Sequence[str], start: int, *, at_end: bool) -> int | None:
    """Returns where lines stand, from a place on or, with `at_end`, at the end; None where they do not."""
    if not wanted:
        return start
    begin = max(0, len(lines) - len(wanted)) if at_end else start
    for form in _FORMS:
        sought = [form(line) for line in wanted]
        # Each line is brought into the form once, not at each place it is compared at.
        formed = [form(line) for line in lines[begin:]]
        for place in range(len(formed) - len(sought) + 1):
            if formed[place] == sought[0] and formed[place : place + len(sought)] == sought:
                return begin + place
    return None


def _as_it_is(line: str) -> str:
    return line


def _plain(line: str) -> str:
    return line.strip().translate(_PLAIN)


_FORMS: Final[tuple[Callable[[str], str], ...]] = (_as_it_is, str.rstrip, str.strip, _plain)
