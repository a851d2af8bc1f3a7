"""Versions of the memory files in an open workspace: made of every change, waited for by nobody, and turned back to."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from threading import Event, Timer

import pytest

from mnemoscope.domain.commits import SUGGESTION
from mnemoscope.domain.disagreement.settlement import PairItem, Settlement
from mnemoscope.domain.errors import RepositoryBroken, StorageError
from mnemoscope.domain.events import CommitsChanged, MemoryChanged, MemoryFileChanged, Noticed
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.store.git.git_store import GitStore
from mnemoscope.store.git.repository import Repository
from mnemoscope.store.workspace.workspace import open_workspace
from tests.support.agent_bench import KEY
from tests.support.dream_bench import CAT, MEMORY, TEXT, DreamBench, cat_script

AFTER = datetime(2100, 1, 1)


async def save(opened: DreamBench, text: str, path: str = MEMORY) -> None:
    base = await opened.bench.disk.run(opened.bench.memory.editing.read_text, path)
    await opened.bench.memory.editing.save_text(text, base.digest, path=path)


def names(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


def commits_in(root: Path) -> list[tuple[str, str]]:
    return [(info.author, info.subject) for info in GitStore(root).log()]


async def test_every_change_becomes_a_version_without_being_waited_for(tmp_path: Path) -> None:
    reading = Event()
    async with DreamBench(tmp_path) as opened:
        # What is committed waits on the same thread; what is saved does not.
        held = asyncio.create_task(opened.bench.commits.on_thread(reading.wait))
        await asyncio.sleep(0)
        try:
            await save(opened, TEXT)
            opened.clock.move(seconds=1)
            await save(opened, "Be brief.\n", "SOUL.md")
            assert not (tmp_path / "memory" / ".git").exists()
        finally:
            reading.set()
        assert await held
        await opened.bench.commits.kept()
        assert commits_in(tmp_path)[:2] == [("You", "SOUL.md: Edited"), ("You", "memory/MEMORY.md: Edited")]
        assert opened.seen(CommitsChanged)
        assert [each.author for each in await opened.bench.commits.page("SOUL.md")] == ["You"]


@pytest.mark.parametrize("is_cut_short", [False, True])
async def test_a_commit_that_takes_longer_than_closing_may_asks_no_disk_that_is_closed(
    tmp_path: Path, is_cut_short: bool
) -> None:
    reading = Event()
    async with DreamBench(tmp_path) as opened:
        bench = opened.bench
        # What is committed waits on the same thread.
        held = asyncio.create_task(bench.commits.on_thread(reading.wait))
        await asyncio.sleep(0)
        await save(opened, TEXT)
        Timer(0.2, reading.set).start()
        if is_cut_short:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await bench.close(60)
        else:
            await bench.close(0.01)
        assert await held
        open_workspace(tmp_path).close()
    # What was not made is made after the next opening; an error that the log has fails the test.
    async with DreamBench(tmp_path) as again:
        await again.bench.commits.catch_up()
        await again.bench.commits.kept()
        assert commits_in(tmp_path)


async def test_a_change_while_versions_are_tidied_becomes_a_version_too(tmp_path: Path) -> None:
    tidying, made = Event(), asyncio.Event()
    async with DreamBench(tmp_path) as opened:

        def hold(event: object) -> None:
            thread = opened.bench.commits._thread
            if isinstance(event, CommitsChanged) and not tidying.is_set() and thread is not None:
                # What is tidied is queued behind it.
                thread.submit(tidying.wait)
                made.set()

        opened.bench.bus.subscribe(hold)
        await save(opened, TEXT)
        await made.wait()
        await save(opened, "Be brief.\n", "SOUL.md")
        tidying.set()
        await opened.bench.commits.kept()
        assert commits_in(tmp_path)[0] == ("You", "SOUL.md: Edited")


async def test_closing_between_two_versions_is_no_fault(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        versions = opened.bench.commits
        opened.bench.bus.subscribe(lambda event: versions.end() if isinstance(event, CommitsChanged) else None)
        await save(opened, TEXT)
        keeping = versions._committing
        assert keeping is not None
        await asyncio.wait({keeping})
        assert keeping.exception() is None
    assert commits_in(tmp_path)[0] == ("You", "memory/MEMORY.md: Edited")


async def test_what_is_pending_is_made_before_closing(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
    assert commits_in(tmp_path)[0] == ("You", "memory/MEMORY.md: Edited")


async def test_what_a_crash_kept_from_being_made_is_made_at_the_next_opening(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
    async with DreamBench(tmp_path) as opened:
        opened.bench.commits.end()
        await save(opened, TEXT + "- likes rain\n")
    async with DreamBench(tmp_path) as opened:
        await opened.bench.commits.kept()
        assert commits_in(tmp_path)[0] == ("You", "memory/MEMORY.md: Edited")
        assert "+ likes rain" in GitStore(tmp_path).log(1)[0].message


async def test_what_dream_changed_first_of_all_has_its_version_after_a_crash(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        opened.begin()
        opened.bench.commits.end()
        await opened.bench.dreaming.run_now()
    assert not GitStore(tmp_path).is_initialized()
    async with DreamBench(tmp_path) as opened:
        await opened.bench.commits.kept()
        (newest, begun) = GitStore(tmp_path).log()
        assert (newest.author, newest.files, begun.subject) == (
            "Dream",
            ("USER.md", "memory/MEMORY.md"),
            "Versions begin",
        )


async def test_other_programs_changes_are_noticed_and_are_versions_of_their_own(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await opened.bench.commits.kept()
        (tmp_path / "USER.md").write_text("- is called Nell\n", encoding="utf-8")
        (tmp_path / "prompts").mkdir()
        (tmp_path / "prompts" / "dream.md").write_text("Keep cats.\n", encoding="utf-8")
        (tmp_path / "skills" / "tea").mkdir(parents=True)
        (tmp_path / "skills" / "tea" / "SKILL.md").write_text("Brew it.\n", encoding="utf-8")
        await opened.bench.rescan_files()
        seen = {each.path: (each.text, each.origin) for each in opened.seen(MemoryFileChanged)}
        assert seen == {
            "USER.md": ("- is called Nell\n", "outside"),
            "prompts/dream.md": ("Keep cats.\n", "outside"),
            "skills/tea/SKILL.md": ("Brew it.\n", "outside"),
        }
        await opened.bench.commits.kept()
        made = await opened.bench.commits.page("USER.md")
        assert [each.author for each in made] == ["Outside"]
        (tmp_path / "USER.md").unlink()
        await opened.bench.rescan_files()
        assert opened.seen(MemoryFileChanged)[-1].digest == ""
        await opened.bench.rescan_files()
        assert len(opened.seen(MemoryFileChanged)) == 4
        assert tmp_path / "skills" / "tea" in opened.bench.external_changes.places()


async def test_our_own_writes_are_not_taken_for_another_programs(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        opened.begin()
        await opened.bench.rescan_files()
        await opened.bench.dreaming.run_now()
        await save(opened, "Be brief.\n", "SOUL.md")
        await opened.bench.rescan_files()
        assert {each.origin for each in opened.seen(MemoryFileChanged)} == {"dream", "editor"}


async def test_a_version_is_looked_at_from_every_side(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await save(opened, TEXT + "- likes rain\n")
        await opened.bench.commits.kept()
        versions = opened.bench.commits
        newest, before = await versions.page(MEMORY)
        assert await versions.page(MEMORY, before=newest.id, limit=1) == [before]
        assert [each.after for each in await versions.change(newest)] == [TEXT + "- likes rain\n"]
        blamed = {line.text: line.commit.sha for line in await versions.blame(MEMORY) if line.text}
        assert (blamed["- likes tea"], blamed["- likes rain"]) == (before.sha, newest.sha)
        assert await versions.find(newest.sha) == newest
        assert await versions.find("zz") is None
        snapshot = await versions.at(AFTER)
        assert snapshot is not None
        assert snapshot.texts == {MEMORY: TEXT + "- likes rain\n"}
        assert await versions.at(datetime(1999, 1, 1)) is None


async def test_a_whole_version_and_single_passages_are_put_back_as_the_persons_change(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await save(opened, "# Memory\n")
        await opened.bench.commits.kept()
        old = (await opened.bench.commits.page(MEMORY))[1]
        saved = await opened.bench.commits.restore_file(old.id, MEMORY)
        assert (saved.text, opened.memory()) == (TEXT, TEXT)
        assert opened.seen(MemoryChanged)[-1].origin == "restore"
        change = (await opened.bench.disk.run(opened.bench.memory.editing.changes))[-1]
        await opened.bench.memory.editing.undo_change(change.id)
        assert opened.memory() == "# Memory\n"
        base = await opened.bench.disk.run(opened.bench.memory.editing.read_text)
        await opened.bench.commits.restore_text(MEMORY, "# Memory\n\n- likes tea\n", base.digest)
        assert opened.memory() == "# Memory\n\n- likes tea\n"
        with pytest.raises(StorageError, match=r"SOUL\.md is not in this version"):
            await opened.bench.commits.restore_file(old.id, "SOUL.md")


async def test_one_passage_is_put_back_into_the_text_as_it_is_now(tmp_path: Path) -> None:
    before, after = "# Memory\n\n- Likes tea\n", "# Memory\n\n- Likes coffee\n"
    async with DreamBench(tmp_path) as opened:
        commits = opened.bench.commits
        await save(opened, f"{after}\n# Places\n\n- Lives in Graz\n")
        assert await commits.restore_passage(MEMORY, before, after, 0)
        assert opened.memory() == f"{before}\n# Places\n\n- Lives in Graz\n"
        assert not await commits.restore_passage(MEMORY, before, after, 0), "it is as it was already"


async def test_of_a_moment_only_the_files_that_are_other_now_are_put_back(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await save(opened, "Be brief.\n", "SOUL.md")
        await opened.bench.commits.kept()
        snapshot = await opened.bench.commits.at(AFTER)
        assert snapshot is not None
        await save(opened, "# Memory\n")
        assert await opened.bench.commits.restore_moment(snapshot) == [MEMORY]
        assert opened.memory() == TEXT
        assert await opened.bench.commits.restore_moment(snapshot) == []


async def test_undoing_one_version_keeps_everything_later(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await save(opened, TEXT + "- likes rain\n")
        await save(opened, TEXT + "- likes rain\n- likes snow\n")
        await opened.bench.commits.kept()
        rain = (await opened.bench.commits.page(MEMORY))[1]
        said = await opened.bench.commits.undo_commit(rain.id)
        assert said == f"{rain.sha} (memory/MEMORY.md: Edited) is undone; everything later stays."
        assert opened.memory() == TEXT + "- likes snow\n"


@pytest.mark.slow
async def test_undoing_dreams_version_undoes_all_of_its_run(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, *cat_script()) as opened:
        opened.begin()
        run = await opened.bench.dreaming.run_now()
        assert run is not None
        (commit,) = await opened.bench.commits.page(author="Dream")
        said = await opened.bench.commits.undo_commit(commit.id, again=True)
        assert "Its entries are dreamed again." in said
        assert (opened.memory(), opened.cursor()) == (TEXT, 0)
        assert CAT not in opened.memory()


async def test_a_version_that_no_journal_knows_is_undone_three_ways_too(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await opened.bench.commits.kept()
        (tmp_path / "USER.md").write_text("- is called Nell\n- likes rain\n", encoding="utf-8")
        await opened.bench.commits._disk.run(opened.bench.commits._committer.commit_changes)
        commit = (await opened.bench.commits.page("USER.md"))[0]
        assert "Change" not in commit.trailers
        await save(opened, "- is called Nell\n- likes rain\n- likes snow\n", "USER.md")
        await opened.bench.commits.undo_commit(commit.id)
        assert (tmp_path / "USER.md").read_text(encoding="utf-8") == "- likes snow\n"
        with pytest.raises(StorageError, match="Nothing of this version is left"):
            await opened.bench.commits.undo_commit(commit.id)


async def test_the_first_version_has_nothing_before_it(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await opened.bench.commits.kept()
        first = (await opened.bench.commits.page())[-1]
        with pytest.raises(StorageError, match="nothing before it"):
            await opened.bench.commits.undo_commit(first.id)
        with pytest.raises(StorageError, match="not known any more"):
            await opened.bench.commits.undo_commit("f" * 40)


async def test_a_broken_repository_is_set_aside_begun_again_and_said(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await opened.bench.commits.kept()
        await opened.bench.commits.page()
        shutil.rmtree(GitStore(tmp_path).git_dir / "objects")
        await save(opened, TEXT + "- likes rain\n")
        await opened.bench.commits.kept()
        (said,) = (each for each in opened.seen(Noticed) if each.level == "warning")
        assert said.stays
        assert said.sentence.startswith("The versions of memory could not be read and begin again")
        assert [each.subject for each in await opened.bench.commits.page()] == ["Versions begin"]
        assert opened.memory() == TEXT + "- likes rain\n"


def zero(file: Path) -> None:
    file.chmod(0o644)
    file.write_bytes(bytes(file.stat().st_size))


def newest_object(git_dir: Path) -> Path:
    name = (git_dir / "refs" / "heads" / "main").read_text().strip()
    return git_dir / "objects" / name[:2] / name[2:]


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no objects": lambda git_dir: shutil.rmtree(git_dir / "objects"),
    "a zeroed commit": lambda git_dir: zero(newest_object(git_dir)),
    "a missing commit": lambda git_dir: newest_object(git_dir).unlink(),
    "a zeroed branch": lambda git_dir: zero(git_dir / "refs" / "heads" / "main"),
    "a branch of noise": lambda git_dir: (git_dir / "refs" / "heads" / "main").write_bytes(b"\xa1\xff" * 20),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_damaged_versions_are_said_after_opening_before_anything_is_saved(tmp_path: Path, damage: str) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await opened.bench.commits.kept()
    DAMAGES[damage](GitStore(tmp_path).git_dir)
    async with DreamBench(tmp_path) as opened:
        await opened.bench.commits.catch_up()
        await opened.bench.commits.kept()
        (said,) = (each for each in opened.seen(Noticed) if each.level == "warning")
        assert said.sentence.startswith("The versions of memory could not be read and begin again")
        assert opened.memory() == TEXT


async def test_an_old_version_that_is_damaged_costs_itself_and_is_not_said_to_be_set_aside(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
        await save(opened, TEXT + "- likes rain\n")
        await opened.bench.commits.kept()
        newest, older, *_ = await opened.bench.commits.page()
    with closing(Repository(GitStore(tmp_path).git_dir, tmp_path)) as repository:
        blob = repository.entries(older.id)["memory/MEMORY.md"]
    zero(GitStore(tmp_path).git_dir / "objects" / blob[:2] / blob[2:])
    async with DreamBench(tmp_path) as opened:
        await opened.bench.commits.catch_up()
        await save(opened, TEXT + "- likes snow\n")
        await opened.bench.commits.kept()
        with pytest.raises(RepositoryBroken) as raised:
            await opened.bench.commits.text_at(older.id, "memory/MEMORY.md")
        assert raised.value.next_step.startswith("The memory files are untouched. Other versions may still be read")
        assert await opened.bench.commits.text_at(newest.id, "memory/MEMORY.md") == TEXT + "- likes rain\n"
        assert [each.id for each in await opened.bench.commits.page()][1:3] == [newest.id, older.id]


async def test_where_only_looking_is_allowed_versions_are_read_and_not_made(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        await save(opened, TEXT)
    before = names(tmp_path)
    async with DreamBench(tmp_path, read_only=True) as looking:
        assert len(await looking.bench.commits.page()) == 2
        (tmp_path / "SOUL.md").write_text("Be brief.\n", encoding="utf-8")
        await looking.bench.rescan_files()
        await looking.bench.commits.kept()
    assert [name for name in names(tmp_path) if name != "SOUL.md"] == before


async def test_a_moment_of_the_past_comes_with_its_prompt(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, "One.", "Two.") as opened:
        await save(opened, TEXT)
        await save(opened, "- is called Nell\n", "USER.md")
        (tmp_path / "AGENTS.md").write_text("Be kind.\n", encoding="utf-8")
        await opened.bench.loop.process(KEY, "First")
        opened.clock.move(hours=1)
        await opened.bench.loop.process(KEY, "Second")
        await opened.bench.commits.kept()
        opened.journal.append("- [durable] Waits for Dream", session_key=KEY)
        # Versions bear the real time; the conversation that of the test.
        then = await opened.bench.commits.prompt_at(AFTER, KEY)
        assert then is not None
        assert (then.messages, then.pointer) == (4, 0)
        system = "\n".join(part.text for part in then.prompt.system)
        assert "likes tea" in system
        assert "is called Nell" in system
        assert "Be kind." in system
        assert str(tmp_path) in system
        assert "history.jsonl" in system
        assert "Waits for Dream" in system
        assert any(each.startswith("AGENTS.md: as it is now") for each in then.prompt.left_out)
        assert then.prompt.request[-1]["content"].endswith("\n\nSecond")
        assert await opened.bench.commits.prompt_at(datetime(1999, 1, 1)) is None


async def test_what_a_version_was_made_by_belongs_to_its_moment_though_git_keeps_whole_seconds(tmp_path: Path) -> None:
    async with DreamBench(tmp_path, "One.", "Two.") as opened:
        opened.clock.move(milliseconds=400)
        await opened.bench.loop.process(KEY, "First")
        await save(opened, TEXT)
        await opened.bench.commits.kept()
        opened.clock.move(seconds=1)
        await opened.bench.loop.process(KEY, "Second")
        moment, commit_id = (await opened.bench.commits.moments())[-1]
        then = await opened.bench.commits.prompt_at(moment, KEY, commit_id)
        assert then is not None
        assert then.messages == 2


@pytest.mark.slow
def test_opening_a_workspace_imports_no_git(tmp_path: Path) -> None:
    code = f"""
