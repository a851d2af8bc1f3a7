"""The bars in which the window says what happened, what is safe and what to do next.

Begin with `notice_bar`, one bar; `notice_stack` holds the bars of a pane. May import `text`, `accessibility`,
`elided_label`, `plain_tooltip`, `single_press`, `square_button` and `theme` of ui.widgets, and ui.translation.
"""
