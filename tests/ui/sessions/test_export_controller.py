"""Conversations leave the window: what is asked, what is written, and what is said where that fails."""

import asyncio
import re
import stat
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from mnemoscope.agent.export.exporter import ExportFormat, ExportSource
from mnemoscope.ui.chat.message_actions import ExportMessages
from mnemoscope.ui.markdown.formulas.formulas import formulas
from mnemoscope.ui.sessions.export_dialog import PDF, ExportDialog, ExportRequest, ExportScope
from mnemoscope.ui.sessions.paper_document import PaperPictures, paper_of, print_pages, set_margins
from tests.support.closing import closed
from tests.ui.window_fixture import KEY, Opened, Stage, until, words_in

SAID = (("user", "About **tea**."), ("assistant", "Yes.\n\n<b>raw</b>"), ("user", "And kilns?"))


async def opened(stage: Stage) -> Opened:
    stage.make(*SAID)
    stage.write_session(("user", "About kilns."), key="desktop:other")
    person = await stage.open()
    person.current.sessions.open(KEY)
    await person.until_ready()
    return person


def dialog_of(person: Opened) -> ExportDialog | None:
    found = person.window.findChildren(ExportDialog)
    return next((each for each in found if each.isVisible()), None)


async def asked(person: Opened) -> ExportDialog:
    await until(lambda: dialog_of(person), "the dialog of an export")
    dialog = dialog_of(person)
    assert dialog is not None
    return dialog


def files_below(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))


def source_of(person: Opened) -> ExportSource:
    sources = person.current.exports._exporter.sources()
    return next(each for each in sources if each.key == KEY)


async def test_a_command_asks_what_and_where_and_the_file_is_written(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage)
    person.current.actions["export"].trigger()
    dialog = await asked(person)
    assert dialog.wish == ExportRequest(ExportScope.CONVERSATION, "md")
    assert dialog.scope.accessibleName()
    assert dialog.form.accessibleName()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    await until(lambda: person.window.findChildren(QFileDialog), "the dialog of a file")
    place = person.window.findChildren(QFileDialog)[0]
    assert Path(place.selectedFiles()[0]).suffix == ".md"
    place.fileSelected.emit(str(tmp_path / "tea.md"))
    place.reject()
    await until((tmp_path / "tea.md").exists, "the file")
    await person.until_said("Exported to tea.md.")
    assert "About **tea**." in (tmp_path / "tea.md").read_text(encoding="utf-8")
    assert stat.S_IMODE((tmp_path / "tea.md").stat().st_mode) == 0o600


async def test_a_file_is_not_named_after_a_form_that_it_has_not(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage)
    there = tmp_path / "tea.pdf"
    there.write_bytes(b"%PDF")
    await person.current.exports.export(source_of(person), "json", there)
    await person.until_said("Exported to tea.pdf.jsonl.")
    assert there.read_bytes() == b"%PDF"
    assert (tmp_path / "tea.pdf.jsonl").read_bytes() == next(stage.paths.sessions_dir.glob("*test*.jsonl")).read_bytes()
    # Any other name is the person's.
    await person.current.exports.export(source_of(person), "json", tmp_path / "tea.json")
    await person.until_said("Exported to tea.json.")


async def test_a_messages_menu_offers_that_message_alone(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage)
    person.window.chat.transcript.message_actions.run(ExportMessages(1, 2))
    dialog = await asked(person)
    assert dialog.scope.itemText(0).startswith("1 selected")
    assert dialog.wish.scope is ExportScope.SELECTION
    dialog.reject()
    for form in (ExportFormat.HTML.value, ExportFormat.RECORDS.value):
        path = tmp_path / f"one.{form}"
        await person.current.exports.export(source_of(person), form, path, range(1, 2))
        words = path.read_text(encoding="utf-8")
        assert "raw" in words
        assert "And kilns" not in words
    assert "&lt;b&gt;raw" in (tmp_path / "one.html").read_text(encoding="utf-8")


async def test_all_conversations_go_into_a_new_folder(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage)
    exports = person.current.exports
    for form in (PDF, ExportFormat.RECORDS.value):
        await exports.export_all(form, tmp_path)
    first, second = files_below(tmp_path, "Conversations*")
    assert second.name == f"{first.name} (2)"
    pages, records = files_below(first, "*.pdf"), files_below(second, "*.jsonl")
    assert (len(pages), len(records)) == (2, 2)
    assert all(path.read_bytes().startswith(b"%PDF-") for path in pages)
    kept = files_below(stage.root / "sessions", "*.jsonl")
    assert {path.read_bytes() for path in records} == {path.read_bytes() for path in kept}
    await person.until_said("2 conversations were exported.")


async def test_those_that_are_selected_go_into_a_new_folder_and_no_other(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage)
    stage.write_session(("user", "About clay."), key="desktop:third")
    await person.current.sessions.refresh()
    exports = person.current.exports
    exports.ask_for_several([KEY, "desktop:third"])
    dialog = await asked(person)
    assert dialog.wish.scope is ExportScope.CHOSEN
    dialog.reject()
    await exports.export_all(ExportFormat.MARKDOWN.value, tmp_path, [KEY, "desktop:third"])
    (folder,) = files_below(tmp_path, "Conversations*")
    texts = [path.read_text(encoding="utf-8") for path in files_below(folder, "*.md")]
    assert sorted(("tea" in text, "clay" in text, "About kilns" in text) for text in texts) == [
        (False, True, False),
        (True, False, False),
    ]
    await person.until_said("2 conversations were exported.")


