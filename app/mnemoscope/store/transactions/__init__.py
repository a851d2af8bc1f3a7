"""The files of a transaction: the intent, which is its commit point, the ledger of finished ones, and steps that move
files.

Begin with `intent`, then `ledger`; who does the steps is `memory/transactions`. May import `store.memory`,
`store.logs` and what stands below them.
"""
