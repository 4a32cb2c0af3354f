"""Another circle's keys are not found, whatever is asked of them, and nothing is written."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from scorer.errors import NotFoundError
from scorer.evening.acts import Record, Void, WrittenSheet
from scorer.evening.session_acts import Cancel, End, PlayOn, Start
from scorer.roles import Holder
from scorer.services.circle import circles
from scorer.services.deals import deals
from scorer.services.deals.report import deal_report
from scorer.services.deals.score_sheet import score_sheet
from scorer.services.files.session_files import session_file
from scorer.services.session.state import load_state, lock_state
from scorer.services.session.writing import do
from scorer.storage import models, queries
from tests.services.evenings import Evening, sheet, start

Asked = Callable[[UUID, Evening, Holder], object]


def lock(circle_id: UUID, session_id: UUID) -> None:
    with lock_state(circle_id, session_id):
        pass


KEY = UUID(int=7)
START = Start(key=KEY, number=2, sheet=sheet())
ENTRY = Record(key=KEY, number=2, sheet=WrittenSheet(sheet()))
QUESTIONS: dict[str, Asked] = {
    "open the session": lambda circle, ours, _: load_state(circle, ours.session_id),
    "lock the session": lambda circle, ours, _: lock(circle, ours.session_id),
    "end the session": lambda circle, ours, _: do(circle, ours.session_id, End()),
    "reopen the session": lambda circle, ours, _: do(circle, ours.session_id, PlayOn()),
    "read the sheet": lambda circle, ours, _: score_sheet(load_state(circle, ours.session_id)),
    "read a deal": lambda circle, ours, _: deal_report(circle, ours.session_id, 1),
    "export the session": lambda circle, ours, _: session_file(load_state(circle, ours.session_id)),
    "record": lambda _, ours, by: deals.record_deal(ours.session_id, ENTRY, by),
    "do something to a deal": lambda circle, ours, by: deals.do(
        circle, ours.session_id, 1, Void(version=1), by=by
    ),
    "start": lambda _, ours, by: do(by.circle_id, ours.session_id, START),
    "cancel the start": lambda _, ours, by: do(by.circle_id, ours.session_id, Cancel(key=KEY)),
    "find the phone": lambda circle, _, by: circles.holder(circle, by.phone_id),
    "hold the phone": lambda circle, _, by: circles.hold(circle, by.phone_id, None),
    "revoke the link": lambda circle, _, by: circles.revoke_link(circle, by.phone_id),
}


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS.keys())
@pytest.mark.parametrize("exists", [True, False], ids=["another circle", "no circle"])
def test_another_circle_finds_nothing(asked: Asked, *, exists: bool) -> None:
    ours = start()
    ours.record()
    theirs = start().circle_id if exists else uuid4()
    before = (ours.deal(1), ours.next_number())
    stranger = replace(ours.by, circle_id=theirs)

    with pytest.raises(NotFoundError):
        asked(theirs, ours, stranger)

    assert (ours.deal(1), ours.next_number()) == before
    assert queries.find(models.StartedDeal, *ours.keys) is None
