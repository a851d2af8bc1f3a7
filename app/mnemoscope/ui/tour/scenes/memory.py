"""Memory: edited while a consolidation lands, suggestions, faults; its versions, and looking back in time."""

from __future__ import annotations

from PySide6.QtCore import Qt

from mnemoscope.domain.events import ConsolidationFailed, ConsolidationStarted
from mnemoscope.domain.memory.change import MEMORY_PATH
from mnemoscope.domain.memory.file_registry import USER_PATH
from mnemoscope.ui.memory.review.review_dialog import ReviewDialog
from mnemoscope.ui.tour.driver import NotShown, Scene
from mnemoscope.ui.tour.scenes.chat import SMALL_WINDOW
from mnemoscope.ui.tour.scenes.notifications import TrayStandIn
from mnemoscope.ui.tour.stage import CTRL, Scenes
from mnemoscope.ui.tour.tour_model import memory_of, no_tool_call

_SHIFT = Qt.KeyboardModifier.ShiftModifier


class MemoryScenes(Scenes):
    """Plays the scenes around MEMORY.md."""

    _small_talk = (
        "Remember that the library wants the posters by Friday.",
        "I prefer the oatmeal glaze on the small bowls.",
        "The plinths for the market are at Tom's.",
        "We decided to fire the test kiln on Sundays.",
    )

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.edited_while_it_lands, self.reviewed, self.disagreed, self.failed, self.health, self.forgotten)

    async def edited_while_it_lands(self) -> None:
        pane, editor = self.window.memory, self.window.memory.editor
        self.current.actions["pane.memory"].trigger()
        # One in which no tool reads anything: what a person says in it may go into memory at once.
        await self.stage.begin_conversation()
        await self._something_to_settle("Remember that the alarm code changes in spring.")
        done = self.stage.consolidations()
        self.stage.model.gate.clear()
        self.current.actions["memory.consolidate"].trigger()
        await self._started()
        self.driver.press(editor, Qt.Key.Key_End, CTRL)
        self.driver.type(editor, "\n- Mine: the spare key hangs in the shed")
        self.driver.expect(pane.is_dirty(), "a mark that the text is not saved")
        self.stage.model.gate.set()
        await self.driver.until(lambda: self.stage.consolidations() > done, "the consolidation landed")
        await self.driver.until(lambda: pane.bars.bar("incoming") is not None, "the bar that offers to merge")
        await self.stage.shoot(
            "changed-while-typing",
            "A consolidation lands while you type.",
            "Not a letter of yours is lost: merge, look at the difference, or keep yours.",
            pane="memory",
        )
        await self.stage.press_button(pane, "Merge")
        landed = self._memory_on_disk()
        await self.driver.until(
            lambda: "Mine:" in editor.text() and landed <= set(editor.text().splitlines()), "both changes in one text"
        )
        self.driver.press(editor, Qt.Key.Key_S, CTRL)
        await self.driver.until(lambda: not pane.is_dirty(), "the merged text saved")
        await self.stage.shoot(
            "merged", "Merged and saved.", "Both are there, as one step that undo takes back.", pane="memory"
        )

    async def health(self) -> None:
        """Shows what memory costs, how it grew, and which lines have a fault."""
        pane = self.window.health.widget
        self.current.actions["pane.health"].trigger()
        await self.driver.until(lambda: bool(pane.summary.text()) and pane.busy.isHidden(), "the health of memory")
        await self.stage.shoot(
            "health",
            "Memory's health:",
            "what memory costs, how it grew, and the lines that are worth a look; a press only proposes.",
            pane="health",
        )
        self.current.actions["pane.memory"].trigger()

    async def reviewed(self) -> None:
        pane = self.window.memory
        await self._something_to_settle("Remember that clay comes on Mondays.")
        kept = [line for line in pane.editor.text().splitlines(keepends=True) if "stoneware" not in line.casefold()]
        self.driver.expect(len(kept) < len(pane.editor.text().splitlines()), "a fact that can be dropped")
        entry = "Talked about the clay delivery, which comes on Mondays."
        self.stage.model.answers = [memory_of("".join(kept), entry)]
        self.current.actions["memory.consolidate"].trigger()
        await self.driver.until(lambda: self.stage.has_button(pane, "Review"), "a suggestion that waits")
        await self.stage.shoot(
            "suggestion", "A model would drop a fact.", "Nothing is dropped: it waits for your word.", pane="memory"
        )
        await self._counted_in_the_tray()
        await self._all_reviewed()
        await self.stage.press_button(pane, "Review")
        await self.driver.until(lambda: self.stage.has_button(pane, "Accept"), "the suggestion as a difference")
        await self.stage.shoot(
            "review", "The suggestion, line by line.", "Accept it, edit it first, or reject it.", pane="memory"
        )
        await self.stage.press_button(pane, "Reject")
        await self.driver.until(lambda: not self.stage.has_button(pane, "Accept"), "the review closed")

    async def _counted_in_the_tray(self) -> None:
        """Shows the icon of the tray, which carries the number of what waits."""
        tray = self.current.notifications.tray
        await self.driver.until(lambda: "Waiting for review" in tray.meaning, "the number in the tray")
        panel = TrayStandIn(self.window, tray)
        panel.show()
        await self.driver.until(panel.isVisible, "the icon of the tray")
        await self.driver.shoot(
            "tray-number",
            "How many wait, outside of the window:",
            "the icon in the desktop's tray carries the number, on a light panel and on a dark one, and a press opens "
            "the review. The panels are drawn by the tour: it runs without a desktop.",
        )
        panel.close()

    async def _all_reviewed(self) -> None:
        """Shows what waits in the dialog that leads through it by keys, with the messages of the first."""
        dialog = await self._review("memory.review_all")
        self.driver.press(dialog.diff.text, Qt.Key.Key_S)
        await self.driver.until(dialog.source.isVisible, "the messages it came from")
        await self.driver.shoot(
            "review-all",
            "All that waits, one line at a time:",
            "A accepts, E edits, R rejects, S shows the messages, U takes back. Only a key of yours decides.",
        )
        await self._end_of(dialog)

    async def _review(self, action: str) -> ReviewDialog:
        """Returns the review as an action opens it, once its first item is painted."""
        reviews = self.current.reviews
        self.current.actions[action].trigger()
        await self.driver.until(lambda: reviews.dialog is not None and bool(reviews.dialog.queue.items), "what waits")
        dialog = reviews.dialog
        if dialog is None:
            raise NotShown("the review")
        await self.driver.until(lambda: dialog.is_ready, "the first of what waits, painted")
        return dialog

    async def _end_of(self, review: ReviewDialog) -> None:
        review.reject()
        await self.driver.until(lambda: self.current.reviews.dialog is None, "the end of the review")

    async def disagreed(self) -> None:
        """Settles two facts of two files, and takes that back."""
        old, new = "- The rent of the studio is 420 euros", "- The rent of the studio is 450 euros"
        # Else each save is compared as well, and which is done first says which line is the newer one.
        await self.current.bench.config.change(weekly_check=False)
        for path, line in ((MEMORY_PATH, old), (USER_PATH, new)):
            await self._written(path, line)
        dialog = await self._review("memory.disagreements")
        self.driver.expect(dialog.pair.isVisible(), "the two facts side by side")
        await self.driver.shoot(
            "disagree",
            "Two facts that disagree, of two files:",
            "keep the old one, replace it from a day, or let both stand with their scopes. One key, and U takes back.",
        )
        await self.driver.until(lambda: dialog.is_ready, "the pair, painted as it is now")
        self.driver.press(dialog.pair, Qt.Key.Key_B)
        await self.driver.until(dialog.pair.old.scope.isVisible, "the fields of the scopes")
        self.driver.press(dialog.pair.old.scope, Qt.Key.Key_Return)
        await self.driver.until(lambda: "(until " in self.window.memory.editor.text(), "the scope in MEMORY.md")
        await self.driver.until(lambda: dialog.is_ready or not dialog.queue.items, "what is left, painted")
        self.driver.press(dialog, Qt.Key.Key_U)
        await self.driver.until(lambda: "(until " not in self.window.memory.editor.text(), "memory as it was")
        await self.driver.until(lambda: bool(dialog.queue.items) and dialog.is_ready, "the pair, painted again")
        self.driver.press(dialog.pair, Qt.Key.Key_A)
        await self.driver.until(lambda: f"~~{old[2:]}~~" in self.window.memory.editor.text(), "the older one struck")
        await self._end_of(dialog)
        await self.current.bench.config.change(weekly_check=True)

    async def _written(self, path: str, line: str) -> None:
        """Writes a line at the end of a memory file, by the keyboard."""
        document = self.window.memory.show_file(path)
        await self.driver.until(document.isVisible, f"the tab of {path}")
        self.driver.press(document.editor, Qt.Key.Key_End, CTRL)
        self.driver.type(document.editor, f"\n{line}")
        self.driver.press(document.editor, Qt.Key.Key_S, CTRL)
        await self.driver.until(lambda: not document.is_dirty(), f"{path} saved")
        self.window.memory.show_file(MEMORY_PATH)

    async def forgotten(self) -> None:
        """Has a fact forgotten: its places, the receipt, and the way back."""
        editor, forgetting = self.window.memory.editor, self.current.forgetting
        fact = "The wheel needs a new belt"
        before = editor.text()
        self.driver.expect(fact in before, "a fact to be forgotten")
        forgetting.forget(fact)
        dialog = forgetting.dialog
        if dialog is None:
            return
        await self.driver.until(lambda: dialog.plan is not None and dialog.busy.isHidden(), "the places of the words")
        await self.driver.shoot(
            "forget",
            "Forget these words:",
            "every place that has them, with the conversation left out until you choose it.",
        )
        await self.driver.click(dialog.forget)
        await self.driver.until(
            lambda: forgetting.receipts is not None and forgetting.receipts.chosen is not None, "the receipt"
        )
        receipts = forgetting.receipts
        if receipts is None:
            return
        await self.driver.until(lambda: fact not in editor.text(), "memory without the words")
        await self.driver.shoot(
            "forgotten",
            "What was forgotten, with its receipt:",
            "what is gone, what was left and why, and what a search of every byte found. Without the words themselves.",
        )
        await self.driver.click(receipts.take_back)
        await self.driver.until(lambda: editor.text() == before, "memory as it was")
        receipts.close()
        await self.driver.until(lambda: forgetting.receipts is None, "the end of the receipts")

    async def failed(self) -> None:
        await self._something_to_settle("Remember that the wheel needs a new belt.")
        # Asked in the other two ways, the built-in model answers in prose by itself.
        self.stage.model.answers = [no_tool_call()]
        self.current.actions["memory.consolidate"].trigger()
        await self.driver.until(
            lambda: any(isinstance(one, ConsolidationFailed) for one in self.stage.heard), "three tries and no more"
        )
        timeline = self.window.timeline
        await self.driver.until(lambda: self.stage.has_button(timeline, "Try again"), "the offer to try again")
        await self.stage.shoot(
            "not-updated",
            "Memory was not updated.",
            "The reason, what is waiting, and Try again; the chat goes on unharmed.",
            pane="timeline",
        )
        done = self.stage.consolidations()
        await self.stage.press_button(timeline, "Try again")
        await self.driver.until(lambda: self.stage.consolidations() > done, "the second time it worked")

    def _memory_on_disk(self) -> set[str]:
        file = self.current.bench.workspace.paths.memory_file
        return set(file.read_text(encoding="utf-8").splitlines())

    async def _something_to_settle(self, words: str) -> None:
        """Says these words, and others until the words are no longer among those that are kept as they are."""
        session = self.current.conversation.session
        if session is None:
            return
        said = len(session.messages)
        for each in (words, *self._small_talk):
            if len(session.messages) - SMALL_WINDOW // 2 < said + 2:
                await self.stage.say(each)
                await self.driver.until(
                    lambda: not self.current.bench.loop.consolidation.is_running, "no consolidation now"
                )

    async def _started(self) -> None:
        before = sum(isinstance(one, ConsolidationStarted) for one in self.stage.heard)
        await self.driver.until(
            lambda: sum(isinstance(one, ConsolidationStarted) for one in self.stage.heard) >= max(1, before),
            "a consolidation under way",
        )


