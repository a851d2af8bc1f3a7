"""A record names its images; what it names is checked, and a model is sent it as it can take it."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from mnemoscope.domain.conversation.attachment import (
    MOST_IMAGES,
    Attachment,
    attachment_field,
    attachments_of,
    filled_message,
    media_type_of,
    sent_view,
)
from mnemoscope.domain.conversation.message import Message
from mnemoscope.domain.conversation.token_estimate import estimate_message

IMAGE = Attachment("ab" * 32, "image/png", 1500, 1000, 12, "garden.png")
MESSAGE: Message = {"role": "user", "content": "What grows here?", **attachment_field([IMAGE])}


def test_a_record_keeps_its_words_apart_from_its_images() -> None:
    assert MESSAGE["content"] == "What grows here?"
    assert attachments_of(MESSAGE) == (IMAGE,)
    assert attachment_field([]) == {}


@pytest.mark.parametrize(
    "wrong",
    [
        {"sha256": "../../etc/passwd"},
        {"sha256": "AB" * 32},
        {"type": "image/svg+xml"},
        {"type": ["image/png"]},
        {"width": -1},
        {"height": "12"},
        {"bytes": 10**12},
    ],
)
def test_what_cannot_be_followed_is_no_image(wrong: dict[str, Any]) -> None:
    assert attachments_of({"role": "user", "attachments": [IMAGE.as_record() | wrong]}) == ()


def test_a_list_that_is_none_and_one_that_is_too_long() -> None:
    assert attachments_of({"attachments": "many"}) == ()
    assert attachments_of({"attachments": ["x", None]}) == ()
    assert len(attachments_of({"attachments": [IMAGE.as_record()] * 99})) == MOST_IMAGES


def test_a_model_that_takes_images_gets_them_in_openai_s_form() -> None:
    filled = filled_message(sent_view(MESSAGE), lambda _image: b"bytes")
    address = f"data:image/png;base64,{base64.b64encode(b'bytes').decode()}"
    assert filled == {
        "role": "user",
        "content": [
            {"type": "text", "text": "What grows here?"},
            {"type": "image_url", "image_url": {"url": address}},
        ],
    }


def test_words_stand_in_the_place_of_an_image_that_is_not_sent() -> None:
    filled = filled_message(sent_view(MESSAGE), lambda _image: None)
    assert filled == {"role": "user", "content": "What grows here?\n[image: garden.png]"}


def test_a_message_without_images_is_sent_as_it_is() -> None:
    assert filled_message({"role": "user", "content": "Hello"}, lambda _image: None) == {
        "role": "user",
        "content": "Hello",
    }


def test_images_count_in_the_tokens() -> None:
    words = {"role": "user", "content": "What grows here?"}
    assert estimate_message(MESSAGE) == estimate_message(words) + 2_000
    tiny = {**words, **attachment_field([Attachment("cd" * 32, "image/jpeg", 3, 2, 9)])}
    assert estimate_message(tiny) == estimate_message(words) + 85


def test_the_type_is_told_by_the_bytes_alone() -> None:
    assert media_type_of(b"\x89PNG\r\n\x1a\n...") == "image/png"
    assert media_type_of(b"\xff\xd8\xff\xe0") == "image/jpeg"
    assert media_type_of(b"GIF89a") == ""
