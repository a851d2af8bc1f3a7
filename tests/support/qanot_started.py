"""Runs in Qanot's own environment: its start as far as Telegram, in its own order, and one turn of its agent.

`qanot_started.py CONFIG USER WORDS` prints the answer as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys

from qanot.agent import Agent  # type: ignore[import-not-found]
from qanot.backup import backup_workspace  # type: ignore[import-not-found]
from qanot.config import load_config  # type: ignore[import-not-found]
from qanot.context import ContextTracker  # type: ignore[import-not-found]
from qanot.main import _create_provider  # type: ignore[import-not-found]
from qanot.registry import ToolRegistry  # type: ignore[import-not-found]
from qanot.session import SessionWriter  # type: ignore[import-not-found]
from qanot.tools.builtin import register_builtin_tools  # type: ignore[import-not-found]
from qanot.tools.workspace import init_workspace  # type: ignore[import-not-found]


async def main() -> None:
    config = load_config(sys.argv[1])
    init_workspace(config.workspace_dir)
    backup_workspace(config.workspace_dir)
    context = ContextTracker(max_tokens=200_000, workspace_dir=config.workspace_dir)
    tools = ToolRegistry()
    register_builtin_tools(tools, config.workspace_dir, context)
    session = SessionWriter(config.sessions_dir)
    provider = _create_provider(config)
    agent = Agent(config=config, provider=provider, tool_registry=tools, session=session, context=context)
    agent.load_skills(config.workspace_dir)
    print(json.dumps(await agent.run_turn(sys.argv[3], user_id=sys.argv[2])))


asyncio.run(main())
