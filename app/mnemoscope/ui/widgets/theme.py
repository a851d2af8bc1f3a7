"""Colours, type, space and icons: one place that knows how the window looks.

Roles and measures are the design system's; both palettes are ours, because offscreen and on some desktops the
system states no colour scheme. A widget never sets a style sheet of its own: it states what it is by the dynamic
properties `kind` and `role`, and the one sheet compiled here says how that looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property, lru_cache
from string import Template
from typing import Final

from PySide6.QtCore import QByteArray, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QPainter,
    QPalette,
    QPixmap,
    QPixmapCache,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from mnemoscope.store.files.shipped import shipped
from mnemoscope.ui.widgets.palettes import DARK, LIGHT

LINK_INSET: Final = 5
"""Room within a link's button: words above it are indented so much. A negative spacing would cut the last letter."""
_SCALE: Final[Mapping[str, float]] = {
    "caption": 0.9,
    "body": 1.0,
    "lead": 1.1,
    "title": 1.5,
    "display": 1.8,
    "code": 0.95,
}
_SEMIBOLD: Final = frozenset({"title", "display"})
CONTROL_HEIGHT: Final = 32
ROW_HEIGHT: Final = 48
READING_WIDTH: Final = 720
_LINE: Final = 18
"""Pixels of a line of text for which the measures are meant; a higher line makes what holds it higher."""
_HEIGHTS: Final[Mapping[str, int]] = {
    "control": 30,
    "control_focus": 28,
    "control_ring": 24,
    "tight": 20,
    "link": 22,
    "spin": 27,
    "spin_focus": 25,
    "link_focus": 20,
    "tree_row": 28,
    "check": 24,
}
"""Inner heights the style sheet names, without the border around them."""
_IMAGES: Final = ("arrow", "arrow-up", "arrow-left", "arrow-right", "tick")


@lru_cache(maxsize=256)
def icon_renderer(name: str, colour: str) -> QSvgRenderer:
    """Returns what draws an icon in a colour (`#RRGGBB`)."""
    source = shipped("resources", "icons", f"{name}.svg").read_text(encoding="utf-8")
    return QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))


class SvgIcon(QIconEngine):
    """Paints one icon in one colour at whatever size is asked; in another one where its control is disabled."""

    def __init__(self, name: str, colour: str, disabled: str) -> None:
        super().__init__()
        self._name = name
        self._colour = colour
        self._disabled = disabled

    def paint(self, painter: QPainter, rect: object, mode: QIcon.Mode, state: QIcon.State) -> None:
        place = QRect(rect)  # type: ignore[call-overload]
        # Where there is more room than a square, it is left free behind the icon.
        side = min(place.width(), place.height())
        icon_renderer(self._name, self._colour_in(mode)).render(painter, QRectF(place.x(), place.y(), side, side))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        # Many controls show the same icon, which takes longer to draw than to keep.
        key = f"icon {self._name} {self._colour_in(mode)} {size.width()}x{size.height()} {scale}"
        pixmap = QPixmap()
        if QPixmapCache.find(key, pixmap):
            return pixmap
        # The size is in pixels of the ordinary scale, the pixmap in those of the screen.
        pixmap = QPixmap(size * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        QPixmapCache.insert(key, pixmap)
        return pixmap

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return size

    def clone(self) -> QIconEngine:
        return SvgIcon(self._name, self._colour, self._disabled)

    def _colour_in(self, mode: QIcon.Mode) -> str:
        return self._disabled if mode == QIcon.Mode.Disabled else self._colour


class ThemeNotifier(QObject):
    """Says that colours or fonts changed; widgets then read them again."""

    changed = Signal()


@cache
def theme_notifier() -> ThemeNotifier:
    """Returns the one notifier of the process."""
    return ThemeNotifier()


class Theme:
    """Holds the look in force. Read it when painting; never keep a colour across `theme_notifier().changed`."""

    _current: Theme | None = None

    def __init__(self, roles: Mapping[str, str], *, dark: bool, zoom: float = 1.0) -> None:
        self.roles = roles
        self.dark = dark
        self.zoom = zoom

    @classmethod
    def current(cls) -> Theme:
        """Returns the theme in force; light until one was applied."""
        if cls._current is None:
            cls._current = Theme(LIGHT, dark=False)
        return cls._current

    def color(self, role: str) -> QColor:
        """Returns a role's colour."""
        return QColor(self.roles[role])

    def font(self, kind: str = "body") -> QFont:
        """Returns the font `body`, `caption`, `lead`, `title`, `display` or `code`, scaled from the system's font and
        the zoom."""
        fixed = QFontDatabase.SystemFont.FixedFont
        font = QFontDatabase.systemFont(fixed) if kind == "code" else QFont(_system_font())
        base = _system_font().pointSizeF()
        font.setPointSizeF(base * _SCALE[kind] * self.zoom)
        font.setWeight(QFont.Weight.DemiBold if kind in _SEMIBOLD else QFont.Weight.Normal)
        return font

    def height(self, pixels: int) -> int:
        """Returns the height of what holds one line of text and is this high at the ordinary size; never less."""
        return pixels + max(0, self._line_height - _LINE)

    def scaled(self, pixels: int) -> int:
        """Returns the size of a mark or an icon that stands beside text; never less than at the ordinary size."""
        return round(pixels * max(1.0, self._line_height / _LINE))

    @cached_property
    def _line_height(self) -> int:
        return QFontMetrics(self.font("body")).height()

    def icon(self, name: str, role: str = "text") -> QIcon:
        """Returns a Lucide icon in a role's colour, sharp at any scale, muted where its control is disabled."""
        return QIcon(SvgIcon(name, self.roles[role], self.roles["text_faint"]))


@cache
def _system_font() -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if "Inter" in QFontDatabase.families() and QGuiApplication.platformName() in {"offscreen", "xcb", "minimal"}:
        font.setFamily("Inter")
    if font.pointSizeF() <= 0:
        font.setPointSizeF(10.0)
    return font


def apply_theme(app: QApplication, mode: str = "system", zoom: float = 1.0) -> Theme:
    """Gives the whole application the look `light`, `dark` or what the system asks for; says so if it was another."""
    dark = mode == "dark" or (mode == "system" and app.styleHints().colorScheme() == Qt.ColorScheme.Dark)
    theme = Theme(DARK if dark else LIGHT, dark=dark, zoom=zoom)
    style_sheet = _style_sheet(theme)
    in_force = Theme.current()
    if (in_force.dark, in_force.zoom) == (dark, zoom) and app.styleSheet() == style_sheet:
        # To put on what is on already would have every widget of every window styled again.
        return in_force
    Theme._current = theme
    app.setPalette(_palette(theme))
    app.setFont(theme.font("body"))
    app.setStyleSheet(style_sheet)
    theme_notifier().changed.emit()
    return theme


def set_role(widget: QWidget, *, role: str | None = None, kind: str | None = None) -> QWidget:
    """States what a widget is, and has the style sheet read again for it if it was read before."""
    if role is not None:
        widget.setProperty("role", role)
    if kind is not None:
        widget.setProperty("kind", kind)
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)
    return widget


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    for group_role, role in _PALETTE.items():
        palette.setColor(group_role, theme.color(role))
    for group_role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, group_role, theme.color("text_faint"))
    return palette


