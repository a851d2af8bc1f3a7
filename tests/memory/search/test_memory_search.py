"""`memory_search`, as Qanot names it: file, line, words, score, and the message behind them."""

from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.memory.capture.capture_writer import PersonMessage
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.memory.search.memory_search import memory_search
from mnemoscope.store.forgetting.tombstones_file import tombstones_of_this_person
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.sessions.message_trash import ChosenMessages
from mnemoscope.store.sessions.session_manager import SessionManager
from tests.support.search_files import message, session, workspace


def test_each_result_says_where_it_stands(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    (paths.memory_dir / "2025-01-15.md").write_text(
        "# Daily Notes\n\n## [10:30:00]\n**User:** FastAPI authentication\n"
    )
    (result,) = memory_search("authentication FastAPI", tmp_path)
    assert result.pop("score") > 0
    assert result == {"file": "memory/2025-01-15.md", "line": 4, "content": "**User:** FastAPI authentication"}
    assert memory_search("  ", str(tmp_path)) == []
    assert memory_search("submarine", tmp_path) == []


def test_the_message_behind_a_result_is_named(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    session(paths, message("hello", "assistant"), message("I keep a quokka"))
    paths.memory_file.write_text("- **preference**: likes wombats\n- likes dingos\n")
    record = CaptureRecord(
        "1", datetime(2026, 3, 6).isoformat(), "cli:direct", "", 7, "preference", "likes wombats",
        memory_line="- **preference**: likes wombats", change_id="c",
    )  # fmt: skip
    CaptureLog(paths).add([record])
    assert [(hit["session"], hit["message"]) for hit in memory_search("quokka", tmp_path)] == [("cli:direct", 1)]
    assert [(hit["session"], hit["message"]) for hit in memory_search("wombats", tmp_path)] == [("cli:direct", 7)]
    assert "message" not in memory_search("dingos", tmp_path)[0]


async def test_a_line_that_no_message_wrote_names_who_did(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    paths.memory_file.write_text("- **preference**: I keep a quokka\n")
    paths.session_state.write_text("- [2026-03-01T09:00:00.123456+00:00] **preference**: I keep an emu\n")
    store = MemoryStore(tmp_path)
    text = store.editing.read_text()
    await store.editing.save_text(f"{text.text}- A dingo\n", text.digest)
    said = "I keep a quokka. I prefer wombats."
    session = SessionManager(tmp_path).get_or_create("cli:direct")
    await store.captures.capture(PersonMessage("cli:direct", session.created_at.isoformat(), 0, said))

    def found(word: str) -> tuple[str, int | None]:
        hit = next(each for each in memory_search(word, tmp_path) if each["file"].endswith(".md"))
        return hit["by"], hit.get("message")

    assert found("quokka") == ("another program, or by hand", None)
    assert found("emu") == ("another program, or by hand", None)
    assert found("dingo") == ("the person, in the editor", None)
    assert found("wombats") == ("the person, in a conversation", 0)


async def test_a_line_written_by_hand_after_its_capture_was_taken_back_leads_to_no_message(tmp_path: Path) -> None:
    workspace(tmp_path)
    store = MemoryStore(tmp_path)
    (record,) = (
        await store.captures.capture(PersonMessage("cli:direct", "2026-03-01", 0, "I prefer wombats."))
    ).records
    assert memory_search("wombats", tmp_path)[0]["message"] == 0
    await store.captures.undo(record.id)
    text = store.editing.read_text()
    await store.editing.save_text(f"{text.text}{record.memory_line}\n", text.digest)
    (hit,) = memory_search("wombats", tmp_path)
    assert (hit["by"], "message" in hit) == ("the person, in the editor", False)


@pytest.mark.parametrize("has_index", [True, False])
def test_what_was_forgotten_is_not_found(tmp_path: Path, request: pytest.FixtureRequest, has_index: bool) -> None:
    paths = workspace(tmp_path)
    tombstones_of_this_person(paths).add(["The quokka sleeps behind the bakery."])
    text = "# The quokka sleeps behind the bakery\n\n- Behind the bakery the quokka sleeps\n- The quokka likes leaves\n"
    paths.memory_file.write_text(text)
    if not has_index:
        request.getfixturevalue("no_full_text_search")
    assert [hit["content"] for hit in memory_search("quokka", tmp_path)] == ["- The quokka likes leaves"]


def test_a_line_that_was_forgotten_is_in_no_context_for_a_model(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    tombstones_of_this_person(paths).add(["The quokka sleeps behind the bakery."])
    paths.memory_file.write_text("- Behind the bakery the quokka sleeps\n- The quokka likes leaves\n")
    assert MemoryStore(tmp_path).get_memory_context() == "## Long-term Memory\n- The quokka likes leaves\n"
    assert "bakery" in MemoryStore(tmp_path).read_long_term()


def test_lines_of_other_users_are_left_out_where_one_is_named(tmp_path: Path) -> None:
    paths = workspace(tmp_path)
    paths.memory_file.write_text("- [user:7] a quokka\n- [user:8] a quokka, two of them\n- a quokka of nobody's own\n")
    assert {hit["line"] for hit in memory_search("quokka", tmp_path, "7")} == {1, 3}
    assert {hit["line"] for hit in memory_search("quokka", tmp_path)} == {1, 2, 3}


def test_memory_in_the_root_is_searched_too(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- a quokka\n")
    assert [hit["file"] for hit in memory_search("quokka", tmp_path)] == ["MEMORY.md"]


@pytest.mark.usefixtures("no_full_text_search")
def test_without_full_text_search_files_are_searched_one_by_one(tmp_path: Path) -> None:
    workspace(tmp_path).memory_file.write_text("- [user:8] a quokka, two of them\n- a quokka\n")
    assert memory_search("quokka", tmp_path, "7") == [{"file": "memory/MEMORY.md", "line": 2, "content": "- a quokka"}]


async def test_a_line_of_the_state_that_a_deleted_message_said_is_not_found(tmp_path: Path) -> None:
    said = "We decided to use Postgres for the database"
    session(workspace(tmp_path), message(said), message("The weather is fine"))
    sessions = SessionManager(tmp_path)
    conversation = sessions.get_or_create("cli:direct")
    store = MemoryStore(tmp_path, sessions=sessions)
    await store.captures.capture(PersonMessage("cli:direct", conversation.created_at.isoformat(), 0, said))
    files = {hit["file"] for hit in memory_search("decision Postgres", tmp_path)}
    assert "SESSION-STATE.md" in files
    sessions.delete_messages([ChosenMessages(conversation, (0,), tuple(conversation.messages[:1]))])
    assert memory_search("decision Postgres", tmp_path) == []
