"""The colours of the window, light and dark, by their roles. No Qt.

What leaves the window, such as a page or paper, takes its colours from here as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LIGHT: Final[Mapping[str, str]] = {
    "canvas": "#F6F7F9",
    "surface": "#FFFFFF",
    "sunken": "#EEF0F3",
    "overlay": "#FFFFFF",
    "border": "#D9DDE3",
    "border_strong": "#7F8894",
    "text": "#1B1F24",
    "text_muted": "#57606A",
    "text_faint": "#636C76",
    "accent": "#2563EB",
    "accent_hover": "#1D4ED8",
    "on_accent": "#FFFFFF",
    "accent_soft": "#DCE7FD",
    "focus": "#2563EB",
    "user": "#E8EFFD",
    "pointer": "#7C3AED",
    "pointer_soft": "#F1E9FE",
    "success": "#187A34",
    "warning": "#8A5B00",
    "warning_soft": "#FFF4D6",
    "danger": "#C21F2B",
    "danger_soft": "#FFEBE9",
    "success_soft": "#DAFBE1",
    "diff_add": "#DAFBE1",
    "diff_del": "#FFEBE9",
    "mark": "#FFDF8A",
    "on_mark": "#1B1F24",
}
DARK: Final[Mapping[str, str]] = {
    "canvas": "#17191C",
    "surface": "#1E2125",
    "sunken": "#131517",
    "overlay": "#262A2F",
    "border": "#343A41",
    "border_strong": "#717B87",
    "text": "#E6E8EB",
    "text_muted": "#A3ABB5",
    "text_faint": "#8F98A3",
    "accent": "#6CA0FF",
    "accent_hover": "#8AB4FF",
    "on_accent": "#0B1220",
    "accent_soft": "#23324D",
    "focus": "#6CA0FF",
    "user": "#24304A",
    "pointer": "#B692F6",
    "pointer_soft": "#2A2140",
    "success": "#4AC26B",
    "warning": "#D4A72C",
    "warning_soft": "#33290F",
    "danger": "#FF7B72",
    "danger_soft": "#42191B",
    "success_soft": "#12351F",
    "diff_add": "#12351F",
    "diff_del": "#42191B",
    "mark": "#FFDF8A",
    "on_mark": "#1B1F24",
}
