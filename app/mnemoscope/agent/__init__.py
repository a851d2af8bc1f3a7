"""The assistant: prompt building, the turn loop, tools and slash commands."""
