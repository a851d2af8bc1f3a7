"""The window's words in another language: its own, read from Qt Linguist's source files, and the sentences of the core.

Begin with `translation`, which reads the files and hands their words to Qt, or with `core_words`, which finds a
sentence of the core again by its template and says it in the window's language. It may import the core.
"""
