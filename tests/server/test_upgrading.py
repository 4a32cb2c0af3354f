"""A server that is left running while a newer program upgrades its tables."""

import json
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen
from uuid import uuid4

from bench.phones import faults, in_one_session, record_at_once
from scorer.storage import migrate
from tests.revisions import NEXT, by_a_newer_program
from tests.server.conftest import WORKERS

#: So many requests that each worker answers some.
MANY = 8 * WORKERS


def health(site: str) -> tuple[int, str]:
    """Give the status of the server, and what it says of itself."""
    try:
        with urlopen(f"{site}/health") as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, json.loads(error.read())["problems"][0]["message"]


def test_server_left_running_over_an_upgrade_writes_no_more_and_says_why(
    site: str, database_url: str, tmp_path: Path
) -> None:
    (phone,) = phones = in_one_session(site, 1)
    record_at_once(phones, 2)

    with by_a_newer_program(tmp_path):
        migrate.upgrade(database_url)
    written = {phone._send(uuid4(), 70) for _ in range(MANY)}
    answers = [health(site) for _ in range(MANY)]
    pages = {phone.browser.go("").status_code for _ in range(MANY)}
    with by_a_newer_program(tmp_path):
        migrate.downgrade(database_url, "-1")
    record_at_once(phones, 2)

    assert written == pages == {503}
    assert {status for status, _ in answers} == {503}
    assert all(NEXT in message for _, message in answers)
    assert health(site)[0] == 200
    assert faults(phones, database_url) == []
    assert len(phone.acknowledged) == 4
