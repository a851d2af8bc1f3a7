from __future__ import annotations

import base64
import json
import os
import re
import unicodedata
import zlib
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.forgetting.forgetting_receipt import BY_CHOICE, ForgettingReceipt
from mnemoscope.domain.forgetting.forgotten_text import ForgottenText
from mnemoscope.domain.forgetting.plan import FoundPlace, PlaceKind
from mnemoscope.domain.merge.held_back import fact_hashes
from mnemoscope.store.files.atomic import TEMPORARY_SUFFIX, digest_of, write_beside
from mnemoscope.store.files.display_names import path_within
from mnemoscope.store.forgetting.byte_search import SearchedFiles, count_in_file, files_below
from mnemoscope.store.forgetting.forgetting_files import CompletedForgetting, ForgettingFiles
from mnemoscope.store.forgetting.places import ForgettingPlaces
from mnemoscope.store.git.commit_history import CommitHistory
from mnemoscope.store.logs.capture_log import CaptureLog
from mnemoscope.store.logs.prompt_log import PromptLog, text_hash
from mnemoscope.store.memory.change_log import ChangeLog
from mnemoscope.store.sessions.session_manager import SessionManager
from mnemoscope.store.transactions.intent import FORGET, ForgetStep, Intent, decode_intent, encode_intent
from mnemoscope.store.transactions.ledger import Ledger
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.canaries import CANARY, EVERY_KIND, LINE, PICTURE, WHEN, message, plant, session

WHAT = ForgottenText.of(LINE)


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    root = tmp_path / "workspace"
    root.mkdir()
    return plant(root)


def intent_of(paths: WorkspacePaths, taken: list[FoundPlace], left: list[FoundPlace]) -> Intent:
    places = ForgettingPlaces(paths)
    steps = [ForgetStep(each.kind.value, places.name_of(each)[0], each.count) for each in taken]
    steps += [ForgetStep(each.kind.value, each.path, each.count, each.why_not or BY_CHOICE) for each in left]
    own = {"forgotten": WHAT.phrases, "forgets": tuple(steps), "forgotten_marks": tuple(places.marks(WHAT))}
    return Intent.of_kind(FORGET, workspace_id="w", when=WHEN, secret="5a" * 32, **own)


def forget(paths: WorkspacePaths, *, everything: bool = True) -> CompletedForgetting:
    found = list(ForgettingPlaces(paths).find(WHAT))
    taken = [each for each in found if (each.can_be_taken if everything else each.by_default)]
    intent = intent_of(paths, taken, [each for each in found if each not in taken])
    ledger = Ledger(paths)
    ledger.commit(intent)
    return ForgettingFiles(paths, ledger).apply(intent)


def traces(root: Path, *words: str) -> list[str]:
    """Returns the files in which the canary stands, or these words, in any form that a program could read back, in this
    test's own words."""
    words = words or (CANARY, "sister keeps a Grünzweig", "sister keeps a Gr\\u00fcnzweig", *fact_hashes(CANARY))
    found = []
    for path in files_below(root):
        data = path.read_bytes()
        if b"objects" in os.fsencode(path) and re.fullmatch("[0-9a-f]{38}", path.name):
            data = zlib.decompress(data)
        if any(word.encode() in data for word in words):
            found.append(path.relative_to(root).as_posix())
    return found


def test_every_store_is_listed(paths: WorkspacePaths) -> None:
    found = list(ForgettingPlaces(paths).find(WHAT))
    assert {each.kind for each in found} == EVERY_KIND
    assert all(each.count for each in found)
    (other,) = [each for each in found if not each.can_be_taken]
    assert other.path == "notes/family.txt"
    memory = next(each for each in found if each.kind is PlaceKind.MEMORY)
    assert memory.excerpts == (CANARY,)


