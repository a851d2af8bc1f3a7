"""What a receipt says was sent is what arrives at a server that speaks OpenAI's form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mnemoscope.domain.llm import ChatRequest
from mnemoscope.llm.remote import LiteLLMProvider
from tests.domain.answer_receipt.test_sent_request import sent
from tests.llm.conftest import MODEL
from tests.support.loopback_server import LoopbackServer


def written(document: Mapping[str, Any], *names: str) -> str:
    return json.dumps({name: document[name] for name in names}, ensure_ascii=False, separators=(",", ":"))


async def test_messages_tools_calls_and_images_arrive_as_the_receipt_has_them(
    server: LoopbackServer, provider: LiteLLMProvider
) -> None:
    document = json.loads(sent().as_json())
    # litellm leaves out what is null.
    document["messages"] = [
        {name: each[name] for name in each if each[name] is not None} for each in document["messages"]
    ]
    request = ChatRequest(
        document["messages"],
        document["tools"],
        MODEL,
        max_tokens=document["max_tokens"],
        temperature=document["temperature"],
        tool_choice=document["tool_choice"],
    )
    await provider.complete(request)
    names = "messages", "tools", "max_tokens", "temperature", "tool_choice"
    assert written(server.asked[-1].body, *names) == written(document, *names)
