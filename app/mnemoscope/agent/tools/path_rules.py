"""Decides which paths a model may name, on the text alone, before the disk is asked.

A path is relative, in the shape `notes/plan.md`. Everything that means something else on some system or to some program
(drives, devices, encoded or look-alike separators) is refused rather than guessed at.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from mnemoscope.domain.errors import PathRefused
from mnemoscope.domain.memory.file_registry import PROMPT_FILES
from mnemoscope.domain.text.characters import JOINERS

_NAME_LIMIT: Final = 255
"""Bytes of one component, the limit of the common file systems."""
_PROTECTED_FOLDERS: Final = frozenset({".mnemoscope", ".mnemoscope-begun", "sessions"})
_PROTECTED_ANYWHERE: Final = frozenset({".git"})
_PROTECTED_FILES: Final = frozenset({("config.json",), ("memory", ".cursor"), ("memory", ".dream_cursor")})
_IN_EVERY_PROMPT: Final = frozenset((name.casefold(),) for name in PROMPT_FILES)
"""Instructions of the person's: what a model wrote there, no later conversation would look at twice."""
INSTRUCTION_FOLDERS: Final = frozenset({"skills", "prompts", "capture"})
"""Folders of what models are told, skills and how Dream is guided, and of the rules by which the person is heard."""
_APPENDED_ONLY: Final = frozenset({("memory", "history.md"), ("memory", "history.jsonl")})
"""The history log grows by consolidation alone: a model reads it, and never writes it."""
_CAPTURED: Final = frozenset({("session-state.md",)})
"""The text that stands there is sent as the person's own words."""
_NOTED: Final = re.compile(r"memory/(\d{4}-\d{2}-\d{2}|working-buffer)\.md")
"""Notes of each day, and what was said while the context filled up: told again as what the program itself noted."""

_WHOLE_PATH_RULES: Final = tuple(
    (re.compile(form), reason)
    for form, reason in (
        (r"\0", "it contains a NUL character"),
        (r"\A\s*\Z", "it is empty"),
        (r"\A[A-Za-z][A-Za-z0-9+.-]*://", "it is an address, not a path in the workspace"),
        (r"\A~", "it starts in a home folder, outside the workspace"),
        (r"\$[A-Za-z_{(]|`", "a shell would expand $ or ` in it, and here nothing is expanded"),
        (r"\A/", "it is absolute; only paths relative to the workspace are allowed"),
        (r"\A[A-Za-z]:", "it starts with a drive letter"),
        (r"\\", "it contains a backslash; components are separated by /"),
        (r"(?i)%(2f|2e|5c|00)", "it contains an encoded separator or dot"),
        (r"/\Z", "it ends with / and so names a folder, where a file is wanted"),
    )
)
"""The forms that a path may not have, each with the reason that is given; the first that matches decides."""
_SHORT_NAME: Final = re.compile(r"(git|mnemos|sessio|config)~[0-9]+(\..*)?")
"""Other names by which Windows reaches the protected ones."""
_LOOKALIKES: Final = str.maketrans("асԁеɡһıіјоοрρѕтτуυ", "acdeghiijooppsttyu")
"""Letters of other alphabets that a person takes for those of the protected names."""
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)


def path_components(path: str) -> tuple[str, ...]:
    """Returns the components of an acceptable path. Raises PathRefused naming the path and the rule it breaks."""
    for form, reason in _WHOLE_PATH_RULES:
        _refuse(path, reason if form.search(path) else "")
    parts = tuple(path.split("/"))
    for part in parts:
        for part_rule in _PART_RULES:
            _refuse(path, part_rule(part))
    _refuse(path, _protected(parts))
    return parts


def folder_components(path: str) -> tuple[str, ...]:
    """Returns the components of a folder to list: `.` or nothing is the workspace itself; one closing slash is let
    through.
    """
    if path in {"", ".", "./"}:
        return ()
    return path_components(path[:-1] if path.endswith("/") and path != "/" else path)


