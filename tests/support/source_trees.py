"""The source of the program as syntax trees, each of which is read once in a process: all of them take seconds."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "app" / "mnemoscope"


@cache
def modules() -> tuple[Path, ...]:
    """Returns the path of each module below the package."""
    return tuple(path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py")))


@cache
def tree_of(module: Path) -> ast.Module:
    """Returns the syntax tree of a module. It is read when a test asks: each process of a run collects the tests."""
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


def trees() -> dict[Path, ast.Module]:
    """Returns the syntax tree of each module, by its path below the package."""
    return {path: tree_of(path) for path in modules()}
