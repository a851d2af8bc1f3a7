"""The memory files of another agent: one at a time, what of it is loaded, and where each line comes from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from mnemoscope.agent.foreign.foreign_reading import SeenStore
from mnemoscope.domain.commits import SHORT
from mnemoscope.domain.foreign.foreign_records import ForeignMemoryFile, LineSource, MemoryCommit, MemoryEdit
from mnemoscope.domain.foreign.imported_conversation import local_time
from mnemoscope.ui.agents.foreign_memory_text import ForeignMemoryText, first_not_loaded
from mnemoscope.ui.markdown.reading.untrusted_text import tidied
from mnemoscope.ui.support.locale_words import moment_words
from mnemoscope.ui.widgets.elided_label import ElidedLabel
from mnemoscope.ui.widgets.fields import ComboBox
from mnemoscope.ui.widgets.theme import set_role

_LONGEST = 240


class ForeignMemoryView(QWidget):
    """Shows the files of one store."""

    file_requested = Signal(object)
    """The lines of this `ForeignMemoryFile` are to be traced."""
    message_requested = Signal(object)
    """The message of this `MemoryEdit` is to be shown."""
    copy_requested = Signal(str)
    """This line is to be copied to another agent."""
    line_shown = Signal(str)
    """It is shown where this line comes from."""
    health_requested = Signal(object)
    """The memory of this `SeenStore` is to be examined."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._files: list[ForeignMemoryFile] = []
        self._store: SeenStore | None = None
        self._author_pending = ""
        self.whose = ElidedLabel(self)
        set_role(self.whose, role="heading")
        self.files = ComboBox(self)
        self.files.setAccessibleName(self.tr("Memory file"))
        self.files.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.loaded = QLabel(self)
        self.loaded.setWordWrap(True)
        set_role(self.loaded, role="caption")
        self.text = ForeignMemoryText(self)
        self.who = QLabel(self)
        self.who.setWordWrap(True)
        self.who.setAccessibleName(self.tr("Who wrote this line"))
        self.held = QLabel(self)
        self.held.setWordWrap(True)
        self.held.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self.held, role="caption")
        self.show_message = QPushButton(self.tr("Show the message"), self)
        self.copy = QPushButton(self.tr("Copy to another agent…"), self)
        self.health = QPushButton(self.tr("Memory's health…"), self)
        self.health.clicked.connect(lambda: self.health_requested.emit(self._store))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        for part in (self.whose, self.files, self.loaded):
            column.addWidget(part)
        column.addWidget(self.text, 1)
        for below in (self.who, self.held, self.show_message, self.copy, self.health):
            column.addWidget(below)
        self.files.activated.connect(lambda _at: self._on_file())
        self.text.line_pointed.connect(self._show_line)
        self.text.line_chosen.connect(self._follow)
        self.text.copy_requested.connect(self._copy)
        self.show_message.clicked.connect(lambda: self._follow(self.text.line))
        self.copy.clicked.connect(lambda: self._copy(self.text.line))
        self.show_store(None)

    @property
    def file(self) -> ForeignMemoryFile | None:
        """Returns the file on show."""
        at = self.files.currentIndex()
        return self._files[at] if 0 <= at < len(self._files) else None

    def show_store(self, store: SeenStore | None) -> None:
        """Shows the files of a store; those on show already stay."""
        if store is not None and store is self._store:
            return
        shown = self.file
        former = shown.path if shown is not None else ""
        is_same = store is not None and self._store is not None and store.root == self._store.root
        self._store, self._files = store, list(store.memory_files) if store is not None else []
        with QSignalBlocker(self.files):
            self.files.clear()
            for each in self._files:
                folder, _, name = tidied(each.path).rpartition("/")
                self.files.addItem(f"{name} · {folder}" if folder else name)
            paths = [each.path for each in self._files]
            self.files.setCurrentIndex(paths.index(former) if is_same and former in paths else min(0, len(paths) - 1))
        self.whose.setText(self.tr("{agent} remembers").format(agent=store.title) if store is not None else "")
        for part in (self.files, self.text, self.who, self.copy, self.health):
            part.setVisible(bool(self._files))
        if not (is_same and shown is not None and self.file == shown):
            self._on_file(goes_on=is_same and self.file is not None and self.file.path == former)

    def show_near(self, conversation: str) -> None:
        """Selects the first file in or below the folder of a conversation, given its path, if there is one."""
        folder = PurePosixPath(conversation).parent
        near = [at for at, each in enumerate(self._files) if folder in PurePosixPath(each.path).parents]
        if folder.name and near and self.files.currentIndex() not in near:
            self.files.setCurrentIndex(near[0])
            self._on_file()

    def show_line(self, path: str, number: int) -> None:
        """Shows a line, counted from 1, of a file given its path, where it is there still."""
        at = next((at for at, each in enumerate(self._files) if each.path == path), None)
        if at is not None:
            if self.files.currentIndex() != at:
                self.files.setCurrentIndex(at)
                self._on_file()
            self.text.show_line(number - 1)

    def show_sources(self, file: ForeignMemoryFile, sources: Sequence[LineSource]) -> None:
        """Shows who wrote each line of a file."""
        if file == self.file:
            self._author_pending = ""
            self.text.show_sources(sources)
            self._show_line(self.text.line)

    def show_fault(self, file: ForeignMemoryFile, words: str) -> None:
        """Says why nobody can tell who wrote the lines of a file."""
        if file == self.file:
            self._author_pending = words
            self._show_line(self.text.line)

    def show_holders(self, line: str, holders: Sequence[str]) -> None:
        """Says which other memory files state the same as a line, if it is still the one that is told of."""
        if line == self._line(self.text.line):
            self.held.setText(self.tr("Also in: {files}").format(files=", ".join(map(tidied, holders))))
            self.held.setVisible(bool(holders))

    def _line(self, number: int) -> str:
        lines = self.file.text.replace("\r\n", "\n").split("\n") if self.file is not None else []
        return lines[number] if number < len(lines) else ""

    def _copy(self, number: int) -> None:
        self.copy_requested.emit(self._line(number))

    def _on_file(self, *, goes_on: bool = False) -> None:
        """Shows the file that is chosen; where it is the same one, written anew (`goes_on`), the caret stays."""
        file = self.file
        self.held.hide()
        if file is None:
            self.loaded.setText(self.tr("No memory files.") if self._store is not None else "")
            self.show_message.hide()
            return
        self._author_pending = self.tr("Who wrote which line is being looked up…")
        self.loaded.setText(self._loaded_words(file))
        self.text.show_text(file.text, file.loaded_characters, goes_on=goes_on)
        self._show_line(self.text.line)
        self.file_requested.emit(file)

    def _loaded_words(self, file: ForeignMemoryFile) -> str:
        if not file.text:
            return self.tr("The file is empty.")
        line = first_not_loaded(file.text, file.loaded_characters)
        if line is None:
            return self.tr("All of it is loaded into each prompt.")
        if file.loaded_characters <= 0:
            return self.tr("Nothing of it is loaded by itself; the agent reads it on demand.")
        words = self.tr("Loaded: {loaded} of {all} characters. From line {line} on nothing is loaded.")
        return words.format(loaded=f"{file.loaded_characters:,}", all=f"{file.characters:,}", line=line + 1)

    def _show_line(self, line: int) -> None:
        source = self.text.source(line)
        self.show_message.setVisible(source is not None and source.edit is not None)
        words = self._line(line)
        self.copy.setEnabled(bool(words.strip()))
        self.held.hide()
        self.line_shown.emit(words)
        self.who.setText(self._who(line, source))

    def _who(self, line: int, source: LineSource | None) -> str:
        if self._author_pending:
            return self._author_pending
        place = self.tr("Line {number}").format(number=line + 1)
        if source is None or not source.text.strip():
            return place
        if source.edit is not None:
            return f"{place} · {self._edit_words(source.edit)}"
        if source.commit is not None:
            return f"{place} · {self._commit_words(source.commit)}"
        if source.is_unknown:
            return self.tr("{line} · not known who wrote it").format(line=place)
        return self.tr("{line} · from outside: no call of the agent wrote it").format(line=place)

    def _commit_words(self, commit: MemoryCommit) -> str:
        when = moment_words(local_time(commit.when)) if commit.when is not None else ""
        author, subject = (" ".join(tidied(each[:_LONGEST]).split()) for each in (commit.author, commit.subject))
        words = self.tr("came with the commit {commit} by {author}: “{subject}”")
        words = words.format(commit=commit.id[:SHORT], author=author or "?", subject=subject)
        return " · ".join(part for part in (when, words) if part)

    def _edit_words(self, edit: MemoryEdit) -> str:
        when = moment_words(local_time(edit.when)) if edit.when is not None else ""
        said = " ".join(tidied(edit.message_text[:_LONGEST]).split())
        words = self.tr("written by the agent after “{message}”").format(message=said)
        return " · ".join(part for part in (when, words if said else self.tr("written by the agent")) if part)

    def _follow(self, line: int) -> None:
        source = self.text.source(line)
        if source is not None and source.edit is not None:
            self.message_requested.emit(source.edit)
