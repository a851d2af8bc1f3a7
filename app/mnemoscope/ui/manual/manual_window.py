"""The manual in a window of its own: pages or what was found at the left, one page at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from mnemoscope.ui.manual.manual import (
    FIRST_PAGE,
    Manual,
    ManualPage,
    PageLink,
    heading_slug,
    read_inner_link,
    with_inner_links,
)
from mnemoscope.ui.manual.manual_search import ManualPassage, ManualSearch
from mnemoscope.ui.markdown.document.document_writer import write_text
from mnemoscope.ui.markdown.document.markdown_view import MarkdownView
from mnemoscope.ui.markdown.document.text_style import TextStyle
from mnemoscope.ui.widgets.accessibility.part_keys import PartKey, PartKeys
from mnemoscope.ui.widgets.dialogs.screen_fit import Dialog
from mnemoscope.ui.widgets.lists.two_line_delegate import TwoLineDelegate
from mnemoscope.ui.widgets.square_button import square_tool
from mnemoscope.ui.widgets.theme import READING_WIDTH, Theme, set_role, theme_notifier

_SIZE: Final = (960, 640)
_LIST_WIDTH: Final = 260
_CHAPTER: Final = 28
"""The height of a chapter's name in the list."""
_DATA: Final = Qt.ItemDataRole.UserRole
_MOST: Final = 200
"""Passages listed; the count says how many there are."""
_PAGE_MARGIN: Final = 20
_ROOM_ABOVE: Final = 12
"""Pixels left free above a place that is jumped to."""


