"""The tour: a story that drives the real window by keys and clicks and leaves a picture of each scene.

Begin with `story`, which lists the chapters in `scenes`; `stage` and `driver` are their hands and eyes. It may import
every room of `ui` that it looks at, and the core.
"""
