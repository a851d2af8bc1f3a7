"""Files that are not as they should be: the window opens, says so plainly, and overwrites nothing it could not read."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from mnemoscope.ui.chat.chat_column import ChatColumn
from mnemoscope.ui.widgets.notices.notice_bar import NoticeBar
from mnemoscope.ui.widgets.theme import Theme
from tests.support.scripted_provider import ScriptedProvider
from tests.ui.window_fixture import KEY, Stage, click, messages_on_disk, rest, sentences, tree, until, words_in

FACTS = "# User\n\n- Name is Sam\n"


def line(**fields: object) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


HEAD = line(_type="metadata", key=KEY, created_at="2026-01-01T09:00:00", last_consolidated=0)
ONE = line(role="user", content="Message one", timestamp="2026-01-01T09:00:00")
TWO = line(role="assistant", content="Message two", timestamp="2026-01-01T09:00:01")
THREE = line(role="user", content="Message three", timestamp="2026-01-01T09:00:02")


def head(pointer: object) -> bytes:
    return line(_type="metadata", key=KEY, created_at="2026-01-01T09:00:00", last_consolidated=pointer)


def flipped(data: bytes) -> bytes:
    return data.replace(b'"role"', b'"rol\xe5"', 1)


LONG = line(role="user", content="x" * 10_000_000, timestamp="2026-01-01T09:00:00")
DEEP = b'{"role": "user", "content": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
DIGITS = b'{"role": "user", "content": "n", "n": ' + b"9" * 5_000 + b"}\n"

SESSIONS: dict[str, tuple[bytes, tuple[str, ...], str]] = {
    "torn at the end": (HEAD + ONE + TWO + THREE[:30], ("one", "two"), ""),
    "a byte flipped": (HEAD + ONE + flipped(TWO) + THREE, ("one", "three"), "damaged"),
    "not UTF-8": (HEAD + ONE + b"\xff\xfe\xfa broken\n" + THREE, ("one", "three"), "damaged"),
    "a BOM": (b"\xef\xbb\xbf" + HEAD + ONE + TWO, ("one", "two"), ""),
    "CRLF": ((HEAD + ONE + TWO).replace(b"\n", b"\r\n"), ("one", "two"), ""),
    "a run of NUL": (HEAD + ONE + b"\x00" * 4096 + b"\n" + THREE, ("one", "three"), "damaged"),
    "too deep": (HEAD + ONE + DEEP + THREE, ("one", "three"), "damaged"),
    "a number of 5,000 digits": (HEAD + ONE + DIGITS + THREE, ("one", "three"), ""),
    "a line of 10 MB": (HEAD + ONE + LONG + THREE, ("one", "three"), ""),
    "no metadata": (ONE + TWO, ("one", "two"), ""),
    "a negative pointer": (head(-3) + ONE + TWO, ("one", "two"), "pointer"),
    "a pointer beyond the end": (head(99) + ONE + TWO, ("one", "two"), "pointer"),
    "a pointer that is no number": (head("many") + ONE + TWO, ("one", "two"), "pointer"),
}

SHORT = ("torn at the end", "not UTF-8", "too deep", "a line of 10 MB", "a pointer that is no number")


@pytest.mark.parametrize(
    "name",
    # One of each sentence, one that costs nothing; what each damage costs is tried where files are read, in any form.
    [pytest.param(name, marks=[] if name in SHORT else [pytest.mark.long]) for name in SESSIONS],
)
async def test_a_damaged_conversation_opens_and_costs_only_the_damage(stage: Stage, name: str) -> None:
    data, shown, said = SESSIONS[name]
    stage.make(memory=FACTS)
    stage.paths.sessions_dir.mkdir(exist_ok=True)
    file = stage.paths.sessions_dir / "desktop_test.jsonl"
    file.write_bytes(data)
    person = await stage.open(offline=ScriptedProvider("Here."))
    await person.until_ready()
    for words in shown:
        await until(lambda words=words: f"Message {words}" in person.text, f"message {words}")  # type: ignore[misc]
    if said:
        await person.until_said(said)
    assert 0 <= person.timeline.model.pointer <= person.timeline.model.total
    await person.say("Are you there?")
    assert "Here." in person.text
    after = file.read_bytes()
    kept = [path.read_bytes() for path in stage.paths.own.folder.rglob("*") if path.is_file()]
    assert after.startswith(data) or (after.startswith(HEAD + ONE + TWO) and any(THREE[:30] in one for one in kept))
    assert [one["content"] for one in messages_on_disk(stage.root, person.key)][-2:] == ["Are you there?", "Here."]


async def test_a_bar_about_damage_stays_with_its_conversation_until_it_is_closed(stage: Stage) -> None:
    stage.make()
    stage.write_session(("user", "Something else."), ("assistant", "Indeed."), key="desktop:other")
    (stage.paths.sessions_dir / "desktop_test.jsonl").write_bytes(HEAD + ONE + flipped(TWO) + THREE)
    person = await stage.open(offline=ScriptedProvider(last="Here."))
    for key, said in ((KEY, True), ("desktop:other", False), (KEY, True)):
        person.current.sessions.open(key)
        await person.until_ready()
        await until(lambda said=said: any("damaged" in one for one in sentences(person.chat)) is said, key)  # type: ignore[misc]
    await person.say("Are you there?")
    assert "damaged" in " ".join(sentences(person.chat))
    (bar,) = (one for one in person.chat.findChildren(NoticeBar) if "damaged" in one.sentence)
    click(bar._close)
    await until(lambda: sentences(person.chat) == [], "no bar")
    await rest()
    assert sentences(person.chat) == []


def test_a_fourth_bar_takes_none_away_for_good() -> None:
    column = ChatColumn()
    for word in ("one", "two", "three", "four"):
        column.notify("warning", word, stays=True)
    assert sentences(column) == ["two", "three", "four"]
    column.findChildren(NoticeBar)[-1].dismiss()
    assert sentences(column) == ["one", "two", "three"]
    column.deleteLater()


MEMORIES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder": (lambda path: path.mkdir(), "folder"),
    "larger than any prompt": (lambda path: path.write_bytes(b"- One fact more\n" * 350_000), "2 MB"),
    "not UTF-8": (lambda path: path.write_bytes(b"# User\n\n- Caf\xe9\n"), "UTF-8"),
}


@pytest.mark.parametrize("name", MEMORIES)
@pytest.mark.logs_errors
async def test_a_memory_that_cannot_be_read_is_never_overwritten(stage: Stage, name: str) -> None:
    make, said = MEMORIES[name]
    stage.make(("user", "Earlier."), ("assistant", "Yes."), memoryWindow=2)
    stage.paths.memory_file.unlink(missing_ok=True)
    make(stage.paths.memory_file)
    before = tree(stage.paths.memory_dir)
    person = await stage.open()
    sentence = await person.until_said("MEMORY.md", person.memory)
    assert said in sentence
    await person.say("Remember that I like tea.")
    assert messages_on_disk(stage.root)[2]["content"] == "Remember that I like tea."
    person.press("Ctrl+2")
    person.press("Ctrl+S")
    await until(lambda: not person.bench.loop.consolidation.is_running, "the consolidation's end")
    await rest(0.1)
    assert {key: data for key, data in tree(stage.paths.memory_dir).items() if key in before} == before
    await person.close()
    assert {key: data for key, data in tree(stage.paths.memory_dir).items() if key in before} == before


async def test_a_missing_memory_is_offered_to_be_written(stage: Stage) -> None:
    stage.make(("user", "Earlier."))
    stage.paths.memory_file.unlink(missing_ok=True)
    person = await stage.open()
    assert "Memory is written after about" in words_in(person.memory)
    person.click(person.memory.body.empty.button.text(), person.memory)
    await until(lambda: person.memory.editor.hasFocus(), "the editor")
    QTest.keyClicks(person.memory.editor, "- Likes tea")
    person.press("Ctrl+S")
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    assert stage.paths.memory_file.read_text("utf-8") == "- Likes tea"


async def test_a_memory_of_1_mb_opens_and_is_saved_whole(stage: Stage) -> None:
    text = "# User\n\n" + "".join(f"- Fact number {number} about something\n" for number in range(30_000))
    stage.make(memory=text)
    person = await stage.open()
    await until(lambda: len(person.memory.editor.text()) == len(text), "all of the memory")
    person.press("Ctrl+2")
    person.press("Ctrl+End")
    QTest.keyClicks(person.memory.editor, "- One more")
    person.press("Ctrl+S")
    await until(lambda: not person.memory.is_dirty(), "the text saved")
    assert stage.paths.memory_file.read_text("utf-8") == text + "- One more"


@pytest.mark.parametrize("data", [None, b"[2026-01-01 10:00] Caf\xe9 and kiln.\n\n[2026-01-02 10:00] Tea.\n\n"])
async def test_a_history_that_is_missing_or_has_bad_bytes_shows_what_can_be_read(
    stage: Stage, data: bytes | None
) -> None:
    stage.make(("user", "Earlier."))
    stage.paths.history_file.unlink(missing_ok=True)
    if data is not None:
        stage.paths.history_file.write_bytes(data)
    person = await stage.open()
    await until(lambda: len(person.entries()) == (0 if data is None else 2), "the entries")
    if data is not None:
        person.press("Ctrl+3")
        person.press("Ctrl+F")
        QTest.keyClicks(person.window.focusWidget(), "kiln")
        await until(lambda: len(person.entries()) == 1, "the entry that matches")
        assert stage.paths.history_file.read_bytes() == data
    await person.close()
    assert stage.paths.history_file.exists() == (data is not None)


async def test_a_malformed_config_is_said_and_never_overwritten(stage: Stage) -> None:
    stage.make()
    stage.paths.config_file.write_text('{"agents": {', "utf-8")
    person = await stage.open()
    assert "default is used" in await person.until_said("config.json is not well-formed")
    person.current.settings_controller.toggle_theme()
    await rest(0.2)
    assert stage.paths.config_file.read_text("utf-8") == '{"agents": {'
    await person.until_said("config.json is not well-formed")
    await person.say("Still there?")
    assert messages_on_disk(stage.root, person.key)[0]["content"] == "Still there?"


async def test_wrong_types_in_config_are_each_named_and_the_rest_counts(stage: Stage) -> None:
    stage.make()
    wrong = {
        "agents": {"defaults": {"memoryWindow": "many", "maxTokens": -1, "temperature": 0.7, "model": 7}},
        "mnemoscope": {"theme": "pink", "execEnabled": "yes"},
    }
    stage.paths.config_file.write_text(json.dumps(wrong), "utf-8")
    person = await stage.open()
    said = await person.until_said("memoryWindow")
    for name in ("memoryWindow", "maxTokens", "model", "theme", "execEnabled"):
        assert name in said
    assert person.bench.settings.temperature == 0.7
    assert person.bench.settings.memory_window == 100
    assert json.loads(stage.paths.config_file.read_text("utf-8")) == wrong


async def test_unknown_keys_of_config_stay_when_a_setting_changes(stage: Stage) -> None:
    stage.make()
    document = {"theirs": {"a": [1, 2]}, "agents": {"defaults": {"memoryWindow": 30, "other": "x"}}, "zz": None}
    stage.paths.config_file.write_text(json.dumps(document), "utf-8")
    person = await stage.open()
    assert not sentences(person.window)
    person.press("Ctrl+Shift+L")
    await until(lambda: person.bench.settings.theme != "system", "the theme kept")
    after = json.loads(stage.paths.config_file.read_text("utf-8"))
    assert after.pop("mnemoscope") == {"theme": person.bench.settings.theme}
    assert after == document
    assert list(after) == list(document)
    person.press("Ctrl+Shift+L")
    await until(lambda: not Theme.current().dark, "the theme before")


async def test_a_conversation_that_cannot_be_read_is_said_and_left_alone(stage: Stage) -> None:
    stage.make(("user", "Earlier."))
    folder = stage.paths.sessions_dir / "desktop_odd.jsonl"
    folder.mkdir()
    (folder / "inside").write_text("x", "utf-8")
    person = await stage.open()
    assert "Earlier." in person.text
    assert (folder / "inside").read_text("utf-8") == "x"
