"""Opening repositories of commits: dulwich is loaded with the first."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mnemoscope.store.git.opening import load_git


@pytest.mark.slow
def test_git_is_loaded_where_a_repository_is_opened_and_not_before() -> None:
    code = (
        "import sys, mnemoscope.agent.commits.memory_commits, mnemoscope.memory.files.committer\n"
        "from mnemoscope.store.git.opening import load_git\n"
        "before = 'dulwich' in sys.modules\n"
        "load_git()\n"
        "print(before, 'dulwich.repo' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["False", "True"]


def test_it_can_be_loaded_ahead() -> None:
    load_git()
    assert "mnemoscope.store.git.repository" in sys.modules
