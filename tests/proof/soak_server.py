"""The server of the soak, in a process of its own: it answers, and at fixed turns stalls, cuts, asks to wait, fails.

`python -m tests.proof.soak_server` prints its port and serves until standard input ends. What it does follows from the
number that the last message of the person begins with (`m17 …`), so every run meets the same faults.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from tests.support.loopback_server import Answer, Behaviour, Call, Cut, LoopbackServer, Refuse, Stall

CYCLE: Final = 20
WAITS, FAILS_ONCE, STALLS, IS_STOPPED, CUTS, REFUSES, READS_A_FILE, ENDS_EARLY = 3, 5, 7, 9, 11, 13, 15, 17
"""The numbers of the turns in each cycle that bring such an event; the other turns are answered."""
SOON: Final = 0.02
_NUMBER = re.compile(r"^m(\d+)\b")
_TOLD = re.compile(r"^(?:\[[^\]\n]*\] )?USER: (m\d+)\b", re.IGNORECASE | re.MULTILINE)
"""Matches a message as a consolidation is shown it: with its time or, if few tokens are sent, without."""
_WORDS: Final = "Noted. The kiln is warm, the **shelves** are full and `cone 6` is next:\n\n- celadon\n- oatmeal\n\n"


class Script:
    """Decides what is answered to each request, by turn and by how often it was asked."""

    def __init__(self, server: LoopbackServer) -> None:
        self._server = server
        self._asked: Counter[int] = Counter()
        self._consolidations = itertools.count(1)

    def __call__(self, body: Mapping[str, Any]) -> Behaviour:
        # What was asked is of no use here, and two thousand prompts are a gigabyte.
        self._server.asked.clear()
        if body.get("response_format") or any(
            tool["function"]["name"] == "save_memory" for tool in body.get("tools") or ()
        ):
            return self._consolidation(body["messages"][-1]["content"], next(self._consolidations))
        return self._turn(body["messages"])

    def _turn(self, messages: list[Mapping[str, Any]]) -> Behaviour:
        words = next(str(one["content"]) for one in reversed(messages) if one["role"] == "user")
        found = _NUMBER.search(words)
        number = int(found[1]) if found else 0
        called = bool(messages[-1]["role"] == "tool")
        self._asked[number] += not called
        return self.turn(number, self._asked[number], called=called)

    def turn(self, number: int, tries: int, *, called: bool) -> Behaviour:
        """Returns what is done about turn `number`, asked for the `tries`th time; `called`: its tool has answered."""
        if called:
            return Answer("That is what the file says.")
        match number % CYCLE:
            case n if n == WAITS and tries == 1:
                return Refuse(429, retry_after=SOON)
            case n if n == FAILS_ONCE and tries == 1:
                return Refuse(500, retry_after=SOON)
            case n if n in (STALLS, IS_STOPPED):
                return Stall(("Let me ", "think"), headers=number % (2 * CYCLE) < CYCLE)
            case n if n == CUTS:
                return Cut()
            case n if n == REFUSES:
                return Refuse(500, retry_after=SOON)
            case n if n == READS_A_FILE:
                return Answer("Let me look.", calls=(Call("read_file", '{"path": "memory/MEMORY.md"}'),))
            case n if n == ENDS_EARLY:
                return Cut(cleanly=True)
        return Answer(_WORDS, rate=1_000)

    def _consolidation(self, prompt: str, count: int) -> Behaviour:
        if count % 10 == 4:
            return Refuse(500, retry_after=SOON)
        if count % 10 == 7:
            return Cut(())
        memory, _, conversation = prompt.partition("## Conversation to Process")
        memory = memory.partition("## Current Long-term Memory\n")[2].strip().removeprefix("(empty)")
        numbers = _TOLD.findall(conversation)
        fact = f"- Bowl {numbers[0][1:]} stands on its shelf\n" if numbers and count % 5 == 0 else ""
        entry = f"[2026-01-02 10:00] Told {' '.join(numbers)}."
        arguments = {"history_entry": entry, "memory_update": f"{memory or '# Notes'}\n{fact}"}
        return Answer(calls=(Call("save_memory", json.dumps(arguments), piece=200),))


def main() -> None:
    """Serves until standard input ends."""
    server = LoopbackServer()
    server.otherwise = Script(server)
    with server:
        print(server.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
