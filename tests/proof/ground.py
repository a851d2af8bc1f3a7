"""Makes the folders in which the runs of a proof happen."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests.proof.forks import in_fork
from tests.proof.reopening import problems_after
from tests.proof.scenarios import Scenario, play, scenario_named

Plant = Callable[[], None]
"""Puts a bug into the program, in a fork that is about to run it."""


_ENDS_WITHIN = 60.0
"""Seconds; a thread that takes them does not end."""


class Ground:
    """Holds the folder of the runs: in memory if the system has such a folder, as forced writes cost nothing there."""

    def __init__(self) -> None:
        quick = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(prefix="proof-", dir=quick if os.access(quick, os.W_OK) else None))

    def __enter__(self) -> Ground:
        _warm_up()
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def template(self, scenario: Scenario) -> Path:
        """Returns the workspace a scenario begins with, made once."""
        root = self.folder / "templates" / scenario.name.replace("/", "")
        if not root.exists():
            root.mkdir(parents=True)
            ended = in_fork(lambda _: scenario.prepare(root))
            assert not ended.problems(), ended.problems()
        return root

    def copy(self, scenario: Scenario) -> Path:
        """Returns a fresh copy, of this process alone."""
        root = self.fresh()
        shutil.copytree(self.template(scenario), root, symlinks=True)
        return root

    def fresh(self) -> Path:
        """Returns a path of this process with nothing there."""
        root = self.folder / f"run-{os.getpid()}"
        shutil.rmtree(root, ignore_errors=True)
        return root


@cache
def _warm_up() -> None:
    """Does once in this process what each fork will do, so that no fork imports and compiles the same again."""
    for name in ("capture and /new", "consolidate while talking", "dream", "send, noted and buffered"):
        scenario, said = scenario_named(name), list[str]()
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            scenario.prepare(root)
            play(scenario, root, said.append, lambda: None)
            wrong = problems_after(root, scenario, said)
        assert not wrong, wrong
    others = [each for each in threading.enumerate() if each is not threading.main_thread()]
    for each in others:
        # What was closed may still be on its way to its end.
        each.join(_ENDS_WITHIN)
    assert not [each for each in others if each.is_alive()], f"a fork has none of its parent's threads: {others}"
    # What is there by now is never collected, so that the forks do not copy it either.
    gc.collect()
    gc.freeze()
