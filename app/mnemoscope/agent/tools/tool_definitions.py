"""What a model is told of the six tools, apart from the tools: a prompt that is only shown needs no more."""

from __future__ import annotations

from typing import Final

from mnemoscope.agent.tools.tool import function_schema, workspace_path
from mnemoscope.domain.llm import ToolSchema

MOST_HITS: Final = 40
_WHOLE_NUMBER: Final = {"type": "integer", "minimum": 1}

READ_FILE: Final[ToolSchema] = function_schema(
    "read_file",
    "Read a text file of the workspace. Long files come back with the middle left out; ask for a range of lines.",
    {"path": workspace_path("The file")},
    first_line=_WHOLE_NUMBER,
    line_count=_WHOLE_NUMBER,
)
LIST_FILES: Final[ToolSchema] = function_schema(
    "list_files",
    "List the names in one folder of the workspace. Without a folder: the workspace itself.",
    {},
    folder=workspace_path("The folder"),
)
WRITE_FILE: Final[ToolSchema] = function_schema(
    "write_file",
    "Create a text file of the workspace, or replace all of it.",
    {"path": workspace_path("The file"), "content": {"type": "string"}},
)
EDIT_FILE: Final[ToolSchema] = function_schema(
    "edit_file",
    "Replace one passage of a text file. `old_text` has to occur exactly once; quote enough around it.",
    {"path": workspace_path("The file"), "old_text": {"type": "string"}, "new_text": {"type": "string"}},
)
SEARCH_MEMORY: Final[ToolSchema] = function_schema(
    "search_memory",
    "Search the history log and the memory files for words. Use it before saying that something is not known.",
    {"query": {"type": "string", "description": "A few telling words"}},
    limit={"type": "integer", "minimum": 1, "maximum": MOST_HITS},
)
EXEC: Final[ToolSchema] = function_schema(
    "exec",
    "Run one program in the workspace folder, with no shell: no pipes, no redirection. The person is asked first. "
    "It has no network, and may write only inside folders of the workspace other than memory and skills.",
    {"argv": {"type": "array", "items": {"type": "string"}, "description": 'Such as ["wc", "-l", "notes.md"]'}},
)

STANDARD: Final[tuple[ToolSchema, ...]] = (READ_FILE, WRITE_FILE, EDIT_FILE, LIST_FILES, SEARCH_MEMORY, EXEC)
