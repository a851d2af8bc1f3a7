"""git itself, as a person runs it, without settings of theirs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def run_git(folder: Path, *arguments: str) -> str:
    """Returns what a command says. Raises CalledProcessError."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "LC_ALL": "C"}
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout
