"""What other programs wrote in the same moment is never overwritten by a tool."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemoscope.agent.tools.file_replacement import ChangedMeanwhile
from mnemoscope.agent.tools.sandboxed_files import SandboxedFiles
from mnemoscope.agent.tools.tool import ToolContext
from mnemoscope.domain.errors import ToolError
from mnemoscope.store.files.atomic import digest_of
from mnemoscope.store.files.calls import FileCalls
from tests.agent.tools.test_toolbox import run
from tests.support.agent_bench import make_bench


class Interfering(FileCalls):
    """Another program acts in the very moment before the exchange; `can`: whether the system knows exchanges."""

    def __init__(self, act: Callable[[], object], *, can: bool = True) -> None:
        self._act: Callable[[], object] | None = act
        self._can = can

    def exchange(self, one: str, other: str) -> bool:
        if self._act is not None:
            act, self._act = self._act, None
            act()
        return self._can and super().exchange(one, other)


def names(root: Path) -> list[str]:
    return sorted(os.listdir(root))


@pytest.mark.parametrize("can", [True, False])
def test_what_was_written_in_that_moment_stays_and_the_write_is_refused(tmp_path: Path, can: bool) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    files = SandboxedFiles(tmp_path, calls=Interfering(lambda: path.write_text("theirs"), can=can))
    with pytest.raises(ChangedMeanwhile, match=r"“a\.md” was changed meanwhile") as caught:
        files.write("a.md", b"mine")
    assert "Read it again" in str(caught.value)
    assert path.read_text() == "theirs"
    assert names(tmp_path) == ["a.md"]
    assert not files.write("a.md", b"mine")
    assert path.read_text() == "mine"


@pytest.mark.parametrize("can", [True, False])
def test_a_file_replaced_removed_or_made_a_link_in_that_moment_is_left(tmp_path: Path, can: bool) -> None:
    path, outside = tmp_path / "a.md", tmp_path / "secret"
    outside.write_text("secret")

    def replaced() -> None:
        (tmp_path / "new").write_text("theirs")
        os.replace(tmp_path / "new", path)

    def linked() -> None:
        path.unlink()
        path.symlink_to(outside)

    for act, left in ((replaced, "theirs"), (path.unlink, None), (linked, "secret")):
        path.unlink(missing_ok=True)
        path.write_text("old")
        with pytest.raises(ToolError):
            SandboxedFiles(tmp_path, calls=Interfering(act, can=can)).write("a.md", b"mine")
        assert (path.read_text() if path.exists() else None) == left
        assert outside.read_text() == "secret"
        assert {"a.md", "secret"} >= set(names(tmp_path))


def test_a_file_that_somebody_has_open_is_not_taken_from_under_him(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old ")
    opened, go_on = threading.Event(), threading.Event()

    def append() -> None:
        with path.open("a") as file:
            opened.set()
            go_on.wait(30)
            file.write("theirs")

    writer = threading.Thread(target=append)
    writer.start()
    opened.wait(30)
    with pytest.raises(ChangedMeanwhile):
        SandboxedFiles(tmp_path).write("a.md", b"mine")
    go_on.set()
    writer.join()
    assert path.read_text() == "old theirs"


def test_a_file_made_in_that_moment_is_not_overwritten(tmp_path: Path) -> None:
    class Late(SandboxedFiles):
        """Looks before another program makes the file."""

        def _look_at_writable(self, folder: int, name: str, path: str) -> tuple[int, str | None]:
            found = super()._look_at_writable(folder, name, path)
            (tmp_path / name).write_text("theirs")
            return found

    with pytest.raises(ChangedMeanwhile):
        Late(tmp_path).write("a.md", b"mine")
    assert (tmp_path / "a.md").read_text() == "theirs"
    assert names(tmp_path) == ["a.md"]


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_the_mode_stays_and_nothing_is_left_beside(tmp_path: Path, mask: int) -> None:
    path = tmp_path / "run.sh"
    path.write_text("old")
    path.chmod(0o750)
    os.umask(mask)
    assert not SandboxedFiles(tmp_path).write("run.sh", b"new", seen=digest_of(b"old"))
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o750)
    assert names(tmp_path) == ["run.sh"]


async def test_a_file_that_changed_since_the_model_read_it_is_not_replaced(tmp_path: Path) -> None:
    bench, context = make_bench(tmp_path), ToolContext("k")
    path = tmp_path / "a.md"
    path.write_text("old")
    assert await run(bench, "read_file", context, path="a.md") == "old"
    path.write_text("edited by the person")
    result = await run(bench, "write_file", context, path="a.md", content="mine")
    assert "was changed meanwhile by another program" in result
    assert "Read it again, then write." in result
    assert path.read_text() == "edited by the person"
    await run(bench, "read_file", context, path="a.md")
    assert (await run(bench, "write_file", context, path="a.md", content="both")).startswith("Replaced")
    assert (await run(bench, "write_file", context, path="a.md", content="again")).startswith("Replaced")
    await run(bench, "edit_file", context, path="a.md", old_text="again", new_text="once more")
    assert (await run(bench, "write_file", context, path="a.md", content="done")).startswith("Replaced")
    assert path.read_text() == "done"


async def test_what_was_never_read_may_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("old")
    assert (await run(make_bench(tmp_path), "write_file", path="a.md", content="new")).startswith("Replaced")


async def test_a_file_that_was_removed_since_it_was_read_is_not_made_anew(tmp_path: Path) -> None:
    bench, context = make_bench(tmp_path), ToolContext("k")
    (tmp_path / "a.md").write_text("old")
    await run(bench, "read_file", context, path="a.md")
    (tmp_path / "a.md").unlink()
    assert "was changed meanwhile" in await run(bench, "write_file", context, path="a.md", content="mine")
    assert not (tmp_path / "a.md").exists()
    assert "There is no “a.md”" in await run(bench, "read_file", context, path="a.md")
    assert (await run(bench, "write_file", context, path="a.md", content="mine")).startswith("Created")
