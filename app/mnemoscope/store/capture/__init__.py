"""The files of capture: rules, the person's own and those that ship, and SESSION-STATE.md.

Begin with `rules`. May import `store.memory` and what stands below it.
"""
