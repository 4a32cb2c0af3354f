"""A circle with two sessions in it, for tests that need rows to look at."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from scorer.storage import in_transaction, models, write
from scorer.storage.models import Base

FRIDAY = datetime(2026, 11, 20, 20, 30, tzinfo=UTC)
NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
SHEET = {"caller": "0", "bid": "2@70", "partner": "3", "card_points": 71}
PAYOUTS = (2, -1, -1, 1, -1)


@dataclass(frozen=True, slots=True)
class Evening:
    """The keys of what was written."""

    circle_id: UUID
    session_id: UUID
    older_id: UUID
    link_id: UUID
    phone_id: UUID
    rule_set_id: UUID
    entry_id: UUID
    season_id: UUID
    note_id: UUID
    player_ids: tuple[UUID, ...]
    deal_ids: tuple[UUID, ...]
    secret_hash: str


def write_evening(mark: str = "", deals: int = 3) -> Evening:
    """Write a circle, its newer session with deals played and a deal under way, an older one.

    Every name that is written starts with the mark.
    """
    keys = Evening(
        circle_id=uuid4(),
        session_id=uuid4(),
        older_id=uuid4(),
        link_id=uuid4(),
        phone_id=uuid4(),
        rule_set_id=uuid4(),
        entry_id=uuid4(),
        season_id=uuid4(),
        note_id=uuid4(),
        player_ids=tuple(uuid4() for _ in NAMES),
        deal_ids=tuple(uuid4() for _ in range(deals)),
        secret_hash=f"{mark}hash",
    )
    in_transaction(lambda: _write_all(keys, mark))
    return keys


def _write_all(keys: Evening, mark: str) -> None:
    write(*_circle(keys, mark))
    write(*_sessions(keys, mark))
    for number, deal_id in enumerate(keys.deal_ids, 1):
        write_deal(keys, deal_id, number, mark=mark, disputed=number == 1)
        write(*_reviews(keys, deal_id, number, mark))
    write(
        models.StartedDeal(
            circle_id=keys.circle_id,
            session_id=keys.session_id,
            deal_id=uuid4(),
            number=len(keys.deal_ids) + 1,
            dealer=0,
            stored={"caller": f"{mark}1"},
            phone_id=keys.phone_id,
            at=FRIDAY,
        )
    )
    write(*_money(keys, mark))
    write(*_note(keys, mark))
    write(
        models.PublicPage(
            circle_id=keys.circle_id,
            page_id=uuid4(),
            session_id=keys.session_id,
            names=True,
            money=False,
            created_at=FRIDAY,
        )
    )


def _circle(keys: Evening, mark: str) -> list[Base]:
    circle, at = keys.circle_id, FRIDAY
    return [
        models.Circle(circle_id=circle, name=f"{mark}Friday", created_at=at),
        models.Link(
            circle_id=circle,
            link_id=keys.link_id,
            role=models.Role.SCOREKEEPER,
            name=f"{mark}Link",
            created_at=at,
        ),
        models.Season(
            circle_id=circle,
            season_id=keys.season_id,
            name=f"{mark}Winter",
            first_day=at.date(),
            last_day=at.date(),
            created_at=at,
        ),
        models.LinkSecret(secret_hash=keys.secret_hash, circle_id=circle, link_id=keys.link_id),
        *(
            models.Player(circle_id=circle, player_id=key, name=f"{mark}{name}", created_at=at)
            for key, name in zip(keys.player_ids, NAMES, strict=True)
        ),
        models.Phone(
            circle_id=circle,
            phone_id=keys.phone_id,
            name=f"{mark}Phone 1",
            role=models.Role.SCOREKEEPER,
            player_id=keys.player_ids[0],
            link_id=keys.link_id,
            joined_at=at,
        ),
        models.RuleSet(
            circle_id=circle,
            rule_set_id=keys.rule_set_id,
            game="briscola-chiamata",
            name=f"{mark}House table",
            created_at=at,
        ),
        *(
            models.RuleSetVersion(
                circle_id=circle,
                rule_set_id=keys.rule_set_id,
                version=version,
                rules={"name": f"{mark}House table", "floor": 60 + version},
                phone_id=keys.phone_id,
                written_by=f"{mark}Ada",
                at=at,
            )
            for version in (1, 2)
        ),
    ]


def _sessions(keys: Evening, mark: str) -> list[Base]:
    newer = card_session(keys, keys.session_id, FRIDAY, f"{mark}newer")
    newer.next_number = len(keys.deal_ids) + 1
    older = card_session(keys, keys.older_id, FRIDAY - timedelta(days=7), f"{mark}older")
    older.ended_at = FRIDAY - timedelta(days=6)
    seats = [
        models.Seat(
            circle_id=keys.circle_id,
            session_id=session,
            seat=seat,
            player_id=player,
            opening=10 * seat,
        )
        for session in (keys.session_id, keys.older_id)
        for seat, player in enumerate(keys.player_ids)
    ]
    return [newer, older, *seats]


def _money(keys: Evening, mark: str) -> list[Base]:
    """The newer session has one entry in the ledger: the first player is to get from the second."""
    return [
        models.LedgerEntry(
            circle_id=keys.circle_id,
            entry_id=keys.entry_id,
            kind="evening",
            session_id=keys.session_id,
            way="points",
            note=f"{mark}note",
            phone_id=keys.phone_id,
            at=FRIDAY,
        ),
        *(
            models.Posting(
                circle_id=keys.circle_id,
                entry_id=keys.entry_id,
                line=line,
                player_id=keys.player_ids[line],
                cents=cents,
            )
            for line, cents in enumerate((50, -50))
        ),
    ]


def _note(keys: Evening, mark: str) -> list[Base]:
    """The first deal of the newer session has a photo."""
    return [
        models.Note(
            circle_id=keys.circle_id,
            note_id=keys.note_id,
            session_id=keys.session_id,
            number=1,
            text=f"{mark}note",
            photo=f"{mark}hash",
            phone_id=keys.phone_id,
            written_by=f"{mark}Ada",
            at=FRIDAY,
        ),
        models.Photo(
            circle_id=keys.circle_id,
            session_id=keys.session_id,
            note_id=keys.note_id,
            jpeg=f"{mark}photo".encode(),
        ),
    ]


def _reviews(keys: Evening, deal_id: UUID, number: int, mark: str) -> list[Base]:
    """Deal 1 was confirmed and then disputed, twice; the others were confirmed."""
    kinds = ["confirm", "dispute", "dispute"] if number == 1 else ["confirm"]
    return [
        models.Review(
            circle_id=keys.circle_id,
            deal_id=deal_id,
            review=review,
            session_id=keys.session_id,
            number=number,
            kind=kind,
            version=1,
            phone_id=keys.phone_id,
            written_by=f"{mark}Ada",
            reason=f"{mark}{kind} {review}",
            at=FRIDAY,
        )
        for review, kind in enumerate(kinds, 1)
    ]


def card_session(
    keys: Evening, session_id: UUID, started_at: datetime, title: str
) -> models.CardSession:
    """Make a card session of the circle."""
    return models.CardSession(
        circle_id=keys.circle_id,
        session_id=session_id,
        game="briscola-chiamata",
        title=title,
        rules={"slug": "classic"},
        first_dealer=4,
        started_at=started_at,
    )


def write_deal(
    keys: Evening,
    deal_id: UUID,
    number: int,
    *,
    mark: str = "",
    outcome: str = "played",
    voided: bool = False,
    disputed: bool = False,
) -> None:
    """Write a deal of the newer session with its first version and its payouts."""
    session, played = keys.session_id, outcome == "played"
    payouts = dict(enumerate(PAYOUTS)) if played else {}
    write(
        models.Deal(
            circle_id=keys.circle_id,
            deal_id=deal_id,
            session_id=session,
            number=number,
            outcome=outcome,
            dealer=number % 5,
            voided=voided,
            disputed=disputed,
            recorded_at=FRIDAY,
        ),
        models.DealVersion(
            circle_id=keys.circle_id,
            deal_id=deal_id,
            version=1,
            session_id=session,
            number=number,
            act="record",
            outcome=outcome,
            dealer=number % 5,
            sits_out=[],
            stored=SHEET if played else None,
            voided=voided,
            payouts={str(seat): amount for seat, amount in payouts.items()},
            phone_id=keys.phone_id,
            written_by=f"{mark}Ada",
            at=FRIDAY,
        ),
        *(
            models.Payout(
                circle_id=keys.circle_id,
                session_id=session,
                number=number,
                seat=seat,
                amount=amount,
            )
            for seat, amount in payouts.items()
            if not voided
        ),
    )
