"""Settings, Tools: what commands are locked into, and those that are not asked about any more."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from mnemoscope.agent.tools.approval import ApprovalRequest
from mnemoscope.domain.settings import Settings
from mnemoscope.store.workspace.approvals import KeptApproval
from mnemoscope.ui.settings.settings_dialog import SettingsDialog, ToolsSection
from tests.ui.window_fixture import Opened, Stage, button, click, rest, until, words_in

LINT = KeptApproval(("ruff", "check", "a b.py"), "/home/sam/notes", "/usr/bin/ruff", "", "2026-11-22T10:00:00")
TESTS = KeptApproval(("pytest", "-x"), "/home/sam/notes", "/usr/bin/pytest", "", "2026-11-22T10:01:00")


@pytest.fixture
def tools(qtbot: QtBot) -> ToolsSection:
    made = ToolsSection(Settings())
    qtbot.addWidget(made)
    made.show()
    return made


def listed(pane: ToolsSection) -> QListWidget:
    found = pane.findChild(QListWidget)
    assert isinstance(found, QListWidget)
    return found


def rows(pane: ToolsSection) -> list[str]:
    return [listed(pane).item(row).text() for row in range(listed(pane).count())]


def forgotten_by(pane: ToolsSection) -> list[list[KeptApproval]]:
    emitted: list[list[KeptApproval]] = []
    pane.forget_requested.connect(emitted.append)
    return emitted


def test_what_commands_are_locked_into_is_said(tools: ToolsSection) -> None:
    tools.show_confinement("bubblewrap", "")
    assert "Commands run locked into bubblewrap, without network." in words_in(tools)


def test_where_nothing_can_confine_them_it_says_so_and_what_to_do(tools: ToolsSection) -> None:
    tools.show_confinement("", "Install bubblewrap.")
    words = "Commands cannot be confined on this computer, so none is run. Install bubblewrap."
    assert words in words_in(tools)


def test_commands_are_off_until_the_person_turns_them_on(tools: ToolsSection) -> None:
    assert tools.values() == {"exec_enabled": False}


def test_without_approvals_there_is_no_list(tools: ToolsSection) -> None:
    assert not listed(tools).isVisible()
    assert button(tools, "Forget") is None


def test_each_command_is_listed_quoted_with_its_folder(tools: ToolsSection) -> None:
    tools.show_approvals([LINT, TESTS])
    assert rows(tools) == ["ruff check 'a b.py'\nin /home/sam/notes", "pytest -x\nin /home/sam/notes"]


def test_a_command_that_looks_like_html_is_told_to_the_letter(tools: ToolsSection) -> None:
    tools.show_approvals([replace(LINT, argv=("echo", "<b>x</b>&amp;"), folder="/home/sam")])
    tip = listed(tools).item(0).toolTip()
    assert tip == "<qt>echo '&lt;b&gt;x&lt;/b&gt;&amp;amp;'<br>in /home/sam</qt>"


def test_forget_takes_those_that_are_selected(tools: ToolsSection) -> None:
    emitted = forgotten_by(tools)
    tools.show_approvals([LINT, TESTS])
    forget = button(tools, "Forget")
    assert forget is not None
    assert not forget.isEnabled()
    listed(tools).setCurrentRow(1)
    assert forget.isEnabled()
    click(forget)
    assert emitted == [[TESTS]]


def test_forget_all_takes_every_one(tools: ToolsSection) -> None:
    emitted = forgotten_by(tools)
    tools.show_approvals([LINT, TESTS])
    forget_all = button(tools, "Forget all")
    assert forget_all is not None
    click(forget_all)
    assert emitted == [[LINT, TESTS]]


def test_in_a_read_only_window_nothing_is_forgotten(tools: ToolsSection) -> None:
    tools.set_read_only()
    tools.show_approvals([LINT])
    listed(tools).setCurrentRow(0)
    assert not any(one.isEnabled() for one in (button(tools, "Forget"), button(tools, "Forget all")) if one)


class Always:
    """A person who trusts every command for always."""

    def __init__(self) -> None:
        self.asked = 0

    async def ask(self, request: ApprovalRequest) -> Literal["always"]:
        self.asked += 1
        return "always"


async def opened(stage: Stage, trusting: Always) -> tuple[Opened, SettingsDialog]:
    stage.make()
    person = await stage.open()
    approvals = person.bench.toolbox.approvals
    approvals.approver = trusting
    for name in ("one", "two", "three"):
        await approvals.ask(request(name))
    controller = person.current.settings_controller
    controller.open()
    await until(
        lambda: controller.dialog is not None and rows(controller.dialog.tools), "the approvals in the settings"
    )
    assert controller.dialog is not None
    controller.dialog.pages.show_section(controller.dialog.tools)
    return person, controller.dialog


def request(name: str) -> ApprovalRequest:
    return ApprovalRequest(("echo", name), Path("/tmp"))


async def test_the_settings_list_what_was_approved_and_forget_it_on_the_disk(stage: Stage) -> None:
    trusting = Always()
    person, dialog = await opened(stage, trusting)
    assert [row.split("\n")[0] for row in rows(dialog.tools)] == ["echo one", "echo two", "echo three"]
    listed(dialog.tools).setCurrentRow(1)
    person.click("Forget", dialog.tools)
    await until(lambda: len(rows(dialog.tools)) == 2, "the rest of the list")
    await person.bench.toolbox.approvals.ask(request("one"))
    assert trusting.asked == 3
    await person.bench.toolbox.approvals.ask(request("two"))
    assert trusting.asked == 4


async def test_after_forget_all_every_command_is_asked_about_after_a_restart_too(stage: Stage) -> None:
    person, dialog = await opened(stage, Always())
    person.click("Forget all", dialog.tools)
    await until(lambda: not rows(dialog.tools), "the list gone")
    assert button(dialog.tools, "Forget all") is None
    dialog.reject()
    await rest()
    await person.close()
    again = await stage.open()
    assert await again.bench.toolbox.approvals.kept() == ()


async def test_the_settings_say_what_commands_are_locked_into_on_this_computer(stage: Stage) -> None:
    person, dialog = await opened(stage, Always())
    name, _ = await person.bench.toolbox.confinement()
    words = f"locked into {name}, without network" if name else "cannot be confined on this computer"
    await until(lambda: words in words_in(dialog), "the sentence on confinement")
