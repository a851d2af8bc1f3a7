"""What the window would miss is said before Qt ends the program over it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemoscope.agent.cli.system_libraries import display_problem, missing_libraries, missing_libraries_sentence

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the libraries come with Qt")


def without(*names: str) -> Callable[[str], object]:
    def load(name: str) -> object:
        if name in names:
            raise OSError(f"{name}: cannot open shared object file")
        return object()

    return load


def test_nothing_is_missing_where_all_is_there() -> None:
    assert missing_libraries({"DISPLAY": ":0"}, without()) == {}


def test_a_library_of_the_screen_is_asked_for_on_that_screen_alone() -> None:
    load = without("libxcb-cursor.so.0")
    assert missing_libraries({"DISPLAY": ":0"}, load) == {"libxcb-cursor.so.0": "libxcb-cursor0"}
    assert missing_libraries({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, load) == {}
    assert missing_libraries({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, load) == {}
    assert missing_libraries({"QT_QPA_PLATFORM": "xcb"}, load) == {"libxcb-cursor.so.0": "libxcb-cursor0"}


def test_the_sentence_names_the_libraries_and_the_command() -> None:
    missing = missing_libraries({"WAYLAND_DISPLAY": "w"}, without("libEGL.so.1", "libwayland-egl.so.1"))
    assert missing_libraries_sentence(missing) == (
        "The window cannot open, because the system lacks libEGL.so.1, libwayland-egl.so.1. On Debian and Ubuntu this "
        "installs what is missing: sudo apt-get install libegl1 libwayland-egl1"
    )


def test_a_display_is_missed_where_none_is_named_or_answers() -> None:
    assert "there is no display here" in display_problem({}, lambda: True)
    assert "the display :7 does not answer" in display_problem({"DISPLAY": ":7"}, lambda: False)
    assert display_problem({"DISPLAY": ":7"}, lambda: True) == ""
    for name in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        assert display_problem({name: "its own"}, lambda: False) == "", "Qt is not led to the X display alone"


@pytest.mark.parametrize("display", ["", ":64999"])
def test_without_a_display_the_program_says_so_and_ends(display: str) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    }
    started = [sys.executable, "-c", "from mnemoscope.agent.cli.system_libraries import *; print(display_problem())"]
    said = subprocess.run(
        started, env=environment | {"DISPLAY": display}, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert said.startswith("The window cannot open, because ")


@pytest.mark.slow
def test_the_program_says_it_and_ends(tmp_path: Path) -> None:
    [some_library, *_] = re.findall(r"/\S+/libc\S*\.so\S*", Path("/proc/self/maps").read_text())
    missing_libraries({}, lambda name: (tmp_path / name).symlink_to(some_library))

    def said() -> str:
        environment = {"LD_LIBRARY_PATH": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
        started = [sys.executable, "-m", "mnemoscope"]
        done = subprocess.run(started, env=environment, capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stdout) == (1, "")
        return done.stderr

    assert said().startswith("The window cannot open, because there is no display here")
    (tmp_path / "libGL.so.1").unlink()
    (tmp_path / "libGL.so.1").write_bytes(b"no library")
    assert "apt-get install libgl1\n" in said()
