"""What the model process may know of the environment: enough to reach the network, none of the keys."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import mnemoscope

LOCAL: Final = "local"
"""The argument that makes a model process that of the embedding model of this computer."""
_NAMES: Final = frozenset(
    {
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH",
        "VIRTUAL_ENV", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "XDG_CACHE_HOME",
        "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
        "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
    }
)  # fmt: skip
_PREFIXES: Final = ("LC_", "AWS_", "GOOGLE_", "VERTEX", "AZURE_")
"""The last four sign in to clouds that have no single key."""
_HERE: Final = "127.0.0.1,localhost,::1"


def child_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment reduced to what is needed; a proxy never stands between this computer and itself."""
    kept = {
        name: value
        for name, value in environment.items()
        if (name.upper() in _NAMES or name.startswith(_PREFIXES)) and not name.endswith("_API_KEY")
    }
    for name in ("NO_PROXY", "no_proxy"):
        kept[name] = ",".join(part for part in (kept.get(name, ""), _HERE) if part)
    kept["PYTHONPATH"] = str(Path(mnemoscope.__file__).resolve().parents[2])
    kept["PYTHONDONTWRITEBYTECODE"] = environment.get("PYTHONDONTWRITEBYTECODE", "")
    return kept
