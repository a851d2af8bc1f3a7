"""Notes of each day, in the person's time, and who is told of them."""

from datetime import UTC, datetime
from pathlib import Path

from mnemoscope.memory.context.daily_notes import DailyNotes, write_daily_note
from mnemoscope.memory.files.write_hooks import add_write_hook
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.workspace.paths import WorkspacePaths

LATE = datetime(2026, 11, 22, 21, 30, 5, tzinfo=UTC)


def notes_in(root: Path, zone: str = "UTC") -> DailyNotes:
    return DailyNotes(WorkspacePaths(root), clock=lambda: LATE, zone=lambda: zone)


def test_an_exchange_is_one_entry_with_a_line_for_each_side(tmp_path: Path) -> None:
    notes = notes_in(tmp_path)
    assert notes.note_exchange("Which port?", "Port **8080**.")
    text = (tmp_path / "memory" / "2026-11-22.md").read_text("utf-8")
    assert text == "# Daily Notes — 2026-11-22\n\n\n## [21:30:05]\n**User:** Which port?\n**Agent:** Port 8080.\n"
    file, entries = notes.today()
    assert (file, [(each.time, each.text) for each in entries]) == (
        "memory/2026-11-22.md",
        [("21:30:05", "**User:** Which port?\n**Agent:** Port 8080.")],
    )


def test_a_day_begins_where_the_person_lives(tmp_path: Path) -> None:
    notes_in(tmp_path, "Asia/Tashkent").note_exchange("Late?", "Past midnight.")
    (file,) = (tmp_path / "memory").iterdir()
    assert file.name == "2026-11-23.md"
    assert "## [02:30:05]" in file.read_text("utf-8")


def test_what_went_wrong_is_a_lesson_beside_the_answer_or_alone(tmp_path: Path) -> None:
    notes = notes_in(tmp_path)
    notes.note_exchange("Build it", "It is built.", ["no such file"])
    notes.note_lesson("Ask again", ["The prompt is longer than the model's context."])
    first, second = (each.text for each in notes.today()[1])
    assert first.endswith("**Error lesson:** Build it\n- Error: no such file")
    assert second.endswith("- Error: The prompt is longer than the model's context.")


def test_a_lesson_is_noted_once_however_often_it_is_tried_in_vain(tmp_path: Path) -> None:
    notes = notes_in(tmp_path)
    noted = [notes.note_lesson("# Ask `again`", ["* The prompt is too long."]) for _ in range(3)]
    assert noted == [True, False, False]
    assert len(notes.today()[1]) == 1
    assert notes.note_exchange("Ask again", "Fine.")
    assert notes.note_lesson("# Ask `again`", ["* The prompt is too long."])
    assert len(notes.today()[1]) == 3


def test_nothing_said_is_no_entry(tmp_path: Path) -> None:
    notes = notes_in(tmp_path)
    assert not notes.note_exchange("Hello", " ")
    assert not notes.note_lesson("Hello", [])
    assert not (tmp_path / "memory").exists()


def test_the_door_writes_in_the_seeds_format_and_tells_the_hooks(tmp_path: Path) -> None:
    published: list[tuple[str, str]] = []
    remove = add_write_hook(lambda content, source: published.append((content, source)))
    try:
        write_daily_note("**User:** a\n**Agent:** b\n## forged", str(tmp_path), "7")
    finally:
        remove()
    (file,) = (tmp_path / "memory").iterdir()
    lines = file.read_text("utf-8").split("\n")
    assert lines[3].endswith("] [user:7]")
    assert lines[4:7] == ["**User:** a", "**Agent:** b", "\\## forged"]
    assert published == [("**User:** a\n**Agent:** b\n## forged", f"memory/{file.name}")]


def test_what_is_written_through_the_store_is_told_too(tmp_path: Path) -> None:
    published = []
    store = MemoryStore(tmp_path)
    remove = add_write_hook(lambda content, source: published.append((content, source)))
    try:
        store.write_long_term("- Likes tea\n")
        store.append_history("[2026-11-22 21:30] Spoke of tea.")
    finally:
        remove()
    store.append_history("[2026-11-22 21:31] Nobody listens.")
    assert published == [("- Likes tea\n", "MEMORY.md"), ("[2026-11-22 21:30] Spoke of tea.", "memory/HISTORY.md")]
