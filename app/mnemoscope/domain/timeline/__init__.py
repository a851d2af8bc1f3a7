"""The timeline's rows are computed, not stored, and its filter finds messages in small steps.

Begin with `rows`. It imports `conversation` and `memory` of the domain.
"""