def test_after_everything_the_words_stand_only_where_the_receipt_says(paths: WorkspacePaths) -> None:
    assert len(traces(paths.root)) > 20
    receipt = forget(paths).receipt
    assert [each.path for each in receipt.left] == ["notes/family.txt"]
    assert traces(paths.root) == ["notes/family.txt"]
    assert receipt.searched == len(list(files_below(paths.root))) - 1, "all but the intent, which is dropped after it"
    (kept,) = PromptLog(paths.own.prompts_dir).read("desktop:one").texts.items()
    assert kept == (text_hash("Memory:\n- Known before"), "Memory:\n- Known before")


CODED = {
    "base64": base64.b64encode(f"Dear all, {CANARY} now".encode()).decode(),
    "base64 in lines": base64.encodebytes(f"Dear all, {CANARY}. {CANARY}, and more of it".encode()).decode().strip(),
    "percent": quote(CANARY),
    "entities": "".join(f"&#{ord(char)};" for char in CANARY),
    "escapes": json.dumps(CANARY).replace(" ", "\\u0020").strip('"'),
    "zero widths": "\u200b".join(CANARY),
    "full width": "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in CANARY),
}


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@pytest.mark.parametrize("coded", CODED.values(), ids=CODED)
def test_words_in_a_code_are_listed_in_every_store_and_after_everything_nowhere(tmp_path: Path, coded: str) -> None:
    paths = plant(tmp_path, coded)
    assert {each.kind for each in ForgettingPlaces(paths).find(WHAT)} == EVERY_KIND
    receipt = forget(paths).receipt
    assert [each.path for each in receipt.left] == ["notes/family.txt"]
    words = [words for line in coded.splitlines() for words in (line, json.dumps(line).strip('"'))]
    assert traces(tmp_path, *words) == ["notes/family.txt"]
    assert paths.memory_file.read_text("utf-8").startswith("# Notes\n\n- Known before\n")


def test_after_the_default_the_conversation_stays(paths: WorkspacePaths) -> None:
    before = (paths.sessions_dir / "desktop_one.jsonl").read_bytes()
    receipt = forget(paths, everything=False).receipt
    assert (paths.sessions_dir / "desktop_one.jsonl").read_bytes() == before
    assert {each.kind for each in receipt.left if each.reason == BY_CHOICE} >= {
        PlaceKind.CONVERSATIONS,
        PlaceKind.COMMITS,
        PlaceKind.DRAFTS,
    }
    assert paths.memory_file.read_text("utf-8") == "# Notes\n\n- Known before\n"
    left = {each.path for each in receipt.left}
    assert {trace for trace in traces(paths.root) if "/.git/" not in trace} <= left


def test_the_index_of_the_commits_is_known_and_goes_with_them(paths: WorkspacePaths) -> None:
    history = CommitHistory(paths)
    assert any(CANARY in each.message for each in history.page())
    history.close()
    index = paths.own.folder / "versions.db"
    assert CANARY.encode() in index.read_bytes()
    reasons = {each.path: each.reason for each in forget(paths, everything=False).receipt.left}
    assert reasons[".mnemoscope/versions.db"] == "It is the index of the commits and goes when they are made anew."
    assert [each.path for each in forget(paths).receipt.left] == ["notes/family.txt"]
    assert not index.exists()


def test_a_message_becomes_a_record_without_words_and_the_others_keep_their_numbers(paths: WorkspacePaths) -> None:
    forget(paths)
    session = SessionManager(paths.root).load("desktop:one")
    assert session is not None
    assert [each["content"] for each in session.messages] == ["Hello", "", "Goodbye"]
    assert not (paths.attachments_dir / PICTURE).exists()
    assert len(list(paths.attachments_dir.iterdir())) == 1, "an image that nobody's message with the words names stays"


def test_every_commit_is_there_still_without_the_words(paths: WorkspacePaths) -> None:
    history = CommitHistory(paths)
    before = [(each.author, each.timestamp) for each in history.page()]
    history.close()
    forget(paths)
    history = CommitHistory(paths)
    assert [(each.author, each.timestamp) for each in history.page()] == before
    newest = history.page()[0]
    assert history.text_at(newest.id, "memory/MEMORY.md") == "# Notes\n\n- Known before\n- More\n"
    assert CANARY not in newest.message
    history.close()


