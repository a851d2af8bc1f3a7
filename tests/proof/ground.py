"""Where the runs of a proof happen."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.proof.forks import in_fork
from tests.proof.scenarios import Scenario

Plant = Callable[[], None]
"""Puts a bug into the program, in a fork that is about to run it."""


class Ground:
    """Where the runs happen: in memory where the system has such a folder, for a forced write costs nothing there."""

    def __init__(self) -> None:
        quick = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(prefix="proof-", dir=quick if os.access(quick, os.W_OK) else None))

    def __enter__(self) -> Ground:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def template(self, scenario: Scenario) -> Path:
        """The workspace a scenario begins with, made once."""
        root = self.folder / "templates" / scenario.name.replace("/", "")
        if not root.exists():
            root.mkdir(parents=True)
            ended = in_fork(lambda _: scenario.prepare(root))
            assert not ended.problems(), ended.problems()
        return root

    def copy(self, scenario: Scenario) -> Path:
        """A fresh copy, of this process alone."""
        root = self.fresh()
        shutil.copytree(self.template(scenario), root, symlinks=True)
        return root

    def fresh(self) -> Path:
        """A path of this process with nothing there."""
        root = self.folder / f"run-{os.getpid()}"
        shutil.rmtree(root, ignore_errors=True)
        return root
