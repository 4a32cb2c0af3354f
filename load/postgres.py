"""A PostgreSQL server that goes away, with everything under way in it, and comes back."""

import subprocess
import time
from pathlib import Path

from tests.databases import postmaster


def restart(server: str, away: float) -> None:
    """Stop a server at once, and start it again after so many seconds."""
    process = Path(f"/proc/{postmaster(server)}")
    data, program = (process / "cwd").resolve(), (process / "exe").resolve()
    owner = process.stat()

    def control(*what: str) -> None:
        command = [
            str(program.with_name("pg_ctl")),
            "--pgdata",
            str(data),
            "--silent",
            "--wait",
            *what,
        ]
        log = subprocess.DEVNULL
        subprocess.run(
            command, check=True, stdout=log, user=owner.st_uid, group=owner.st_gid, extra_groups=[]
        )

    options = (data / "postmaster.opts").read_text("utf-8").split(" ", 1)[1].replace('"', "'")
    control("--mode", "immediate", "stop")
    time.sleep(away)
    control("--options", options.strip(), "start")
