"""ChatGPT's export is read as its facts say: the way from `current_node`, branches, calls, and what it remembers."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemoscope.domain.errors import StorageError
from mnemoscope.domain.foreign.foreign_records import RecordKind
from mnemoscope.domain.text.fences import outside_code
from mnemoscope.store.foreign.exports.chatgpt_export import ChatGptExport
from mnemoscope.store.foreign.exports.export_files import ExportFiles
from tests.foreign_stores import chatgpt
from tests.foreign_stores.chatgpt import Conversation, content, talk


def read(folder: Path, *conversations: Conversation, parts: int = 1) -> ChatGptExport:
    return ChatGptExport(ExportFiles(chatgpt.write_folder(folder / "export", conversations, parts)))


def texts(export: ChatGptExport, key: str) -> list[str]:
    transcript = export.open(key)
    return [transcript.record(place).text for place in transcript.shape.active]


def test_a_conversation_is_the_way_from_the_current_node_up(tmp_path: Path) -> None:
    made = Conversation("c", "Two ways")
    asked = made.say("user", "Which tea?")
    made.say("assistant", "Green.")
    made.say("assistant", "Black.", parent=asked)
    export = read(tmp_path, made)
    assert texts(export, "c") == ["Which tea?", "Black."]
    transcript = export.open("c")
    assert [transcript.record(place).text for place in transcript.shape.branches] == ["Green."]
    assert [transcript.record(place).text for place in transcript.path_to(transcript.shape.branches[0])] == [
        "Which tea?",
        "Green.",
    ]


def test_without_a_current_node_the_newest_leaf_counts(tmp_path: Path) -> None:
    made = Conversation("c")
    asked = made.say("user", "Which tea?")
    made.say("assistant", "Green.")
    made.say("assistant", "Black.", parent=asked)
    made.current = "gone"
    assert texts(read(tmp_path, made), "c") == ["Which tea?", "Black."]


def test_the_parts_of_an_export_are_read_together(tmp_path: Path) -> None:
    export = read(tmp_path, *(talk(f"c{number}", "a", "b") for number in range(5)), parts=3)
    assert sorted(each.id for each in export.conversations()) == [f"c{number}" for number in range(5)]
    assert export.problems() == []


def test_what_nobody_said_is_no_message(tmp_path: Path) -> None:
    made = Conversation("c")
    made.say("system", "", metadata={"is_visually_hidden_from_conversation": True})
    made.say("user", content("user_editable_context", user_profile="I am Pat", user_instructions="Be brief"))
    made.say("user", "Hello")
    made.say("assistant", content("thoughts", thoughts=[{"summary": "s", "content": "c"}]))
    made.say("assistant", content("reasoning_recap", content="Thought for 3 s"))
    made.say("assistant", "")
    made.say("assistant", "Hidden", metadata={"is_visually_hidden_from_conversation": True})
    made.say("assistant", "Hi")
    assert texts(read(tmp_path, made), "c") == ["Hello", "Hi"]


def test_a_call_and_its_result_belong_together(tmp_path: Path) -> None:
    made = Conversation("c")
    made.say("user", "How much is 6 by 7?")
    call = made.say("assistant", content("code", language="python", text="6*7"), recipient="python")
    made.say("tool", content("execution_output", text="42"), name="python")
    made.say("assistant", content("code", language="unknown", text='{"q": "tea"}'), recipient="browser")
    made.say("assistant", "It is 42\ue200cite\ue202turn0\ue201【3†source】.")
    export = read(tmp_path, made)
    transcript = export.open("c")
    found = [transcript.record(place) for place in transcript.shape.active]
    assert [each.kind.value for each in found] == ["person", "answer", "result", "answer", "answer"]
    assert (found[1].calls[0].name, found[1].calls[0].arguments) == ("python", {"input": "6*7"})
    assert (found[2].answers, found[2].tool, found[2].text) == (call, "python", "42")
    assert found[3].calls[0].arguments == {"q": "tea"}
    assert found[4].text == "It is 42."
    assert found[4].model == "gpt-4o"
    transcript.close()


def test_pictures_speech_code_and_quotations_have_their_words(tmp_path: Path) -> None:
    made = Conversation("c")
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1", "width": 1, "height": 1}
    speech = {"content_type": "audio_transcription", "text": "spoken words", "direction": "in"}
    made.say("user", content("multimodal_text", parts=[picture, "what is this?", speech, 7]))
    made.say("assistant", content("code", language="python", text="print()"))
    made.say("tool", content("tether_quote", title="T", url="https://e.org", text="quoted"), name="browser")
    made.say("tool", content("tether_browsing_display", result="", summary="summed up"), name="browser")
    export = read(tmp_path, made)
    transcript = export.open("c")
    assert transcript.record(1).images == 1
    assert texts(export, "c") == [
        "[image]\nwhat is this?\nspoken words",
        "```python\nprint()\n```",
        "T\nhttps://e.org\nquoted",
        "summed up",
    ]


def test_code_that_holds_a_fence_stays_within_its_own(tmp_path: Path) -> None:
    made = Conversation("c")
    made.say("user", "Write it down")
    code = 'print("""\n```\n""")\n# Not a heading of the answer'
    made.say("assistant", content("code", language="python", text=code))
    said = texts(read(tmp_path, made), "c")[1]
    assert said == f"````python\n{code}\n````"
    assert list(outside_code(said.split("\n"))) == []


def test_what_is_not_known_is_counted_and_can_be_looked_at(tmp_path: Path) -> None:
    made = Conversation("c")
    made.say("user", "Hello")
    made.say("oracle", "beyond")
    made.say("assistant", content("hologram", beam=[1, 2]))
    made.mapping["odd"] = {"id": "odd", "message": "no object", "parent": made.current, "children": []}
    transcript = read(tmp_path, made).open("c")
    assert transcript.shape.unknown_records == 3
    assert "hologram" in transcript.record(3).raw


def test_its_memory_is_the_newest_list_and_what_was_noted_after_it(tmp_path: Path) -> None:
    old = Conversation("old", began=chatgpt.BEGAN)
    old.say("assistant", "Lives in Lisbon.\n\n- Has a cat.", recipient="bio")
    old.say("assistant", content("model_editable_context", model_set_context="1. [2024-04-01]. Plays chess."))
    new = Conversation("new", began=chatgpt.BEGAN + 1e6)
    listed = "1. [2024-05-01]. Lives in Lisbon.\n2. [2024-05-02]. Bakes bread\non Sundays."
    new.say("assistant", content("model_editable_context", model_set_context=listed))
    new.say("assistant", "Drinks tea.", recipient="bio")
    older = content("model_editable_context", model_set_context="1. Older.")
    new.mapping[new.say("assistant", older)]["message"]["create_time"] = chatgpt.BEGAN
    memories = read(tmp_path, old, new).memories()
    assert [each.text for each in memories] == ["Lives in Lisbon.", "Bakes bread on Sundays.", "Drinks tea."]
    assert [each.conversation for each in memories] == ["old", "", "new"]


def test_without_a_list_all_that_was_noted_is_its_memory(tmp_path: Path) -> None:
    made = Conversation("c")
    made.say("assistant", "Lives in Lisbon.", recipient="bio")
    made.say("assistant", "Lives in Lisbon", recipient="bio")
    made.say("assistant", "Has a cat.\n\n", recipient="bio")
    assert [each.text for each in read(tmp_path, made).memories()] == ["Lives in Lisbon.", "Has a cat."]


@pytest.mark.parametrize("listed", ["", "\n\n", "no number before it"])
def test_an_empty_list_says_that_nothing_is_remembered(tmp_path: Path, listed: str) -> None:
    made = Conversation("c")
    made.say("assistant", "Lives in Lisbon.", recipient="bio")
    made.say("assistant", content("model_editable_context", model_set_context=listed))
    expected = [listed.strip()] if listed.strip() else []
    assert [each.text for each in read(tmp_path, made).memories()] == expected


def test_a_conversation_that_is_not_to_be_remembered_says_so(tmp_path: Path) -> None:
    export = read(tmp_path, talk("c", "a", "b", is_do_not_remember=True), talk("d", "a", "b", title=None))
    assert {each.id: (each.is_discreet, each.title) for each in export.conversations()} == {
        "c": (True, "A talk"),
        "d": (False, ""),
    }


def test_the_same_conversation_twice_counts_once(tmp_path: Path) -> None:
    export = read(tmp_path, talk("c", "a", "b"), talk("c", "a", "b", "c", "d"))
    assert len(export.conversations()) == 1


def test_damage_costs_only_itself(tmp_path: Path) -> None:
    folder = chatgpt.write_folder(tmp_path / "export", [talk("a", "1", "2"), talk("b", "3", "4")])
    file = folder / "conversations.json"
    whole = file.read_text("utf-8")
    file.write_text(whole[: whole.index('"3"')], "utf-8")
    export = ChatGptExport(ExportFiles(folder))
    assert [each.id for each in export.conversations()] == ["a"]
    assert export.problems() == ["conversations.json: It is cut off or damaged; what could be found in it is shown."]
    file.write_text('[1, {"id": "x"}, {"mapping": {}}, {"id": "y", "mapping": 7}]', "utf-8")
    export = ChatGptExport(ExportFiles(folder))
    assert export.problems() == ["4 records are no conversations that can be read; they are left out."]
    with pytest.raises(StorageError):
        export.open("x")
    export.close()


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    made = talk("c", "one", "two")
    made.mapping["c-1"]["parent"] = "c-2"
    assert sorted(texts(read(tmp_path, made), "c")) == ["one", "two"]


def test_a_record_whose_types_are_all_wrong_is_borne(tmp_path: Path) -> None:
    made = Conversation("c", title=["no", "title"], began=float("1e20"))  # type: ignore[arg-type]
    made.mapping["x"] = {"message": {"author": 3, "content": "x", "create_time": "yesterday"}, "parent": 4}
    made.mapping["y"] = {"message": {"author": {"role": "user"}, "content": {"parts": "x"}}, "parent": "x"}
    made.mapping["z"] = []
    export = read(tmp_path, made)
    shape = export.open("c").shape
    assert (shape.messages, shape.kinds[1:2]) == (0, bytes([list(RecordKind).index(RecordKind.UNKNOWN)]))
