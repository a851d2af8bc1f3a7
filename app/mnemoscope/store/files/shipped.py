"""Where the files that ship with the program are."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[2]


def shipped(*parts: str) -> Path:
    """Path of a shipped file or folder, such as `shipped("resources", "icons")` or `shipped("workspace")`.

    In a wheel these lie inside the package; in a checkout, at its top level.
    """
    packed = _PACKAGE / "_data"
    root = packed if packed.is_dir() else _PACKAGE.parents[1]
    return root.joinpath(*parts)
