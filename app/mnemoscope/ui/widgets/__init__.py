"""Parts of the window that know no core: the theme, bars, labels, sheets, lists.

Begin with `theme`, which knows how everything looks, and the room `notices`, in which the window says what is wrong;
`dialogs` is what opens over a window, `lists` what lists are made of, `text` what Qt makes of text, and `accessibility`
what the keyboard and a screen reader need. It may import `ui.translation`, and `store.files.shipped` alone of what
stands below the window.
"""
