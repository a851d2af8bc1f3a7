"""Stores that keep memory and no conversations: MemFS of Letta, notes of basic-memory, the reference server of MCP."""

from __future__ import annotations

import json
from pathlib import Path


def written(root: Path, files: dict[str, str]) -> Path:
    """Returns a folder with such files in it."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def make_letta(root: Path) -> Path:
    """Returns the memory folder of an agent of Letta."""
    (root / ".git").mkdir(parents=True)
    (root / "system" / "logo.png").parent.mkdir()
    (root / "system" / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    return written(
        root,
        {
            ".git/HEAD": "ref: refs/heads/main\n",
            ".sync-state.json": "{}",
            "system/human.md": "---\ndescription: About the person\nlimit: 5000\n---\n- Runs a pottery\n- Likes tea\n",
            "system/project/shop.md": "---\ndescription: The shop\nread_only: true\n---\nOpens before Christmas.\n",
            "reference/glazes.md": "---\ndescription: Glazes\n---\n# Glazes\n\n* celadon\n",
            "skills/firing/SKILL.md": "---\nname: firing\ndescription: How to fire\n---\n1. Load\n2. Fire\n",
            "notes.md": "Plain.\n",
            "data/stock.csv": "code,count\nMUG,3\n",
        },
    )


def make_basic_memory(root: Path) -> Path:
    """Returns a folder of notes of basic-memory."""
    coffee = (
        "---\ntitle: Coffee\ntype: guide\ntags: [coffee, brewing]\npermalink: coffee\nrating: 5\n---\n"
        "# Coffee\n\nWords before.\n\n"
        "- [method] Pour over brings out more #brewing (from Tom)\n- [tip] Grind fine\n"
        "- [ ] a task\n- [x] a task that is done\n- [a link](http://example.org) to nowhere\n- plain\n"
        "- relates_to [[Tea]]\n- is better than [[Instant Coffee]] (mostly)\n- [[Water]]\n"
        "```\n- [code] not read\n```\n"
    )
    return written(
        root,
        {
            "Coffee.md": coffee,
            "drinks/Tea.md": "---\ntitle: Tea\npermalink: drinks/tea\n---\n- [taste] Grassy\n",
            "plain.md": "Only words.\n",
            ".obsidian/app.json": "{}",
        },
    )


def make_mcp_memory(root: Path, name: str = "memory.jsonl") -> Path:
    """Returns the folder of the reference server's file."""
    lines = [
        {"type": "entity", "name": "Ann", "entityType": "person", "observations": ["Runs a pottery", "Likes tea"]},
        {"type": "entity", "name": "Mill", "entityType": "place", "observations": []},
        {"type": "relation", "from": "Ann", "to": "Mill", "relationType": "works in"},
    ]
    return written(root, {name: "".join(json.dumps(line) + "\n" for line in lines)})
