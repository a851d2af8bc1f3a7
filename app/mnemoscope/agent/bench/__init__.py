"""The benchmark of what a memory keeps: one protocol, the corpora that are shipped, and the systems that are tried.

Begin with `protocol`, which any memory system can implement; `scoring` tries one on the corpora, `profiles` has ours,
and `peers` starts nanobot and Qanot in their own environments. Of the rest of the agent it imports `commits`.
"""
