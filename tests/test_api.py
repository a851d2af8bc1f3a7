"""The public Python names: `mnemoscope.api` has exactly those that the manual lists, and needs no Qt for them."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mnemoscope import api

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("PySide6", "qasync", "litellm", "httpx", "keyring", "numpy")
"""What no program has to load that only reads memory."""


def listed() -> dict[str, list[str]]:
    """Returns each public name of the manual's table, with the methods that are told of it."""
    lines = (ROOT / "resources" / "manual" / "python.md").read_text(encoding="utf-8").splitlines()
    rows = [line.split("|")[1:3] for line in lines if line.startswith("| `")]
    found: dict[str, list[str]] = {}
    for names, text in rows:
        first, *others = re.findall(r"`(\w+)", names)
        found |= {first: re.findall(r"`(\w+)`", text.partition(":")[2])} | {name: [] for name in others}
    return found


def test_the_manual_and_the_module_name_the_same() -> None:
    assert set(listed()) == set(api.__all__)


@pytest.mark.parametrize("name", api.__all__)
def test_each_name_is_there_with_the_methods_that_are_told_of_it(name: str) -> None:
    thing = getattr(api, name)
    assert inspect.getdoc(thing)
    assert [method for method in listed()[name] if not callable(getattr(thing, method, None))] == []


def test_methods_are_told_of_what_other_programs_call() -> None:
    names = listed()
    assert "consolidate" in names["MemoryStore"]
    assert names["ContextBuilder"] == ["build_system_prompt", "build_messages"]


@pytest.mark.slow
def test_a_program_that_uses_them_loads_no_window_and_no_library_it_does_not_need() -> None:
    code = f"import sys, mnemoscope.api; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
