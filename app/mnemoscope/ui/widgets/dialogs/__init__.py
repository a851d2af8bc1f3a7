"""The windows over a window: sheets, dialogs to read in, and questions that are awaited.

Begin with `question`, which asks a person something and never stops the loop; `screen_fit` keeps each window on its
screen. May import `notices`, `accessibility`, `menus`, `plain_tooltip` and `theme` of ui.widgets, and ui.translation.
"""