class VersionScenes(Scenes):
    """Plays scenes on the sample, whose memory was consolidated and edited in the chapters before."""

    def all(self) -> tuple[Scene, ...]:
        """Returns the scenes in order."""
        return (self.listed, self.compared, self.blamed, self.looked_back, self.other_files)

    async def listed(self) -> None:
        self.current.actions["pane.memory"].trigger()
        document, editor = self.window.memory.show_file(MEMORY_PATH), self.window.memory.editor
        self.driver.press(editor, Qt.Key.Key_End, CTRL)
        self.driver.type(editor, "\n- Opens at nine on Saturdays")
        self.driver.press(editor, Qt.Key.Key_S, CTRL)
        await self.driver.until(lambda: not document.is_dirty(), "the text saved")
        await self.current.bench.commits.kept()
        self.current.actions["memory.changes"].trigger()
        view = document.body.versions.widget
        listed = view.list.versions
        await self.driver.until(lambda: sum(row.commit is not None for row in listed.rows) > 2, "some versions")
        await self.driver.until(lambda: "nine on Saturdays" in view.diff.text.toPlainText(), "what the newest changed")
        await self.stage.shoot(
            "versions",
            "Every change of memory is a version:",
            "whose it is, when, what it brought and took, and what it came from; any of them is undone alone.",
            pane="memory",
        )

    async def compared(self) -> None:
        view = self.window.memory.body.versions.widget
        self.driver.press(view.list, Qt.Key.Key_Down, _SHIFT)
        self.driver.press(view.list, Qt.Key.Key_Down, _SHIFT)
        await self.driver.until(lambda: len(view.list.chosen) == 2 and view.passage_button.isEnabled(), "two compared")
        await self.stage.shoot(
            "versions-compared",
            "Any two versions, word by word.",
            "Put back a whole version, or a single passage of it.",
            pane="memory",
        )
        self.driver.press(view.list, Qt.Key.Key_Escape)

    async def blamed(self) -> None:
        self.current.actions["view.blame"].trigger()
        document = self.window.memory.current
        owners = document.editor.blame
        await self.driver.until(lambda: any(owners.owners.commits), "who wrote the lines")

        def consolidated() -> list[int]:
            lines = range(document.editor.blockCount())
            return [one for one in lines if (by := owners.owners.owner(one)) and by.author == "Consolidation"]

        await self.driver.until(consolidated, "a line of a consolidation")
        line = consolidated()[0]
        blame = self.current.memory.controllers[MEMORY_PATH].blame

        async def show() -> None:
            self.current.actions["pane.memory"].trigger()
            document.editor.go_to_line(line)
            await self.driver.settle()
            blame.show_author(line)
            await self.driver.until(lambda: blame.card.isVisible(), "the card of the line")

        async def hide() -> None:
            blame.card.leave()

        await self.stage.shoot_over(
            "blame",
            "Who wrote this line?",
            "Beside each line its author and date; the card names the entry it came from and leads to the messages.",
            show,
            hide,
        )
        self.current.actions["view.blame"].trigger()

    async def looked_back(self) -> None:
        self.current.actions["memory.travel"].trigger()
        pane = self.window.memory
        await self.driver.until(lambda: pane.in_past and pane.past.widget.title.text(), "a moment of the past")
        self.driver.press(pane.past.widget.slider, Qt.Key.Key_Home)
        await self.driver.until(lambda: pane.past.widget.slider.value() == 0, "the first version")
        await self.driver.until(
            lambda: "nine on Saturdays" not in pane.past.widget.split.editor.text(), "memory as it began"
        )
        await self.stage.shoot(
            "time-travel",
            "Memory as it was.",
            "A slider over all versions, or a day and time: files, pointer and prompt of that moment, read only.",
            pane="memory",
        )
        self.current.actions["pane.prompt"].trigger()
        await self.stage.shoot(
            "time-travel-prompt", "The prompt of that moment.", "What a model would have been sent then.", pane="prompt"
        )
        await self.stage.press_button(self.window.chat, "Back to now")
        await self.driver.until(lambda: not self.current.past.is_away, "the present")

    async def other_files(self) -> None:
        self.current.actions["pane.memory"].trigger()
        document = self.window.memory.show_file("prompts/dream.md")
        await self.driver.until(lambda: document.isVisible(), "the tab of Dream's guide")
        await self.driver.settle()
        await self.stage.shoot(
            "memory-files",
            "The files beside MEMORY.md",
            "have tabs, drafts, undo and versions of their own.",
            pane="memory",
        )
        self.window.memory.show_file(MEMORY_PATH)
