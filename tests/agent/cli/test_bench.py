"""`mnemoscope bench` on the command line: its table, its JSON, a system of one's own, and missing peers."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mnemoscope.agent.bench.peers import PEERS, Peer, PeerProcess
from mnemoscope.agent.bench.profiles import own_profiles
from mnemoscope.agent.bench.protocol import RawAnswer, SaidMessage
from mnemoscope.agent.bench.scoring import MEASURES
from mnemoscope.agent.cli.bench import main

HOME = Path(__file__).parents[3]
OWN = """
class Empty:
    def __init__(self, folder, begun):
        pass

    def take(self, message):
        pass

    def settle(self, answer):
        return True

    def remembered(self):
        return []

    def forget(self, text):
        return True
"""
FAILS_LATER = "def take(self, message):\n        assert message.id == 'check-1'"


def test_a_system_of_ones_own_is_tried_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty_memory.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    assert main(["--system", "empty_memory:Empty", "--json", "--first", "2"], out) == 0
    printed = json.loads(out.getvalue())
    assert list(printed) == ["empty_memory:Empty"]
    assert printed["empty_memory:Empty"][MEASURES[2].name] == {
        "count": 0,
        "of": 2,
        "amiss": ["honest-1", "honest-2"],
    }


@pytest.mark.slow
def test_every_system_scores_the_same_twice_for_a_person_who_has_nothing(tmp_path: Path, is_long: bool) -> None:
    """The second time as a table without the peers, which are tried twice in the long form."""
    printed = tried(tmp_path, "1", "--json", "--peers", str(HOME))
    scores = json.loads(printed)
    assert [*scores] == [*own_profiles(), *(each.name for each in PEERS)]
    assert all([*found] == [measure.name for measure in MEASURES] for found in scores.values())
    if is_long:
        assert tried(tmp_path, "2", "--json", "--peers", str(HOME)) == printed
    table = tried(tmp_path, "3", "--neighbours", str(tmp_path)).splitlines()
    assert re.split(r"\s{2,}", table[0].strip()) == [*own_profiles()]
    for row, measure in zip(table[1:], MEASURES, strict=False):
        counts = [(scores[name][measure.name]["count"], scores[name][measure.name]["of"]) for name in own_profiles()]
        assert measure.name in row
        assert re.findall(r"(\d+)/(\d+)|–", row) == [(str(some), str(of)) if of else ("", "") for some, of in counts]
    for line, peer in zip(table[-len(PEERS) :], PEERS, strict=True):
        assert f"{peer.name} is not installed" in line


def tried(folder: Path, seed: str, *options: str) -> str:
    """Returns what a process says of the first case of each corpus, which begins in an empty home."""
    home = folder / seed
    home.mkdir()
    command = [sys.executable, "-m", "mnemoscope", "bench", "--first", "1", *options]
    surroundings = {**os.environ, "HOME": str(home), "PYTHONHASHSEED": seed}
    return subprocess.run(command, env=surroundings, cwd=home, capture_output=True, check=True, text=True).stdout


def test_help_says_what_a_system_of_ones_own_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "four methods: take, settle, remembered and forget" in said


@pytest.mark.parametrize("first", ["0", "-3", "many"])
def test_fewer_cases_than_one_are_refused(first: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--first", first])
    assert f"{first} is no number from 1 on" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["no_such_module:Thing", "json:NoSuchClass", "json"])
def test_a_system_that_cannot_be_loaded_is_said(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--system", name]) == 2
    assert f"{name} cannot be loaded" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ("folder, begun", "folder", "made of two values: a folder and the text"),
        ("def remembered", "def recalled", "lacks what the protocol has: remembered."),
        ("return []", "return ['tea']", "each with text and source, not 'tea'"),
        ("return []", "return None", "not a value of type NoneType"),
        ("return []", "raise KeyError('tea')", "One of its methods failed"),
        ("def take(self, message):\n        pass", FAILS_LATER, "It failed in a trial"),
    ],
)
def test_a_system_that_does_not_keep_to_the_protocol_is_told_what_is_wrong(
    was: str,
    now: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = f"broken_{len(message)}_{len(now)}"
    (tmp_path / f"{name}.py").write_text(OWN.replace(was, now))
    monkeypatch.chdir(tmp_path)
    assert main(["--system", f"{name}:Empty", "--first", "1"]) == 2
    said = capsys.readouterr().err
    assert said.splitlines()[-1].startswith(f"{name}:Empty cannot be tried.")
    assert message in said


def test_a_module_that_is_no_python_cannot_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "no_python.py").write_text("class Memory(:\n")
    monkeypatch.chdir(tmp_path)
    assert main(["--system", "no_python:Memory"]) == 2
    assert "no_python:Memory cannot be loaded" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("peer", PEERS, ids=[each.kind for each in PEERS])
def test_a_peer_takes_consolidates_and_forgets_by_its_own_code(peer: Peer, tmp_path: Path) -> None:
    folder, scratch = tmp_path / "folder", tmp_path / "scratch"
    folder.mkdir()
    scratch.mkdir()
    process = PeerProcess(peer, HOME, scratch)
    try:
        system = process.make(folder, "# User\n- Name is Sam\n")
        assert [line.text for line in system.remembered()] == ["Name is Sam"]
        system.take(SaidMessage("m0", "user", "Remember that I prefer tea.", "2026-03-06T14:00:00"))
        asked = system.settle(RawAnswer("a", "Tea.", "# User\n- Name is Sam\n- Likes tea\n", ("Likes tea",)))
        assert asked == (peer.kind != "qanot")
        assert any("tea" in line.text for line in system.remembered())
        system.forget("Name is Sam")
        assert not any("Sam" in line.text for line in system.remembered())
    finally:
        process.close()