def test_what_is_sealed_is_sealed_anew(paths: WorkspacePaths) -> None:
    forget(paths)
    for folder in (paths.own.ledger_dir, paths.own.message_trash_dir):
        (file,) = folder.iterdir()
        assert decode_intent(file.read_bytes()) is not None


def test_the_log_of_changes_names_the_forgetting_and_none_of_its_words(paths: WorkspacePaths) -> None:
    receipt = forget(paths).receipt
    newest = ChangeLog(paths.own.memory_change_log).lines()[-1].change
    assert (newest.id, newest.origin.kind, newest.added, newest.removed) == (receipt.id, "forgotten", (), ())
    assert ChangeLog(paths.own.memory_change_log).deleted() == {}


def test_a_second_time_changes_nothing_more(paths: WorkspacePaths) -> None:
    found = [each for each in ForgettingPlaces(paths).find(WHAT) if each.can_be_taken]
    intent = intent_of(paths, found, [])
    ledger = Ledger(paths)
    ledger.commit(intent)
    ForgettingFiles(paths, ledger).apply(intent)
    before = {path: path.read_bytes() for path in files_below(paths.root) if ".git" not in path.parts}
    ledger.commit(intent)
    ForgettingFiles(paths, ledger).apply(intent)
    after = {path: path.read_bytes() for path in files_below(paths.root) if ".git" not in path.parts}
    own = paths.own.forgetting_receipts_dir
    assert {path: data for path, data in before.items() if path.parent != own} == {
        path: data for path, data in after.items() if path.parent != own
    }


def test_what_a_refused_try_left_beside_a_file_goes_too_and_a_text_of_another_program_stays(
    paths: WorkspacePaths,
) -> None:
    [log] = paths.own.prompts_dir.glob("*.log")
    before = log.read_bytes()
    left = write_beside(log, before, token=f"{'0' * 16}-{digest_of(before)[:16]}")
    theirs = write_beside(log, b"Written by another", token=f"{'0' * 16}-{'1' * 16}")
    receipt = forget(paths).receipt
    assert not left.exists()
    assert theirs.read_bytes() == b"Written by another"
    assert not [each for each in receipt.left if each.path.endswith(TEMPORARY_SUFFIX)]


def test_a_file_with_other_names_is_left_and_said(paths: WorkspacePaths) -> None:
    os.link(paths.root / "AGENTS.md", paths.root.parent / "elsewhere.md")
    receipt = forget(paths).receipt
    (left,) = [each for each in receipt.left if each.kind is PlaceKind.INSTRUCTIONS]
    assert "other names" in left.reason


def test_a_name_that_has_the_words_is_said(paths: WorkspacePaths) -> None:
    (paths.own.drafts_dir / f"{CANARY}.json").write_text("{}", encoding="utf-8")
    (paths.root.parent / "log.txt").write_text(CANARY, encoding="utf-8")
    places = ForgettingPlaces(paths, outside=[paths.root.parent / "log.txt", paths.root.parent / "none.txt"])
    other = {each.path.rpartition("/")[2]: each.why_not for each in places.find(WHAT) if not each.can_be_taken}
    assert "name" in other[f"{CANARY}.json"]
    assert "outside" in other["log.txt"]


def test_only_files_of_their_kind_are_taken(paths: WorkspacePaths) -> None:
    places = ForgettingPlaces(paths)
    assert places.take("memory", "notes/family.txt", WHAT) is None
    assert CANARY in (paths.root / "notes" / "family.txt").read_text("utf-8")


