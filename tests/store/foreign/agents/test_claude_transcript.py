"""One transcript of Claude Code: what counts as a message, which way is active, what a compaction keeps, damage."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.domain.errors import UnreadableFile
from mnemoscope.domain.foreign.foreign_records import KINDS, RecordKind
from mnemoscope.store.foreign.agents.claude_transcript import ASIDES, ClaudeTranscript, newest_messages, words_of_person
from tests.foreign_stores.claude_code import ClaudeRecords, call, jsonl, line_of, thinking

NOTE = "<command-message>note</command-message>"


def opened(talk: ClaudeRecords | bytes, folder: Path, *, of_subagent: bool = False) -> ClaudeTranscript:
    path = folder / "talk.jsonl"
    path.write_bytes(talk if isinstance(talk, bytes) else talk.data())
    transcript = ClaudeTranscript(path, of_subagent=of_subagent)
    transcript.read()
    return transcript


def words(transcript: ClaudeTranscript) -> list[str]:
    return [transcript.record(place).text for place in transcript.shape.active]


def kinds(transcript: ClaudeTranscript) -> list[RecordKind]:
    return [KINDS[number] for number in transcript.shape.kinds]


def test_texts_answers_and_results_are_messages(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    talk.answer("I look.", call("t1", "Bash", command="ls"))
    talk.result("t1", [{"type": "text", "text": "a.md"}, {"type": "image", "source": {}}])
    talk.answer("One file.")
    transcript = opened(talk, tmp_path)
    assert words(transcript) == ["hello", "I look.", "a.md", "One file."]
    assert kinds(transcript) == [RecordKind.PERSON, RecordKind.ANSWER, RecordKind.RESULT, RecordKind.ANSWER]
    answer, result = transcript.record(1), transcript.record(2)
    assert (answer.calls[0].name, answer.calls[0].arguments, answer.model) == (
        "Bash",
        {"command": "ls"},
        "claude-opus-4-1",
    )
    assert (result.answers, result.tool, result.failed, result.images) == ("t1", "Bash", False, 1)
    assert result.when is not None
    assert result.when.tzinfo is not None
    transcript.close()


def test_a_failed_result_says_so(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.answer(call("t1", "Edit"))
    talk.result("t1", "no such file", failed=True)
    assert opened(talk, tmp_path).record(1).failed


def test_one_answer_of_several_lines_is_one_message(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    talk.answer(thinking(), id_="m")
    talk.answer("a", id_="m")
    talk.answer("b", id_="m")
    transcript = opened(talk, tmp_path)
    assert (list(transcript.shape.active), transcript.shape.parts) == ([0, 2], {2: (1, 3)})
    assert transcript.shape.branches == ()


def test_thinking_on_its_own_is_no_message(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    talk.answer(thinking())
    talk.answer("")
    assert list(opened(talk, tmp_path).shape.active) == [0]


def test_lines_without_an_id_of_the_answer_are_answers_of_their_own(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.answer("a")
    talk.answer("b")
    for record in talk.records:
        del record["message"]["id"], record["requestId"]
    assert words(opened(talk, tmp_path)) == ["a", "b"]
    for record in talk.records:
        record["requestId"] = "r"
    assert opened(talk, tmp_path).shape.parts == {0: (1,)}


def test_what_the_program_says_for_the_person_is_not_the_persons(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    talk.person("meta", isMeta=True)
    talk.person("shown only", isVisibleInTranscriptOnly=True)
    talk.person("<local-command-stdout>ok</local-command-stdout>")
    talk.person("<system-reminder>be brief</system-reminder>")
    talk.person("[Request interrupted by user for tool use]")
    talk.person(
        [{"type": "text", "text": "<ide_opened_file>x</ide_opened_file>"}, {"type": "text", "text": "mine"}, "too"]
    )
    talk.person([])
    talk.answer("API Error", isApiErrorMessage=True)
    talk.answer("No response requested.")
    talk.records[-1]["message"]["model"] = "<synthetic>"
    assert words(opened(talk, tmp_path)) == ["hello", "mine\n\ntoo"]


def test_an_image_by_itself_is_the_persons(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person([{"type": "image", "source": {"type": "base64", "data": "aGk="}}])
    transcript = opened(talk, tmp_path)
    assert (kinds(transcript), transcript.record(0).images) == ([RecordKind.PERSON], 1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain < text", "plain < text"),
        (f"{NOTE}\n<command-name>/note</command-name>\n<command-args>a b</command-args>", "/note a b"),
        (NOTE, "note"),
        ("<command-name>/clear</command-name>", "/clear"),
        ("<bash-input>ls -l</bash-input>", "! ls -l"),
        ("<user-memory-input>use tabs</user-memory-input>", "# use tabs"),
        ("mine<system-reminder>not mine", "mine"),
        ("a <system-reminder>x</system-reminder> b", "a  b"),
        ("Caveat: The messages below were generated by the user while running local commands. x", ""),
    ],
)
def test_the_tags_of_commands_are_tidied(text: str, shown: str) -> None:
    assert words_of_person(text) == shown


def test_a_line_of_several_results_is_several_messages(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.answer(call("t1"), call("t2"))
    results = [{"type": "tool_result", "tool_use_id": name, "content": name} for name in ("t1", "t2")]
    talk.person([*results, {"type": "text", "text": "and go on"}])
    talk.answer("done")
    transcript = opened(talk, tmp_path)
    assert words(transcript) == ["", "t1", "t2", "and go on", "done"]
    assert kinds(transcript)[1:4] == [RecordKind.RESULT, RecordKind.RESULT, RecordKind.PERSON]
    assert [transcript.record(place).answers for place in (1, 2, 3)] == ["t1", "t2", ""]


@pytest.mark.parametrize("type_", sorted(ASIDES))
def test_a_known_type_is_no_message_and_not_unknown(tmp_path: Path, type_: str) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    talk.add(type_, content="x")
    talk.answer("a")
    transcript = opened(talk, tmp_path)
    assert (transcript.shape.messages, transcript.shape.unknown_records) == (2, 0)
    assert transcript.record(1).text == "x"


def test_unknown_types_are_counted_and_to_be_looked_at(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    talk.add("quantum-state", qubits=3)
    talk.answer("a")
    talk.records.append({"no": "type"})
    talk.records.append({"type": 5})
    transcript = opened(talk, tmp_path)
    assert (words(transcript), transcript.shape.unknown_records) == (["hello", "a"], 3)
    assert '"qubits":3' in transcript.record(1).raw


def test_sidechains_are_folded_in_the_main_file_and_messages_in_their_own(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    main = talk.answer("a")
    talk.person("look for it", None, isSidechain=True)
    talk.answer("found", isSidechain=True)
    talk.person("thanks", main)
    transcript = opened(talk, tmp_path)
    assert words(transcript) == ["hello", "a", "thanks"]
    assert kinds(transcript).count(RecordKind.SUBAGENT) == 2
    assert transcript.shape.branches == ()
    helper = ClaudeRecords(agent="a1")
    helper.person("look for it", None)
    helper.answer("found")
    assert words(opened(helper, tmp_path, of_subagent=True)) == ["look for it", "found"]


def test_the_newest_message_is_active_and_the_other_way_a_branch(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    first = talk.person("hello")
    talk.answer("old answer")
    talk.person("old question")
    talk.answer("new answer", parent=first)
    transcript = opened(talk, tmp_path)
    assert words(transcript) == ["hello", "new answer"]
    assert transcript.shape.branches == (2,)
    assert [list(transcript.path_to(place)) for place in (1, 2, 3)] == [[0, 1], [0, 1, 2], [0, 3]]


def test_the_leaf_of_the_last_prompt_counts_where_nothing_was_said_since(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    first = talk.person("hello")
    old = talk.answer("old answer")
    talk.add("progress")
    talk.answer("new answer", parent=first)
    talk.beside("last-prompt", lastPrompt="hello", leafUuid=old)
    transcript = opened(talk, tmp_path)
    assert (words(transcript), transcript.shape.branches) == (["hello", "old answer"], (3,))
    talk.records[-1]["leafUuid"] = first
    assert words(opened(talk, tmp_path)) == ["hello", "new answer"]
    talk.records[-1]["leafUuid"] = "nowhere"
    assert words(opened(talk, tmp_path)) == ["hello", "new answer"]
    talk.records[-1]["leafUuid"] = old
    talk.person("more", old)
    talk.answer("newest", parent=first)
    assert words(opened(talk, tmp_path)) == ["hello", "newest"]


def test_the_leaf_may_be_no_message(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    first = talk.person("hello")
    mark = talk.add("system", subtype="turn_duration")
    talk.answer("away", parent=first)
    talk.beside("last-prompt", leafUuid=mark)
    assert words(opened(talk, tmp_path)) == ["hello"]


def test_progress_and_attachments_carry_the_chain(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    for type_ in ("progress", "attachment", "system"):
        talk.add(type_)
    talk.answer("a")
    assert words(opened(talk, tmp_path)) == ["hello", "a"]


def test_results_of_parallel_calls_belong_to_the_path(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    one = talk.answer(call("t1"), id_="m")
    two = talk.answer(call("t2"), id_="m")
    three = talk.answer(call("t3"), id_="m")
    talk.result("t1", "r1", one)
    talk.result("t2", "r2", two)
    last = talk.result("t3", "r3", three)
    talk.answer("done", parent=last)
    transcript = opened(talk, tmp_path)
    assert words(transcript) == ["hello", "", "r1", "r2", "r3", "done"]
    assert (transcript.shape.parts, transcript.shape.branches) == ({1: (2, 3)}, ())


def test_the_last_result_need_not_be_of_the_last_call(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    one = talk.answer(call("t1"), id_="m")
    two = talk.answer(call("t2"), id_="m")
    talk.result("t2", "r2", two)
    talk.add("progress", one)
    last = talk.result("t1", "r1")
    talk.answer("done", parent=last)
    assert words(opened(talk, tmp_path)) == ["hello", "", "r2", "r1", "done"]


def test_results_between_the_lines_of_an_answer_stay_on_the_path(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.answer(call("t1"), id_="m")
    talk.result("t1", "r1")
    talk.answer(call("t2"), id_="m", parent=talk.records[0]["uuid"])
    assert words(opened(talk, tmp_path)) == ["", "r1"]
    talk.result("t2", "r2")
    assert words(opened(talk, tmp_path)) == ["", "r1", "r2"]


def test_parallel_results_on_another_branch_are_one_branch(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    first = talk.person("hello")
    one = talk.answer(call("t1"), id_="m")
    two = talk.answer(call("t2"), id_="m")
    talk.result("t1", "r1", one)
    talk.result("t2", "r2", two)
    talk.answer("other", parent=first)
    transcript = opened(talk, tmp_path)
    assert (words(transcript), transcript.shape.branches) == (["hello", "other"], (4,))


def test_a_result_counts_once_and_one_without_a_call_too(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.answer(call("t1"))
    talk.result("t1", "r1")
    talk.result("t1", "again")
    talk.result("nobody", "r2")
    assert words(opened(talk, tmp_path)) == ["", "r1", "r2"]


def test_ids_of_answers_and_calls_that_are_used_again_join_nothing(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    for number in range(3):
        talk.person(f"question {number}")
        talk.answer(call("t1", f"Tool{number}"), id_="m")
        talk.result("t1", f"result {number}")
        talk.answer(f"answer {number}", id_="m")
    transcript = opened(talk, tmp_path)
    assert (transcript.shape.messages, transcript.shape.branches) == (9, ())
    assert [transcript.record(place).tool for place in (2, 6, 10)] == ["Tool0", "Tool1", "Tool2"]


def test_the_same_id_twice_is_one_record(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("hello")
    talk.answer(call("t1"))
    talk.result("t1")
    talk.answer("a")
    twice = jsonl([line for record in talk.records for line in (line_of(record), line_of(record))])
    transcript = opened(twice, tmp_path)
    assert (transcript.shape.messages, transcript.shape.branches) == (4, ())
    assert opened(talk.data() * 2, tmp_path).shape.messages == 4


def test_a_parent_that_is_not_there_begins_the_path(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("lost")
    talk.answer("a", parent="nowhere")
    transcript = opened(talk, tmp_path)
    assert (words(transcript), transcript.shape.branches) == (["a"], (0,))


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("a")
    last = talk.answer("b")
    talk.records[0]["parentUuid"] = last
    assert words(opened(talk, tmp_path)) == ["a", "b"]


def compacted(**given: Any) -> tuple[ClaudeRecords, list[str]]:
    talk = ClaudeRecords()
    ids = [talk.person("one"), talk.answer("two"), talk.person("three"), talk.answer("four")]
    talk.boundary(ids[-1], **given)
    return talk, ids


def pointer(transcript: ClaudeTranscript) -> tuple[int, int, int]:
    shape = transcript.shape
    return shape.messages, shape.last_consolidated, len(shape.compactions)


def test_a_compaction_leads_on_by_its_logical_parent(tmp_path: Path) -> None:
    talk, _ = compacted()
    talk.summary("the summary")
    talk.person("five")
    transcript = opened(talk, tmp_path)
    assert words(transcript) == ["one", "two", "three", "four", "five"]
    assert pointer(transcript) == (5, 4, 1)
    mark = transcript.shape.compactions[0]
    assert mark.summary == 5
    assert mark.when is not None
    assert transcript.record(5).text == "the summary"


def test_a_compaction_that_nothing_follows_left_everything_out(tmp_path: Path) -> None:
    talk, _ = compacted()
    assert pointer(opened(talk, tmp_path)) == (4, 4, 1)
    talk.summary()
    assert pointer(opened(talk, tmp_path)) == (4, 4, 1)


@pytest.mark.parametrize("logical", [None, "nowhere", "after"])
def test_a_logical_parent_that_is_missing_or_comes_later_is_the_record_before(
    tmp_path: Path, logical: str | None
) -> None:
    talk, _ = compacted()
    talk.summary()
    last = talk.person("five")
    talk.records[4]["logicalParentUuid"] = last if logical == "after" else logical
    assert pointer(opened(talk, tmp_path)) == (5, 4, 1)


def test_a_tail_that_is_kept_is_still_sent(tmp_path: Path) -> None:
    talk, ids = compacted()
    summary = talk.summary()
    kept = {"headUuid": ids[2], "anchorUuid": summary, "tailUuid": ids[3]}
    talk.records[4]["compactMetadata"]["preservedSegment"] = kept
    assert pointer(opened(talk, tmp_path)) == (4, 2, 1)
    talk.person("five", ids[3])
    assert pointer(opened(talk, tmp_path)) == (5, 2, 1)
    talk.records[-1]["parentUuid"] = summary
    assert pointer(opened(talk, tmp_path)) == (5, 2, 1)
    talk.records[4]["compactMetadata"] = {"preservedMessages": {"anchorUuid": summary, "uuids": ids[3:]}}
    assert pointer(opened(talk, tmp_path)) == (5, 3, 1)


def test_a_kept_tail_may_be_written_behind_the_summary(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    first = talk.person("one")
    talk.answer("other way")
    head = talk.answer("two", parent=first)
    talk.person("three")
    talk.boundary("tail")
    summary = talk.summary(isMeta=None)
    kept = {"anchorUuid": summary, "uuids": [head, "tail"]}
    talk.records[4]["compactMetadata"] |= {"preservedMessages": kept}
    talk.answer("four", uuid="tail")
    talk.person("five", "tail")
    transcript = opened(talk, tmp_path)
    assert words(transcript) == ["one", "two", "three", "four", "five"]
    assert (pointer(transcript), transcript.shape.branches) == ((5, 1, 1), (1,))


def test_a_kept_head_within_an_answer_keeps_the_answer(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("one")
    talk.answer("two", id_="m")
    head = talk.answer("more", id_="m")
    talk.boundary(head, (head, "x", head))
    talk.person("three", head)
    assert pointer(opened(talk, tmp_path)) == (3, 1, 1)


def test_a_tail_that_is_not_known_keeps_nothing(tmp_path: Path) -> None:
    talk, ids = compacted(kept=("nowhere", "x", "nowhere"))
    talk.summary()
    talk.person("five")
    assert pointer(opened(talk, tmp_path)) == (5, 4, 1)
    talk.records[4]["compactMetadata"]["preservedSegment"]["tailUuid"] = ids[3]
    talk.records[-1]["parentUuid"] = ids[3]
    assert pointer(opened(talk, tmp_path)) == (5, 3, 1)


def test_a_compaction_of_another_branch_does_not_count(tmp_path: Path) -> None:
    talk, ids = compacted()
    talk.summary()
    talk.person("five")
    talk.person("other", ids[1])
    assert pointer(opened(talk, tmp_path)) == (3, 0, 0)
    talk, ids = compacted()
    talk.records[4]["compactMetadata"]["preservedSegment"] = {"headUuid": ids[2], "tailUuid": ids[3]}
    talk.records.insert(4, talk.records.pop())
    talk.records.insert(4, line_before(talk, ids[3]))
    assert pointer(opened(talk, tmp_path))[2] == 0


def line_before(talk: ClaudeRecords, parent: str) -> dict[str, Any]:
    talk.answer("five", parent=parent)
    return talk.records.pop()


def test_each_compaction_counts_and_the_last_says_what_is_sent(tmp_path: Path) -> None:
    talk, _ = compacted()
    talk.summary("first")
    talk.person("five")
    last = talk.answer("six")
    talk.boundary(last)
    talk.summary("second")
    talk.person("seven")
    transcript = opened(talk, tmp_path)
    assert pointer(transcript) == (7, 6, 2)
    texts = [transcript.record(mark.summary).text for mark in transcript.shape.compactions if mark.summary is not None]
    assert texts == ["first", "second"]


def test_a_boundary_written_twice_counts_once(tmp_path: Path) -> None:
    talk, _ = compacted()
    talk.records.append(talk.records[-1])
    talk.summary()
    assert pointer(opened(talk, tmp_path)) == (4, 4, 1)


def test_a_summary_without_a_boundary_is_the_mark(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("one")
    talk.summary()
    talk.person("two")
    assert pointer(opened(talk, tmp_path)) == (2, 1, 1)


def test_a_damaged_line_costs_itself(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("one")
    talk.answer("two")
    talk.person("three")
    talk.answer("four")
    lines = [line_of(record) for record in talk.records]
    flipped = lines[1].replace(b'"content":[', b'"content"\x00[')
    transcript = opened(jsonl([lines[0], flipped, *lines[2:]]), tmp_path)
    assert words(transcript) == ["one", "three", "four"]
    assert transcript.shape.damage == ("Line 2 holds NUL bytes.",)
    assert (transcript.record(1).kind, transcript.raw(1)) == (RecordKind.DAMAGED, {})
    cut = opened(jsonl([lines[0], lines[1][:40], *lines[2:]]), tmp_path)
    assert (words(cut), cut.shape.branches) == (["one", "three", "four"], ())
    nothing = opened(jsonl([b"\xff\xfe", *lines[2:]]), tmp_path)
    assert words(nothing) == ["three", "four"]


@pytest.mark.parametrize("message", [None, "text", 5, []])
def test_a_message_that_is_none_is_damage(tmp_path: Path, message: object) -> None:
    talk = ClaudeRecords()
    talk.person("one")
    talk.add("assistant", message=message)
    talk.person("two")
    transcript = opened(talk, tmp_path)
    assert (words(transcript), transcript.shape.damage) == (["one", "two"], ("Line 2 has no message.",))


def test_a_last_line_that_is_not_whole_is_told_and_read_when_it_is(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("one")
    talk.answer("two")
    data = talk.data()
    transcript = opened(data[:-40], tmp_path)
    assert (words(transcript), len(transcript.shape.damage)) == (["one"], 1)
    (tmp_path / "talk.jsonl").write_bytes(data)
    assert transcript.continues()
    transcript.read()
    assert (words(transcript), transcript.shape.damage) == (["one", "two"], ())
    again = transcript.shape
    transcript.read()
    assert transcript.shape is again


def test_a_record_that_is_gone_is_damaged(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.answer(call("t1"))
    talk.result("t1")
    transcript = opened(talk, tmp_path)
    data = talk.data()
    (tmp_path / "talk.jsonl").write_bytes(b"x" * data.index(b"\n") + data[data.index(b"\n") :])
    assert (transcript.record(1).tool, transcript.record(0).kind) == ("", RecordKind.DAMAGED)
    (tmp_path / "talk.jsonl").write_bytes(b"")
    assert transcript.record(1).kind is RecordKind.DAMAGED
    assert not transcript.continues()
    with pytest.raises(IndexError):
        transcript.record(2)


def test_a_call_is_gone_where_its_line_is(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.answer(call("t1"))
    talk.add("progress")
    talk.result("t1")
    transcript = opened(talk, tmp_path)
    assert transcript.record(2).tool == "Bash"
    (tmp_path / "talk.jsonl").write_bytes(talk.data().replace(b"\n", b"x", 1))
    assert (transcript.record(2).tool, transcript.record(2).kind) == ("", RecordKind.RESULT)


def test_a_transcript_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        ClaudeTranscript(tmp_path / "none.jsonl", of_subagent=False).read()


def test_an_empty_transcript_has_nothing(tmp_path: Path) -> None:
    transcript = opened(b"", tmp_path)
    assert (transcript.shape.messages, transcript.shape.branches, transcript.shape.damage) == (0, (), ())
    assert newest_messages(tmp_path / "talk.jsonl", 5, of_subagent=False) == []


def test_the_newest_messages_are_read_from_the_end(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    for number in range(400):
        talk.person(f"question {number}")
        talk.answer(thinking("x" * 800), id_=f"m{number}")
        talk.answer(f"answer {number}", id_=f"m{number}")
    path = talk.write(tmp_path / "long.jsonl")
    found = newest_messages(path, 10, of_subagent=False)
    assert 10 <= len(found) < 800
    assert [each.text for each in found[-2:]] == ["question 399", "answer 399"]
    everything = newest_messages(path, 10_000, of_subagent=False)
    assert [each.text for each in everything[:2]] == ["question 0", "answer 0"]


def test_damage_among_the_newest_is_passed_over(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("one")
    talk.answer("two")
    path = tmp_path / "talk.jsonl"
    path.write_bytes(talk.data() + b"{broken\n")
    assert [each.text for each in newest_messages(path, 5, of_subagent=False)] == ["one", "two"]


WEIRD: list[Callable[[dict[str, Any]], object]] = [
    lambda record: record.update(timestamp="0000-13-99"),
    lambda record: record.update(timestamp=10**20),
    lambda record: record.update(timestamp=float("nan")),
    lambda record: record.update(uuid=["x"], parentUuid={"a": 1}),
    lambda record: record.update(isSidechain="yes", isMeta=5),
    lambda record: record.update(type="system", subtype="compact_boundary", compactMetadata="none"),
    lambda record: record["message"].update(content={"text": "x"}),
    lambda record: record["message"].update(content=[5, None, "x", {"type": 5}, {"type": "text", "text": 7}, [[]]]),
    lambda record: record["message"].update(content=[{"type": "tool_use", "input": "x", "id": 5, "name": []}]),
    lambda record: record["message"].update(content=[{"type": "tool_result", "content": 5, "tool_use_id": {}}]),
    lambda record: record["message"].update(content="\ud800 half"),
]


@pytest.mark.parametrize("change", WEIRD)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_wrong_types_in_any_field_are_borne(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], number: int
) -> None:
    talk = ClaudeRecords()
    talk.person("one")
    talk.answer("two", call("t1"))
    talk.result("t1")
    change(talk.records[number])
    path = tmp_path / "talk.jsonl"
    path.write_bytes("".join(json.dumps(record) + "\n" for record in talk.records).encode())
    transcript = ClaudeTranscript(path, of_subagent=False)
    transcript.read()
    assert [transcript.record(place).kind for place in range(3)] == kinds(transcript)[:3]


def test_deep_and_long_lines_are_borne(tmp_path: Path) -> None:
    talk = ClaudeRecords()
    talk.person("one")
    deep = b'{"type":"user","uuid":"d","parentUuid":null,"message":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_001 + b"\n"
    talk.answer("x" * (10 << 20))
    lines = [line_of(record) for record in talk.records]
    transcript = opened(lines[0] + deep + lines[1], tmp_path)
    assert transcript.shape.messages == 2
    assert len(transcript.record(1).raw) < 100_000


IDS = st.sampled_from(["a", "b", "c", "d", None])
BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "image", 5])},
    optional={"text": st.text(max_size=5), "id": IDS, "tool_use_id": IDS, "content": st.text(max_size=3) | st.none()},
)
CONTENT = st.text(max_size=5) | st.lists(BLOCK | st.text(max_size=3), max_size=3) | st.integers()
SEGMENT = st.fixed_dictionaries({"headUuid": IDS, "tailUuid": IDS})
TYPES = st.sampled_from(["user", "assistant", "system", "last-prompt", "odd"])
RECORD = st.fixed_dictionaries(
    {"type": TYPES, "uuid": IDS, "parentUuid": IDS},
    optional={
        "subtype": st.just("compact_boundary"),
        "logicalParentUuid": IDS,
        "leafUuid": IDS,
        "isSidechain": st.booleans(),
        "isCompactSummary": st.booleans(),
        "compactMetadata": st.fixed_dictionaries({"preservedSegment": SEGMENT}),
        "message": st.fixed_dictionaries({"content": CONTENT}, optional={"id": IDS}),
    },
)


# It takes no branch that no other test takes.
@pytest.mark.no_cover
@given(records=st.lists(RECORD, max_size=10), damage=st.lists(st.binary(max_size=9), max_size=2), at=st.integers(0, 9))
def test_whatever_a_transcript_holds_it_can_be_looked_at(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, Any]], damage: list[bytes], at: int
) -> None:
    lines = [json.dumps(each).encode() for each in records]
    lines[at:at] = damage
    path = tmp_path_factory.mktemp("fuzz") / "talk.jsonl"
    path.write_bytes(b"\n".join(lines))
    transcript = ClaudeTranscript(path, of_subagent=False)
    transcript.read()
    shape = transcript.shape
    assert all(0 <= mark.kept_from <= shape.messages for mark in shape.compactions)
    for place in range(len(shape.kinds)):
        transcript.record(place)
    newest_messages(path, 5, of_subagent=False)
