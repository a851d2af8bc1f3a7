"""The model process asks a server of its own once, so that the person's first message does not wait for imports."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import pytest

from mnemoscope.llm.model_process import host
from mnemoscope.llm.model_process.host import rehearse


class Rehearsed:
    """Stands for litellm; notes what it is asked, and says a request over HTTP as litellm would."""

    def __init__(self) -> None:
        self.asked: dict[str, Any] = {}
        self.heard = b""

    async def acompletion(self, **asked: Any) -> Any:
        self.asked = asked
        host, _, port = str(asked["api_base"]).removeprefix("http://").removesuffix("/v1").partition(":")
        assert host == "127.0.0.1"
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"POST /v1/chat/completions HTTP/1.1\r\nHost: here\r\n\r\n")
        await writer.drain()
        self.heard = await reader.read()
        writer.close()
        raise RuntimeError("what follows is the business of litellm")


async def test_it_asks_itself_and_nobody_else_and_what_goes_wrong_is_passed_over() -> None:
    litellm = Rehearsed()
    await rehearse(litellm)
    assert litellm.heard.startswith(b"HTTP/1.1 200 OK\r\n")
    assert litellm.heard.endswith(b"data: [DONE]\n\n")
    assert litellm.asked["stream"] is True
    assert litellm.asked["api_key"] == "none"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it takes turns with others from the start")
async def test_others_go_first_until_it_is_ready_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    ready = asyncio.Event()

    def load() -> Rehearsed:
        seen.append(os.sched_getscheduler(0))
        return Rehearsed()

    async def prepare(_litellm: Any) -> None:
        seen.append(os.sched_getscheduler(0))
        ready.set()

    # The process has no other entrance than the one that loads litellm.
    monkeypatch.setattr(host, "_load_litellm", load)
    monkeypatch.setattr(host, "rehearse", prepare)
    for name in ("watch_answers", "send_bodies_as_given"):
        monkeypatch.setattr(host, name, lambda: None)
    try:
        host._by_litellm()
        await ready.wait()
        await asyncio.sleep(0)
        assert seen == [os.SCHED_BATCH, os.SCHED_BATCH]
        assert os.sched_getscheduler(0) == os.SCHED_OTHER
    finally:
        host.give_way(wanted=False)
