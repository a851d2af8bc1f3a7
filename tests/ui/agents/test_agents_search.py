"""The person's own search spans other agents where they say so: nothing else finds them, and nothing stays."""

import shutil
import stat
from pathlib import Path

from mnemoscope.ui.agents.agents_window import AgentsWindow
from mnemoscope.ui.search.search_sheet import SearchSheet
from tests.foreign_stores import claude_code
from tests.ui.window_fixture import Opened, Stage, press, until


async def opened(stage: Stage, home: Path, *, agreed: bool = True) -> Opened:
    claude_code.sample_store(home / ".claude")
    stage.make(("user", "About tea."), ("assistant", "Yes."))
    person = await stage.open()
    window = person.current
    window.agents.consent.look_below(home, {})
    window.agents_search.file = home.parent / "state" / "agents.db"
    if agreed:
        await agree(person)
    return person


async def agree(person: Opened) -> None:
    person.current.actions["agents"].trigger()
    agents = person.current.agents.window
    assert agents is not None
    agents.look.click()
    await until(lambda: agents.list.model.rows, "the conversations of other agents")
    agents.reject()


async def ask(person: Opened, words: str) -> SearchSheet:
    person.current.actions["search"].trigger()
    sheet = person.current.search.sheet
    sheet.field.setText("")
    sheet.field.setText(words)
    return sheet


def others_in(sheet: SearchSheet) -> list[str]:
    return [row.text for row in sheet.model.rows if row.other is not None]


async def switched_on(person: Opened, words: str) -> SearchSheet:
    sheet = await ask(person, words)
    assert not sheet.others.isChecked()
    sheet.others.click()
    await until(lambda: others_in(sheet), "what other agents said")
    return sheet


async def test_it_is_offered_once_the_person_agreed_and_off_until_they_say_so(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "person", agreed=False)
    sheet = await ask(person, "tea")
    await until(lambda: sheet.model.rows, "what is found here")
    assert sheet.others.isHidden()
    sheet.hide()
    await agree(person)
    sheet = await ask(person, "graz")
    await until(lambda: "Nothing found" in sheet.line.text(), "that nothing is found here")
    assert sheet.others.isVisible()
    assert not (tmp_path / "state").exists()
    sheet.others.click()
    await until(lambda: others_in(sheet), "what other agents said")
    await until(lambda: len(others_in(sheet)) == 2, "all that they said")
    assert set(others_in(sheet)) == {"- Lives in Graz", "And that I live in Graz."}
    assert all(row.where.endswith("Claude Code") for row in sheet.model.rows if row.other is not None)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "state").iterdir()}
    assert modes == {0o600}


async def test_what_is_found_is_shown_where_it_stands(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "person")
    sheet = await switched_on(person, "live in Graz")
    row = next(at for at, row in enumerate(sheet.model.rows) if row.text == "And that I live in Graz.")
    sheet.list.setCurrentIndex(sheet.model.index(row))
    press(sheet.field, "Return")

    def window() -> AgentsWindow | None:
        return person.current.agents.window

    await until(lambda: window() is not None, "the window of other agents")
    shown = window()
    assert shown is not None
    await until(lambda: "And that I live in Graz." in shown.conversation.transcript.view.toPlainText(), "the message")
    sheet = await ask(person, "lives graz")
    await until(lambda: others_in(sheet) == ["- Lives in Graz"], "the line of memory")
    press(sheet.field, "Return")
    await until(lambda: shown.memory.text.line == 3, "the line in its file")
    assert shown.memory.files.currentText().startswith("MEMORY.md")


async def test_no_prompt_and_no_tool_finds_what_the_person_finds(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "person")
    await switched_on(person, "Graz")
    bench = person.current.bench
    assert await bench.search.passages("Graz", 20) == []
    assert await bench.search.find("Graz") == []
    assert await bench.search.find("tea")
    found = [path for path in bench.workspace.root.rglob("*") if path.is_file() and b"Graz" in path.read_bytes()]
    assert found == []


async def test_what_is_derived_goes_with_the_switch_with_the_listing_and_with_the_source(
    stage: Stage, tmp_path: Path
) -> None:
    person = await opened(stage, tmp_path / "person")
    sheet = await switched_on(person, "Graz")
    folder = tmp_path / "state"
    sheet.others.click()
    await until(lambda: not others_in(sheet) and list(folder.iterdir()) == [], "that nothing is left")
    sheet.hide()
    sheet = await switched_on(person, "Graz")
    project = tmp_path / "person" / ".claude" / "projects"
    shutil.rmtree(project)
    await person.current.agents_search.prune()
    sheet.field.setText("")
    sheet.field.setText("Graz")
    await until(lambda: "Nothing found" in sheet.line.text(), "that it is found no more")
    assert list(folder.iterdir()) != []
    person.current.actions["agents"].trigger()
    agents = person.current.agents.window
    assert agents is not None
    agents.forget.click()
    await until(lambda: list(folder.iterdir()) == [], "that nothing is left")
    assert not person.current.agents_search.is_on


async def test_switched_off_and_on_again_while_it_is_read_all_of_it_is_found(stage: Stage, tmp_path: Path) -> None:
    person = await opened(stage, tmp_path / "person")
    sheet = await ask(person, "Graz")
    for _ in range(3):
        sheet.others.click()
    await until(lambda: len(others_in(sheet)) == 2, "all that other agents said")
    sheet.others.click()
    await until(lambda: list((tmp_path / "state").iterdir()) == [], "that nothing is left")
