"""What is imported late is executed when something of it is used, and not by a window that starts."""

from __future__ import annotations

import linecache
import subprocess
import sys
from pathlib import Path

import pytest

from mnemoscope.ui.widgets.late_imports import late_imports


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "late_room"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "page.py").write_text("import late_room\nlate_room.times = late_room.times + 1\nSIZE = 7\n", "utf-8")
    (folder / "broken.py").write_text("raise ValueError('not now')\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("late_room", "late_room.page", "late_room.broken"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


def test_a_module_is_executed_when_something_of_it_is_first_used_and_only_once(room: Path) -> None:
    import late_room  # type: ignore[import-not-found]

    late_room.times = 0
    with late_imports():
        from late_room import page
    assert late_room.times == 0
    linecache.cache["elsewhere"] = (1, None, ["text\n"], "elsewhere")
    assert page.SIZE == 7
    assert late_room.times == 1
    assert "elsewhere" not in linecache.cache  # what PySide read meanwhile of the sources is dropped
    from late_room.page import SIZE  # type: ignore[import-not-found]

    assert (SIZE, late_room.times) == (7, 1)


def test_the_sources_that_were_read_until_the_end_of_the_block_are_dropped(room: Path) -> None:
    linecache.cache["elsewhere"] = (1, None, ["text\n"], "elsewhere")
    with late_imports():
        from late_room import page  # noqa: F401
    assert "elsewhere" not in linecache.cache


def test_whoever_imports_the_module_itself_has_it_executed(room: Path) -> None:
    import late_room

    late_room.times = 0
    with late_imports():
        from late_room import page
    from late_room.page import SIZE

    assert late_room.times == 1
    assert page.SIZE == SIZE


def test_an_error_of_the_module_comes_where_it_is_used(room: Path) -> None:
    with late_imports():
        from late_room import broken
    with pytest.raises(ValueError, match="not now"):
        _ = broken.SIZE


def test_behind_the_block_modules_are_imported_as_ever(room: Path) -> None:
    import late_room

    late_room.times = 0
    with late_imports():
        pass
    import late_room.page

    assert late_room.times == 1


_STARTED = """
import importlib, sys
import mnemoscope.desktop
importlib.import_module("mnemoscope.ui.shell.workspace_window")
print(*sorted(name for name, module in sys.modules.items() if type(module).__name__ == "_LazyModule"))
"""
_LATE = (
    "mnemoscope.ui.agents.agents_window",
    "mnemoscope.ui.capture.capture_dialog",
    "mnemoscope.ui.manual.manual_window",
    "mnemoscope.ui.prompt.prompt_pane",
    "mnemoscope.ui.search.search_sheet",
    "mnemoscope.ui.sessions.export_controller",
    "mnemoscope.ui.settings.settings_dialog",
    "mnemoscope.ui.shell.palette.command_palette",
)


@pytest.mark.slow
def test_what_a_window_does_not_show_when_it_opens_is_not_executed_by_the_imports_of_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", _STARTED], capture_output=True, text=True, check=True, timeout=60)
    assert {*_LATE} - {*done.stdout.split()} == set()
