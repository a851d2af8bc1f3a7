"""Source and preview scroll together, block by block.

The line that both views hold at the same height is the one at the share of the viewport that was scrolled so far: at
the top the first, in the middle the middle one, at the end the last. So both reach their ends together, and what a
person looks at is beside its counterpart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QScrollBar

from mnemoscope.ui.memory.editor.memory_editor import MemoryEditor
from mnemoscope.ui.memory.editor.preview import MemoryPreview


class LinkedScroll(QObject):
    """Lets each of the two views follow the other; the one that follows never leads in the same step."""

    def __init__(self, editor: MemoryEditor, preview: MemoryPreview) -> None:
        super().__init__(editor)
        self._editor, self._preview = editor, preview
        self._following = self._preview_leads = False
        editor.scrolled.connect(self._on_editor)
        # A bar says that it has another end before it has its new value, and lines are laid out when they are painted.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._follow)
        for view in (editor, preview):
            view.laid_out.connect(self._on_laid_out)
        preview.scrolled.connect(self._on_preview)

    @contextmanager
    def held(self) -> Iterator[None]:
        """While a view is being rebuilt, its scrolling means nothing."""
        before, self._following = self._following, True
        try:
            yield
        finally:
            self._following = before

    def follow_editor(self) -> None:
        """Bring the preview to where the editor is."""
        if not (self._editor.isVisible() and self._preview.isVisible()):
            return
        bar = self._preview.verticalScrollBar()
        with self.held():
            if self._editor.verticalScrollBar().maximum() == 0:
                self._show_caret()
                return
            share = _share(self._editor.verticalScrollBar())
            line = self._editor.line_at(share * self._editor.viewport().height())
            height = share * self._preview.viewport().height()
            bar.setValue(bar.maximum() if share == 1 else round(self._preview.y_of_line(line) - height))

    def follow_preview(self) -> None:
        """Bring the editor to where the preview is."""
        if not (self._editor.isVisible() and self._preview.isVisible()):
            return
        with self.held():
            bar = self._preview.verticalScrollBar()
            share = _share(bar)
            line = self._preview.line_at(bar.value() + share * self._preview.viewport().height())
            self._editor.show_line_at(line, share * self._editor.viewport().height())
            if share == 1:
                self._editor.verticalScrollBar().setValue(self._editor.verticalScrollBar().maximum())

    def _show_caret(self) -> None:
        """All of the source is in sight: there is nothing to follow but the caret."""
        if not self._editor.hasFocus():
            return
        bar, height = self._preview.verticalScrollBar(), self._preview.viewport().height()
        line = self._editor.caret_line()
        top, bottom = self._preview.y_of_line(line), self._preview.y_of_line(line + 1)
        if top < bar.value():
            bar.setValue(round(top))
        elif bottom > bar.value() + height:
            bar.setValue(round(min(top, bottom - height)))

    def _on_editor(self) -> None:
        if not self._following:
            self._preview_leads = False
            self.follow_editor()

    def _on_preview(self) -> None:
        if not self._following:
            self._preview_leads = True
            self.follow_preview()

    def _on_laid_out(self, anew: bool) -> None:
        if anew:
            # The editor knows which words were at its top.
            self._preview_leads = False
        if not self._following:
            self._follow()
        self._soon.start()

    def _follow(self) -> None:
        # Whoever scrolls the preview keeps it still while the editor's lines find their heights.
        if self._preview_leads:
            self.follow_preview()
        else:
            self.follow_editor()


def _share(bar: QScrollBar) -> float:
    """Returns how much of the way is scrolled, 0 to 1."""
    return bar.value() / bar.maximum() if bar.maximum() > 0 else 0.0
