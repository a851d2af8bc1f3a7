"""Serves a workspace's memory over the Model Context Protocol, on standard input and output.

The one module that imports the protocol's package, `mcp`, which comes with the extra of that name; `agent/cli` imports
it when it is asked for. Protocol: https://modelcontextprotocol.io/specification.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from mnemoscope import __version__
from mnemoscope.agent.mcp.shared_memory import SharedMemory
from mnemoscope.agent.mcp.tool_calls import SERVER_INSTRUCTIONS, TOOLS
from mnemoscope.domain.errors import MnemoscopeError
from mnemoscope.store.forgetting.tombstone_key import TombstoneKey
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.program_folders import ProgramFolders

_ENDINGS: Final = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_MEMORY: Final = "mnemoscope://memory"
_HISTORY: Final = "mnemoscope://history"
_RESOURCES: Final[Mapping[str, tuple[str, str, Callable[[SharedMemory], str]]]] = {
    _MEMORY: ("MEMORY.md", "What the person's assistant knows.", SharedMemory.memory),
    _HISTORY: ("History", "What happened, the newest last.", SharedMemory.history),
}


def serve_workspace(root: Path) -> None:
    """Serves until standard input ends, or a signal says so."""
    keychain = Keychain()
    forgotten = TombstoneKey(keychain, ProgramFolders.of_this_person().state)
    memory = SharedMemory(root, keys=keychain.secrets, tombstone_key=forgotten)

    def end(*_: object) -> None:
        memory.abandon()
        os._exit(0)

    # Callers end their servers so, and do not wait long: the copy of what was said that the index is does not stay.
    for name in _ENDINGS:
        signal.signal(getattr(signal, name), end)
    try:
        asyncio.run(_serve(memory))
    finally:
        memory.close()


async def _serve(memory: SharedMemory) -> None:
    server = _server_of(memory)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _server_of(memory: SharedMemory) -> Any:
    """Returns the protocol's server with the tools and resources of one workspace."""

    async def list_tools(_context: Any, _params: Any) -> Any:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=dict(tool.schema),
                    annotations=types.ToolAnnotations(
                        read_only_hint=tool.is_reading, destructive_hint=False, open_world_hint=False
                    ),
                )
                for tool in TOOLS.values()
            ]
        )

    async def call_tool(context: Any, params: Any) -> Any:
        tool = TOOLS.get(params.name)
        if tool is None:
            return _answer(f"There is no such tool. There are: {', '.join(TOOLS)}.", is_error=True)
        try:
            return _answer(await asyncio.to_thread(tool.call, memory, params.arguments, _caller(context)))
        except MnemoscopeError as error:
            return _answer(str(error), is_error=True)

    async def list_resources(_context: Any, _params: Any) -> Any:
        return types.ListResourcesResult(
            resources=[
                types.Resource(uri=uri, name=name, description=words, mime_type="text/markdown")
                for uri, (name, words, _) in _RESOURCES.items()
            ]
        )

    async def read_resource(_context: Any, params: Any) -> Any:
        uri = str(params.uri)
        found = _RESOURCES.get(uri)
        if found is None:
            text = f"There is no such resource. There are: {', '.join(_RESOURCES)}."
        else:
            try:
                text = await asyncio.to_thread(found[2], memory)
            except MnemoscopeError as error:
                text = str(error)
        contents = types.TextResourceContents(uri=uri, mime_type="text/markdown", text=text)
        return types.ReadResourceResult(contents=[contents])

    return Server(
        "mnemoscope",
        version=__version__,
        title="Mnemoscope memory",
        instructions=SERVER_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _answer(text: str, *, is_error: bool = False) -> Any:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)


def _caller(context: Any) -> str:
    """Returns the name that the program gives itself, "" where it gives none."""
    params = context.session.client_params
    return str(params.client_info.title or params.client_info.name) if params is not None else ""
