"""Nanobot and Qanot as memory systems of the benchmark: their own code in their own environments, where installed."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from mnemoscope.agent.bench.protocol import MemorySystem, RawAnswer, RememberedLine, SaidMessage
from mnemoscope.agent.bench.scoring import bullet_lines
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.files.shipped import shipped

_SECONDS_TO_END: Final = 10


@dataclass(frozen=True, slots=True)
class Peer:
    """Describes a program that is tried beside ours: the name of its row, the kind that the child is told, the
    environment whose Python runs it, and the folder of its packages, None for that environment's own."""

    name: str
    kind: str
    environment: str
    packages: str | None = None

    def interpreter(self, home: Path) -> Path | None:
        """Returns the Python that runs it, None where it is not installed below `home`."""
        python = home / self.environment / "bin" / "python"
        return python if python.exists() and self.folder(home) is not None else None

    def folder(self, home: Path) -> Path | None:
        """Returns the folder of its packages, None where there is none."""
        if self.packages is not None:
            return home / self.packages if (home / self.packages).is_dir() else None
        return next((home / self.environment).glob("lib/python*/site-packages"), None)


PEERS: Final = (
    Peer("nanobot 0.1.4.post4", "nanobot-two-layer", ".venv-nanobot", ".venv/peers/nanobot-ai-0.1.4.post4"),
    Peer("nanobot 0.3.5, journal", "nanobot-journal", ".venv-nanobot"),
    Peer("qanot 2.0.4, capture", "qanot", ".venv-qanot"),
)


class PeerProcess:
    """Runs one peer's process, for all its trials. It is ended by `close`."""

    def __init__(self, peer: Peer, home: Path, scratch: Path) -> None:
        """`home`: where the environments lie; `scratch`: what the program takes for the person's folder."""
        python, packages = peer.interpreter(home), peer.folder(home)
        if python is None or packages is None:
            raise MnemoscopeError(f"{peer.name} is not installed below {home}.")
        self._peer = peer
        command = [str(python), "-W", "ignore", str(shipped("resources", "bench", "peer_child.py"))]
        surroundings = os.environ | {"HOME": str(scratch), "PYTHONUTF8": "1"}
        surroundings.pop("PYTHONPATH", None)
        self._log = (scratch / "peer.log").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [*command, peer.kind, str(packages)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, env=surroundings, cwd=scratch,
            encoding="utf-8",
        )  # fmt: skip

    def make(self, folder: Path, begun: str) -> MemorySystem:
        """Makes a system for one trial."""
        return PeerSystem(self, folder, begun, asks_model=self._peer.kind != "qanot")

    def ask(self, **asked: Any) -> Any:
        """Has the program do something and returns what it says. Raises MnemoscopeError if it has ended."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
        except OSError:
            line = ""
        else:
            line = process.stdout.readline()
        if not line:
            self._log.seek(0)
            last = self._log.read().strip().rpartition("\n")[2]
            raise MnemoscopeError(f"{self._peer.name} ended: {last}")
        return json.loads(line)

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait(_SECONDS_TO_END)
        for stream in (self._process.stdin, self._process.stdout, self._log):
            if stream is not None:
                stream.close()


class PeerSystem:
    """Drives a peer in one trial. It names no sources and has no way to forget but an editor."""

    def __init__(self, process: PeerProcess, folder: Path, begun: str, *, asks_model: bool) -> None:
        self._process = process
        self._folder = str(folder)
        self._asks_model = asks_model
        self._messages: list[dict[str, str]] = []
        process.ask(op="begin", folder=self._folder, memory=begun)

    def take(self, message: SaidMessage) -> None:
        self._messages.append({"role": message.role, "content": message.text, "timestamp": message.when})
        if message.role == "user":
            self._process.ask(op="take", folder=self._folder, text=message.text)

    def settle(self, answer: RawAnswer) -> bool:
        if self._asks_model:
            self._process.ask(op="settle", folder=self._folder, messages=self._messages, answer=asdict(answer))
            self._messages = []
        return self._asks_model

    def remembered(self) -> list[RememberedLine]:
        text: str = self._process.ask(op="remembered", folder=self._folder)
        return [RememberedLine(line) for line in bullet_lines(text)]

    def forget(self, text: str) -> bool:
        """Takes the line out of the file, which is all that its person can do."""
        current: str = self._process.ask(op="remembered", folder=self._folder)
        kept = "\n".join(line for line in current.split("\n") if text not in line)
        self._process.ask(op="begin", folder=self._folder, memory=kept)
        return True
