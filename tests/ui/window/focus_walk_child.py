"""Opens a window and every dialog of it, walks through each with Tab, and prints what it met, as lines of JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from PySide6.QtWidgets import QMainWindow, QWidget

from mnemoscope.ui.shell.application import make_application
from mnemoscope.ui.shell.window_loop import WindowLoop
from mnemoscope.ui.translation.translation import install_translation
from mnemoscope.ui.widgets.theme import apply_theme
from tests.ui.window.focus_walk import climbs, controls_in_sight, keep_caret_still, missed, pages_of, walk
from tests.ui.window.small_screen_child import PaneTour, Tour, closed, in_use
from tests.ui.window_fixture import rest

_seen: set[int] = set()


async def look(name: str, window: QWidget) -> None:
    """Walks through a window, page by page where it has tabs, and prints what was met."""
    await rest(0.05)
    pages = iter([""]) if isinstance(window, QMainWindow) else pages_of(window)
    for page in pages:
        await rest(0.05)
        there = list(controls_in_sight(window))
        stops = await walk(window, _seen)
        report = {
            "name": f"{name}: {page}" if page else name,
            "kind": type(window).__name__,
            "stops": [each.name for each in stops],
            "faults": [f"{each.name}: {each.fault}" for each in stops if each.fault],
            "missed": missed(there, window, stops),
            "climbs": [] if isinstance(window, QMainWindow) else climbs(stops),
        }
        print(json.dumps(report), flush=True)


async def main(folder: Path, theme: str) -> None:
    """Opens everything, in a theme."""
    current = await in_use(folder / "home", folder / "window.ini")
    apply_theme(application, theme)
    await PaneTour(current, look).see_all()
    await Tour(current, look).see_all()
    await closed(current)


if __name__ == "__main__":
    application = make_application(["mnemoscope"])
    spoken = install_translation(application, "en")
    keep_caret_still()
    with asyncio.Runner(loop_factory=lambda: WindowLoop(application)) as runner:
        runner.run(main(Path(sys.argv[1]), sys.argv[2]))
