"""Says in plain words where a folder's words go, and what in it a person has not agreed to yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from mnemoscope.domain.settings import Settings
from mnemoscope.domain.trust import ChangedTerm, TrustState, Use, is_instructing
from mnemoscope.llm.destination import Destination, destinations

_NAMED: Final = 3
"""Settings that a sentence names; of more it tells the number. Instructions are always named."""
_LIMITS: Final = frozenset({"dream_max_tokens", "dream_day_tokens", "spending_limit"})
_MODELS: Final = frozenset({"model", "api_base", "background_model", "dream_model", "embedding_model"})


def _place_words(place: Destination, *, brief: bool = False) -> str:
    """Returns where words go, as the chip at the composer says it; `brief`: where it has little room."""
    if place.kind == "built-in":
        return _tr("this computer")
    if place.kind == "this computer":
        return _tr("local server") if brief else _tr("a server on this computer")
    if place.kind == "nowhere":
        return _tr("nobody: {model} only searches").format(model=place.name)
    return place.name if place.kind != "unclear" else _tr("an address that cannot be told")


def chip_words(settings: Settings, *, waits: bool, brief: bool = False) -> str:
    """Returns where words go with these settings, in few words; `brief`: in fewer still."""
    found = destinations(settings)
    answers = _place_words(found.get("model", Destination("built-in")), brief=brief)
    parts = [answers]
    uses = {
        "background_model": _tr("background: {place}"),
        "dream_model": _tr("Dream: {place}"),
        "embedding_model": _tr("search: {place}"),
    }
    for name, use in uses.items():
        if name in found and (words := _place_words(found[name], brief=brief)) != answers:
            parts.append(use.format(place=words))
    if not waits:
        return " · ".join(parts)
    # Where the built-in model answers, or none, only what stands behind it waits.
    free = [] if _leaves(found.get("model")) else [parts.pop(0)]
    return " · ".join([*free, _tr("{place}, once you agree").format(place=" · ".join(parts))])


def stay_words(state: TrustState) -> str:
    """Returns what the button says that takes all of it out of the settings."""
    is_answered = Use.ANSWERS in state.uses
    return _tr("Use the built-in model instead") if is_answered else _tr("Keep everything on this computer")


def whole_words(settings: Settings, *, waits: bool) -> str:
    """Returns in sentences, with addresses, which words go where with these settings. `waits`: not before the person
    agrees."""
    found = destinations(settings)
    uses = {
        "model": _tr("Your messages, with what is remembered, go to {place}."),
        "background_model": _tr("Messages that are consolidated go, with memory, to {place}."),
        "dream_model": _tr("Dream sends the history log and the memory files to {place}."),
        "embedding_model": _tr("Everything that is searched by meaning goes to {place}."),
    }
    sentences = [uses[name].format(place=_with_address(place)) for name, place in found.items() if _leaves(place)]
    unable = {
        "model": _tr("“{model}” only searches by meaning and answers nothing: your messages are sent to nobody."),
        "dream_model": _tr("“{model}” only searches by meaning: Dream sends nothing, and cannot run with it."),
    }
    sentences += [unable[name].format(model=place.name) for name, place in found.items() if place.kind == "nowhere"]
    if "model" not in found:
        sentences.insert(0, _tr("The built-in model answers: your messages stay on this computer."))
    for place in found.values():
        sentences += [sentence for sentence in _warnings_of(place) if sentence not in sentences]
    if waits:
        sentences.append(_tr("Nothing is sent before you agree."))
    return " ".join(sentences)


def _leaves(place: Destination | None) -> bool:
    """Returns whether words leave the program for this place."""
    return place is not None and place.kind not in {"built-in", "nowhere"}


def _warnings_of(place: Destination) -> list[str]:
    """Returns what is worth knowing of an address that looks like another."""
    found = []
    if place.user:
        words = _tr("“{user}” is not where this goes: it stands before the @ and is only a user name.")
        found.append(words.format(user=place.user))
    if "xn--" in place.name:
        found.append(
            _tr("The host is written in letters of another alphabet; {host} is what it is looked up as.").format(
                host=place.name
            )
        )
    if place.kind == "this computer":
        found.append(_tr("A server on this computer can hand words on."))
    if place.kind == "unclear":
        found.append(_tr("Its address could be read in several ways, so nothing is sent there."))
    return found


def notice_words(settings: Settings, state: TrustState) -> str:
    """Returns the sentences of the bar: what the folder would do, and that it does not yet."""
    leaving = filter(_leaves, destinations(settings).values())
    places = _tr(" and ").join(dict.fromkeys(map(_place_words, leaving)))
    if state.is_new:
        sentences = [_sent_words(state)]
        covered = {"model", "api_base"} if Use.ANSWERS in state.uses else _MODELS
        others = [change for change in state.changes if change.name not in covered]
        if others:
            sentences.append(_tr("The folder also decides {things}."))
    else:
        others = list(state.changes)
        sentences = [_tr("This was set outside this window, and you have not agreed to it yet: {things}.")]
        if any(change.name in _MODELS for change in others):
            sentences.append(_tr("Words would go to {places}."))
    sentences.append(_waiting_words(state))
    return " ".join(sentences).format(places=places, things=_things_words(others))


def _sent_words(state: TrustState) -> str:
    """Returns what the settings send, and where to, as `{places}`."""
    if Use.ANSWERS in state.uses:
        return _tr("The settings in this folder send what you write, and what is remembered, to {places}.")
    if Use.BACKGROUND in state.uses:
        return _tr("The settings in this folder send what is done in the background to {places}.")
    if Use.DREAM not in state.uses:
        return _tr("The settings in this folder send everything that is searched by meaning to {places}.")
    if Use.SEARCH not in state.uses:
        return _tr("The settings in this folder have Dream send the history log and the memory files to {places}.")
    return _tr(
        "The settings in this folder send what Dream reads, and everything that is searched by meaning, to {places}."
    )


def _waiting_words(state: TrustState) -> str:
    """Returns what waits for the person, and what goes on."""
    if state.waits(Use.ANSWERS) and not state.waits(Use.DREAM):
        return _tr("Nothing is sent until you say so; everything can be read meanwhile.")
    if state.waits(Use.ANSWERS):
        return _tr("Nothing is sent, and Dream waits, until you say so; everything can be read meanwhile.")
    if state.waits(Use.BACKGROUND):
        return _tr("What is done in the background waits until you say so; the built-in model answers meanwhile.")
    if not state.waits(Use.DREAM):
        return _tr("Search by meaning waits until you say so; the built-in model answers, and words are searched.")
    if not state.waits(Use.SEARCH):
        return _tr("Dream waits until you say so; the built-in model answers meanwhile.")
    return _tr("Dream and search by meaning wait until you say so; the built-in model answers meanwhile.")


def changed_words(before: TrustState, now: TrustState) -> str:
    """Returns what of a folder was changed between two looks at it, in a sentence; "" where nothing was."""
    known = {change.name: change for change in before.changes}
    other = [change for change in now.changes if known.pop(change.name, None) != change]
    if things := _things_words([*other, *known.values()]):
        return _tr("The folder was changed a moment ago, and this is how it is now. Changed: {things}.").format(
            things=things
        )
    return ""


def changed_term_words(change: ChangedTerm) -> tuple[str, str]:
    """Returns what a change is about, and what is said of it: as it is now, and as it was agreed to before."""
    about = _thing(change)
    about = about[:1].upper() + about[1:]
    if change.is_file:
        return about, _tr("comes with this folder") if change.before is None else _tr("changed since you agreed")
    if isinstance(change.now, bool):
        return about, _tr("yes")
    now = _value(change.name, change.now)
    if change.before is None:
        return about, now
    return about, _tr("{now}, before: {before}").format(now=now, before=_value(change.name, change.before))


def _value(name: str, value: object) -> str:
    if name == "api_base" and not value:
        return _tr("the provider's own")
    return _tr("no limit") if name in _LIMITS and not value else str(value)


def _with_address(place: Destination) -> str:
    words = _place_words(place)
    return f"{words} ({place.address})" if place.address else words


def _thing(change: ChangedTerm) -> str:
    """Returns what a change is about, as the object of a sentence."""
    if change.is_file:
        return _file_words(change.name)
    return {
        "model": _tr("the model that answers"),
        "api_base": _tr("the server address"),
        "background_model": _tr("the model of the background"),
        "dream_model": _tr("Dream's model"),
        "embedding_model": _tr("the model that searches by meaning"),
        "exec_enabled": _tr("that the assistant may ask to run commands"),
        "dream_by_itself": _tr("that Dream runs by itself, which spends tokens"),
        "dream_interval_hours": _tr("the hours between runs of Dream"),
        "dream_cron": _tr("when Dream runs"),
        "dream_batch": _tr("the entries in one run of Dream"),
        "dream_rounds": _tr("the rounds of one run of Dream"),
        "dream_max_tokens": _tr("the tokens of one run of Dream"),
        "dream_day_tokens": _tr("the tokens of Dream in a day"),
        "spending_limit": _tr("how many US dollars a day may cost"),
        "idle_compact_minutes": _tr("after how many minutes an idle conversation is summed up"),
    }.get(change.name, change.name)


def _things_words(changes: Sequence[ChangedTerm]) -> str:
    """Returns what changes are about, in a row: every file of instructions, and of the settings the first few."""
    named = [_thing(change) for change in changes if not change.is_file]
    more = len(named) - _NAMED
    if more > 1:
        named = [*named[:_NAMED], QCoreApplication.translate("TrustWords", "%n more settings", None, more)]
    places = dict.fromkeys(_instructions_place(change.name, changes) for change in changes if change.is_file)
    return ", ".join([*named, *map(_file_words, places)])


def _file_words(path: str) -> str:
    """Returns what is said of a file: that it instructs, or that a link leads out of the folder to it."""
    words = _tr("the instructions in {file}") if is_instructing(path) else _tr("that {file} lies outside the folder")
    return words.format(file=path)


def _instructions_place(path: str, changes: Sequence[ChangedTerm]) -> str:
    """Returns what a file of instructions is called: of several in one skill, that skill's folder stands for all."""
    kind, _, rest = path.partition("/")
    home = f"{kind}/{rest.partition('/')[0]}/"
    beside = [change for change in changes if change.is_file and change.name.startswith(home)]
    return home if kind == "skills" and len(beside) > 1 else path


def _tr(text: str) -> str:
    return QCoreApplication.translate("TrustWords", text)
