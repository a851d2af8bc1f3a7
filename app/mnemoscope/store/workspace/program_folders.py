"""Names the folders in which the program keeps what belongs to the person and to no workspace."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs


@dataclass(frozen=True, slots=True)
class ProgramFolders:
    """Holds the folders for the window's settings, the sample, state and the log, as the system has them."""

    config: Path
    data: Path
    state: Path
    log: Path

    @classmethod
    def of_this_person(cls) -> ProgramFolders:
        """Returns the folders of whoever runs the program; nothing is made."""
        folders = PlatformDirs("mnemoscope", appauthor=False)
        return cls(
            Path(folders.user_config_dir),
            Path(folders.user_data_dir),
            Path(folders.user_state_dir),
            Path(folders.user_log_dir),
        )

    @property
    def log_file(self) -> Path:
        """Returns the file of the program's log."""
        return self.log / "mnemoscope.log"

    @property
    def trusted(self) -> Path:
        """Returns the folder that tells which workspaces the person agreed to."""
        return self.state / "trusted-folders"

    @property
    def beyond_workspaces(self) -> tuple[Path, ...]:
        """Returns the folders of what the program keeps of no workspace, such as its log and what is derived of other
        agents; none of them lies in another."""
        folders = dict.fromkeys((self.config, self.state, self.log))
        return tuple(
            each for each in folders if not any(each.is_relative_to(other) for other in folders if other != each)
        )

    @property
    def sample(self) -> Path:
        """Returns the folder of the sample workspace."""
        return self.data / "sample"


def runtime_folder() -> Path:
    """Returns the folder for sockets, which the system empties when the person logs out; nothing is made."""
    with warnings.catch_warnings():
        # Where the system has none, the folder for temporary files holds one: whoever uses it looks whose it is.
        warnings.simplefilter("ignore")
        return Path(PlatformDirs("mnemoscope", appauthor=False).user_runtime_dir)