class ManualWindow(Dialog):
    """Shows the pages of a manual. `link_requested` comes with an address outside of it.

    It has no parent, so that a dialog of the window it was opened from does not block it.
    """

    link_requested = Signal(str)

    def __init__(self, manual: Manual) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self._manual = manual
        self._search = ManualSearch()
        self._unread = list(manual.pages.values())
        self._back: list[PageLink] = []
        self._forward: list[PageLink] = []
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Manual"))
        self.field = QLineEdit(self)
        self.pages = QListWidget(self)
        self.results = QListWidget(self)
        self.count = QLabel(self)
        self.back_button = square_tool(self, self.tr("The page before (Alt+Left)"), 28, 16, "chevron-left")
        self.forward_button = square_tool(self, self.tr("The page after (Alt+Right)"), 28, 16, "chevron-right")
        self.view = ManualView(self)
        self._title = QLabel(self)
        self._lists = QStackedWidget(self)
        self._reading = QTimer(self, interval=0)
        self._lay_out()
        self._fill_pages()
        self._connect()
        self.resize(*_SIZE)
        self._show(PageLink(FIRST_PAGE))
        self._reading.start()

    @property
    def page(self) -> str:
        """Returns the name of the page on show."""
        return self.view.page.name if self.view.page is not None else ""

    def go_to(self, link: PageLink) -> None:
        """Shows a place; the one on show is where the back button leads then."""
        page = link.page or self.page
        if page not in self._manual.pages:
            page = FIRST_PAGE
        if page != self.page:
            self._back.append(PageLink(self.page))
            self._forward.clear()
        self._show(PageLink(page, link.heading))

    def search_for(self, asked: str) -> None:
        """Lists the passages that hold what is asked, or the pages where nothing is."""
        is_asked = bool(asked.strip())
        while is_asked and self._unread:
            self._read_next()
        found = self._search.find(asked)
        self.results.clear()
        for passage in found.passages[:_MOST]:
            item = QListWidgetItem(f"{passage.excerpt(found.words)}\n{passage.where}", self.results)
            item.setData(_DATA, passage)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{passage.text}. {passage.where}")
        self.results.setCurrentRow(0 if found.passages else -1)
        self._lists.setCurrentWidget(self.results if is_asked else self.pages)
        self.count.setText(self._count_words(len(found.passages)) if is_asked else "")
        self.count.setVisible(is_asked)
        self.view.mark(found.words)

    def step(self, steps: int) -> None:
        """Shows the next place that was found, or the one before."""
        count = self.results.count()
        if count:
            self.results.setCurrentRow((self.results.currentRow() + steps) % count)
            self._open_result()

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lets Up and Down choose in the list below the field, and Escape empty the field before it closes the
        window."""
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return MANUAL_SEARCH_KEYS.press(self, event)
        return super().eventFilter(watched, event)

    # Parts

    def _lay_out(self) -> None:
        self.field.setPlaceholderText(self.tr("Search the manual"))
        self.field.setAccessibleName(self.tr("Search the manual"))
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        self.pages.setAccessibleName(self.tr("Pages of the manual"))
        self.results.setAccessibleName(self.tr("Found in the manual"))
        self.results.setItemDelegate(TwoLineDelegate(self.results))
        self.results.setWordWrap(True)
        for each in (self.pages, self.results):
            each.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self._lists.addWidget(each)
        self.pages.setSpacing(2)
        set_role(self.count, role="caption")
        self.count.hide()
        set_role(self._title, role="heading")
        columns = QSplitter(Qt.Orientation.Horizontal, self)
        columns.setHandleWidth(1)
        columns.setChildrenCollapsible(False)
        columns.addWidget(self._left())
        columns.addWidget(self._right())
        columns.setStretchFactor(1, 1)
        columns.setSizes([_LIST_WIDTH, _SIZE[0] - _LIST_WIDTH])
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(columns)

    def _left(self) -> QWidget:
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        for part in (self.field, self.count):
            column.addWidget(part)
        column.addWidget(self._lists, 1)
        left.setMinimumWidth(200)
        return left

    def _right(self) -> QWidget:
        right = QWidget(self)
        set_role(right, role="surface")
        head = QHBoxLayout()
        head.setContentsMargins(12, 8, 12, 8)
        head.setSpacing(4)
        for part in (self.back_button, self.forward_button, self._title):
            head.addWidget(part)
        head.addStretch(1)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.view, 1)
        right.setMinimumWidth(320)
        return right

    def _fill_pages(self) -> None:
        chapter = ""
        for page in self._manual.pages.values():
            if page.chapter != chapter:
                chapter = page.chapter
                heading = QListWidgetItem(chapter, self.pages)
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                heading.setFont(Theme.current().font("caption"))
                # It stands with what is below it, apart from what is above.
                heading.setSizeHint(QSize(0, Theme.current().scaled(_CHAPTER)))
                heading.setTextAlignment(Qt.AlignmentFlag.AlignBottom)
            item = QListWidgetItem(page.title, self.pages)
            item.setData(_DATA, page)

    def _connect(self) -> None:
        self.field.textChanged.connect(self.search_for)
        self.field.returnPressed.connect(self._open_current)
        for each in (self.pages, self.results):
            each.itemClicked.connect(lambda _item: self._open_current())
            each.itemActivated.connect(lambda _item: self._open_current())
        self.back_button.clicked.connect(lambda _checked=False: self._go_back())
        self.forward_button.clicked.connect(lambda _checked=False: self._go_forward())
        self.view.page_requested.connect(self.go_to)
        self.view.link_requested.connect(self.link_requested)
        self._reading.timeout.connect(self._read_next)
        MANUAL_KEYS.add_shortcuts(self, Qt.ShortcutContext.WindowShortcut)

    # What happens

    def _clear_field(self) -> bool:
        if not self.field.text():
            return False
        self.field.clear()
        return True

    def _focus_field(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _choose(self, steps: int) -> None:
        chosen = self._current_list()
        row = chosen.currentRow() + steps
        while 0 <= row < chosen.count():
            if chosen.item(row).flags() & Qt.ItemFlag.ItemIsSelectable:
                chosen.setCurrentRow(row)
                return
            row += steps

    def _current_list(self) -> QListWidget:
        return self.results if self._lists.currentWidget() is self.results else self.pages

    def _open_current(self) -> None:
        if self._current_list() is self.results:
            self._open_result()
            return
        item = self.pages.currentItem()
        page: ManualPage | None = item.data(_DATA) if item is not None else None
        if page is not None:
            self.go_to(PageLink(page.name))

    def _open_result(self) -> None:
        item = self.results.currentItem()
        passage: ManualPassage | None = item.data(_DATA) if item is not None else None
        if passage is not None:
            self.go_to(PageLink(passage.page.name))
            self.view.go_to_block(passage.block)

    def _go_back(self) -> None:
        if self._back:
            self._forward.append(PageLink(self.page))
            self._show(self._back.pop())

    def _go_forward(self) -> None:
        if self._forward:
            self._back.append(PageLink(self.page))
            self._show(self._forward.pop())

    def _show(self, link: PageLink) -> None:
        page = self._manual.pages[link.page]
        if page.name != self.page:
            self.view.show_page(page)
            self._title.setText(page.title)
            self._select(page)
        if link.heading:
            self.view.go_to_heading(link.heading)
        self.back_button.setEnabled(bool(self._back))
        self.forward_button.setEnabled(bool(self._forward))

    def _select(self, page: ManualPage) -> None:
        for row in range(self.pages.count()):
            if self.pages.item(row).data(_DATA) == page:
                self.pages.setCurrentRow(row)

    def _read_next(self) -> None:
        """Reads one page for the search, so that the first word typed does not wait for all of them."""
        if self._unread:
            page = self._unread.pop(0)
            document = QTextDocument()
            write_page(document, page)
            self._search.add(page, document)
        else:
            self._reading.stop()

    def _count_words(self, count: int) -> str:
        if not count:
            return self.tr("Nothing found. Try fewer or other words.")
        return self.tr("%n places found", "", count)


def write_page(document: QTextDocument, page: ManualPage) -> None:
    """Writes a page into an empty document, in the theme's looks, to be searched."""
    write_text(QTextCursor(document), with_inner_links(page.text), TextStyle(Theme.current()), READING_WIDTH)


