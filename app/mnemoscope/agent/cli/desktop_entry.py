"""`mnemoscope install-desktop [--remove]`: a menu entry for the person who runs it.

Written are a desktop file, its icon and its AppStream page below `$XDG_DATA_HOME`, in the form of the freedesktop.org
specifications. The desktop file offers the program for folders; what opens folders by default stays as it is.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.files.atomic import make_directory, remove_file, replace_bytes
from mnemoscope.store.files.shipped import shipped

_PLACES: Final = {
    "mnemoscope.desktop": Path("applications"),
    "mnemoscope.svg": Path("icons", "hicolor", "scalable", "apps"),
    "mnemoscope.metainfo.xml": Path("metainfo"),
}
"""The place of each file of `resources/desktop`, below the folder for data."""
_RESERVED: Final = " \t\n\"'\\><~|&;$*?#()`"
"""Characters for which an argument in `Exec` has to be quoted (Desktop Entry Specification, "The Exec key")."""


def main(arguments: Sequence[str], out: TextIO | None = None) -> int:
    """Writes or removes the menu entry; returns 0, 1 if the disk refused, or 2 on a system without such entries."""
    out = out or sys.stdout
    parser = argparse.ArgumentParser(
        prog="mnemoscope install-desktop",
        description="Put Mnemoscope into the menu of this user, with its icon, and offer it for folders.",
    )
    parser.add_argument("--remove", action="store_true", help="take it out again")
    options = parser.parse_args(arguments)
    if sys.platform in {"darwin", "win32"}:
        print("Menu entries of this kind are for Linux desktops. Nothing was written.", file=out)
        return 2
    data = data_home()
    try:
        changed = remove(data) if options.remove else install(data, start_command())
    except MnemoscopeError as error:
        print(error, file=out)
        return 1
    _refresh_desktop(data)
    if options.remove:
        _remove_empty_folders(data)
    for path in changed:
        print(f"{'removed' if options.remove else 'written'}  {path}", file=out)
    if not changed:
        print("There is no menu entry to remove.", file=out)
    return 0


def data_home() -> Path:
    """Returns the folder for a person's data: `$XDG_DATA_HOME` where it is absolute, else `~/.local/share`."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"


def start_command() -> list[str]:
    """Returns the command that starts this installation: the script beside this Python, else this Python itself."""
    script = Path(sys.executable).with_name("mnemoscope")
    started = Path(sys.argv[0]).absolute()
    if started.name == "mnemoscope" and os.access(started, os.X_OK):
        return [str(started)]
    return [str(script)] if os.access(script, os.X_OK) else [sys.executable, "-m", "mnemoscope"]


def install(data: Path, command: Sequence[str]) -> list[Path]:
    """Writes the files below `data`, each whole or not at all, and returns their paths."""
    changed = []
    for name, folder in _PLACES.items():
        content = shipped("resources", "desktop", name).read_bytes()
        if name.endswith(".desktop"):
            content = desktop_entry(content.decode(), command).encode()
        path = data / folder / name
        make_directory(path.parent)
        replace_bytes(path, content)
        changed.append(path)
    return changed


def remove(data: Path) -> list[Path]:
    """Removes what `install` writes, and returns the paths that were there."""
    changed = []
    for name, folder in _PLACES.items():
        path = data / folder / name
        if path.is_file() or path.is_symlink():
            remove_file(path)
            changed.append(path)
    return changed


def desktop_entry(template: str, command: Sequence[str]) -> str:
    """Returns the desktop file with the command that starts this installation, quoted as its format asks."""
    lines = []
    for line in template.splitlines():
        key = line.partition("=")[0]
        if key == "Exec":
            line = f"Exec={' '.join(map(_quoted, command))} %f"
        elif key == "TryExec":
            line = f"TryExec={_escaped(command[0])}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def _quoted(argument: str) -> str:
    """Returns an argument of `Exec`, quoted where that is due."""
    argument = argument.replace("%", "%%")
    if not any(character in _RESERVED for character in argument):
        return argument
    for character in '\\"`$':
        argument = argument.replace(character, "\\" + character)
    return _escaped(f'"{argument}"')


def _escaped(value: str) -> str:
    """Returns a value of type string: a backslash in it is written twice."""
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def _refresh_desktop(data: Path) -> None:
    """Has the list of file types and the icons read anew, where the desktop has the tools for it.

    A cache of icons is not begun: icons that other programs put there later would not be found in it.
    """
    applications, icons = data / "applications", data / "icons" / "hicolor"
    tools: list[tuple[str, ...]] = [("update-desktop-database", str(applications))]
    if (icons / "icon-theme.cache").exists():
        tools.append(("gtk-update-icon-cache", "--quiet", "--ignore-theme-index", str(icons)))
    for tool, *rest in tools:
        if found := shutil.which(tool):
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run([found, *rest], capture_output=True, timeout=10, check=False)
    with suppress(OSError):
        if not any(applications.rglob("*.desktop")):
            # The tool leaves an empty list where the last entry was taken out.
            (applications / "mimeinfo.cache").unlink()


def _remove_empty_folders(data: Path) -> None:
    """Removes the folders of the files in which nothing is left, and those above them within the home folder."""
    home = Path.home()
    for place in _PLACES.values():
        folder = data / place
        with suppress(OSError):
            # A folder that holds anything is not removed, and ends the way up.
            while data in folder.parents or home in folder.parents:
                folder.rmdir()
                folder = folder.parent
