"""The text of one memory file: its source with gutter and search, the preview beside it, and the state of the text.

Begin with `source_and_preview`; `working_copy` decides what becomes of the text when somebody else wrote the file. May
import ui.memory.versions (words of a version, for the gutter), ui.markdown, ui.support, ui.widgets and the domain.
"""
