"""Conversations are taken out of the workspace: as Markdown, as one page of HTML, or as their own records.

Begin with `exporter`; `exported_conversation` says what of a conversation is told and in which order, `markdown_export`
and `html_export` write that. It imports the store and the domain, and nothing else of the agent.
"""
