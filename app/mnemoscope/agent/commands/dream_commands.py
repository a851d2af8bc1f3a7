"""/dream and what belongs to it. The answers are built as nanobot's are, and the commands have its names.

Answers are Markdown, with what can be done next as buttons.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from mnemoscope.agent.commands.slash_commands import Answer
from mnemoscope.agent.commits.memory_commits import MemoryCommits
from mnemoscope.agent.dream.dream_runner import MANUAL
from mnemoscope.agent.dream.dreaming import Dreaming
from mnemoscope.agent.tasks.stop_signal import Stopped, StopSignal
from mnemoscope.agent.tools.result_text import cut_result
from mnemoscope.domain.commits import ENTRIES, CommitInfo, diff_text
from mnemoscope.domain.conversation.command_action import CommandAction
from mnemoscope.domain.dream.run import DreamRun, FileEdit
from mnemoscope.domain.memory.file_registry import DREAM_GUIDE
from mnemoscope.domain.text.fences import fenced
from mnemoscope.memory.dream.dream_prompt import GUIDE_README, guide_of, shipped_guide
from mnemoscope.memory.memory_store import MemoryStore
from mnemoscope.store.files.disk import Disk
from mnemoscope.store.workspace.paths import WorkspacePaths

_AGAIN: Final = "again"
_LISTED: Final = 10
_BUTTONS: Final = 5
_NOTHING: Final = """\
Dream has nothing to read: every entry of `memory/history.jsonl` was read before.

Entries are written when a conversation is consolidated:

- in the *dream* profile, when its prompt has grown long
- with `/compact`, at once
- with `/new`, when it is closed

`/dream-log` shows what Dream changed last, `/dream-prompt` how it is guided."""
_NO_VERSIONS: Final = """\
Dream has not changed memory yet, so there is no version of it to show.

