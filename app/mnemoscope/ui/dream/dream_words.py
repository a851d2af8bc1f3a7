"""Puts runs, times and spending into the words of the Dream pane."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, QTime

from mnemoscope.domain.dream.run import DreamRun, DreamState, FileEdit, Spend
from mnemoscope.domain.llm import own_name
from mnemoscope.domain.settings import DREAM, THREE_TIER, Settings, is_built_in
from mnemoscope.ui.support.locale_words import in_words
from mnemoscope.ui.translation.core_words import core_words


def tr(text: str) -> str:
    """Translates within the pane's context."""
    return QCoreApplication.translate("Dream", text)


def unread_words(state: DreamState) -> str:
    """Returns how much there is to read."""
    if not state.waiting:
        return tr("Everything is dreamed") if state.runs else tr("No entry waits")
    return QCoreApplication.translate("Dream", "%n entries waiting", None, state.waiting)


def next_words(state: DreamState, now: datetime) -> str:
    """Returns when the next run comes, or why none does."""
    if state.blocked:
        return core_words(state.blocked)
    if not state.enabled:
        return tr("Switched off. Entries wait until it is switched on, or until you run it.")
    if state.paused:
        return tr("Paused. Entries wait until you resume, or run it.")
    if state.next_run is None:
        return tr("Runs when you ask for it.")
    words = tr("Next run {when}") if state.waiting else tr("Looks for entries {when}")
    return words.format(when=near_moment(state.next_run, now))


def introduction(settings: Settings) -> list[tuple[str, str]]:
    """Returns what Dream does, when, and what that costs: a heading and a sentence or two of each."""
    return [
        (
            tr("What it does"),
            tr(
                "Dream reads the history log, to which a conversation is summed up, and edits SOUL.md, USER.md and "
                "MEMORY.md line by line. What would drop a fact waits for your review. Each run can be undone."
            ),
        ),
        (tr("When"), _rhythm_words(settings)),
        (tr("What it costs"), _cost_words(settings)),
    ]


def without_dream(profile: str) -> str:
    """Returns how memory is kept instead of by Dream."""
    if profile == THREE_TIER:
        return tr("In this workspace nothing is summed up: memory is what is remembered from messages.")
    return tr("In this workspace each consolidation rewrites MEMORY.md instead.")


def _rhythm_words(settings: Settings) -> str:
    by_hand = tr("with Run now") if settings.profile == DREAM else tr("when you ask for it")
    if not settings.dream_enabled:
        return tr("Only {by_hand}: by itself it is switched off.").format(by_hand=by_hand)
    if settings.dream_cron:
        clock = tr("By the schedule {cron}").format(cron=settings.dream_cron)
    elif settings.dream_interval_hours == 1:
        clock = tr("Every hour")
    else:
        clock = tr("Every {hours} hours").format(hours=f"{settings.dream_interval_hours:,}")
    words = tr(
        "{clock} while the window is open, if entries wait; and {by_hand}. A conversation becomes an entry with /new, "
        "or when its prompt grows full."
    )
    return words.format(clock=clock, by_hand=by_hand)


def _cost_words(settings: Settings) -> str:
    model = settings.model_of_dream
    if is_built_in(model):
        return tr("Nothing: without a language model it goes by rules, on this computer.")
    words = tr("It asks {model}.")
    if settings.dream_day_tokens:
        words = tr("It asks {model}: by itself at most {limit} tokens a day.")
    return (
        words.format(model=own_name(model), limit=f"{settings.dream_day_tokens:,}")
        + " "
        + tr("What a run took stands on its record.")
    )


def near_moment(when: datetime, now: datetime) -> str:
    """Returns a moment as near as it is: `at 14:30`, `tomorrow at 08:00`, `on 4 May at 08:00`."""
    clock = QLocale().toString(QTime(when.hour, when.minute), QLocale.FormatType.ShortFormat)
    if when <= now + timedelta(minutes=1) and when.date() == now.date() and when >= now - timedelta(minutes=1):
        return tr("now")
    days = (when.date() - now.date()).days
    if days == 0:
        return tr("today at {time}").format(time=clock)
    if days == 1:
        return tr("tomorrow at {time}").format(time=clock)
    if days == -1:
        return tr("yesterday at {time}").format(time=clock)
    day = in_words(when.date(), tr("d MMMM"))
    return tr("on {day} at {time}").format(day=day, time=clock)