async def test_what_cannot_be_written_is_said_and_what_is_there_stays(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage)
    exports = person.current.exports
    await exports.export(source_of(person), "md", tmp_path / "gone" / "a.md")
    await person.until_said("“a.md” could not be written: it, or its folder, is not there.")
    (tmp_path / "tea.md").write_text("mine", encoding="utf-8")
    await exports.export(source_of(person), "md", tmp_path / "tea")
    await person.until_said("“tea.md” is there already, so nothing was written.")
    assert (tmp_path / "tea.md").read_text(encoding="utf-8") == "mine"


async def test_formulas_lie_in_the_page_and_on_paper(stage: Stage, tmp_path: Path) -> None:
    stage.make(("user", r"Is $\sqrt{q} < 2$?"), ("assistant", r"No: $\nosuchcommand{q}$."))
    person = await stage.open()
    await person.until_ready()
    formulas().begin(limit_ms=90_000)
    try:
        for form in (ExportFormat.HTML.value, PDF):
            await person.current.exports.export(source_of(person), form, tmp_path / f"math.{form}")
    finally:
        formulas().end()
    page = (tmp_path / "math.html").read_text(encoding="utf-8")
    assert page.count('src="data:image/svg+xml;base64,') == 1
    assert r'alt="$\sqrt{q} < 2$"' in page
    assert r"<code>$\nosuchcommand{q}$</code>" in page
    assert (tmp_path / "math.pdf").read_bytes().startswith(b"%PDF-")


async def test_the_menu_of_the_list_exports_too(stage: Stage) -> None:
    person = await opened(stage)
    person.window.sessions.export_requested.emit()
    dialog = await asked(person)
    button = next(each for each in dialog.findChildren(QPushButton) if each.text() == "Cancel")
    button.click()
    await until(lambda: dialog_of(person) is None, "the dialog gone")


@pytest.mark.parametrize("selected", [0, 2])
def test_a_selection_is_offered_first_and_only_where_there_is_one(qtbot: object, selected: int) -> None:
    dialog = ExportDialog(None, title="", selected=selected, form="pdf")  # type: ignore[arg-type] # a window of its own
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    assert dialog.wish == ExportRequest(ExportScope.SELECTION if selected else ExportScope.ALL, "pdf")
    dialog.deleteLater()


async def test_what_is_printed_is_printed_a_page_at_a_time(stage: Stage, tmp_path: Path) -> None:
    del stage
    document = await paper_of((f"<p>{'tea ' * 400}</p>" for _ in range(12)), "Tea", PaperPictures())
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "all.pdf"))
    set_margins(printer)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(count())
    await print_pages(document, printer)
    other.cancel()
    pages = len(document.pages)
    assert pages > 2
    assert turns >= pages
    assert pages_of(tmp_path / "all.pdf") == pages
    printer.setFromTo(2, 2)
    printer.setOutputFileName(str(tmp_path / "second.pdf"))
    await print_pages(document, printer)
    assert pages_of(tmp_path / "second.pdf") == 1


async def test_where_no_printer_is_the_file_to_print_to_has_a_name(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage)
    person.current.exports._place = tmp_path
    person.current.actions["print"].trigger()

    def dialog() -> QPrintDialog | None:
        return next((each for each in person.window.findChildren(QPrintDialog) if each.isVisible()), None)

    await until(dialog, "the question for a printer")
    asked_for = dialog()
    assert asked_for is not None
    if asked_for.printer().outputFormat() is not QPrinter.OutputFormat.PdfFormat:
        asked_for.reject()
        pytest.skip("this system has a printer")
    asked_for.accept()
    await until(lambda: files_below(tmp_path, "*.pdf"), "the pages in a file")
    await until(lambda: "Printed to" in words_in(person.window), "where they are")


@pytest.mark.qt_log_ignore(r"QPainter::begin\(\): Returned false")
async def test_printing_to_a_file_says_where_it_is_or_that_nothing_was_printed(stage: Stage, tmp_path: Path) -> None:
    stage.make(("user", "Hello."), ("assistant", "Good morning."))
    person = await stage.open()
    exports, printer = person.current.exports, QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    paper = await paper_of([], "Hello", PaperPictures())
    for name, said in (("here.pdf", "Printed to here.pdf."), ("nowhere/there.pdf", "Nothing was printed")):
        printer.setOutputFileName(str(tmp_path / name))
        await exports.print_to(printer, paper)
        assert said in words_in(person.window.chat)
        assert (tmp_path / name).exists() == (said != "Nothing was printed")


def pages_of(path: Path) -> int:
    """Returns how many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))


async def test_a_branch_of_a_closed_conversation_is_exported_where_it_is_read(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage)
    assert await person.current.bench.loop.resend(KEY, 2, "And wheels?")
    assert await closed(person.current.bench.loop, KEY)
    sources = person.current.exports._exporter.sources(branches=True)
    (branch,) = [each for each in sources if each.closed is not None and each.closed.is_branch]
    assert branch.closed is not None
    await person.current.exports.export(branch, ExportFormat.MARKDOWN.value, tmp_path / "branch.md")
    words = (tmp_path / "branch.md").read_text(encoding="utf-8")
    assert "And kilns?" in words
    assert "And wheels?" not in words
    # Marked in the list, it is exported by its file; all conversations are exported without it.
    await person.current.exports.export_all(ExportFormat.MARKDOWN.value, tmp_path, [str(branch.closed.path)])
    assert len(files_below(tmp_path, "Conversations*/*.md")) == 1
