"""bubblewrap as this computer has it, for tests that run commands for real; they skip where it is missing."""

from __future__ import annotations

import shutil

import pytest

from mnemoscope.agent.tools.bubblewrap import Bubblewrap, find_bubblewrap, how_to_get_it

PYTHON = "/usr/bin/python3"
"""The system's: a confined command does not see the one the tests run in."""


def installed_bubblewrap() -> Bubblewrap:
    """Returns bubblewrap, or skips the test where it does not work."""
    found = find_bubblewrap()
    if found is None:
        pytest.skip(how_to_get_it())
    return found


def require_python() -> None:
    """Skips where the system has no Python of its own for a command to run."""
    if shutil.which(PYTHON) is None:
        pytest.skip(f"{PYTHON} is not there for a confined command to run")
