"""The stores of other agents, read and never written to: no lock, no index, no file of ours lies in them.

Begin with `catalog`, which lists the formats and opens a store, and with `domain.foreign.store`, the port. Each
format is one module. May import `files` and the domain.
"""
