"""A SQLite that was built without full-text search, as some systems have it."""

from __future__ import annotations

import pytest


@pytest.fixture
def no_full_text_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the tables of the index be of a module that SQLite lacks: how it was built cannot be handed in."""
    monkeypatch.setattr("mnemoscope.store.search.database._TABLES", "CREATE VIRTUAL TABLE words USING fts5000(x);")
