"""Records name no text that is gone by its plain hash, and a field that might is known by its name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import pytest

from mnemoscope.domain.capture.record import CaptureRecord
from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.domain.forgetting.forgetting_receipt import ForgettingReceipt
from mnemoscope.domain.memory.change import MemoryChange
from mnemoscope.domain.memory.suggestion import Suggestion
from mnemoscope.store.files.atomic import digest_of
from mnemoscope.store.forgetting.plain_hashes import FIELDS_LOOKED_AT, PlainHashes, new_suggestion_id
from mnemoscope.store.transactions.intent import DREAM_RUN, Intent, decode_intent, encode_intent
from mnemoscope.store.workspace.import_records import ImportRecord
from mnemoscope.store.workspace.paths import WorkspacePaths
from tests.support.faulty_calls import FailingAt

SECRET = "5a" * 32
FORMER = "- Knows a secret\n"
NOW = "- […]\n"
GONE = digest_of(b"a text that nobody has any more")
RECORDS: Final = (Intent, MemoryChange, Suggestion, CaptureRecord, DreamRun, ForgettingReceipt, ImportRecord)
NO_HASHES: Final = """
    added asked base brought_from category change_id claimed_by cleaned conversations decided entry fact facts_added
    facts_removed forgotten forgotten_marks held history_entry history_path holds kind known_by known_line language
    memories memory_after memory_before memory_line mine model origin_kind outcome proposed reason reasons record
    rejects removed replaced replaced_state rests_on rule secret session_created_at session_key source state
    state_line struck taking_back target text theirs title trigger undoes undone when words workspace_id
