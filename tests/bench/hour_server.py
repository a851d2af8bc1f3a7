"""The server of an hour's use, in a process of its own: `python -m tests.bench.hour_server` prints its port and serves
until standard input ends.

It answers with what people are answered with, a token of about four characters at a time, 100 tokens a second. Every
fifteenth turn it reads a file first, and consolidations are answered, and fail, as in the soak.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

from tests.proof.soak_server import Script
from tests.support.loopback_server import Answer, Behaviour, Call, LoopbackServer

RATE: Final = 100
"""Tokens a second."""
_TOKEN: Final = 4
_PARTS: Final = (
    "The nightly import now goes through the pool: **twenty** connections are kept; `settle` gives them back.\n\n",
    "- first the queue is emptied\n- then the `cursor` moves on\n  - and is written\n- last the *log* is closed\n\n",
    "```python\ndef settle(pool: Pool) -> int:\n    # Those first.\n    return sum(map(close, pool.waiting))\n```\n\n",
    "| step | takes | of it |\n|---|--:|---|\n| read | 12 ms | `index` |\n| write | 3 ms | fsync |\n\n",
    "## What is left\n\n1. Ask Ann about the pool.\n2. Try it with a million rows.\n\n> It held for a week.\n\n",
)


def answer_to(number: int) -> str:
    """Returns the answer of turn `number`: three kinds of Markdown, about 100 tokens."""
    return f"Answer {number}. " + "".join(_PARTS[(number + each) % len(_PARTS)] for each in range(3))


class _HourScript(Script):
    def __call__(self, body: Mapping[str, Any]) -> Behaviour:
        behaviour = super().__call__(body)
        if isinstance(behaviour, Answer) and behaviour.calls and body.get("response_format"):
            # A server of one's own is asked for the object by a schema first.
            return Answer(behaviour.calls[0].arguments)
        return behaviour

    def turn(self, number: int, tries: int, *, called: bool) -> Behaviour:
        text = answer_to(number)
        pieces = tuple(text[at : at + _TOKEN] for at in range(0, len(text), _TOKEN))
        if number % 15 == 0 and not called:
            return Answer("Let me look.", calls=(Call("read_file", '{"path": "memory/MEMORY.md"}'),), rate=RATE)
        return Answer(pieces=pieces, rate=RATE)


def main() -> None:
    """Serves until standard input ends."""
    server = LoopbackServer()
    server.otherwise = _HourScript(server)
    with server:
        print(server.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
