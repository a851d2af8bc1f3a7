"""The windows over a window: sheets, dialogs to read in, and questions that are awaited.

Begin with `question`, which asks a person something and never stops the loop; `screen_fit` keeps each window on its
screen. It may import `ui.widgets.accessibility`, `ui.widgets.menus`, `ui.widgets.plain_tooltip`, `ui.widgets.theme` and
`ui.translation`.
"""
