"""The slips of a tournament: each lets a phone write at one table while its turn is played."""

from collections.abc import Iterable, Mapping
from uuid import UUID, uuid4, uuid5

from scorer.errors import existing
from scorer.roles import Holder, Role
from scorer.services.base import journal
from scorer.services.base.clock import now
from scorer.services.base.journal import Kind
from scorer.services.circle import circles
from scorer.storage import queries, transaction
from scorer.storage.models import TablePhone


def slip_seed(session_id: UUID) -> str:
    """Return the seed from which a key of the server derives the secret of a table's slip."""
    return f"slip of {session_id.hex}"


def opening(secrets: Iterable[str]) -> str | None:
    """Return the first of these secrets that opens a table now."""
    table_of = queries.tournament.table_by_secret
    return next((one for one in secrets if table_of(circles.digest(one)) is not None), None)


@transaction
def sit_down(
    secret: str, known: Mapping[UUID, UUID], *, browser_token: str = "", browser: str = ""
) -> tuple[Holder, UUID]:
    """Let a phone write at the table of a slip; return that with its session.

    Raise NotFoundError if the slip opens nothing, as one of a turn that is over.

    A phone of the circle stays what it is there. Any other one is not in the circle for that, and
    in no list of its phones; from the next slip it is the same phone.
    """
    table = existing(queries.tournament.table_by_secret(circles.digest(secret)))
    circle_id, session_id = table.circle_id, table.session_id
    circles.locked_circle(circle_id)
    own_id = uuid5(session_id, browser_token) if browser_token else uuid4()
    used = circles.phone_in_use(circle_id, known.get(circle_id), own_id, also_outside=True)
    role, out_at = Role.SPECTATOR, now()
    phone = used or circles.new_phone(circle_id, role, own_id, browser=browser, revoked_at=out_at)
    by = existing(queries.circle.phone_and_holder(circle_id, phone.phone_id))
    if by.table != session_id:
        _seat(by, session_id)
    return circles.holder(circle_id, phone.phone_id, at_table=True), session_id


def _seat(by: Holder, session_id: UUID) -> None:
    row = queries.find(TablePhone, by.circle_id, by.phone_id)
    if row is not None:
        journal.change(Kind.SAT_DOWN, row, by, session_id=session_id, at=now())
        return
    new = TablePhone(circle_id=by.circle_id, phone_id=by.phone_id, session_id=session_id, at=now())
    journal.create(Kind.SAT_DOWN, new, by)
