"""The menu entry starts this installation, is written whole, and is removed without a trace."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mnemoscope.agent.cli import desktop_entry
from mnemoscope.agent.cli.desktop_entry import data_home, install, main, remove, start_command
from mnemoscope.store.files.shipped import shipped

linux = pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="menu entries of this form are Linux's")


def keys(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def test_the_entry_starts_the_program_that_wrote_it(tmp_path: Path) -> None:
    install(tmp_path, ["/opt/tools/bin/mnemoscope"])
    entry = keys(tmp_path / "applications" / "mnemoscope.desktop")
    assert entry["Exec"] == "/opt/tools/bin/mnemoscope %f"
    assert entry["TryExec"] == "/opt/tools/bin/mnemoscope"
    assert entry["MimeType"] == "inode/directory;text/markdown;"


@pytest.mark.parametrize("odd", ["/home/a b/mnemoscope", '/home/$x`y"z/mnemoscope', "/home/50%/mnemoscope"])
def test_an_odd_path_is_one_argument(tmp_path: Path, odd: str) -> None:
    install(tmp_path, [odd, "-m"])
    value = keys(tmp_path / "applications" / "mnemoscope.desktop")["Exec"]
    # As the specification says: the escapes of a string first, then the quotes, then the field codes.
    quoted = re.fullmatch(r'"((?:[^"\\]|\\.)*)" -m %f', value.replace("\\\\", "\\"))
    path = re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else value.removesuffix(" -m %f")
    assert path.replace("%%", "%") == odd


def test_what_was_installed_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "applications").mkdir()
    other = tmp_path / "applications" / "other.desktop"
    other.write_text("theirs", encoding="utf-8")
    written = install(tmp_path, ["mnemoscope"])
    assert len(written) == 3
    assert sorted(remove(tmp_path)) == sorted(written)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [other]
    assert remove(tmp_path) == []


def test_installed_twice_is_installed_once(tmp_path: Path) -> None:
    assert install(tmp_path, ["mnemoscope"]) == install(tmp_path, ["mnemoscope"])


@linux
def test_the_command_tells_what_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    out = io.StringIO()
    assert main([], out) == 0
    assert f"written  {tmp_path / 'applications' / 'mnemoscope.desktop'}" in out.getvalue()
    assert main(["--remove"], out) == 0
    assert main(["--remove"], out) == 0
    assert out.getvalue().endswith("There is no menu entry to remove.\n")


@linux
@pytest.mark.parametrize("others", [0, 1])
def test_a_removal_leaves_no_folder_in_which_nothing_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    home = tmp_path / "home"
    metainfo = home / ".local" / "share" / "metainfo"
    home.mkdir()
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([], io.StringIO()) == 0
    for number in range(others):
        (metainfo / f"other{number}.xml").touch()
    assert main(["--remove"], io.StringIO()) == 0
    theirs = [metainfo.parent.parent, metainfo.parent, metainfo, metainfo / "other0.xml"]
    assert sorted(home.rglob("*")) == (theirs if others else [])


@linux
@pytest.mark.parametrize("is_cached", [False, True])
def test_a_cache_of_icons_is_brought_up_to_date_and_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_cached: bool
) -> None:
    """One that was begun would hide the icons that other programs put there later, and stay after a removal."""
    tools, data = tmp_path / "tools", tmp_path / "data"
    tools.mkdir()
    for name in ("update-desktop-database", "gtk-update-icon-cache"):
        (tools / name).write_text(f'#!/bin/sh\necho "{name}" >> "{tmp_path}/called"\n', encoding="utf-8")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    icons = data / "icons" / "hicolor"
    icons.mkdir(parents=True)
    if is_cached:
        (icons / "icon-theme.cache").touch()
    assert main([], io.StringIO()) == main(["--remove"], io.StringIO()) == 0
    called = (tmp_path / "called").read_text(encoding="utf-8").split()
    assert called == ["update-desktop-database", *["gtk-update-icon-cache"] * is_cached] * 2


@linux
@pytest.mark.parametrize("others", [0, 1])
def test_a_list_of_file_types_is_left_only_where_other_programs_have_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    tools, applications = tmp_path / "tools", tmp_path / "data" / "applications"
    tools.mkdir()
    applications.mkdir(parents=True)
    (tools / "update-desktop-database").write_text('#!/bin/sh\n: > "$1/mimeinfo.cache"\n', encoding="utf-8")
    (tools / "update-desktop-database").chmod(0o755)
    for number in range(others):
        (applications / f"other{number}.desktop").touch()
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert main([], io.StringIO()) == 0
    assert (applications / "mimeinfo.cache").exists()
    assert main(["--remove"], io.StringIO()) == 0
    assert (applications / "mimeinfo.cache").exists() is bool(others)


def test_the_page_for_software_centres_names_this_entry_and_no_release_without_a_day() -> None:
    page = ET.parse(shipped("resources", "desktop", "mnemoscope.metainfo.xml")).getroot()
    assert (page.findtext("id"), page.findtext("launchable")) == ("mnemoscope.desktop", "mnemoscope.desktop")
    assert all(page.findtext(name) for name in ("name", "summary", "metadata_license", "project_license"))
    # `appstreamcli validate` refuses a page with a release that has no day.
    assert [each for each in page.iter("release") if not each.get("date")] == []


@linux
def test_a_disk_that_refuses_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "applications").write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    out = io.StringIO()
    assert main([], out) == 1
    assert "could not be written: a part of its path is not a folder" in out.getvalue()


def test_a_system_without_such_entries_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert main([], io.StringIO()) == 2


def test_a_relative_data_folder_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_home() == tmp_path / ".local" / "share"


def test_the_program_is_the_script_that_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "mnemoscope"
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert start_command() == [str(script)]
    monkeypatch.setattr(sys, "argv", ["-c"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert start_command() == [str(script)]
    script.unlink()
    assert start_command() == [str(tmp_path / "python"), "-m", "mnemoscope"]


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="the system has no such check")
def test_the_entry_is_valid_where_the_system_can_tell(tmp_path: Path) -> None:
    install(tmp_path, ["/opt/mnemoscope"])
    entry = str(tmp_path / "applications" / "mnemoscope.desktop")
    checked = subprocess.run(["desktop-file-validate", "--no-hints", entry], capture_output=True, text=True)
    assert (checked.returncode, checked.stdout) == (0, "")


def test_each_file_that_is_installed_ships() -> None:
    for name in desktop_entry._PLACES:
        assert os.path.getsize(shipped("resources", "desktop", name)) > 100
