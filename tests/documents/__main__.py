"""`python -m tests.documents` writes the tables that are made from the code into the pages of the manual."""

from tests.documents.generated import MANUAL, settings_table, slash_table, with_table
from tests.documents.key_tables import PLACES, keys_table
from tests.documents.window_commands import window_table

TABLES = (
    ("settings", "settings", settings_table()),
    ("commands", "slash", slash_table()),
    ("commands", "window", window_table()),
    *((page, name, keys_table(page, tables)) for page, name, tables in PLACES),
)

for page, name, table in TABLES:
    path = MANUAL / f"{page}.md"
    path.write_text(with_table(path.read_text(encoding="utf-8"), name, table), encoding="utf-8")
