"""Programs outside: the Model Context Protocol's own client, in an environment that holds nothing else.

Reads a JSON list from standard input, an object for each client: `command` and `environment` of its own server, the
`name` and `title` that the client gives itself, the `mode` (`legacy` shakes hands as programs did before 2026-07-28)
and what it `asks`, each a list of `tool`, `resource`, `tools` or `resources` and its arguments. All are at work at the
same time. Prints a JSON list of the answers for each client.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import Implementation


async def ask(client: Any, kind: str, *arguments: Any) -> Any:
    """Returns the answer to one question, as plain values."""
    if kind == "tools":
        listed = await client.list_tools()
        return [[each.name, each.annotations.read_only_hint, each.input_schema] for each in listed.tools]
    if kind == "resources":
        return [each.uri for each in (await client.list_resources()).resources]
    if kind == "resource":
        return (await client.read_resource(arguments[0])).contents[0].text
    answer = await client.call_tool(*arguments)
    return [answer.is_error, answer.content[0].text]


async def main(jobs: list[dict[str, Any]]) -> list[list[Any]]:
    """Returns the answers of each client, in the order of the clients."""
    return await asyncio.gather(*(answers_of(job) for job in jobs))


async def answers_of(job: dict[str, Any]) -> list[Any]:
    """Returns the answers to all that the job asks, of one server process."""
    command, *arguments = job["command"]
    server = StdioServerParameters(command=command, args=arguments, env=job["environment"])
    known_as = Implementation(name=job["name"], title=job["title"], version="1")
    async with Client(server, client_info=known_as, mode=job["mode"]) as client:
        return [await ask(client, *each) for each in job["asks"]]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(json.load(sys.stdin)))))
