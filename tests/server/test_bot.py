"""The bot of the documentation listens to a real server with its key, also over a restart."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from threading import Thread
from uuid import uuid4

import pytest

from scorer.evening.session_acts import End
from scorer.roles import Role
from scorer.services.circle import circles, programs
from scorer.services.circle.circles import LIVES, Life
from scorer.services.session import sessions
from scorer.services.session.writing import do
from scorer.settings import CHECKOUT
from tests.services.damages import say
from tests.services.evenings import Evening, new_session, sheet
from tests.serving import Server
from tests.storage.conftest import SQLITE, opened

SECRET = "secret of the bot"
PAID = "Ada +2, Bea +1, Ciro -1, Dora -1, Ezio -1"
PATIENCE = 90.0


class Chat:
    """A bot at work: what it reads, and what it says."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines = Queue[str]()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout or ():
            self._lines.put(line.rstrip("\n"))

    def write(self, message: str) -> str:
        """Write a message; give the bot's next line."""
        assert self.process.stdin
        self.process.stdin.write(f"{message}\n")
        self.process.stdin.flush()
        return self.line()

    def line(self) -> str:
        return self._lines.get(timeout=PATIENCE)

    def ended(self) -> str:
        """Wait for the bot's failure; give its messages about the connection."""
        assert self.process.wait(timeout=PATIENCE) == 1
        assert self.process.stderr
        return self.process.stderr.read()


@contextmanager
def chatting(url: str) -> Iterator[Chat]:
    command, pipe = (sys.executable, str(CHECKOUT / "docs/bot.py"), url, SECRET), subprocess.PIPE
    with subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield Chat(process)
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.parametrize("database_url", [SQLITE], indirect=True)
def test_bot_says_what_happens_and_records_what_it_reads(server: Server, database_url: str) -> None:
    with opened(database_url):
        by = circles.join(circles.begin_circle("Friday"), {})
        key_id, role, life = uuid4(), Role.SCOREKEEPER, LIVES[Life.WEEK]
        programs.make_key(by.circle_id, key_id, SECRET, name="Bot", role=role, life=life, by=by)

        with chatting(server.url) as chat:
            assert chat.write("Ada 61 Bea 70").startswith("This circle has no session yet")
            new = new_session(circle_id=by.circle_id)
            evening = Evening(sessions.start_session(new, by).session_id, by)
            assert chat.write("what?").startswith("Write a deal like")
            assert chat.write("Ada 61 Ada 70").startswith("The caller can't also be the partner")
            assert chat.write("Ada 61 Bea 70") == f"Deal 1: {PAID}"
            say(evening, "dispute", 1)
            assert chat.line() == f"Deal 1 (disputed): {PAID}"
            evening.void(1)
            assert chat.line() == "Deal 1 is voided."
            assert chat.write("Ciro 70 alone 60").startswith("Deal 2: Ada +1, Bea +1, Ciro -4")

            for worker in server.workers():  # others take over
                os.kill(worker, signal.SIGKILL)
            evening.record(sheet())
            assert chat.line() == f"Deal 3: {PAID}"
            do(*evening.keys, End())
            assert chat.line().endswith("ended: Ada +3, Bea +2, Ciro -5, Dora +0, Ezio +0")
            programs.revoke_key(evening.circle_id, key_id, by=None)
            assert chat.ended().endswith("The key is valid no longer.\n")
        with chatting(server.url) as again:
            assert again.ended() == "The server does not know this key.\n"
