"""The palette keeps its promises on contrast."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QMainWindow,
    QPushButton,
    QStyle,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from mnemoscope.ui.shell.main_window import DOCK_GAP
from mnemoscope.ui.widgets.palettes import DARK, LIGHT
from mnemoscope.ui.widgets.theme import Theme, apply_theme, set_role, theme_notifier

BODY = [
    ("text", ground) for ground in ("canvas", "surface", "sunken", "overlay", "user", "accent_soft", "pointer_soft")
]
BODY += [("text", ground) for ground in ("diff_add", "diff_del", "warning_soft", "danger_soft", "success_soft")]
TEXT = [(role, ground) for role in ("text_muted", "text_faint") for ground in ("canvas", "surface", "sunken")]
TEXT += [
    ("accent", "surface"),
    ("accent", "canvas"),
    ("accent_hover", "pointer_soft"),
    ("on_accent", "accent"),
    ("on_mark", "mark"),
]
TEXT += [("pointer", "surface"), ("pointer", "pointer_soft"), ("warning", "warning_soft"), ("danger", "danger_soft")]
EDGES = [(role, ground) for role in ("border_strong", "focus") for ground in ("canvas", "surface")]
EDGES += [("on_accent", "border_strong")]


def luminance(colour: str) -> float:
    shade = QColor(colour)
    channels = [value / 255 for value in (shade.red(), shade.green(), shade.blue())]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("roles", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("pairs", "least"), [(BODY, 7.0), (TEXT, 4.5), (EDGES, 3.0)], ids=["body text", "captions and links", "edges"]
)
def test_every_pair_reaches_its_contrast(roles: dict[str, str], pairs: list[tuple[str, str]], least: float) -> None:
    short = {pair: round(contrast(roles[pair[0]], roles[pair[1]]), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in short.items() if ratio < least} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_tick_that_cannot_be_changed_is_still_seen(qtbot: QtBot, qapp: QApplication, theme: str) -> None:
    apply_theme(qapp, theme)
    box = QCheckBox("Kept")
    tree = QTreeWidget()
    item = QTreeWidgetItem(tree, ["Kept"])
    item.setCheckState(0, Qt.CheckState.Checked)
    box.setChecked(True)
    for widget in (box, tree):
        qtbot.addWidget(widget)
        widget.setEnabled(False)
        widget.show()
        picture = widget.grab().toImage()
        shown = {
            picture.pixelColor(column, row).name()
            for column in range(picture.width())
            for row in range(picture.height())
        }
        assert {Theme.current().color(role).name() for role in ("border_strong", "on_accent")} <= shown
    apply_theme(qapp, "light")


def test_both_palettes_state_the_same_roles() -> None:
    assert LIGHT.keys() == DARK.keys()


def test_applying_a_theme_is_announced_and_in_force(qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    heard: list[bool] = []
    slot = theme_notifier().changed.connect(lambda: heard.append(Theme.current().dark))
    apply_theme(qapp, "dark")
    apply_theme(qapp, "light")
    theme_notifier().changed.disconnect(slot)
    assert heard == [True, False]


def test_an_icon_is_drawn_in_the_colour_of_its_role(qapp: QApplication) -> None:
    theme = apply_theme(qapp, "light")
    image = theme.icon("check", "danger").pixmap(QSize(20, 20)).toImage()
    painted = [image.pixelColor(x, y) for x in range(20) for y in range(20) if image.pixelColor(x, y).alpha() > 250]
    assert painted
    assert all(colour.name().upper() == LIGHT["danger"] for colour in painted)


def test_docks_stand_as_far_apart_as_the_window_counts_on(qapp: QApplication, qtbot: QtBot) -> None:
    apply_theme(qapp, "light")
    window = QMainWindow()
    qtbot.addWidget(window)
    assert window.style().pixelMetric(QStyle.PixelMetric.PM_DockWidgetSeparatorExtent, None, window) == DOCK_GAP


def test_what_a_widget_is_can_be_said_before_it_is_shown_and_after(qapp: QApplication, qtbot: QtBot) -> None:
    apply_theme(qapp, "light")
    label = QLabel("words")
    qtbot.addWidget(label)
    set_role(label, role="muted")
    label.show()
    assert label.palette().color(label.foregroundRole()).name().upper() == LIGHT["text_muted"]
    set_role(label, role="heading")
    assert label.palette().color(label.foregroundRole()).name().upper() == LIGHT["text"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_focused_button_has_its_ring_alone_and_no_second_frame_around_its_words(
    qtbot: QtBot, qapp: QApplication, scheme: str
) -> None:
    apply_theme(qapp, scheme)
    window = QWidget()
    qtbot.addWidget(window)
    button = QPushButton("  ", window)
    set_role(button, kind="primary")
    button.resize(90, 34)
    with qtbot.waitActive(window):
        window.show()
    # As after a press of Tab.
    window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert button.hasFocus()
    picture = button.grab().toImage()
    inside = {picture.pixel(x, y) for x in range(5, picture.width() - 5) for y in range(5, picture.height() - 5)}
    assert len(inside) == 1
    apply_theme(qapp, "light")
