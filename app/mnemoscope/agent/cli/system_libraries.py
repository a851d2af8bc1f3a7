"""Says what the window needs of the system and does not find, libraries or a display: Qt itself would end the program
without a sentence."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping
from typing import Final

_ALWAYS: Final = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
}
_X11: Final = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
_WAYLAND: Final = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
"""The libraries that Qt 6 loads, and the package of Debian and Ubuntu that holds each."""


def missing_libraries(
    environment: Mapping[str, str] = os.environ, load: Callable[[str], object] = ctypes.CDLL
) -> dict[str, str]:
    """Returns the libraries that the window needs on this screen and that cannot be loaded, each with its package.

    It asks on Linux alone; elsewhere they come with Qt. The offscreen platform needs those of no screen.
    """
    if sys.platform != "linux":
        return {}
    needed = dict(_ALWAYS)
    platform = environment.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if platform == "wayland" or (not platform and environment.get("WAYLAND_DISPLAY")):
        needed |= _WAYLAND
    elif platform == "xcb" or (not platform and environment.get("DISPLAY")):
        needed |= _X11
    return {name: package for name, package in needed.items() if not _loads(name, load)}


def missing_libraries_sentence(missing: Mapping[str, str]) -> str:
    """Returns what to tell a person of missing libraries: their names, and the command that installs them."""
    names = ", ".join(missing)
    packages = " ".join(missing.values())
    return (
        f"The window cannot open, because the system lacks {names}. On Debian and Ubuntu this installs what is "
        f"missing: sudo apt-get install {packages}"
    )


def display_problem(environment: Mapping[str, str] = os.environ, answers: Callable[[], bool] | None = None) -> str:
    """Returns a sentence on why no window can be shown, "" where one can be, or where that is not known.

    It asks on Linux alone, and not where the person names the platform that Qt is to use. `answers` tells whether the X
    display does.
    """
    if sys.platform != "linux" or environment.get("QT_QPA_PLATFORM") or environment.get("WAYLAND_DISPLAY"):
        return ""
    display = environment.get("DISPLAY")
    if not display:
        return (
            "The window cannot open, because there is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set. "
            "What needs none stands in mnemoscope --help; mnemoscope --tour FOLDER leaves pictures of the window."
        )
    if not (answers or _display_answers)():
        return f"The window cannot open, because the display {display} does not answer. DISPLAY names it."
    return ""


def _display_answers() -> bool:
    """Returns whether the X display can be connected to, by the library with which Qt does it; True where that library
    is missing, which is said by itself."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    # Also one that failed is let go of.
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed


def _loads(name: str, load: Callable[[str], object]) -> bool:
    try:
        load(name)
    except OSError:
        return False
    return True
