"""The source of the program as syntax trees, each read at most once in a process; all of them take about a second."""

from __future__ import annotations

import ast
import gc
from collections.abc import Mapping
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "app" / "mnemoscope"


@cache
def modules() -> tuple[Path, ...]:
    """Returns the path of each module below the package."""
    return tuple(path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py")))


def modules_with(*words: str) -> tuple[Path, ...]:
    """Returns the modules whose source has one of these words: none of the others has to be read as a tree."""
    return tuple(path for path in modules() if _has_one_of(words, _source_of(path)))


def _has_one_of(words: tuple[str, ...], source: str) -> bool:
    return any(word in source for word in words)


def _source_of(module: Path) -> str:
    return (PACKAGE / module).read_text(encoding="utf-8")


@cache
def tree_of(module: Path) -> ast.Module:
    """Returns the syntax tree of a module. It is read when a test asks: each process of a run collects the tests."""
    return ast.parse(_source_of(module))


@cache
def trees() -> Mapping[Path, ast.Module]:
    """Returns the syntax tree of each module, by its path below the package.

    They are a million objects that stay. No garbage is collected while they are read, or it would take four times as
    long, and they are not looked through later.
    """
    gc.disable()
    try:
        return {path: tree_of(path) for path in modules()}
    finally:
        gc.freeze()
        gc.enable()
