"""Parts of the window that know no core: the theme, bars, labels, sheets, lists.

Begin with `theme`, which knows how everything looks, and `notice_bar`, in which the window says what is wrong. Imports
Qt and files of `resources`; no other room of `ui`.
"""
