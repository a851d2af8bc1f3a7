"""`mnemoscope mcp` says in a sentence what keeps it from serving; that it serves is tested where its package is."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from mnemoscope.__main__ import main


def test_without_its_package_it_says_how_to_install_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Nobody else carries the package: these tests run where it is not installed.
    assert find_spec("mcp") is None
    (tmp_path / ".mnemoscope").mkdir()
    assert main(["mcp", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "install `mnemoscope[mcp]`" in said.err


def test_a_folder_that_is_no_workspace_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "packages" / "mcp").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path / "packages")
    assert main(["mcp", str(tmp_path / "gone")]) == 2
    assert "is not there. There is no memory to serve." in capsys.readouterr().err