import asyncio, sys
from pathlib import Path
from tests.support.dream_bench import DreamBench
async def main():
    async with DreamBench(Path({str(tmp_path)!r})) as opened:
        await opened.bench.dreaming.state()
        print([name for name in ("dulwich",) if name in sys.modules])
asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert done.stdout.strip() == "[]"


async def test_a_pair_settled_in_two_files_is_one_version_and_undone_in_both(tmp_path: Path) -> None:
    async with DreamBench(tmp_path) as opened:
        editing, commits = opened.bench.memory.editing, opened.bench.commits
        await save(opened, "- Lives in Graz\n")
        await save(opened, "- Lives in Linz\n", USER_PATH)
        await editing.propose_disagreements()
        [item] = await opened.bench.disk.run(editing.waiting_items)
        assert isinstance(item, PairItem)
        await editing.settle_pair(item, Settlement("both", None, "until May", "since May"))
        await commits.kept()
        newest = (await commits.page())[0]
        assert {each.path for each in await commits.change(newest)} == {MEMORY, USER_PATH}
        assert newest.named(SUGGESTION) == item.suggestion.id
        assert "is undone" in await commits.undo_commit(newest.id)
        assert opened.memory() == "- Lives in Graz\n"
        assert (await opened.bench.disk.run(editing.read_text, USER_PATH)).text == "- Lives in Linz\n"