Run `/dream` to let it read what happened, or `/dream-prompt` to see how it is guided."""


class DreamCommands:
    """Runs the commands of one workspace. They raise MnemoscopeError, which the caller shows."""

    def __init__(
        self, paths: WorkspacePaths, memory: MemoryStore, dreaming: Dreaming, commits: MemoryCommits, disk: Disk
    ) -> None:
        self._paths = paths
        self._memory = memory
        self._dreaming = dreaming
        self._commits = commits
        self._disk = disk

    async def dream(self, stop_signal: StopSignal) -> Answer:
        """Reads all that waits, now (/dream). `stop_signal` ends it."""
        if self._dreaming.runner.is_running:
            return Answer("Dream is at work already; the Dream pane shows how far it is.")
        work = asyncio.ensure_future(self._dreaming.run(MANUAL))
        try:
            await stop_signal.run(_until_done(work))
        except Stopped:
            self._dreaming.runner.stop()
        runs = await work
        if not runs:
            return Answer(_NOTHING, (_GUIDED,))
        answer = _report(runs)
        if not self._dreaming.runner.halted:
            return answer
        waiting = (await self._dreaming.state()).waiting
        still = "1 entry still waits" if waiting == 1 else f"{waiting:,} entries still wait"
        return Answer(
            f"{answer.text}\n\n{self._dreaming.runner.halted} {still}; `/dream` goes on.", (*answer.actions, _RUN)
        )

    async def has_changed_memory(self) -> bool:
        """Tells whether any version was made by Dream."""
        await self._commits.kept()
        return await self._newest() is not None

    async def log(self, argument: str) -> Answer:
        """Shows the newest change of Dream's, or one commit, with its difference (/dream-log [sha])."""
        await self._commits.kept()
        commit = await (self._commits.find(argument) if argument else self._newest())
        if commit is None:
            return Answer(_unknown(argument), (_LIST,)) if argument else Answer(_NO_VERSIONS, (_RUN, _GUIDED))
        diff = diff_text(await self._commits.change(commit))
        intro = "This is the change you asked for." if argument else "This is what Dream changed last."
        actions = [CommandAction("Undo this change", f"/dream-restore {commit.sha}")] if _is_dreams(commit) else []
        return Answer("\n\n".join(["## Dream Update", intro, *_described(commit), _fenced(diff)]), (*actions, _LIST))

    async def restore(self, argument: str) -> Answer:
        """Lists the newest changes of Dream's, or undoes one of them (/dream-restore [sha [again]])."""
        await self._commits.kept()
        sha, _, how = argument.partition(" ")
        if not sha:
            return self._choice(await self._commits.page(author="Dream", limit=_LISTED))
        commit = await self._commits.find(sha)
        if commit is None or not _is_dreams(commit):
            return Answer(_not_restored(sha, commit), (_LIST,))
        again = how.strip().lower() == _AGAIN
        before = await self._commits.page(limit=1)
        said = await self._commits.undo_commit(commit.id, again)
        await self._commits.kept()
        made = await self._commits.page(limit=1)
        return _restored(commit, said, made[0] if made != before else None, again)

    async def prompt(self, argument: str) -> Answer:
        """Shows how Dream is guided, or makes an editable guide of the workspace's own (/dream-prompt [init])."""
        guide = await self._disk.run(guide_of, self._paths)
        if argument.lower() == "init":
            return await self._make_guide(own=guide.own)
        whose = (
            f"Dream follows this workspace's own guide, `{DREAM_GUIDE}`. Empty or delete it to return to Mnemoscope's."
            if guide.own
            else "Dream follows Mnemoscope's own guide. "
            f"`/dream-prompt init` makes an editable copy at `{DREAM_GUIDE}`."
        )
        cut = f"\n\nThe last {guide.cut:,} characters are not followed: it is too long." if guide.cut else ""
        actions = () if guide.own else (CommandAction("Make an editable guide", "/dream-prompt init"),)
        return Answer(f"## Dream Prompt\n\n{whose}{cut}\n\n{_fenced(guide.text, 'markdown')}", actions)

    async def _newest(self) -> CommitInfo | None:
        return next(iter(await self._commits.page(author="Dream", limit=1)), None)

    def _choice(self, commits: Sequence[CommitInfo]) -> Answer:
        if not commits:
            return Answer(_NO_VERSIONS, (_RUN, _GUIDED))
        lines = "\n".join(f"- `{each.sha}` {each.timestamp} - {each.subject}" for each in commits)
        buttons = (CommandAction(f"Show {each.sha}", f"/dream-log {each.sha}") for each in commits[:_BUTTONS])
        text = (
            f"## Dream Restore\n\nThe newest changes of Dream's, latest first:\n\n{lines}\n\n"
            "Look at one with `/dream-log <sha>` before you undo it.\n"
            "Undo one with `/dream-restore <sha>`; everything later stays."
        )
        return Answer(text, tuple(buttons))

    async def _make_guide(self, *, own: bool) -> Answer:
        if own:
            return Answer(
                f"There is a guide at `{DREAM_GUIDE}` already; it was left as it is. Edit it in the Memory pane."
            )
        await self._write(DREAM_GUIDE, shipped_guide() + "\n")
        if not (await self._disk.run(self._memory.editing.read_text, "prompts/README.md")).exists:
            await self._write("prompts/README.md", GUIDE_README)
        return Answer(
            f"`{DREAM_GUIDE}` is there now, with Mnemoscope's own guide to begin with. "
            "Dream follows it from its next run on; the conversation history is added by itself. "
            "Edit it in the Memory pane."
        )

    async def _write(self, path: str, text: str) -> None:
        base = await self._disk.run(self._memory.editing.read_text, path)
        await self._memory.editing.save_text(text, base.digest, origin="editor", path=path)


def _restored(commit: CommitInfo, said: str, made: CommitInfo | None, again: bool) -> Answer:
    lines = [f"`{commit.sha}` is undone. {said}"]
    actions: list[CommandAction] = []
    if made is not None:
        files = ", ".join(f"`{path}`" for path in made.files)
        lines.append(f"- New safety commit: `{made.sha}`\n- Restored files: {files}")
        lines.append(f"Use `/dream-log {made.sha}` to look at what that changed.")
        actions.append(CommandAction("Show what that changed", f"/dream-log {made.sha}"))
    if not again:
        actions.append(CommandAction("Dream its entries again", f"/dream-restore {commit.sha} {_AGAIN}"))
    return Answer("\n\n".join(lines), tuple(actions))


