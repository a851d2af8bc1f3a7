"""What is there again after the window was closed, and after it was killed."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSplitter, QToolButton

from mnemoscope.bootstrap import open_core
from tests.support.scripted_provider import Gate, ScriptedProvider
from tests.ui.window_fixture import (
    KEY,
    Opened,
    Stage,
    as_killed,
    click,
    drafts_hold,
    messages_on_disk,
    rest,
    sentences,
    until,
)

FACTS = "# User\n\n- Name is Sam\n"


async def typed_everywhere(stage: Stage) -> Opened:
    stage.make(("user", "Earlier."), ("assistant", "Yes."), memory=FACTS)
    person = await stage.open()
    person.type(person.composer.edit, "Half a question")
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- Half a fact")
    return person


async def shows_both_drafts(person: Opened) -> None:
    await until(lambda: person.composer.draft() == "Half a question", "the unsent message")
    await until(lambda: person.memory.editor.text() == FACTS + "- Half a fact", "the unsaved memory")
    assert person.memory.is_dirty()


async def test_what_was_typed_and_not_sent_or_saved_is_there_after_a_restart(stage: Stage) -> None:
    person = await typed_everywhere(stage)
    await person.close()
    assert stage.paths.memory_file.read_text("utf-8") == FACTS
    again = await stage.open()
    await shows_both_drafts(again)
    again.press("Ctrl+2")
    again.press("Ctrl+S")
    await until(lambda: not again.memory.is_dirty(), "the text saved")
    assert stage.paths.memory_file.read_text("utf-8") == FACTS + "- Half a fact"


async def test_what_was_typed_two_seconds_before_a_kill_is_there(stage: Stage) -> None:
    await typed_everywhere(stage)
    await until(lambda: drafts_hold(stage.paths, "Half a question", "- Half a fact"), "both on disk")
    again = await stage.open(as_killed(stage.root))
    await shows_both_drafts(again)


async def test_a_conversation_that_is_only_a_draft_is_there_after_a_restart(stage: Stage) -> None:
    stage.make(("user", "Earlier."))
    person = await stage.open()
    person.press("Ctrl+N")
    await until(lambda: person.key != KEY, "a new conversation")
    await person.until_ready()
    person.type(person.composer.edit, "Half a question")
    key = person.key
    await person.close()
    again = await stage.open()
    assert again.key == key
    await until(lambda: again.composer.draft() == "Half a question", "the unsent message")


async def test_a_draft_that_was_sent_does_not_come_back(stage: Stage) -> None:
    stage.make()
    person = await stage.open(offline=ScriptedProvider("Yes."))
    await person.say("Whole question")
    # The composer's own rest passes: it keeps no draft any more, and one it kept while it was typed in is gone.
    await rest(1.1)
    await until(lambda: not drafts_hold(stage.paths, "Whole question"), "no draft on disk")
    again = await stage.open(as_killed(stage.root))
    assert again.composer.draft() == ""
    assert "Whole question" in again.text


async def test_an_answer_under_way_at_a_kill_is_kept_as_far_as_it_was_a_second_before(stage: Stage) -> None:
    stage.make(("user", "Earlier."), ("assistant", "Yes."))
    gate = Gate()
    person = await stage.open(offline=ScriptedProvider(["The first half", gate, " and the second"]))
    person.send("Tell me.")
    await gate.reached.wait()
    await until(lambda: list(stage.paths.own.drafts_dir.glob("partial-*.json")), "the partial answer on disk")
    again = await stage.open(as_killed(stage.root))
    await until(lambda: "The first half" in again.text, "the part that had arrived")
    assert messages_on_disk(stage.folder / "after-kill")[-1]["interrupted"] is True
    await again.until_said("kept, marked as interrupted")
    await again.say("And now?")
    # What is said of it goes with the next message; the answer itself stays marked.
    await until(lambda: "marked as interrupted" not in " ".join(sentences(again.chat)), "the bar gone")
    assert "nterrupted" in again.text
    gate.open.set()
    await person.answered()


async def test_the_window_comes_back_as_it_was_left(stage: Stage) -> None:
    stage.make(("user", "The older one."))
    stage.write_session(("user", "The newer one."), key="desktop:newer")
    person = await stage.open()
    person.current.sessions.open(KEY)
    await person.until_ready()
    person.window.resize(780, 700)
    columns = person.window.centralWidget()
    assert isinstance(columns, QSplitter)
    person.press("Ctrl++")
    person.window.inspector.docks["history"].setFloating(True)
    for name in ("timeline", "memory", "prompt", "dream", "health"):
        dock = person.window.inspector.show(name)
        dock.setFloating(True)
        click(next(one for one in dock.findChildren(QToolButton) if one.accessibleName().startswith("Close:")))
    await rest(0.1)
    columns.setSizes([230, 550])
    sizes = columns.sizes()
    zoom = person.current.appearance._zoom
    assert zoom > 1
    await person.close()
    again = await stage.open()
    assert again.key == KEY
    assert again.current.appearance._zoom == zoom
    docks = again.window.inspector.docks
    assert docks["history"].isFloating()
    assert [docks[name].isVisible() for name in ("timeline", "memory", "prompt", "dream", "health")] == [False] * 5
    columns = again.window.centralWidget()
    assert isinstance(columns, QSplitter)
    assert sizes[0] > 180
    assert columns.sizes() == sizes
    assert again.window.width() == 780
    again.current.appearance.zoom(0)


async def test_drafts_belong_to_their_conversation(stage: Stage) -> None:
    stage.make(("user", "One."))
    stage.write_session(("user", "Two."), key="desktop:two")
    person = await stage.open()
    person.current.sessions.open(KEY)
    await person.until_ready()
    person.type(person.composer.edit, "for one")
    person.current.sessions.open("desktop:two")
    await person.until_ready()
    assert person.composer.draft() == ""
    person.type(person.composer.edit, "for two")
    person.current.sessions.open(KEY)
    await person.until_ready()
    await until(lambda: person.composer.draft() == "for one", "the first draft")
    await person.close()
    again = await stage.open()
    await until(lambda: again.composer.draft() == "for one", "the first draft after a restart")
    again.current.sessions.open("desktop:two")
    await again.until_ready()
    await until(lambda: again.composer.draft() == "for two", "the second draft after a restart")


async def test_a_second_core_is_refused_while_the_first_is_open(stage: Stage) -> None:
    stage.make()
    await stage.open()
    looking = open_core(stage.root, True)
    assert looking.bench.read_only
    await looking.bench.close()