def refuse_writing(path: str, parts: tuple[str, ...]) -> None:
    """Raises PathRefused if a file may be read but not written."""
    if tuple(map(_folded, parts)) in _APPENDED_ONLY:
        _refuse(path, "the history log is only appended to, by consolidation")
    folded = tuple(map(_folded, parts))
    if folded in _CAPTURED:
        _refuse(path, "it holds what the person said, so only capture and the person write it")
    if _NOTED.fullmatch("/".join(folded)):
        _refuse(path, "the program notes there what was said, and tells it again; write into a file of another name")
    if folded in _IN_EVERY_PROMPT or folded[0] in INSTRUCTION_FOLDERS:
        _refuse(path, "it is part of what models are told, so only the person changes it; say what should stand there")


def is_hidden(parts: tuple[str, ...]) -> bool:
    """Returns whether a listing leaves these components out."""
    return bool(_protected(parts))


def shown(path: str) -> str:
    """Returns the path as an error may quote it: one line, printable, at most 80 characters."""
    text = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in path)
    return text if len(text) <= 80 else f"{text[:60]}… ({len(path)} characters)"


def refused(path: str, rule: str) -> PathRefused:
    """Returns the error for a path that breaks a rule."""
    return PathRefused(f"The path “{shown(path)}” was refused: {rule}.", path=path, rule=rule)


def _refuse(path: str, rule: str) -> None:
    if rule:
        raise refused(path, rule)


def _empty_or_dots(part: str) -> str:
    if not part:
        return "it has an empty component"
    if part == "..":
        return "“..” leads out of a folder"
    return "“.” names a folder, where a file is wanted" if part == "." else ""


def _lookalike(part: str) -> str:
    plain = unicodedata.normalize("NFKC", part)
    tricky = plain != part and (plain in {".", ".."} or "/" in plain or "\\" in plain or plain.startswith(".."))
    return "it contains characters that look like dots or separators" if tricky else ""


def _unprintable(part: str) -> str:
    if any(unicodedata.category(char) == "Cc" for char in part):
        return "it contains a control character"
    if any(unicodedata.category(char) in {"Cf", "Zl", "Zp"} and char not in JOINERS for char in part):
        return "it contains an invisible character"
    return "it contains a colon, which names a stream or a drive on Windows" if ":" in part else ""


def _too_long(part: str) -> str:
    try:
        size = len(part.encode("utf-8"))
    except UnicodeEncodeError:
        return "it contains half of a character (a lone surrogate)"
    return f"a name is longer than {_NAME_LIMIT} bytes" if size > _NAME_LIMIT else ""


def _not_portable(part: str) -> str:
    if part != part.rstrip(". "):
        return "a name ends with a dot or a space, which Windows drops"
    return f"“{part}” is a device name on Windows" if _DEVICE.fullmatch(part.strip()) else ""


def _protected(parts: tuple[str, ...]) -> str:
    if _is_protected(tuple(map(_folded, parts))):
        return "it is protected; only Mnemoscope itself and the person change it"
    if _is_protected(tuple(_folded(part).translate(_LOOKALIKES) for part in parts)):
        return "it looks like a protected name, written with letters of another alphabet"
    return ""


def _is_protected(folded: tuple[str, ...]) -> bool:
    if not folded:
        return False
    if folded[0] in _PROTECTED_FOLDERS or folded in _PROTECTED_FILES or _PROTECTED_ANYWHERE.intersection(folded):
        return True
    return any(_SHORT_NAME.fullmatch(part) for part in folded)


def _folded(part: str) -> str:
    """Returns the name as the most forgiving file system compares it: any case, any form, invisible characters
    aside.
    """
    visible = "".join(char for char in part if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", visible).casefold()


_PART_RULES: Final = (_empty_or_dots, _lookalike, _unprintable, _too_long, _not_portable)
