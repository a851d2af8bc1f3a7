"""Dream: taken into use, what waits, a run, its record and its change, taken back, asked for in the chat, set."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QRadioButton

from mnemoscope.domain.conversation.command_action import actions_of
from mnemoscope.domain.dream.run import DreamRun
from mnemoscope.ui.chat.message_actions import RunCommand
from mnemoscope.ui.dream.dream_pane import DreamPane
from mnemoscope.ui.settings.section import Section
from mnemoscope.ui.settings.settings_dialog import SettingsDialog
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.folders import Folders
from mnemoscope.ui.tour.stage import Scenes, Stage
from mnemoscope.ui.widgets.dialogs.question import Question

_SAID: Final = (
    "Remember that I prefer the oatmeal glaze on the small bowls.",
    "We decided to fire the test kiln on Sundays.",
    "Remember that the alarm code changes in spring.",
)


class DreamScenes(Scenes):
    """Plays the scenes of the chapter, in a workspace of their own, which they leave on show."""

    def __init__(self, stage: Stage, folders: Folders) -> None:
        super().__init__(stage)
        self._folders = folders

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (
            self.profile_chosen,
            self.taken_into_use,
            self.waits,
            self.at_work,
            self.record,
            self.way,
            self.change,
            self.undone,
            self.asked_in_the_chat,
            self.settings,
        )

    async def profile_chosen(self) -> None:
        await self._open_own()

        async def show() -> None:
            dialog = await self.stage.open_settings()
            dialog.memory.choose("dream")
            await self._scroll_to(dialog, dialog.memory)
            self.driver.expect(dialog.dream.isVisible(), "the rows of Dream, once it is chosen")

        await self.stage.shoot_over(
            "dream-profile",
            "How memory is kept",
            "is a choice, with a sentence on each way.",
            show,
            self.stage.leave_settings,
        )

    async def taken_into_use(self) -> None:
        history = self.current.bench.workspace.paths.history_file

        async def show() -> None:
            dialog = await self.stage.open_settings()
            dialog.memory.choose("dream")
            await self.stage.press_button(dialog, "Save")
            await self.driver.until(lambda: self.question() is not None, "what becomes of the old history")
            self.driver.expect(
                "6 entries of HISTORY.md" in self._open_question().words.text(), "how many entries there are"
            )

        async def hide() -> None:
            await self.stage.press_button(self._open_question(), "Cancel")
            await self.driver.until(lambda: self.question() is None, "the question gone")
            self.driver.expect(history.exists(), "nothing done before it was answered")

        await self.stage.shoot_over(
            "dream-upgrade",
            "First a look at what it does.",
            "The old log is kept, and whether Dream reads its entries, which costs, is yours to say.",
            show,
            hide,
        )
        await show()
        await self.stage.press_button(self._open_question(), "Take them over, read only new ones")
        await self.driver.until(lambda: self.current.bench.settings.profile == "dream", "the dream profile in force")
        self.driver.expect(history.with_name("HISTORY.md.bak").exists(), "the old log, kept")

    async def waits(self) -> None:
        await self.stage.begin_conversation()
        for words in _SAID:
            await self.stage.say(words)
        await self.stage.say("/compact")
        self.current.actions["pane.dream"].trigger()
        await self.driver.until(lambda: self._pane_shows("1 entry waiting"), "what waits, in the Dream pane")
        await self.driver.until(lambda: self._pane_shows("Next run"), "when the next run comes")
        await self.driver.until(lambda: "waiting to be dreamed" in self._chain(), "what waits, in the timeline")
        await self.driver.until(
            lambda: "of the context" in self._header_words() or "% until" in self._header_words(),
            "how full the context is",
        )
        await self.stage.shoot(
            "dream-waits",
            "What was said is summed up, and waits to be dreamed.",
            "The entry says so in the timeline, and the Dream pane says how much waits and when the next run comes.",
            pane="dream",
        )

    async def at_work(self) -> None:
        self.current.actions["pane.dream"].trigger()
        self.stage.model.dream_gate.clear()
        await self.stage.press_button(self._pane(), "Run now")
        await self.driver.until(lambda: self.stage.has_button(self._pane(), "Stop"), "a way to stop the run")
        await self.driver.until(lambda: self._pane_shows("Reading entry"), "which entry is read")
        await self.stage.shoot(
            "dream-at-work", "A run at work.", "What it reads and what it has cost; Stop drops it.", pane="dream"
        )
        self.stage.model.dream_gate.set()

    async def record(self) -> None:
        self.current.actions["pane.dream"].trigger()
        run = await self._ran(1)
        self.driver.expect(run.outcome == "changed" and run.commit, "a run that changed memory, and its version")
        await self.stage.shoot(
            "dream-record",
            "Each run leaves a record:",
            "which entries it read, what it changed, how long it took and what it cost.",
            pane="dream",
        )

    async def way(self) -> None:
        await self.driver.until(lambda: "dreamed today" in self._chain(), "that the entry was dreamed")
        await self.driver.until(lambda: "commit" in self._chain(), "the version it led to")
        self.current.actions["pane.history"].trigger()
        history = self.window.history
        await self.driver.until(
            lambda: history.model.matches and "dreamed today" in history.view.sentence(0), "the same in the history"
        )
        self.window.timeline.view.scrolling.to(0)
        timeline = self.window.timeline
        timeline.view.entry_activated.emit(timeline.model.groups.records[-1])
        await self.driver.settle()
        await self.stage.shoot(
            "dream-way",
            "From message to entry to version.",
            "Each step in the card leads there: the entry, the run that read it, the version it made.",
            pane="timeline",
        )

    async def change(self) -> None:
        self.current.actions["pane.dream"].trigger()
        await self.stage.press_button(self._pane(), "Show change")
        body = self.window.memory.current.body
        run, versions = self._pane().cards[0].run, body.versions.widget.list
        await self.driver.until(lambda: body.page == "versions" and versions.chosen, "the versions")
        await self.driver.until(
            lambda: any(one.is_of_change(run.id) for one in versions.chosen[:1]), "the version that the run made"
        )
        await self.driver.settle()
        await self.stage.shoot("dream-change", "What it changed,", "line by line, with who and when.", pane="memory")
        body.show_page("text")

    async def undone(self) -> None:
        self.current.actions["pane.dream"].trigger()

        async def show() -> None:
            self.current.actions["pane.dream"].trigger()
            await self.stage.press_button(self._pane(), "Undo…")
            await self.driver.until(lambda: self.question() is not None, "the question about the entries")

        async def hide() -> None:
            await self.stage.press_button(self._open_question(), "Cancel")
            await self.driver.until(lambda: self.question() is None, "the question gone")

        await self.stage.shoot_over(
            "dream-undo",
            "Taken back, and only that.",
            "Everything later stays; whether the entries are dreamed again is yours to say.",
            show,
            hide,
        )
        await show()
        await self.stage.press_button(self._open_question(), "Undo and dream again")
        await self.driver.until(lambda: self._pane_shows("1 entry waiting"), "the entry waiting again")
        await self.driver.until(lambda: self._pane_shows("Taken back"), "the record that says it was taken back")

    async def asked_in_the_chat(self) -> None:
        await self.stage.say("/dream")
        await self.driver.until(lambda: "commit" in self._chain(), "the entry dreamed again, into a version of its own")
        await self.stage.say("/dream-log")
        session = self.current.conversation.session
        offered = actions_of(session.messages[-1]) if session is not None else ()
        labels = [action.label for action in offered]
        self.driver.expect(labels == ["Undo this change", "List Dream's changes"], "what can be done next, as buttons")
        await self.stage.shoot(
            "dream-log",
            "Asked for in the chat,",
            "Dream answers with its change in colour, and with buttons for what can be done next.",
            pane="timeline",
        )
        last = len(session.messages) - 1 if session is not None else 0
        self.window.chat.transcript.message_actions.run(RunCommand(last, 1))
        text = self.window.chat.transcript.view.toPlainText
        await self.driver.until(lambda: "Dream Restore" in text(), "the answer to what a button asked for")
        await self.driver.until(lambda: not self.window.chat.composer.busy, "the composer ready again")

    async def settings(self) -> None:
        async def show() -> None:
            dialog = await self.stage.open_settings()
            await self._scroll_to(dialog, dialog.dream)

        await self.stage.shoot_over(
            "dream-settings",
            "When it runs and what it may cost:",
            "by the hour or a cron expression, with a model of its own, and a limit for each run.",
            show,
            self.stage.leave_settings,
        )
        self.current.actions["pane.memory"].trigger()

    # Its own workspace

    async def _open_own(self) -> None:
        await self._folders.open(await self._folders.make(self._folders.scratch / "Dream", {}))

    # Looking

    def _pane(self) -> DreamPane:
        return self.window.dream.widget

    def _pane_shows(self, words: str) -> bool:
        return any(words in line for line in self.window.dream.widget.lines())

    def _chain(self) -> str:
        model = self.window.timeline.model
        records = model.groups.records
        return " · ".join(link.words for link in model.links.chain(records[-1])) if records else ""

    def _header_words(self) -> str:
        return self.window.timeline.header.status_label.text()

    def _open_question(self) -> Question:
        found = self.question()
        if found is None:
            raise NotShown("the question")
        return found

    async def _ran(self, runs: int) -> DreamRun:
        await self.driver.until(lambda: len(self._pane().cards) == runs, "the record of the run")
        return self._pane().cards[0].run

    async def _scroll_to(self, dialog: SettingsDialog, section: Section) -> None:
        await self.driver.settle()
        self.driver.expect(dialog.findChildren(QRadioButton), "a choice of how memory is kept")
        dialog.pages.show_section(section)
        await self.driver.settle()