"""
"""Fields of records that hold words, paths, times, or names that are made of no text. `fact` goes with the words of its
capture, `forgotten_marks` when the forgetting is done."""


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    paths = WorkspacePaths(tmp_path)
    for folder in (paths.own.text_versions_dir, paths.own.ledger_dir, paths.own.suggestions_dir, paths.sessions_dir):
        folder.mkdir(parents=True)
    (paths.own.text_versions_dir / digest_of(FORMER.encode())).write_text(NOW, "utf-8")
    return paths


def replace(paths: WorkspacePaths, **more: Any) -> dict[Path, bytes | None]:
    before: dict[Path, bytes | None] = {}
    more = {"suggestions": {}} | more
    PlainHashes(paths, SECRET, lambda: sorted(paths.sessions_dir.iterdir()), **more).replace(before)
    return before


def log(paths: WorkspacePaths, *changes: Any) -> None:
    paths.own.memory_change_log.write_text("".join(f"{json.dumps(each)}\n" for each in changes), "utf-8")


def logged(paths: WorkspacePaths) -> list[Any]:
    return [json.loads(line) for line in paths.own.memory_change_log.read_text("utf-8").splitlines()]


def test_a_former_text_goes_by_the_hash_of_what_it_says_now_and_so_do_its_records(paths: WorkspacePaths) -> None:
    old, new = digest_of(FORMER.encode()), digest_of(NOW.encode())
    log(paths, {"before": GONE, "after": old}, {"before": old, "after": GONE}, "no change")
    before = replace(paths)
    (first, second, last) = logged(paths)
    assert (first["after"], second["before"], last) == (new, new, "no change")
    assert first["before"] == second["after"] != GONE
    assert [path.name for path in paths.own.text_versions_dir.iterdir()] == [new]
    assert before[paths.own.text_versions_dir / old] == NOW.encode()
    assert before[paths.own.text_versions_dir / new] is None


def test_a_second_time_changes_nothing_more(paths: WorkspacePaths) -> None:
    log(paths, {"before": GONE, "after": digest_of(FORMER.encode())})
    replace(paths)
    after = paths.own.memory_change_log.read_bytes()
    assert replace(paths) == {}
    assert paths.own.memory_change_log.read_bytes() == after


def test_two_former_texts_that_say_the_same_now_are_one(paths: WorkspacePaths) -> None:
    (paths.own.text_versions_dir / digest_of(NOW.encode())).write_text(NOW, "utf-8")
    (paths.own.text_versions_dir / "notes").write_text("no text version", "utf-8")
    replace(paths)
    names = {path.name for path in paths.own.text_versions_dir.iterdir()}
    assert names == {digest_of(NOW.encode()), "notes"}


def test_the_hash_of_a_text_that_is_there_stays(paths: WorkspacePaths) -> None:
    paths.memory_file.parent.mkdir()
    paths.memory_file.write_text("- Likes tea\n", "utf-8")
    change = {"before": "", "after": digest_of(b"- Likes tea\n"), "note": GONE}
    log(paths, change)
    replace(paths)
    assert logged(paths) == [change]


def test_marks_of_forgotten_facts_go_and_others_stay(paths: WorkspacePaths) -> None:
    log(paths, {"deletions": [["a" * 16, "t"], ["b" * 16, "t"], []]}, {"deleted": ["a" * 16, "c" * 16], "restored": []})
    replace(paths, marks=["a" * 16])
    assert logged(paths) == [{"deletions": [["b" * 16, "t"], []]}, {"deleted": ["c" * 16], "restored": []}]


def test_a_suggestion_named_by_its_words_gets_another_name_wherever_it_is_named(paths: WorkspacePaths) -> None:
    former, fresh = "0123456789abcdef", new_suggestion_id(SECRET, "0123456789abcdef")
    (paths.own.suggestions_dir / f"{former}.json").write_text(json.dumps({"id": former}), "utf-8")
    log(paths, {"origin": {"detail": former}, "id": "another"})
    replace(paths, suggestions={former: fresh})
    assert [path.name for path in paths.own.suggestions_dir.glob("*.json")] == [f"{fresh}.json"]
    assert json.loads((paths.own.suggestions_dir / f"{fresh}.json").read_text("utf-8")) == {"id": fresh}
    assert logged(paths) == [{"origin": {"detail": fresh}, "id": "another"}]


def test_an_earlier_receipt_tells_no_hash_of_a_file_that_had_the_words(paths: WorkspacePaths) -> None:
    paths.own.forgetting_receipts_dir.mkdir()
    receipt = paths.own.forgetting_receipts_dir / "ab.json"
    version = f".mnemoscope/versions/{digest_of(FORMER.encode())}"
    taken = [{"path": "memory/MEMORY.md", "digest": "1"}, {"path": "USER.md", "digest": "2"}, {"path": version}]
    receipt.write_text(json.dumps({"taken": taken}), "utf-8")
    (paths.own.forgetting_receipts_dir / "cd.json").write_text("no receipt", "utf-8")
    replace(paths, taken={"memory/MEMORY.md"})
    found = json.loads(receipt.read_text("utf-8"))["taken"]
    assert [each.get("digest") for each in found] == ["", "2", None]
    assert found[2]["path"] == f".mnemoscope/versions/{digest_of(NOW.encode())}"


@pytest.mark.parametrize(("commits", "kept"), [(None, "c0ffee"), ({"c0ffee"}, "c0ffee"), (set(), "")])
def test_a_run_of_dream_names_no_commit_that_is_not_there(paths: WorkspacePaths, commits: Any, kept: str) -> None:
    paths.own.dream_runs.write_text('{"commit": "c0ffee"}\n', "utf-8")
    replace(paths, commits=commits)
    assert json.loads(paths.own.dream_runs.read_text("utf-8"))["commit"] == kept


def consolidated(paths: WorkspacePaths, key: str) -> Path:
    parts = {"key": GONE, "range_hash": GONE, "session_key": key, "start": 0, "stop": 1}
    path = paths.own.ledger_dir / f"1-{key.replace(':', '')}.json"
    path.write_bytes(encode_intent(Intent.of_kind(DREAM_RUN, workspace_id="w", when="2026-01-02", **parts)))
    return path


def test_a_consolidation_keeps_the_hash_of_messages_that_are_as_they_were(paths: WorkspacePaths) -> None:
    ledgers = {key: consolidated(paths, key) for key in ("cli:kept", "cli:marked", "cli:gone")}
    said = {"role": "user", "content": "x"}
    mark = {"role": "assistant", "content": "", "_deleted": {"id": "a", "record": 0, "role": "user"}}
    for key, messages in {"cli:kept": [said, mark], "cli:marked": [mark, said]}.items():
        lines = [json.dumps({"_type": "metadata", "key": key}), *map(json.dumps, messages), "{damaged", ""]
        (paths.sessions_dir / f"{key[4:]}.jsonl").write_text("\n".join(lines), "utf-8")
    (paths.sessions_dir / "nobody.jsonl").write_text(json.dumps(said), "utf-8")
    replace(paths)
    intents = {key: decode_intent(path.read_bytes()) for key, path in ledgers.items()}
    assert {key: intent is not None and intent.range_hash == GONE for key, intent in intents.items()} == {
        "cli:kept": True,
        "cli:marked": False,
        "cli:gone": False,
    }
    assert all(intent is not None and (intent.key == GONE) == (key == "cli:kept") for key, intent in intents.items())


def test_a_record_whose_seal_is_broken_and_one_that_says_no_range_stay(paths: WorkspacePaths) -> None:
    broken = encode_intent(Intent.of_kind(DREAM_RUN, workspace_id="w", when="t", history_tail=GONE)) + b"x"
    (paths.own.ledger_dir / "1-a.json").write_bytes(broken)
    log(paths, {"range_hash": GONE, "start": "0"})
    replace(paths)
    assert (paths.own.ledger_dir / "1-a.json").read_bytes() == broken
    assert logged(paths) == [{"range_hash": GONE, "start": "0"}]


def texts_of(record: type, seen: set[type]) -> Iterator[str]:
    """Yields the fields of a kind of record that hold text, and those of the records within it."""
    seen.add(record)
    for name, hint in get_type_hints(record).items():
        kinds = list(kinds_in(hint))
        if str in kinds:
            yield name
        for kind in kinds:
            if kind.__module__.startswith("mnemoscope.") and get_type_hints(kind) and kind not in seen:
                yield from texts_of(kind, seen)


def kinds_in(hint: Any) -> Iterator[type]:
    if isinstance(hint, type):
        yield hint
    for each in get_args(hint):
        yield from kinds_in(each)


def test_of_each_field_of_a_record_it_is_known_whether_it_may_be_a_hash() -> None:
    fields = {name for record in RECORDS for name in texts_of(record, set())}
    # A field that is new here: where it may hold a hash of a text, or one made of such a hash, it is looked at.
    assert fields - FIELDS_LOOKED_AT == {*NO_HASHES.split()}


def test_a_file_that_goes_meanwhile_is_passed_over(paths: WorkspacePaths) -> None:
    first, second = (paths.own.suggestions_dir / name for name in ("a.json", "b.json"))
    for path in (first, second):
        path.write_text(json.dumps({"before": GONE}), "utf-8")
    calls = FailingAt()

    def go(_path: Path) -> bool:
        second.unlink(missing_ok=True)
        return False

    calls.at = go
    found = replace(paths, calls=calls)
    assert first in found
    assert second not in found
