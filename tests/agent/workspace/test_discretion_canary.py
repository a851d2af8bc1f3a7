"""A word said in a discreet conversation is looked for in every byte that is left, after a close and after a kill."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import zlib
from base64 import b64encode
from contextlib import closing
from pathlib import Path

import pytest

from mnemoscope.domain.conversation.discretion import Discretion
from mnemoscope.domain.settings import PROFILES
from mnemoscope.store.git.git_store import GitStore
from tests.support.discreet_child import WORDS
from tests.support.traces import traces_of

FOLDERS = {"HOME": "home", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache"}


def ended(folder: Path, end: str) -> int:
    """Plays the conversations in a process whose folders all lie in this one; returns how it ended."""
    places = {name: str(folder / place) for name, place in (FOLDERS | {"TMPDIR": "tmp"}).items()}
    for place in places.values():
        Path(place).mkdir()
    environment = os.environ | places | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "tests.support.discreet_child", str(folder), end]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode


@pytest.mark.slow
@pytest.mark.parametrize(("end", "status"), [("close", 0), ("kill", -signal.SIGKILL)])
def test_a_discreet_word_is_in_its_own_file_or_nowhere(tmp_path: Path, end: str, status: int) -> None:
    assert ended(tmp_path, end) == status
    remembered = traces_of(WORDS[Discretion.REMEMBERED], tmp_path)
    for profile in PROFILES:
        own = f"workspace-{profile}/"
        # What is looked for can be found: in the conversation, the prompts, memory, its versions and the index.
        for place in ("sessions/desktop", ".mnemoscope/prompts/", "memory/", ".mnemoscope/search.db", "notes/"):
            assert any(name.startswith(own + place) for name in remembered), (profile, place, remembered)
    assert "state/mnemoscope.log" in remembered
    assert traces_of(WORDS[Discretion.TEMPORARY], tmp_path) == []
    kept = traces_of(WORDS[Discretion.READS_MEMORY], tmp_path)
    assert {name.split("/", 1)[0] for name in kept} == {f"workspace-{profile}" for profile in PROFILES}
    elsewhere = [name for name in kept if name.split("/", 1)[1].split("/")[:2] not in OWN]
    assert elsewhere == []


OWN = [["sessions", "discreet"], ["sessions", "branches"]]
"""Where a conversation that writes no memory lies, and its branches beside it, which no other program reads either."""


def test_a_word_is_found_in_whatever_form_it_is_kept(tmp_path: Path) -> None:
    word = "velvetpangolin"
    forms = {
        "plain": f"a {word}.".encode(),
        "upper": word.upper().encode(),
        "wide": f"a {word}".encode("utf-16"),
        "hex": f"x{word}".encode().hex().encode(),
        "base64-0": b64encode(f"{word} and more".encode()),
        "base64-1": b64encode(f"a{word} and more".encode()),
        "base64-2": b64encode(f"ab{word} and more".encode()),
        "zlib": b"head" + zlib.compress(f"{word}".encode()) + b"tail",
        "lines": b"first\n" + b64encode(zlib.compress(word.encode())) + b"\n",
        "nothing": b"velvet pangolin",
    }
    for name, data in forms.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / word).write_bytes(b"")
    kinds = {
        "rows": "TABLE kept(text)",
        "terms": "VIRTUAL TABLE kept USING fts5(text, content='')",
        "trigrams": "VIRTUAL TABLE kept USING fts5(text, content='', detail=none, tokenize='trigram')",
    }
    for name, kind in kinds.items():
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as database:
            database.execute(f"CREATE {kind}")
            database.execute("INSERT INTO kept(rowid, text) VALUES (1, ?)", (f"a {word}",))
            database.commit()
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/MEMORY.md").write_text("nothing")
    store = GitStore(tmp_path)
    assert store.init()
    assert traces_of(word, tmp_path) == sorted({*forms, word, "rows.db", "terms.db", "trigrams.db"} - {"nothing"})