def test_what_cannot_be_read_is_passed_over(paths: WorkspacePaths) -> None:
    (paths.own.ledger_dir / "broken.json").write_bytes(f'{{"a": "{CANARY}"}}\nno seal\n'.encode())
    (paths.own.prompts_dir / "broken.log").write_bytes(b"no request\n")
    (paths.own.folder / "changes" / "list.jsonl").write_text('["a"]\n{"deleted": ["x"]}\n', encoding="utf-8")
    (paths.sessions_dir / "bad.jsonl").write_bytes(
        b'{"_type": "metadata", "key": "bad"}\nbroken ' + CANARY.encode() + b"\n"
    )
    forget(paths)
    assert traces(paths.root) == ["notes/family.txt"]
    assert (paths.own.ledger_dir / "broken.json").read_bytes().endswith(b"no seal\n")
    assert (paths.own.folder / "changes" / "list.jsonl").read_text("utf-8") == '["a"]\n{"deleted": ["x"]}\n'


def test_lines_that_say_the_same_in_other_words_are_named(paths: WorkspacePaths) -> None:
    with paths.memory_file.open("a", encoding="utf-8") as file:
        file.write("- Sister: has a Grünzweig canary, keeps it well\n")
    (related,) = ForgettingPlaces(paths).related(WHAT)
    assert related.text.startswith("Sister:")
    assert related.path == "memory/MEMORY.md"


def test_what_was_said_in_other_words_is_named_sentence_by_sentence_and_once(paths: WorkspacePaths) -> None:
    said = "Noted, thank you. Your sister keeps a canary, Grünzweig by name!\nShall I write it down?"
    lines = [
        {"_type": "metadata", "key": "said"},
        {"role": "user", "content": "Who is it?"},
        {"role": "assistant", "content": said},
        {"role": "tool", "content": "sister, canary, Grünzweig"},
    ]
    data = "\n".join(map(json.dumps, lines)).encode() + b"\nbroken\n"
    (paths.sessions_dir / "said.jsonl").write_bytes(data)
    paths.branches_dir.mkdir(exist_ok=True)
    (paths.branches_dir / "said.jsonl").write_bytes(data)
    (related,) = ForgettingPlaces(paths).related(WHAT)
    assert related.text == "Your sister keeps a canary, Grünzweig by name!"
    assert related.path == path_within(paths.sessions_dir / "said.jsonl", paths.root)


def test_an_intent_names_no_file_outside(paths: WorkspacePaths) -> None:
    step = ForgetStep("memory", "../elsewhere.md", 1)
    intent = Intent.of_kind(FORGET, workspace_id="w", when=WHEN, forgotten=("abc",), forgets=(step,))
    assert decode_intent(encode_intent(intent)) is None
    left = Intent.of_kind(FORGET, workspace_id="w", when=WHEN, forgets=(ForgetStep("other", "/x", 1, "It stays."),))
    assert decode_intent(encode_intent(left)) == left


def test_receipts_are_kept_without_the_words(paths: WorkspacePaths) -> None:
    receipt = forget(paths).receipt
    files = ForgettingFiles(paths, Ledger(paths)).receipts
    assert files.newest_first() == [receipt]
    files.mark_undone("another", WHEN)
    files.mark_taking_back(receipt.id, WHEN)
    assert files.newest_first() == [replace(receipt, taking_back=WHEN)]
    files.mark_undone(receipt.id, WHEN)
    assert files.newest_first() == [replace(receipt, undone=WHEN)]
    (paths.own.forgetting_receipts_dir / "zz.json").write_text("[]", encoding="utf-8")
    (paths.own.forgetting_receipts_dir / "yy.json").write_text("{", encoding="utf-8")
    assert len(files.newest_first()) == 1
    with pytest.raises(StorageError):
        files.keep(ForgettingReceipt("../x", WHEN, (), (), 0, 0))