_PALETTE: Final[Mapping[QPalette.ColorRole, str]] = {
    QPalette.ColorRole.Window: "canvas",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "canvas",
    QPalette.ColorRole.ToolTipBase: "overlay",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.PlaceholderText: "text_faint",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "danger",
    QPalette.ColorRole.Light: "surface",
    QPalette.ColorRole.Midlight: "border",
    QPalette.ColorRole.Dark: "border_strong",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Shadow: "border_strong",
    QPalette.ColorRole.Highlight: "accent_soft",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.Accent: "accent",
}


def _style_sheet(theme: Theme) -> str:
    source = shipped("resources", "style", "window.qss").read_text(encoding="utf-8")
    sizes = {f"{kind}_pt": f"{theme.font(kind).pointSizeF():.2f}pt" for kind in _SCALE}
    look = "dark" if theme.dark else "light"
    images = {name.replace("-", "_"): _style_image(f"{name}-{look}.png") for name in _IMAGES}
    heights = {name: str(theme.height(pixels)) for name, pixels in _HEIGHTS.items()}
    marks = {"indicator": str(theme.scaled(14)), "arrow_size": str(theme.scaled(12))}
    whole = theme.scaled(14) + 2
    ring = round(whole * 0.3)
    marks |= {"radio": str(whole // 2), "radio_ring": str(ring), "radio_dot": str(whole - 2 * ring)}
    marks |= {"pill": str(theme.height(30) // 2), "menu_icon": str(theme.scaled(16))}
    return Template(source).substitute({**theme.roles, **sizes, **images, **heights, **marks})


def _style_image(name: str) -> str:
    return shipped("resources", "style", name).as_posix()


def blend(ground: QColor, signal: QColor, share: float) -> QColor:
    """Returns a colour with a share of another, 0 to 1, in it."""

    def mix(one: int, other: int) -> int:
        return round(one + (other - one) * share)

    return QColor(
        mix(ground.red(), signal.red()), mix(ground.green(), signal.green()), mix(ground.blue(), signal.blue())
    )


def line_height(kind: str = "body") -> int:
    """Returns the pixels of one line of a kind of text."""
    return QFontMetrics(Theme.current().font(kind)).height()
