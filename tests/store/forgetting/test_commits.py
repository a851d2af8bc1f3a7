"""Commits are made anew without words."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from mnemoscope.domain.commits import CommitNote
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.store.forgetting.commits import CommitsPlace
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.workspace.paths import WorkspacePaths


def test_a_file_that_several_commits_hold_is_written_without_the_words_in_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    store = GitStore(tmp_path, clock=lambda: datetime(2026, 3, 1, 10, 0))
    store.init()
    words = "Lives in Graz with two cats"
    store.commit(CommitNote("You", "First"), {"memory/MEMORY.md": f"- {words}\n".encode()})
    store.commit(CommitNote("You", "Second"), {"USER.md": b"- Another file\n"})
    place, what = CommitsPlace(WorkspacePaths(tmp_path)), ForgottenText.of(words)
    [folder] = place.files()
    assert place.found_in(folder, what)[0] > 0
    place.take(folder, what)
    assert place.found_in(folder, what)[0] == 0
    assert [each.subject for each in store.log(10)][:2] == ["Second", "First"]
