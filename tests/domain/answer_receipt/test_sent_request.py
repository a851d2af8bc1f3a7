"""A kept prompt is the request again, to the letter; as a text nothing of it is missing."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import replace

from mnemoscope.domain.answer_receipt.sent_request import SentRequest
from mnemoscope.domain.context.prompt_snapshot import PromptSection, PromptSnapshot, SentOptions
from mnemoscope.domain.conversation.attachment import Attachment, attachment_field

DATA = b"\x89PNG\r\n\x1a\n" + bytes(range(200)) * 4
IMAGE = Attachment(hashlib.sha256(DATA).hexdigest(), "image/png", 30, 20, len(DATA), "garden.png")
SCHEMA = {"type": "function", "function": {"name": "read_file", "description": "Reads “it”.", "parameters": {}}}
CALL = {"id": "call_7", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "a.md"}'}}
PROMPT = PromptSnapshot(
    model="openai/seer",
    system=(),
    messages=(),
    tools=(PromptSection("read_file", "tool", json.dumps(SCHEMA, indent=2), 9),),
    left_out=(),
    context_window=0,
    request=(
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "What grows here?\u2028\xa0Ўзбек", **attachment_field([IMAGE])},
        {"role": "assistant", "content": None, "tool_calls": [CALL], "reasoning_content": "Let me see."},
        {"role": "tool", "content": "Beans.", "tool_call_id": "call_7", "name": "read_file"},
    ),
    options=SentOptions(512, 0.25, "none"),
)


def sent(prompt: PromptSnapshot = PROMPT, data: bytes | None = DATA) -> SentRequest:
    return SentRequest.of(prompt, lambda _image: data)


def test_all_of_it_is_in_the_json_without_a_byte_that_was_not_sent() -> None:
    address = f"data:image/png;base64,{base64.b64encode(DATA).decode()}"
    words = {"type": "text", "text": "What grows here?\u2028\xa0Ўзбек"}
    picture = {"type": "image_url", "image_url": {"url": address}}
    messages = [
        PROMPT.request[0],
        {"role": "user", "content": [words, picture]},
        *PROMPT.request[2:],
    ]
    document = {
        "model": "openai/seer",
        "messages": messages,
        "tools": [SCHEMA],
        "max_tokens": 512,
        "temperature": 0.25,
        "tool_choice": "none",
    }
    assert sent().as_json() == json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def test_half_a_character_is_escaped_as_nothing_else_can_be_copied() -> None:
    torn = replace(PROMPT, request=({"role": "user", "content": "x\ud83d"},))
    assert json.loads(sent(torn).as_json())["messages"] == list(torn.request)


def test_as_a_text_nothing_is_missing() -> None:
    text = sent().as_text(with_data=False)
    for part in (
        "model: openai/seer",
        "max_tokens: 512",
        "temperature: 0.25",
        "tool_choice: none",
        "[system]\nBe kind.",
        f"What grows here?\u2028\xa0Ўзбек\n[image · image/png · {len(DATA)} bytes · SHA-256 {IMAGE.sha256}]",
        "content: null",
        "reasoning_content: Let me see.",
        '"id": "call_7"',
        json.dumps('{"path": "a.md"}'),
        "[tool · tool_call_id: call_7 · name: read_file]\nBeans.",
        '"description": "Reads “it”."',
    ):
        assert part in text
    assert base64.b64encode(DATA).decode()[:50] not in text
    assert base64.b64encode(DATA).decode() in sent().as_text(with_data=True).replace("\n", "")
    assert max(map(len, sent().as_text(with_data=True).split("\n"))) == 500


def test_words_stand_where_words_were_sent_and_where_an_image_is_gone() -> None:
    assert PROMPT.options is not None
    unsent = replace(PROMPT, options=replace(PROMPT.options, missing_images=(IMAGE.sha256,)))
    for one, gone in ((sent(unsent), 0), (sent(data=None), 1)):
        assert one.document["messages"][1]["content"].endswith("\n[image: garden.png]")
        assert one.gone == gone
        assert not one.has_images
    assert sent().has_images


def test_of_an_older_log_the_options_are_not_made_up() -> None:
    old = sent(replace(PROMPT, options=None, tools=()))
    assert not old.has_options
    assert set(old.document) == {"model", "messages"}
    assert "tools" not in old.as_text(with_data=False)
    assert sent().has_options


def test_a_part_of_no_known_form_stands_there_as_json() -> None:
    odd = [{"type": "text", "text": "a", "cache": 1}, {"type": "image_url", "image_url": {"url": "https://x.test/a"}}]
    odd += [{"type": "image_url", "image_url": {"url": "data:image/png;base64,A"}}]
    prompt = replace(PROMPT, request=({"role": "user", "content": odd},))
    text = sent(prompt).as_text(with_data=False)
    assert '"cache": 1' in text
    assert "https://x.test/a" in text
    assert "data:image/png;base64,A" in text
