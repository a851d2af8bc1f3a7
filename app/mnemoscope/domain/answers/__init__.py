"""A model's answer is read: the object that was asked for, found in whatever it wrote, and what in it is no answer.

Begin with `answer_reading`; `answer_cleanup` takes out what no file of words holds, `repetition` sees a writer caught
in a circle, `error_pages` a server that fails. It imports `llm`, `memory` and the rooms below those.
"""