def test_words_between_two_blocks_of_a_long_file_are_found(tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_bytes(b"." * 3_999_990 + b" " + CANARY.encode() + b" " + b"." * 100_000)
    searched = SearchedFiles()
    assert count_in_file(file, WHAT, searched) == count_in_file(file, WHAT) == 1
    assert (searched.files, searched.bytes) == (1, file.stat().st_size)


def test_a_file_that_refuses_to_be_read_is_passed_over(paths: WorkspacePaths) -> None:
    refuses = Path("/proc/self/mem")
    assert {each.kind for each in ForgettingPlaces(paths, outside=[refuses]).find(WHAT)} == EVERY_KIND


def test_a_folder_outside_is_searched_with_all_below_it(paths: WorkspacePaths) -> None:
    folder = paths.root.parent / "state"
    (folder / "below").mkdir(parents=True)
    (folder / "below" / "agents.db").write_text(CANARY, "utf-8")
    found = [each.path for each in ForgettingPlaces(paths, outside=[folder]).find(WHAT) if not each.can_be_taken]
    assert found == ["notes/family.txt", str(folder / "below" / "agents.db")]
    around = ForgettingPlaces(paths, outside=[paths.root.parent]).find(WHAT)
    assert [each.path for each in around if not each.can_be_taken] == found


def test_an_index_goes_whole_also_where_a_page_of_it_ends_within_the_words(paths: WorkspacePaths) -> None:
    said = message(f"{'Something else. ' * 400}{CANARY}")
    (paths.sessions_dir / "long.jsonl").write_bytes(session("desktop:long", said))
    paths.own.search_file.write_bytes(b"My sister keeps a Gr\x00\x0d\x00\xc3\xbcnzweig canary")
    paths.own.search_file.with_name("search.db-wal").write_bytes(b"a vector")
    assert CANARY.encode() not in paths.own.search_file.read_bytes()
    receipt = forget(paths).receipt
    assert ".mnemoscope/search.db" in {each.path for each in receipt.taken}
    assert not list(paths.own.folder.glob("search.db*"))


def test_an_index_stays_where_nothing_that_it_is_made_of_has_the_words(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    paths.own.folder.mkdir()
    paths.own.search_file.write_bytes(b"an index")
    (paths.root / "own.txt").write_text(CANARY, "utf-8")
    assert [each.path for each in ForgettingPlaces(paths).find(WHAT)] == ["own.txt"]


def test_words_are_found_where_letters_and_their_marks_stand_apart(paths: WorkspacePaths) -> None:
    apart = unicodedata.normalize("NFD", CANARY)
    assert apart != CANARY
    paths.history_file.write_text(f"[2026-11-20 10:00] {apart}\n\n", "utf-8")
    assert forget(paths).receipt.left[0].path == "notes/family.txt"
    assert "canary" not in paths.history_file.read_text("utf-8")
    assert ForgottenText.of(apart) == ForgottenText.of(CANARY)


def test_a_receipt_names_a_file_that_is_called_by_the_words_without_them(paths: WorkspacePaths) -> None:
    (paths.root / f"{CANARY}.txt").write_text("Nothing", "utf-8")
    receipt = forget(paths).receipt
    (kept,) = paths.own.forgetting_receipts_dir.iterdir()
    assert "[…].txt" in {each.path for each in receipt.left}
    assert "canary" not in kept.read_text("utf-8")


def test_the_hash_of_what_was_captured_goes_with_its_words(paths: WorkspacePaths) -> None:
    log = CaptureLog(paths)
    log.add([CaptureRecord("k2", WHEN, "desktop:one", WHEN, 2, "fact", "Something else", fact="cd" * 8)])
    log.add([CaptureRecord("k3", WHEN, "desktop:one", WHEN, 3, "fact", CANARY, fact="ab" * 8)])
    forget(paths)
    written = paths.own.captures_log.read_text("utf-8")
    assert "cd" * 8 in written
    assert "ab" * 8 not in written


def test_a_request_of_a_kept_prompt_names_its_texts_by_what_they_say_now(paths: WorkspacePaths) -> None:
    log, text = PromptLog(paths.own.prompts_dir), f"She said: {CANARY}"
    name = text_hash(text)
    log.append("desktop:two", {"when": WHEN, "messages": [{"text": name}, 1]}, {name: text})
    log.append("desktop:two", {"when": WHEN, "messages": [{"text": name}, 2]}, {name: text})
    forget(paths)
    again = text_hash("She said: […]")
    kept = log.read("desktop:two")
    assert [each["messages"][0]["text"] for each in kept.records] == [again, again]
    assert kept.texts == {again: "She said: […]"}
    log.append("desktop:two", {"when": WHEN, "messages": [{"text": name}]}, {name: text})
    assert log.read("desktop:two").texts[name] == text, "what is sent after it is kept as it is sent"


def test_only_so_many_related_lines_are_named(paths: WorkspacePaths) -> None:
    with paths.memory_file.open("a", encoding="utf-8") as file:
        file.write("".join(f"- Sister: has a Grünzweig canary, keeps it {number}\n" for number in range(60)))
    assert len(list(ForgettingPlaces(paths).related(WHAT))) == 50


def test_a_copy_in_another_agents_file_is_only_named(paths: WorkspacePaths) -> None:
    other = FoundPlace(PlaceKind.OTHER_AGENTS, "/home/her/.claude/CLAUDE.md", 1, why_not="It is another program's.")
    intent = intent_of(paths, [], [other])
    ledger = Ledger(paths)
    ledger.commit(intent)
    left = ForgettingFiles(paths, ledger).apply(intent).receipt.left
    assert [(each.path, each.reason) for each in left if each.kind is PlaceKind.OTHER_AGENTS] == [
        (other.path, other.why_not)
    ]


def test_conversations_in_nanobots_own_folder_are_taken_there(
    paths: WorkspacePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(paths.root.parent))
    home = paths.root.parent / ".nanobot" / "sessions" / ("0" * 32)
    home.mkdir(parents=True)
    (home / ".workspace").write_text(f"{paths.root}\n", encoding="utf-8")
    (paths.root / ".nanobot").mkdir()
    (paths.root / ".nanobot" / "workspace-id").write_text("0" * 32 + "\n", encoding="utf-8")
    moved = home / "desktop_two.jsonl"
    moved.write_bytes(session("desktop:two", message(CANARY)))
    found = [each for each in ForgettingPlaces(paths).find(WHAT) if each.path == str(moved)]
    places = ForgettingPlaces(paths)
    assert [places.name_of(each) for each in found] == [("desktop_two.jsonl", True)]
    places.take("conversations", "desktop_two.jsonl", WHAT, in_home=True)
    assert CANARY.encode() not in moved.read_bytes()


def test_a_forgetting_that_an_earlier_version_began_is_finished(paths: WorkspacePaths) -> None:
    found = list(ForgettingPlaces(paths).find(WHAT))
    intent = replace(intent_of(paths, [each for each in found if each.can_be_taken], []), secret="", forgotten_marks=())
    ledger = Ledger(paths)
    ledger.commit(intent)
    ForgettingFiles(paths, ledger).apply(intent)
    assert CANARY not in paths.memory_file.read_text("utf-8")


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@pytest.mark.parametrize(
    "head",
    [
        b"\x28\xb5\x2f\xfd",
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07\x01\x00",
        b"age-encryption.org/v1\n",
        b"PK\x03\x04\x14\x00\x01\x00\x08\x00",
        b"PK\x03\x04\x3f\x00\x00\x00\x5d\x00",
    ],
)
def test_a_file_that_cannot_be_looked_into_is_named_and_not_passed_over(paths: WorkspacePaths, head: bytes) -> None:
    (paths.root / "old.bin").write_bytes(head + b"\x00" * 40)
    receipt = forget(paths).receipt
    [left] = [each for each in receipt.left if each.path == "old.bin"]
    assert left.count == 0
    assert "cannot be looked into" in left.reason
