"""The stores of other agents, read and never written to: no lock, no index, no file of ours lies in them.

Begin with `store_formats`, which lists the formats and opens a store, and with `domain.foreign.foreign_store`, the
port; `agents` holds the stores of conversations, `notes` those of memory alone, `exports` the files that an assistant
hands out, and `reading` what reads a file that another program writes. May import `store.files` and the domain.
"""
