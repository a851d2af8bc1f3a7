"""Hands and eyes of the tour: real key presses and clicks, waiting for what should show, pictures of what does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from html import escape
from math import inf
from pathlib import Path
from time import monotonic
from weakref import WeakKeyDictionary

from PySide6.QtCore import QAbstractAnimation, QEvent, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QWidget

from mnemoscope.ui.widgets.theme import Theme

Scene = Callable[[], Coroutine[object, object, None]]
_POLL = 0.02
# So often in a row nothing moves in a window that has come to rest. Each look goes through all of its parts.
_CALM_POLLS = 3
# Of a PNG, by which Qt chooses how long it looks for a shorter file: as small as usual, in two thirds of the time.
_QUALITY = 80
# What waits longer is not part of what was just done: drafts that are kept, words that fade.
_SOON_MS = 350
# A task that is there for longer does not end by itself: it waits for a clock or for the person.
_LASTING_SECONDS = 0.5
# Ends what hangs: a machine that is busy with other things takes its time.
_PATIENCE = 240.0


class NotShown(AssertionError):
    """A scene does not show what it should."""


@dataclass(frozen=True, slots=True)
class Shot:
    """Describes one picture, or a page or PDF for a browser: its file's name, what it shows, and the chapter it belongs
    to."""

    name: str
    title: str
    story: str
    chapter: str


@dataclass
class Driver:
    """Acts on one window and keeps the pictures in `folder`."""

    folder: Path
    window: QWidget
    shots: list[Shot] = field(default_factory=list)
    chapter: str = ""
    scenes: int = 0
    _first_seen: WeakKeyDictionary[asyncio.Task[object], float] = field(default_factory=WeakKeyDictionary)
    _clicked_at: float = -inf

    async def until(self, shows: Callable[[], object], what: str, seconds: float = _PATIENCE) -> None:
        """Waits until `shows()` is true; raises NotShown naming `what` when it does not come true."""
        ends = monotonic() + seconds
        while not shows():
            if monotonic() > ends:
                raise NotShown(what)
            await asyncio.sleep(_POLL)

    async def settle(self, seconds: float = 0.35) -> None:
        """Waits until animations, delayed work and painting have come to rest, and no longer than `seconds`."""
        ends = monotonic() + seconds
        calm = 0
        while calm < _CALM_POLLS and monotonic() < ends:
            await asyncio.sleep(_POLL)
            calm = 0 if self._is_moving() else calm + 1

    def _is_moving(self) -> bool:
        """Returns whether a task has just begun, an animation runs or a timer is about to go off."""
        now = monotonic()
        for task in asyncio.all_tasks():
            if now - self._first_seen.setdefault(task, now) < _LASTING_SECONDS:
                return True
        for top in QApplication.topLevelWidgets():
            if any(one.state() is QAbstractAnimation.State.Running for one in top.findChildren(QAbstractAnimation)):
                return True
            for timer in top.findChildren(QTimer):
                is_of_this = timer.isSingleShot() or timer.interval() <= _SOON_MS
                if timer.isActive() and is_of_this and timer.remainingTime() <= _SOON_MS:
                    return True
        return False

    def type(self, widget: QWidget, text: str) -> None:
        """Types text into a widget, key by key."""
        widget.setFocus()
        for number, line in enumerate(text.split("\n")):
            if number:
                QTest.keyClick(widget, Qt.Key.Key_Return)
            QTest.keyClicks(widget, line)

    def press(self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier | None = None) -> None:
        """Presses one key."""
        QTest.keyClick(widget, key, modifiers or Qt.KeyboardModifier.NoModifier)

    async def click(self, widget: QWidget, where: QPoint | None = None) -> None:
        """Clicks with the left button, in the middle unless another place is given, after `double_click_over`."""
        await self.double_click_over()
        place = where or widget.rect().center()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        self._clicked_at = monotonic()

    async def double_click_over(self) -> None:
        """Waits until nobody takes a click for the second half of a double click: of two such presses many buttons take
        the first one alone. What is to be clicked is looked for afterwards, since it may be made anew meanwhile."""
        apart = QApplication.doubleClickInterval() / 1000
        await self.until(lambda: monotonic() - self._clicked_at > apart, "the end of a double click")

    def drag(self, widget: QWidget, start: QPoint, stop: QPoint) -> None:
        """Presses the left button at a place, and moves the mouse to another while it is held."""
        QTest.mousePress(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
        for place in (start, (start + stop) / 2, stop):
            # Qt's own way to move the mouse holds no button.
            moved = QMouseEvent(
                QEvent.Type.MouseMove,
                QPointF(place),
                widget.mapToGlobal(QPointF(place)),
                Qt.MouseButton.NoButton,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
            )
            QApplication.sendEvent(widget, moved)

    def drop(self, widget: QWidget, place: QPoint) -> None:
        """Releases the left button."""
        QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)

    def button(self, pane: object, text: str) -> QAbstractButton | None:
        """Returns the visible button of that text within a pane."""
        found = pane.findChildren(QAbstractButton) if isinstance(pane, QWidget) else []
        return next((one for one in found if one.isVisible() and one.text().replace("&", "") == text), None)

    def expect(self, shown: object, what: str) -> None:
        """Raises NotShown unless `shown` is true."""
        if not shown:
            raise NotShown(what)

    async def shoot(self, name: str, title: str, story: str, *, follows: bool = False) -> Path:
        """Keeps a picture of the window with whatever lies over it; one that `follows` bears the same number."""
        await self.settle()
        self.scenes += not follows
        path = self.folder / f"{self.scenes:02}-{name}.png"
        self._picture().save(str(path), "PNG", _QUALITY)
        self.shots.append(Shot(path.name, title, story, self.chapter))
        return path

    def keep_page(self, name: str, title: str, story: str, ending: str = "html") -> Path:
        """Returns where what a browser shows, a page or a PDF, is put, to stand behind the picture before it."""
        path = self.folder / f"{self.scenes:02}-{name}.{ending}"
        self.shots.append(Shot(path.name, title, story, self.chapter))
        return path

    def _picture(self) -> QPixmap:
        picture = self.window.grab()
        with QPainter(picture) as painter:
            origin = self.window.mapToGlobal(QPoint(0, 0))
            for other in QApplication.topLevelWidgets():
                if other is not self.window and other.isVisible() and other.isWindow():
                    place = other.mapToGlobal(QPoint(0, 0)) - origin
                    if isinstance(other, QDialog):
                        # Offscreen the screen is smaller than the window, and no window manager centres it.
                        place = self.window.rect().center() - other.rect().center()
                    painter.drawPixmap(place, other.grab())
                    # Offscreen no window manager draws an edge.
                    painter.setPen(Theme.current().color("border_strong"))
                    painter.drawRect(QRect(place, other.size()))
        return picture


def write_index(folder: Path, shots: Sequence[Shot]) -> Path:
    """Returns an index.html that shows the pictures in order, chapter by chapter."""
    parts: list[str] = []
    titles: list[str] = []
    for shot in shots:
        if shot.chapter not in titles:
            titles.append(shot.chapter)
            parts.append(f'<h2 id="chapter-{len(titles)}">{escape(shot.chapter)}</h2>')
        words = f"<b>{escape(shot.title)}</b> {escape(shot.story)}"
        if not shot.name.endswith(".png"):
            shown = f'<iframe src="{shot.name}" title="{escape(shot.title)}"></iframe>'
        else:
            shown = f'<img src="{shot.name}" alt="{escape(shot.title)}">'
        parts.append(f'<figure id="{shot.name}">{shown}<figcaption>{words}</figcaption></figure>')
    contents = " · ".join(f'<a href="#chapter-{at}">{escape(title)}</a>' for at, title in enumerate(titles, 1))
    page = folder / "index.html"
    page.write_text(
        '<!doctype html><html lang="en-GB"><meta charset="utf-8"><title>Mnemoscope: the tour</title>'
        "<style>body{font:16px/1.5 system-ui;max-width:1100px;margin:32px auto;padding:0 16px;color:#1b1f24;"
        "background:#f6f7f9}a{color:#2563eb}img,iframe{width:100%;border:1px solid #d9dde3;border-radius:8px}"
        "iframe{height:700px}figure{margin:0 0 40px}figcaption{margin-top:8px}h2{margin:48px 0 16px}</style>"
        f"<h1>Mnemoscope: the tour</h1>\n<nav>{contents}</nav>\n" + "\n".join(parts) + "\n</html>\n",
        encoding="utf-8",
    )
    return page
