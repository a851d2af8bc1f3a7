"""What the window would miss is said before Qt ends the program over it."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from mnemoscope import __main__
from mnemoscope.agent.cli.system_libraries import missing_libraries, sentence_of

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
    assert sentence_of(missing) == (
        "The window cannot open, because the system lacks libEGL.so.1, libwayland-egl.so.1. On Debian and Ubuntu this "
        "installs what is missing: sudo apt-get install libegl1 libwayland-egl1"
    )


def test_the_program_says_it_and_ends(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(__main__, "missing_libraries", lambda: {"libGL.so.1": "libgl1"})
    assert __main__.main([]) == 1
    assert "apt-get install libgl1" in capsys.readouterr().err
