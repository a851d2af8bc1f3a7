"""Dream beside the conversation: by its clock or by hand, one run at a time, stopped, paused and taken back.

Begin with `dreaming`; `dream_runner` runs batch after batch. It may import commits and what stands below them; what a
run reads and writes is memory's.
"""
