"""What the controllers of several panes share: the core's events as Qt signals, drafts, tasks, the ports of the window.

Begin with `window_ports`: what a pane may ask of the window around it, as protocols. Imports `widgets` and the core.
"""
