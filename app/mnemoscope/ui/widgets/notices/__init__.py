"""The bars in which the window says what happened, what is safe and what to do next.

Begin with `notice_bar`, one bar; `notice_stack` holds the bars of a pane. It may import `ui.widgets.accessibility`,
`ui.widgets.elided_label`, `ui.widgets.plain_tooltip`, `ui.widgets.single_press`, `ui.widgets.square_button`,
`ui.widgets.text`, `ui.widgets.theme` and `ui.translation`.
"""
