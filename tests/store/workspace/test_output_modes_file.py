"""Which way of asking worked with which model is kept, and what cannot be read counts as nothing known."""

from pathlib import Path

import pytest

from mnemoscope.store.workspace.output_modes_file import OutputModesFile
from mnemoscope.store.workspace.paths import WorkspacePaths


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    file = OutputModesFile(WorkspacePaths.found(tmp_path).own.model_modes_file)
    assert file.load() == {}
    file.save({"small@http://127.0.0.1:1/v1": "schema"})
    assert file.load() == {"small@http://127.0.0.1:1/v1": "schema"}


def test_the_newest_hundred_models_are_kept(tmp_path: Path) -> None:
    file = OutputModesFile(tmp_path / "own" / "model-ways.json")
    file.save({f"model-{number}": "text" for number in range(150)})
    assert list(file.load()) == [f"model-{number}" for number in range(50, 150)]


@pytest.mark.parametrize("damaged", [b"", b"[1]", b"{", b'{"small": 7}', b"[" * 50_000])
def test_a_damaged_file_counts_as_none(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "model-ways.json"
    path.write_bytes(damaged)
    assert OutputModesFile(path).load() == {}