class ManualView(MarkdownView):
    """Shows nothing but pages of the manual.

    `page_requested` comes with the PageLink of a link that was followed, `link_requested` with any other address.
    """

    page_requested = Signal(object)
    link_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, _PAGE_MARGIN)
        self.setAccessibleName(self.tr("Page of the manual"))
        # Every page fits: Qt makes a table as wide as the page one pixel wider than that.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page: ManualPage | None = None
        self._words: Sequence[str] = ()
        self.anchorClicked.connect(self._on_link)
        theme_notifier().changed.connect(self._restyle)

    def show_page(self, page: ManualPage) -> None:
        """Shows a page from its top."""
        self.page = page
        self.write(with_inner_links(page.text))
        self._mark_words()
        self.verticalScrollBar().setValue(0)
        self.setTextCursor(QTextCursor(self.document()))

    def go_to_heading(self, slug: str) -> bool:
        """Scrolls to the heading that a link names; returns False where the page has none of that name."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and heading_slug(block.text()) == slug:
                self._go_to(block)
                return True
            block = block.next()
        return False

    def go_to_block(self, number: int) -> None:
        """Scrolls to the block of that number and puts the caret there."""
        self._go_to(self.document().findBlockByNumber(number))

    def mark(self, words: Sequence[str]) -> None:
        """Marks each of these words wherever it stands on this page and on those shown after it."""
        self._words = words
        self._mark_words()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the text in the middle and no wider than is good to read."""
        beside = max(0, (self.width() - READING_WIDTH - 2 * _PAGE_MARGIN) // 2)
        self.setViewportMargins(beside, 0, beside, 0)
        super().resizeEvent(event)

    def _go_to(self, block: QTextBlock) -> None:
        self.setTextCursor(QTextCursor(block))
        self.document().size()  # lays the whole page out, so that there is room to scroll
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(round(top) - _ROOM_ABOVE)

    def _mark_words(self) -> None:
        theme, look = Theme.current(), QTextCharFormat()
        look.setBackground(theme.color("mark"))
        look.setForeground(theme.color("on_mark"))
        marks = []
        for word in self._words:
            found = self.document().find(word)
            while not found.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = found, look
                marks.append(mark)
                found = self.document().find(word, found)
        self.setExtraSelections(marks)

    def _restyle(self) -> None:
        if self.page is None:
            return
        bar = self.verticalScrollBar()
        share = bar.value() / max(1, bar.maximum())
        self.write(with_inner_links(self.page.text))
        self._mark_words()
        bar.setValue(round(share * bar.maximum()))

    def _on_link(self, address: QUrl) -> None:
        link: PageLink | None = read_inner_link(address.toString())
        if link is not None:
            self.page_requested.emit(link)
        else:
            self.link_requested.emit(address.toString())


MANUAL_KEYS: Final[PartKeys[ManualWindow]] = PartKeys(
    "Manual",
    PartKey("find on all pages", {"Ctrl+F": ManualWindow._focus_field}),
    PartKey("go to the next place that was found", {"F3": lambda window: window.step(1)}),
    PartKey("go to the previous place that was found", {"Shift+F3": lambda window: window.step(-1)}),
    PartKey("go back to the page before", {"Alt+Left": lambda window: window._go_back()}),
    PartKey("go forward again", {"Alt+Right": lambda window: window._go_forward()}),
    PartKey("show the first page", {"F1": lambda window: window.go_to(PageLink(FIRST_PAGE))}),
    in_own_window=True,
)
MANUAL_SEARCH_KEYS: Final[PartKeys[ManualWindow]] = PartKeys(
    "Manual, the search field",
    PartKey(
        "choose what was found", {"Up": lambda window: window._choose(-1), "Down": lambda window: window._choose(1)}
    ),
    PartKey("empty the field; in an empty one, close the manual", {"Esc": ManualWindow._clear_field}),
    in_own_window=True,
)
