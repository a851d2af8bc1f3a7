"""Texts that have nothing to do with what is searched: next to their vectors it is seen what is near by chance."""

from __future__ import annotations

from functools import cache

from mnemoscope.store.files.shipped import shipped


@cache
def unrelated_texts() -> tuple[str, ...]:
    """Returns the texts that ship with the program and have nothing to do with each other nor with what is searched."""
    lines = (shipped("resources", "search") / "unrelated.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("# "))
