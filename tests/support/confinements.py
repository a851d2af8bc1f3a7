"""What this computer can lock commands into, for tests that run them for real; what is missing is skipped by name."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from mnemoscope.agent.tools.bubblewrap import Bubblewrap, Confinement, Landlock
from mnemoscope.agent.tools.confined import landlock, system_calls

NAMES = ("Landlock", "bubblewrap")
PYTHON = "/usr/bin/python3"
"""The system's: a confined command does not see the one the tests run in."""


def confinement(name: str) -> Confinement:
    """The confinement of that name, or the test is skipped."""
    if not system_calls.is_known_machine():
        pytest.skip("commands are not confined on this architecture")
    if name == "Landlock":
        if landlock.abi() < landlock.LEAST_ABI:
            pytest.skip(f"this kernel's Landlock has ABI {landlock.abi()}; {landlock.LEAST_ABI} is needed")
        return Landlock()
    program = shutil.which("bwrap")
    if program is None:
        pytest.skip("bubblewrap is not installed")
    return Bubblewrap(program)


def confining(name: str) -> Callable[[], Confinement]:
    """The same, as `Execute` is handed it."""
    found = confinement(name)
    return lambda: found


def require_python() -> None:
    """Skip where the system has no Python of its own for a command to run."""
    if shutil.which(PYTHON) is None:
        pytest.skip(f"{PYTHON} is not there for a confined command to run")
