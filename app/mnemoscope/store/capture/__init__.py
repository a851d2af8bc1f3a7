"""The files of capture: rules, the person's own and those that ship, and SESSION-STATE.md.

Begin with `rule_files`. May import `store.memory` and what stands below it.
"""
