"""Finds and reads the files that ship with the program."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def shipped(*parts: str) -> Path:
    """Returns the path of a shipped file or folder, such as `shipped("resources", "icons")` or `shipped("workspace")`.

    In a wheel these lie inside the package; in a checkout, at its top level.
    """
    packed = _PACKAGE / "_data"
    root = packed if packed.is_dir() else _PACKAGE.parents[1]
    return root.joinpath(*parts)


@cache
def shipped_starter(path: str) -> str:
    """Returns what a file of a new workspace begins with, "" where it begins with nothing. `path` is relative to the
    workspace."""
    file = shipped("resources", "blank", *path.split("/"))
    return file.read_text(encoding="utf-8") if file.is_file() else ""


@cache
def shipped_prompt(name: str) -> str:
    """Returns a prompt that a model is sent, from `resources/prompts/`, without the line end that closes the file."""
    return shipped("resources", "prompts", f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
