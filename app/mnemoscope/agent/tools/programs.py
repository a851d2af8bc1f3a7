"""Which program a command's first word means, found before the person is asked, so that they see what would run."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.agent.tools.bubblewrap import SYSTEM_PATH, is_of_the_system
from mnemoscope.agent.tools.path_rules import parts_of, shown
from mnemoscope.agent.tools.sandboxed_files import Beneath
from mnemoscope.domain.errors import ToolError


@dataclass(frozen=True, slots=True)
class Program:
    """An absolute path. `digest`: of its content where it is a file of the workspace, which a tool may change."""

    path: str
    digest: str = ""


def find_program(word: str, files: Beneath) -> Program:
    """The program a word means: a bare name is one of the system, `./name` a file of the workspace.

    Raises ToolError where there is none, PathRefused for a path into something protected.
    """
    if "/" not in word:
        return _of_the_system(word, shutil.which(word, path=SYSTEM_PATH))
    if os.path.isabs(word):
        normal = os.path.normpath(word)
        is_allowed = is_of_the_system(Path(normal)) and is_of_the_system(Path(os.path.realpath(normal)))
        return _of_the_system(word, shutil.which(normal) if is_allowed else None)
    relative = word.removeprefix("./")
    content = files.read(relative)
    path = files.root.joinpath(*parts_of(relative))
    if not os.access(path, os.X_OK):
        raise ToolError(f"“{shown(word)}” may not be executed.", next_step="Name the program that is to read it first.")
    return Program(str(path), hashlib.sha256(content).hexdigest())


def _of_the_system(word: str, path: str | None) -> Program:
    if path is None:
        sentence = f"There is no program “{shown(word)}” among those of the system."
        raise ToolError(sentence, next_step="Name another, or one of the workspace as ./name.", program=word)
    return Program(path)