async def _until_done(work: asyncio.Future[list[DreamRun]]) -> list[DreamRun]:
    return await asyncio.shield(work)


def _report(runs: Sequence[DreamRun]) -> Answer:
    """Returns what the runs of one command came to."""
    last, seconds = runs[-1], sum(run.seconds for run in runs)
    edits = _together(edit for run in runs for edit in run.edits)
    commit = next((run.commit for run in reversed(runs) if run.commit), "")
    lines = [
        _outcome(
            last, f"{seconds:.1f} s" if seconds >= 0.05 else "under 0.1 s", f" (commit `{commit}`)" if commit else ""
        )
    ]
    lines += [f"- `{each.path}`: {_lines(each)}" for each in edits]
    tokens = sum(run.spend.tokens for run in runs)
    first, count = runs[0].first, sum(run.entries for run in runs if run.settled)
    read = f"{count:,} {'entry' if count == 1 else 'entries'} read, from {first:,} on; {tokens:,} tokens."
    actions = [
        CommandAction("Show the change", f"/dream-log {commit}"),
        CommandAction("Undo this change", f"/dream-restore {commit}"),
    ]
    return Answer("\n".join([*lines, "", read]), tuple(actions) if commit else ())


def _outcome(run: DreamRun, took: str, commit: str) -> str:
    if run.outcome == "changed":
        return f"Dream completed in {took}{commit}."
    if run.outcome == "held":
        return f"Dream completed in {took}; what it would change waits for you in Review.{commit}"
    if run.outcome == "nothing":
        return f"Dream completed in {took}; no memory changes.{commit}"
    how = "failed" if run.outcome == "failed" else "did not complete"
    return f"Dream {how} after {took}: {run.reason} The entries still wait.{commit}"


def _together(edits: Iterable[FileEdit]) -> list[FileEdit]:
    found: dict[tuple[str, bool], FileEdit] = {}
    for edit in edits:
        known = found.get((edit.path, edit.held), FileEdit(edit.path, 0, 0, edit.held))
        found[edit.path, edit.held] = replace(
            known, added=known.added + edit.added, removed=known.removed + edit.removed
        )
    return list(found.values())


def _lines(edit: FileEdit) -> str:
    return f"+{edit.added:,} −{edit.removed:,}{' held for you in Review' if edit.held else ''}"


def _described(commit: CommitInfo) -> list[str]:
    files = ", ".join(f"`{path}`" for path in commit.files)
    lines = [f"- Commit: `{commit.sha}`", f"- Time: {commit.timestamp}", f"- Changed files: {files}"]
    first, last = commit.span(ENTRIES)
    lines += [f"- History entries: {first if first == last else f'{first}-{last}'}"] if last else []
    undo = [f"Use `/dream-restore {commit.sha}` to undo this change."] if _is_dreams(commit) else []
    return ["\n".join(lines), *undo]


def _is_dreams(commit: CommitInfo) -> bool:
    return commit.author == "Dream"


def _unknown(sha: str) -> str:
    return (
        f"There is no change `{_plain(sha)}` that could be shown.\n\n"
        "Use `/dream-restore` to list the newest ones, or `/dream-log` for the last."
    )


def _not_restored(sha: str, commit: CommitInfo | None) -> str:
    why = "There is no such version." if commit is None else f"It is not Dream's but was made by: {commit.author}."
    return (
        f"`{_plain(sha)}` could not be undone. {why}\n\n"
        "Only changes of Dream's are undone here: `/dream-restore` lists them. All others are under *Changes* in the "
        "Memory pane."
    )


def _fenced(text: str, language: str = "diff") -> str:
    return fenced(cut_result(text), language) if text else "(no changes)"


def _plain(text: str) -> str:
    return " ".join(text.replace("`", "").split())[:60]


_GUIDED: Final = CommandAction("How Dream is guided", "/dream-prompt")
_LIST: Final = CommandAction("List Dream's changes", "/dream-restore")
_RUN: Final = CommandAction("Run Dream now", "/dream")
