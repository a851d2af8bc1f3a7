"""The public Python names: `mnemoscope.api` has exactly those that the documents list, and needs no Qt for them."""

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


def rows() -> list[str]:
    """The first column of the table of public names, wherever among the documents it stands."""
    documents = [*sorted(ROOT.glob("resources/manual/*.md")), ROOT / "README.md"]
    lines = [line for page in documents for line in page.read_text(encoding="utf-8").splitlines()]
    begin = next(at for at, line in enumerate(lines) if line.startswith("| `MemoryStore(workspace)`"))
    end = next(at for at in range(begin, len(lines)) if not lines[at].startswith("|"))
    return [line.split("|")[1] for line in lines[begin:end]]


def listed() -> dict[str, list[str]]:
    """Each public name with the methods that the table names of it."""
    found = {}
    for row in rows():
        for part in row.split(";"):
            names, _, methods = part.partition(":")
            known = re.findall(r"`(\w+)", names)
            found |= {name: re.findall(r"`(\w+)", methods) if name == known[0] else [] for name in known}
    return found


def test_the_documents_and_the_module_name_the_same() -> None:
    assert set(listed()) | {"LocalEmbedder"} == set(api.__all__)


@pytest.mark.parametrize("name", api.__all__)
def test_each_name_is_there_with_the_methods_that_are_told_of_it(name: str) -> None:
    thing = getattr(api, name)
    assert inspect.getdoc(thing)
    assert [method for method in listed().get(name, []) if not callable(getattr(thing, method, None))] == []


def test_a_program_that_uses_them_loads_no_window_and_no_library_it_does_not_need() -> None:
    code = f"import sys, mnemoscope.api; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
