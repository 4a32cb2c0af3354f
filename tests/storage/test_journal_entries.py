"""The entries of a journal that are looked for: which are found, and how."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorer.services.base import journal
from scorer.storage import in_transaction, models, queries, write
from scorer.storage.queries.journal import about, by_author

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
KINDS = ("renamed", "joined", "renamed", "ended", "retired", "renamed", "retired", "joined")
SUBJECTS = ("player", "phone", "circle", "card_session", "player", "player", "rule_set", "phone")
WRITERS = ("Ada", None, "Bea", "Ada", None, "Ada", "Bea", "Bea")


@pytest.fixture
def circle_id(app: object) -> UUID:  # noqa: ARG001  # it needs the database
    """Return a circle with eight entries, one a day."""
    circle_id = uuid4()

    def work() -> None:
        write(models.Circle(circle_id=circle_id, name="Ours", created_at=FIRST))
        for day, (kind, subject, by) in enumerate(zip(KINDS, SUBJECTS, WRITERS, strict=True)):
            journal.append(
                models.JournalEntry(
                    circle_id=circle_id,
                    serial=0,
                    kind=kind,
                    subject=subject,
                    key=f"{subject}-{day % 2}",
                    written_by=by,
                    at=FIRST + timedelta(days=day),
                    chain="",
                )
            )

    in_transaction(work)
    return circle_id


def day(number: int) -> datetime:
    return FIRST + timedelta(days=number)


ADA = (by_author("Ada", 1, 4), by_author("Zed", 4, 9), about("phone", "phone-1", 1, 2))
RENAMED = [("renamed", "player"), ("renamed", "circle")]
ENDED, JOINED = ("ended", "card_session"), ("joined", "phone")
CASES = [
    pytest.param({}, [8, 7, 6, 5, 4, 3, 2, 1], id="all"),
    pytest.param({"acts": RENAMED}, [6, 3, 1], id="a kind"),
    pytest.param({"acts": [ENDED, JOINED]}, [8, 4, 2], id="two kinds"),
    pytest.param({"acts": [("retired", "player")]}, [5], id="a kind of one subject"),
    pytest.param({"person": ADA}, [4, 2, 1], id="a person, while the name was hers"),
    pytest.param({"person": ADA, "acts": [JOINED]}, [2], id="a person and a kind"),
    pytest.param({"person": ()}, [], id="nobody who ever did anything"),
    pytest.param({"since": day(6)}, [8, 7], id="since"),
    pytest.param({"until": day(2)}, [2, 1], id="until"),
    pytest.param({"since": day(2), "until": day(4)}, [4, 3], id="span"),
    pytest.param({"since": day(9)}, [], id="later than all"),
    pytest.param({"until": FIRST}, [], id="earlier than all"),
    pytest.param({"acts": [JOINED], "since": day(2)}, [8], id="a kind in a span"),
]


@pytest.mark.parametrize(("asked", "serials"), CASES)
def test_entries_are_found_newest_first_at_once_and_in_pages_of_two(
    circle_id: UUID, asked: dict[str, Any], serials: list[int]
) -> None:
    search = partial(queries.journal.search_entries, circle_id, **asked)

    found: list[int] = []
    while page := search(limit=2, before=found[-1] if found else None):
        found += [entry.serial for entry in page]

    assert [entry.serial for entry in search(limit=50)] == found == serials
