"""Results of a turn's own tools, shorter in the prompt where they alone would fill it."""

from hypothesis import given
from hypothesis import strategies as st

from mnemoscope.agent.prompt.sent_messages import shorter_results
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_tokens

texts = st.text(max_size=30).map(lambda text: text * 100)


def turn(results: list[str]) -> list[Message]:
    messages: list[Message] = []
    for number, text in enumerate(results):
        made = {"id": f"c{number}", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [made]})
        messages.append({"role": "tool", "content": text, "tool_call_id": f"c{number}", "name": "read_file"})
    return messages


@given(st.lists(texts, max_size=5), st.integers(0, 5_000))
def test_only_texts_of_results_change_and_none_grows(results: list[str], spare: int) -> None:
    before = turn(results)
    after = shorter_results(before, spare)
    assert before == turn(results)
    for old, new in zip(before, after, strict=True):
        assert {**new, "content": "", "cut": 0} == {**old, "content": "", "cut": 0}
        assert len(new["content"] or "") <= len(old["content"] or "")


def test_no_more_is_left_out_than_is_wanted() -> None:
    before = turn(["word " * 1_000] * 3)
    after = shorter_results(before, 1_000)
    assert [old is new for old, new in zip(before, after, strict=True)] == [True, False, True, True, True, True]
    assert after[1]["cut"] > 4_000


def test_a_result_that_is_not_read_yet_gives_only_what_it_must() -> None:
    before = turn(["word " * 1_000])
    (_, result) = shorter_results(before, 300)
    assert 300 <= estimate_tokens("word " * 1_000) - estimate_tokens(str(result["content"])) <= 400
