"""Takes conversations out of the workspace: asks what and where, writes the files, and says how it went."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QFileDialog

from mnemoscope.agent.export.exported_conversation import ExportedConversation, ExportWords
from mnemoscope.agent.export.exporter import (
    ConversationExporter,
    ExportFormat,
    ExportPart,
    ExportSource,
    file_name_of,
    file_names_of,
    images_beside,
    new_folder,
    parts_of_export,
    write_export,
)
from mnemoscope.agent.workspace.workbench import Workbench
from mnemoscope.domain.conversation.attachment import Attachment, attachments_of
from mnemoscope.domain.conversation.discretion import is_temporary
from mnemoscope.domain.conversation.message import text_of
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.domain.text.math_marks import tex_of
from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.markdown.formulas.drawn_formula import Formula, FormulaRequest
from mnemoscope.ui.markdown.formulas.formulas import Formulas, formulas, may_hold_formula
from mnemoscope.ui.markdown.page.html_writer import formulas_in, html_of
from mnemoscope.ui.markdown.page.page_formulas import INK, PAGE_SIZE, page_image
from mnemoscope.ui.markdown.reading.code_spans import page_colours
from mnemoscope.ui.sessions.archive_controller import ArchiveController
from mnemoscope.ui.sessions.deletions import listed_refusals
from mnemoscope.ui.sessions.export_dialog import PDF, ExportDialog, ExportRequest, ExportScope
from mnemoscope.ui.sessions.paper_document import (
    PaperDocument,
    PaperPictures,
    image_address,
    paper_of,
    paper_parts,
    pdf_of,
    print_pages,
    set_margins,
    usual_paper,
)
from mnemoscope.ui.sessions.sessions_pane import SessionsPane
from mnemoscope.ui.support.current_conversation import CurrentConversation
from mnemoscope.ui.support.external_actions import file_dialog, open_path, pick_folder
from mnemoscope.ui.support.tasks import Tasks
from mnemoscope.ui.widgets.dialogs.screen_fit import stay_on_screen

_PRINTED_FORMULA_SIZE: Final = 14.5
_PRINT_DIALOG_WIDTH: Final = 560
"""Pixels with which the whole name of a file can be read."""


class ExportedFormulas:
    """Shows the formulas that `source` has drawn: in a page for a browser, or for paper under addresses of its own."""

    def __init__(self, source: Formulas, *, on_paper: bool) -> None:
        self._source, self._on_paper = source, on_paper
        self.by_address: dict[str, Formula] = {}
        """Those that were shown on paper."""

    async def draw(self, texts: Iterable[str]) -> None:
        """Has the formulas of these texts drawn, as far as they can be."""
        for text in filter(may_hold_formula, texts):
            await self._source.settle(self._request(*each) for each in formulas_in(text))

    def image(self, source: str, display: bool) -> Mapping[str, str] | None:
        """Returns the attributes of the image of a formula; None where it is not drawn."""
        formula = self._source.look(self._request(source, display))
        if formula is None:
            return None
        shown = page_image(formula)
        if self._on_paper:
            address = f"formula:{len(self.by_address)}"
            self.by_address[address] = formula
            return {**shown, "src": address, "style": "vertical-align: middle"}
        return shown

    def _request(self, source: str, display: bool) -> FormulaRequest:
        return FormulaRequest(tex_of(source), display, _PRINTED_FORMULA_SIZE if self._on_paper else PAGE_SIZE, INK)


class ExportController(QObject):
    """Exports and prints for one window. Nothing in the workspace is written."""

    def __init__(
        self,
        chat: ChatColumn,
        pane: SessionsPane,
        bench: Workbench,
        tasks: Tasks,
        *,
        current: CurrentConversation,
        archive: ArchiveController,
    ) -> None:
        super().__init__(chat)
        self._chat = chat
        self._bench = bench
        self._tasks = tasks
        self._current, self._archive = current, archive
        self._exporter = ConversationExporter(bench.workspace.paths, bench.sessions)
        self._place = Path.home()
        self._form: str = ExportFormat.MARKDOWN.value
        self._pane = pane

    # What is to be exported

    def ask(self, chosen: range | None = None) -> None:
        """Asks what of the conversation on show, or of all, is to be exported; `chosen`: messages to offer first."""
        chosen = chosen if chosen is not None else self._chat.transcript.view.selected_messages()
        self._tasks.spawn_once(partial(self._ask, chosen), "what to export")

    async def _ask(self, chosen: range | None) -> None:
        source = await self._shown()
        selected = len(chosen) if chosen is not None and source is not None else 0
        title = source.title or self._words().untitled if source is not None else ""
        dialog = ExportDialog(self._chat.window(), title=title, selected=selected, form=self._form)
        dialog.export_requested.connect(lambda wish: self._tasks.spawn(self._fulfil(wish, source, chosen), "export"))
        dialog.open()

    def ask_for_several(self, names: Collection[str]) -> None:
        """Asks in which form several conversations, by their keys or the files of closed ones, are exported."""
        dialog = ExportDialog(self._chat.window(), title="", selected=0, form=self._form, conversations=len(names))
        dialog.export_requested.connect(lambda wish: self._tasks.spawn(self._fulfil_for_several(wish, names), "export"))
        dialog.open()

    async def _fulfil_for_several(self, wish: ExportRequest, names: Collection[str]) -> None:
        self._form = wish.form
        await self._export_all(wish.form, names if wish.scope is ExportScope.CHOSEN else None)

    async def _shown(self) -> ExportSource | None:
        """Returns the conversation on show, None where nothing was said in it."""
        sources = await self._bench.disk.run(partial(self._exporter.sources, branches=True))
        closed, key = self._archive.name, self._current.key
        if closed:
            return next((each for each in sources if each.closed and str(each.closed.path) == closed), None)
        return next((each for each in sources if each.key == key and not each.closed), None)

    async def _fulfil(self, wish: ExportRequest, source: ExportSource | None, chosen: range | None) -> None:
        self._form = wish.form
        if wish.scope is ExportScope.ALL:
            await self._export_all(wish.form)
        elif source is not None:
            self._ask_where(source, wish.form, chosen if wish.scope is ExportScope.SELECTION else None)

    def _ask_where(self, source: ExportSource, form: str, chosen: range | None) -> None:
        dialog = file_dialog(self._chat.window(), self.tr("Export"), self._place / _name_of(source, form))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.fileSelected.connect(
            lambda path: self._tasks.spawn(self.export(source, form, Path(path), chosen), "export")
        )
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # Writing

    async def export(self, source: ExportSource, form: str, path: Path, chosen: range | None = None) -> None:
        """Writes one conversation, or a part of it, to a path the person has chosen: the dialog has asked them where it
        takes the place of another file. A path without an ending, or with that of another form, gets its own, and then
        replaces nothing."""
        others = {_suffix_of(each) for each in (PDF, *ExportFormat) if each != form}
        replaces = bool(path.suffix) and path.suffix.lower() not in others
        path = path if replaces else path.with_name(path.name + _suffix_of(form))
        self._place = path.parent
        try:
            await self._write(source, form, path, chosen, replaces=replaces)
        except MnemoscopeError as error:
            self._chat.notify("danger", str(error))
            return
        words = self.tr("Exported to {file}.").format(file=path.name)
        self._chat.notify("success", words, [(self.tr("Show folder"), partial(open_path, path.parent, self._chat))])

    async def _export_all(self, form: str, names: Collection[str] | None = None) -> None:
        place = await pick_folder(self._chat.window(), self.tr("Where to put the folder of the export"))
        if place is not None:
            await self.export_all(form, place, names)

    async def export_all(self, form: str, place: Path, names: Collection[str] | None = None) -> None:
        """Writes every conversation, or those of these names alone, to a file of its own in a new folder at a place."""
        there = await self._bench.disk.run(partial(self._exporter.sources, branches=names is not None))
        # A temporary conversation goes into a file only where it is exported by itself, or chosen.
        chosen = [each for each in there if names is not None or not is_temporary(each.key)]
        sources = [each for each in chosen if names is None or _is_named(each, names)]
        # One that has no message is in no list of what can be exported.
        there_now = {str(each.closed.path) if each.closed is not None else each.key for each in sources}
        nothing = self.tr("Nothing was said in it.")
        failed = [(self._pane.title_of(name), nothing) for name in names or () if name not in there_now]
        wanted = len(sources) + len(failed)
        try:
            name = self.tr("Conversations {day}").format(day=f"{datetime.now():%Y-%m-%d}")
            folder = await asyncio.to_thread(new_folder, place, name)
        except MnemoscopeError as error:
            self._chat.notify("danger", str(error))
            return
        files = file_names_of(sources, ExportFormat.MARKDOWN if form == PDF else ExportFormat(form))
        for source, name in zip(sources, files, strict=True):
            path = folder / (name if form != PDF else Path(name).stem + f".{PDF}")
            try:
                await self._write(source, form, path, None, replaces=False)
            except MnemoscopeError as error:
                failed.append((source.title or self._words().untitled, error.sentence))
        self._place = place
        words = self.tr("%n conversations were exported.", "", wanted - len(failed))
        if failed:
            words = listed_refusals(f"{words} {self.tr('%n could not be:', '', len(failed))}", failed)
        show = (self.tr("Show folder"), partial(open_path, folder, self._chat))
        self._chat.notify("warning" if failed else "success", words, [show])

    async def _write(
        self, source: ExportSource, form: str, path: Path, chosen: range | None, *, replaces: bool
    ) -> None:
        parts: Iterable[ExportPart]
        if form == ExportFormat.RECORDS.value:
            parts = await self._bench.disk.run(self._exporter.records, source, chosen)
        else:
            conversation = await self._bench.disk.run(self._exporter.read, source, chosen)
            places = dict[str, str]()
            if form == ExportFormat.MARKDOWN.value:
                write = partial(images_beside, path, conversation, self._exporter.images.read, replaces=replaces)
                places = await asyncio.to_thread(write)
            parts = await self._made(conversation, form, places)
        await asyncio.to_thread(partial(write_export, path, parts, self._exporter.images.read, replaces=replaces))

    async def _made(self, conversation: ExportedConversation, form: str, places: Mapping[str, str]) -> list[ExportPart]:
        """Returns the file of a conversation, made a message at a time: the reader belongs to the window's thread."""
        words, shown = self._words(), await self._formulas_of(conversation, on_paper=form == PDF)
        if form == PDF:
            pictures = PaperPictures(shown.by_address, await self._pictures_of(conversation))
            parts = paper_parts(conversation, words, shown.image, pictures.images)
            return [await pdf_of(parts, conversation.title or words.untitled, pictures)]
        made: list[ExportPart] = []
        render = partial(html_of, image=shown.image, addresses=True, colours=page_colours)
        for part in parts_of_export(conversation, ExportFormat(form), words, render, places):
            made.append(part)
            await asyncio.sleep(0)
        return made

    async def _pictures_of(self, conversation: ExportedConversation) -> dict[str, QImage]:
        """Returns the pictures of a conversation as they are put on paper, by their addresses."""
        wanted = {image_address(each): each for message in conversation.messages for each in attachments_of(message)}
        read = {address: await asyncio.to_thread(self._picture, each) for address, each in wanted.items()}
        return {address: picture for address, picture in read.items() if not picture.isNull()}

    def _picture(self, attachment: Attachment) -> QImage:
        data = self._exporter.images.read(attachment)
        return QImage() if data is None else QImage.fromData(data)

    async def _formulas_of(self, conversation: ExportedConversation, *, on_paper: bool) -> ExportedFormulas:
        shown = ExportedFormulas(formulas(), on_paper=on_paper)
        await shown.draw(map(text_of, conversation.messages))
        return shown

    # Printing

    def print(self) -> None:
        """Asks for a printer and prints the conversation on show, or the messages selected in it."""
        self._tasks.spawn_once(partial(self._print, self._chat.transcript.view.selected_messages()), "print")

    async def _print(self, chosen: range | None) -> None:
        source = await self._shown()
        if source is None:
            self._chat.notify("info", self.tr("There is nothing to print: nothing was said in this conversation."))
            return
        conversation = await self._bench.disk.run(self._exporter.read, source, chosen)
        shown = await self._formulas_of(conversation, on_paper=True)
        pictures = PaperPictures(shown.by_address, await self._pictures_of(conversation))
        words = self._words()
        title = conversation.title or words.untitled
        paper = await paper_of(paper_parts(conversation, words, shown.image, pictures.images), title, pictures)
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(title)
        if printer.outputFormat() is QPrinter.OutputFormat.PdfFormat:
            # A printer of the system knows its paper.
            printer.setPageSize(usual_paper())
            # Qt has a name for the file on some desktops alone, and a folder in its place on the others.
            printer.setOutputFileName(str(self._place / _name_of(source, PDF)))
        set_margins(printer)
        dialog = QPrintDialog(printer, self._chat.window())
        dialog.setMinimumWidth(_PRINT_DIALOG_WIDTH)
        stay_on_screen(dialog)
        dialog.accepted.connect(lambda: self._tasks.spawn(self.print_to(printer, paper), "print pages"))
        dialog.finished.connect(dialog.deleteLater)
        QDialog.open(dialog)

    async def print_to(self, printer: QPrinter, paper: PaperDocument) -> None:
        """Prints, and says where to if that is a file, or that nothing was taken."""
        is_printed, name = await print_pages(paper, printer), printer.outputFileName()
        if not is_printed:
            place = name or printer.printerName()
            self._chat.notify("danger", self.tr("Nothing was printed: “{place}” took nothing.").format(place=place))
        elif name:
            words = self.tr("Printed to {file}.").format(file=Path(name).name)
            show = (self.tr("Show folder"), partial(open_path, Path(name).parent, self._chat))
            self._chat.notify("success", words, [show])

    def _words(self) -> ExportWords:
        """Returns the words around the messages in the window's language."""
        return ExportWords(
            you=self.tr("You"),
            assistant=self.tr("Assistant"),
            system=self.tr("System"),
            command=self.tr("Command"),
            tool=self.tr("Tool"),
            reasoning=self.tr("Reasoning"),
            asked=self.tr("Asked with"),
            answered=self.tr("Answered"),
            untitled=self.tr("Conversation"),
            consolidated=self.tr("Consolidated up to here"),
            remembered=self.tr("Remembered:"),
            taken_back=self.tr("Taken back:"),
            interrupted=self.tr("Interrupted"),
            damaged=self.tr("A damaged record: it could not be read."),
            deleted=self.tr("A message was deleted here."),
            several_deleted=self.tr("{count} messages were deleted here."),
            one_exported=self.tr("1 message, exported from Mnemoscope"),
            exported=self.tr("{count} messages, exported from Mnemoscope"),
        )


def _is_named(source: ExportSource, names: Collection[str]) -> bool:
    return (str(source.closed.path) if source.closed is not None else source.key) in names


def _suffix_of(form: str) -> str:
    return f".{PDF}" if form == PDF else ExportFormat(form).suffix


def _name_of(source: ExportSource, form: str) -> str:
    return file_name_of(source, ExportFormat.MARKDOWN).removesuffix(ExportFormat.MARKDOWN.suffix) + _suffix_of(form)
