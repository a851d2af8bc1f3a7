"""Holds what controllers of several panes share: the core's events as Qt signals, drafts, tasks, the window's ports.

Begin with `window_ports`: what a pane may ask of the window around it, as protocols. It may import `ui.widgets`,
`ui.translation` and the core.
"""
