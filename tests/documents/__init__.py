"""The tables of the manual that are made from the code. `python -m tests.documents` writes them into the pages."""