def exact(when: str) -> str:
    """Returns an ISO 8601 time in full, for a tooltip."""
    found = QDateTime.fromString(when[:19], "yyyy-MM-ddTHH:mm:ss")
    return QLocale().toString(found, QLocale.FormatType.LongFormat) if found.isValid() else when


def run_outcome_words(run: DreamRun) -> str:
    """Returns how a run ended, in a word or two."""
    return {
        "changed": tr("Memory changed"),
        "held": tr("Waits for you"),
        "nothing": tr("Nothing to keep"),
        "stopped": tr("Stopped"),
        "failed": tr("Failed"),
        "cut": tr("Cut off"),
        "stuck": tr("Got nowhere"),
        "capped": tr("Limit reached"),
        "unusable": tr("No usable answer"),
    }[run.outcome]


def outcome_icon(run: DreamRun) -> tuple[str, str]:
    """Returns the icon of how it ended, and the theme's role for its colour."""
    return {
        "changed": ("circle-check", "success"),
        "held": ("eye", "warning"),
        "failed": ("circle-alert", "danger"),
        "cut": ("circle-alert", "danger"),
        "unusable": ("circle-alert", "danger"),
        "stuck": ("triangle-alert", "warning"),
        "capped": ("triangle-alert", "warning"),
    }.get(run.outcome, ("circle", "text_faint"))


def undone_words(run: DreamRun) -> str:
    """Returns the words for a run that was taken back since, with what became of its entries."""
    return {
        "": "",
        "again": tr("Taken back; its entries were to be dreamed again."),
        "declined": tr("Taken back; its entries count as declined."),
    }[run.undone]


def facts_words(run: DreamRun) -> str:
    """Returns which entries it read, how long it took and what it cost."""
    entries = tr("entry {first}") if run.first == run.last else tr("entries {first} to {last}")
    span = entries.format(first=run.first, last=run.last)
    parts = [tr("{entries}, in part").format(entries=span) if run.begun or run.rest else span, duration(run.seconds)]
    if run.spend.tokens:
        parts.append(spend_words(run.spend))
    return " · ".join(parts)


def spend_words(spend: Spend) -> str:
    """Returns the tokens, and the money where it is known."""
    tokens = tr("{count} tokens").format(count=f"{spend.tokens:,}")
    return f"{tokens}, ${spend.money:.4f}" if spend.money else tokens


def today_words(spent: Spend, limit: int) -> str:
    """Returns what today's runs took, of how much they may; "" where nothing."""
    if not spent.tokens:
        return ""
    words = tr("Today: {spend}; at most {limit} tokens a day by itself") if limit else tr("Today: {spend}")
    return words.format(spend=spend_words(spent), limit=f"{limit:,}")


def duration(seconds: float) -> str:
    """Returns `0.4 s`, `12 s`, `3 min 20 s`."""
    if seconds < 0.05:
        return tr("under {count} s").format(count=QLocale().toString(0.1, "f", 1))
    if seconds < 10:
        return tr("{count} s").format(count=QLocale().toString(seconds, "f", 1))
    if seconds < 60:
        return tr("{count} s").format(count=round(seconds))
    return tr("{minutes} min {seconds} s").format(minutes=int(seconds) // 60, seconds=int(seconds) % 60)


def edit_words(edit: FileEdit) -> str:
    """Returns `MEMORY.md +2 −1 lines`, with a word where it waits for the person."""
    name = edit.path.rpartition("/")[2] if not edit.path.startswith("skills/") else edit.path
    counts = tr("+{added} −{removed} lines").format(added=edit.added, removed=edit.removed)
    return (
        tr("{name} {counts}, waiting for review").format(name=name, counts=counts) if edit.held else f"{name} {counts}"
    )
