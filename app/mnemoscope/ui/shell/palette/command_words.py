"""The words that people type for a command beside its name: what other programs call it, and what it is about.

The English ones find a command in every language: many people know the commands of programs by them.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

_WORDS: Final = {
    "conversation.new": QT_TRANSLATE_NOOP("CommandWords", "new chat, start a chat, new thread, begin, create"),
    "workspace.open": QT_TRANSLATE_NOOP("CommandWords", "folder, switch, change, project, vault"),
    "workspace.look": QT_TRANSLATE_NOOP("CommandWords", "read-only, only read, view, inspect"),
    "workspace.create": QT_TRANSLATE_NOOP("CommandWords", "new folder, project, vault"),
    "workspace.sample": QT_TRANSLATE_NOOP("CommandWords", "example, demo, tutorial"),
    "workspace.show": QT_TRANSLATE_NOOP("CommandWords", "folder, explorer, finder, file manager, reveal"),
    "agents": QT_TRANSLATE_NOOP("CommandWords", "claude code, cursor, codex, hermes, openclaw"),
    "import": QT_TRANSLATE_NOOP("CommandWords", "chatgpt, claude, load, take in, migrate"),
    "export": QT_TRANSLATE_NOOP("CommandWords", "save as, download, backup, share, markdown, html, json"),
    "print": QT_TRANSLATE_NOOP("CommandWords", "pdf, export pdf, save as pdf, paper"),
    "settings": QT_TRANSLATE_NOOP("CommandWords", "preferences, options, configuration, api key, language"),
    "settings.background": QT_TRANSLATE_NOOP("CommandWords", "cheaper model, consolidation, settings"),
    "settings.limit": QT_TRANSLATE_NOOP("CommandWords", "money, cost, budget, spending, settings"),
    "settings.answers": QT_TRANSLATE_NOOP("CommandWords", "max tokens, temperature, longer, settings"),
    "settings.memory": QT_TRANSLATE_NOOP(
        "CommandWords", "profile, standard, dream, three tiers, settings, memory settings"
    ),
    "settings.window": QT_TRANSLATE_NOOP("CommandWords", "when to consolidate, number of messages, settings"),
    "settings.dream": QT_TRANSLATE_NOOP("CommandWords", "schedule, cron, hours, settings"),
    "settings.search": QT_TRANSLATE_NOOP("CommandWords", "embedding, semantic, vectors, settings"),
    "trust.show": QT_TRANSLATE_NOOP("CommandWords", "privacy, permissions, server, sent, data"),
    "settings.set_aside": QT_TRANSLATE_NOOP("CommandWords", "repair settings, reset settings"),
    "quit": QT_TRANSLATE_NOOP("CommandWords", "exit, close the window"),
    "edit.undo": QT_TRANSLATE_NOOP("CommandWords", "take back, revert, step back"),
    "edit.redo": QT_TRANSLATE_NOOP("CommandWords", "repeat, step forward"),
    "edit.selectAll": QT_TRANSLATE_NOOP("CommandWords", "mark all"),
    "search": QT_TRANSLATE_NOOP("CommandWords", "find, look for, all conversations"),
    "find": QT_TRANSLATE_NOOP("CommandWords", "search this page, look for"),
    "menu": QT_TRANSLATE_NOOP("CommandWords", "context menu, right click"),
    "conversation.rename": QT_TRANSLATE_NOOP("CommandWords", "title, name, rename chat"),
    "conversation.pin": QT_TRANSLATE_NOOP("CommandWords", "favourite, favorite, star, pin chat"),
    "conversation.discretion": QT_TRANSLATE_NOOP(
        "CommandWords", "private, privacy, incognito, temporary, reads memory"
    ),
    "conversation.temporary": QT_TRANSLATE_NOOP(
        "CommandWords", "incognito, private chat, temporary chat, off the record"
    ),
    "conversation.delete": QT_TRANSLATE_NOOP("CommandWords", "delete chat, remove, trash, discard, close"),
    "conversation.restore": QT_TRANSLATE_NOOP(
        "CommandWords", "undo deletion, undelete, trash, recycle bin, recover, bring back"
    ),
    "conversation.search": QT_TRANSLATE_NOOP("CommandWords", "find a chat, search chats"),
    "conversation.start_new": QT_TRANSLATE_NOOP("CommandWords", "clear, close chat, archive chat, reset"),
    "turn.edit": QT_TRANSLATE_NOOP("CommandWords", "change my message, correct, resend"),
    "turn.regenerate": QT_TRANSLATE_NOOP("CommandWords", "retry, again, try again, redo, rerun"),
    "turn.delete": QT_TRANSLATE_NOOP("CommandWords", "remove the last message, undo the last message, delete message"),
    "branch.before": QT_TRANSLATE_NOOP("CommandWords", "fork, previous version, other answer"),
    "branch.next": QT_TRANSLATE_NOOP("CommandWords", "fork, next version, other answer"),
    "conversation.attach": QT_TRANSLATE_NOOP(
        "CommandWords", "upload, picture, photo, attachment, paste image, document"
    ),
    "turn.stop": QT_TRANSLATE_NOOP("CommandWords", "cancel, abort, interrupt, pause"),
    "conversation.model": QT_TRANSLATE_NOOP("CommandWords", "switch model, llm"),
    "model": QT_TRANSLATE_NOOP(
        "CommandWords", "switch model, llm, provider, openai, ollama, lm studio, server, api key"
    ),
    "memory.save": QT_TRANSLATE_NOOP("CommandWords", "write, store"),
    "memory.consolidate": QT_TRANSLATE_NOOP("CommandWords", "summarize, remember now, compact, learn"),
    "memory.review": QT_TRANSLATE_NOOP("CommandWords", "suggestions, approve, accept, reject, pending"),
    "memory.review_all": QT_TRANSLATE_NOOP("CommandWords", "suggestions, approve, accept, reject, pending"),
    "memory.disagreements": QT_TRANSLATE_NOOP("CommandWords", "contradictions, conflicts, inconsistent"),
    "memory.changes": QT_TRANSLATE_NOOP(
        "CommandWords", "undo, undo a change of memory, restore, history, revert, diff, rollback"
    ),
    "memory.bring_back": QT_TRANSLATE_NOOP("CommandWords", "undo, undo taking back, withdrawn proposals, restore"),
    "capture.log": QT_TRANSLATE_NOOP("CommandWords", "captured, learned, undo a capture"),
    "capture.pause": QT_TRANSLATE_NOOP("CommandWords", "stop remembering, do not remember, turn off"),
    "capture.rules": QT_TRANSLATE_NOOP("CommandWords", "patterns, what is remembered"),
    "memory.travel": QT_TRANSLATE_NOOP("CommandWords", "time machine, past, earlier, before"),
    "memory.outline": QT_TRANSLATE_NOOP("CommandWords", "headings, table of contents, jump, go to"),
    "memory.check_spelling": QT_TRANSLATE_NOOP("CommandWords", "spell check, spellchecker, dictionary, typos"),
    "memory.spelling": QT_TRANSLATE_NOOP("CommandWords", "spell check, typo, correct"),
    "memory.who": QT_TRANSLATE_NOOP("CommandWords", "blame, author, source, where from"),
    "memory.forget": QT_TRANSLATE_NOOP("CommandWords", "delete memory, erase, remove a fact, privacy"),
    "memory.forgotten": QT_TRANSLATE_NOOP("CommandWords", "deleted, erased, receipts"),
    "memory.copy": QT_TRANSLATE_NOOP("CommandWords", "share, send to claude, export line"),
    "dream.run": QT_TRANSLATE_NOOP("CommandWords", "tidy memory, reflect, clean up"),
    "dream.stop": QT_TRANSLATE_NOOP("CommandWords", "cancel, abort"),
    "dream.profile": QT_TRANSLATE_NOOP("CommandWords", "switch memory system, turn on"),
    "dream.leave": QT_TRANSLATE_NOOP("CommandWords", "turn off Dream, standard memory"),
    "pane.timeline": QT_TRANSLATE_NOOP("CommandWords", "messages, what is remembered"),
    "pane.memory": QT_TRANSLATE_NOOP("CommandWords", "MEMORY.md, facts, notes, editor"),
    "pane.history": QT_TRANSLATE_NOOP("CommandWords", "HISTORY.md, log, entries"),
    "pane.prompt": QT_TRANSLATE_NOOP("CommandWords", "context, tokens, what is sent, system prompt"),
    "pane.dream": QT_TRANSLATE_NOOP("CommandWords", "reflection, journal"),
    "pane.health": QT_TRANSLATE_NOOP("CommandWords", "problems, duplicates, quality, check"),
    "view.conversations": QT_TRANSLATE_NOOP("CommandWords", "sidebar, list of chats, toggle sidebar"),
    "view.blame": QT_TRANSLATE_NOOP("CommandWords", "author, source, annotate"),
    "view.layout.chat": QT_TRANSLATE_NOOP("CommandWords", "focus, view"),
    "view.layout.edit": QT_TRANSLATE_NOOP("CommandWords", "editor, preview, side by side, view"),
    "view.layout.audit": QT_TRANSLATE_NOOP("CommandWords", "panes, view"),
    "view.maximise": QT_TRANSLATE_NOOP("CommandWords", "maximize, full screen, fullscreen, zoom pane, focus"),
    "view.reset": QT_TRANSLATE_NOOP("CommandWords", "default, panes, restore the layout"),
    "view.notifications": QT_TRANSLATE_NOOP("CommandWords", "alerts, sound, mute"),
    "view.theme": QT_TRANSLATE_NOOP("CommandWords", "dark mode, light mode, night, theme, appearance, colours, colors"),
    "zoom.in": QT_TRANSLATE_NOOP("CommandWords", "zoom in, bigger, font size, text size"),
    "zoom.out": QT_TRANSLATE_NOOP("CommandWords", "zoom out, font size, text size"),
    "zoom.reset": QT_TRANSLATE_NOOP("CommandWords", "zoom, 100 %, actual size, font size, text size"),
    "help.manual": QT_TRANSLATE_NOOP("CommandWords", "help, documentation, guide, how to"),
    "help.page": QT_TRANSLATE_NOOP("CommandWords", "help, documentation, guide"),
    "help.keys": QT_TRANSLATE_NOOP("CommandWords", "shortcuts, keyboard, hotkeys, key bindings, change a key"),
    "help.words": QT_TRANSLATE_NOOP("CommandWords", "glossary, terms, meaning"),
    "help.commands": QT_TRANSLATE_NOOP("CommandWords", "help, chat commands"),
    "help.news": QT_TRANSLATE_NOOP("CommandWords", "changelog, release notes, update"),
    "help.diagnostics": QT_TRANSLATE_NOOP("CommandWords", "doctor, debug, log, version, bug report, problems"),
    "help.about": QT_TRANSLATE_NOOP("CommandWords", "version, licence, license, help"),
}


def words_for(command: str) -> tuple[str, ...]:
    """Returns what people type for a command beside its name, in the window's language and in English. The id of a
    command is made of English words that name it too."""
    phrases = ""
    if command in _WORDS:
        translated = QCoreApplication.translate("CommandWords", str(_WORDS[command]))
        phrases = f"{translated},{_WORDS[command]}"
    named = command.replace(".", " ").replace("_", " ")
    every = f"{phrases},{named}".replace("\uff0c", ",").split(",")
    return tuple(dict.fromkeys(each.strip() for each in every if each.strip()))
