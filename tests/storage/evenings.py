"""A circle with two sessions in it, for tests that need rows to look at."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from scorer.roles import Role
from scorer.storage import in_transaction, models, queries, write
from scorer.storage.models import Base

FRIDAY = datetime(2026, 11, 20, 20, 30, tzinfo=UTC)
NAMES = ("Ada", "Bea", "Ciro", "Dora", "Ezio")
SHEET = {"caller": "0", "bid": "2@70", "partner": "3", "card_points": 71}
PAYOUTS = (2, -1, -1, 1, -1)

Columns = dict[str, Any]


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
    tournament_id: UUID
    player_ids: tuple[UUID, ...]
    deal_ids: tuple[UUID, ...]
    secret_hash: str

    @property
    def keys(self) -> tuple[UUID, UUID]:
        """The keys of the newer session."""
        return self.circle_id, self.session_id

    @property
    def deals(self) -> list[models.DealRow]:
        """The deals that are stored."""
        return queries.journal.stored(*self.keys, models.DealRow, models.DealRow.number)

    def of_deal(self, deal_id: UUID, number: int) -> Columns:
        """Key the rows of a deal of the newer session."""
        session = {"circle_id": self.circle_id, "session_id": self.session_id}
        return {**session, "deal_id": deal_id, "number": number}

    def written(self, mark: str) -> Columns:
        """Tell who wrote a row, when and on which phone."""
        return {"phone_id": self.phone_id, "written_by": f"{mark}Ada", "at": FRIDAY}


def write_evening(mark: str = "", deals: int = 3) -> Evening:
    """Write a circle, its newer session with deals played and a deal under way, an older one.

    Every name that is written starts with the mark.
    """
    fresh = {name: uuid4() for name in Evening.__annotations__ if name.endswith("_id")}
    keys = Evening(
        **fresh,
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
    write(*_beside(keys, mark))


def _circle(keys: Evening, mark: str) -> list[Base]:
    """The one phone came by the link and is the first player's."""
    circle: Columns = {"circle_id": keys.circle_id}
    made = circle | {"created_at": FRIDAY}
    link = circle | {"link_id": keys.link_id}
    rules = circle | {"rule_set_id": keys.rule_set_id}
    name, by = f"{mark}House table", keys.written(mark)
    return [
        models.Circle(**made, name=f"{mark}Friday"),
        models.Link(**made | link, role=Role.SCOREKEEPER, name=f"{mark}Link"),
        models.LinkSecret(**link, secret_hash=keys.secret_hash),
        models.Season(
            **made,
            season_id=keys.season_id,
            name=f"{mark}Winter",
            first_day=FRIDAY.date(),
            last_day=FRIDAY.date(),
        ),
        *(
            models.Player(**made, player_id=key, name=f"{mark}{name}")
            for key, name in zip(keys.player_ids, NAMES, strict=True)
        ),
        models.Phone(
            **link,
            phone_id=keys.phone_id,
            name=f"{mark}Phone 1",
            role=Role.SCOREKEEPER,
            player_id=keys.player_ids[0],
            joined_at=FRIDAY,
        ),
        models.RuleSet(**made | rules, game="briscola-chiamata", name=name),
        *(
            models.RuleSetVersion(
                **rules | by, version=version, rules={"name": name, "floor": 60 + version}
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


def _beside(keys: Evening, mark: str) -> list[Base]:
    """The newer session has a deal under way, one entry in the ledger, a page, and a photo.

    The first player is to get from the second. The photo is of its first deal.
    """
    circle: Columns = {"circle_id": keys.circle_id}
    session, by = circle | {"session_id": keys.session_id}, keys.written(mark)
    by_phone = session | {"phone_id": keys.phone_id, "at": FRIDAY}
    entry = circle | {"entry_id": keys.entry_id}
    return [
        models.StartedDeal(
            **by_phone,
            deal_id=uuid4(),
            number=len(keys.deal_ids) + 1,
            dealer=0,
            stored={"caller": f"{mark}1"},
        ),
        models.TimerRow(**session, minutes=25, since=FRIDAY),
        models.LedgerEntry(**by_phone | entry, kind="evening", way="points", note=f"{mark}note"),
        *(
            models.Posting(**entry, line=line, player_id=keys.player_ids[line], cents=cents)
            for line, cents in enumerate((50, -50))
        ),
        models.Note(
            **session | by,
            note_id=keys.note_id,
            number=1,
            text=f"{mark}note",
            photo=f"{mark}hash",
        ),
        models.Photo(**session, note_id=keys.note_id, jpeg=f"{mark}photo".encode()),
        models.PublicPage(**session, page_id=uuid4(), names=True, money=False, created_at=FRIDAY),
        *_tournament(keys, mark),
    ]


def _tournament(keys: Evening, mark: str) -> list[Base]:
    """The older session is a table of a tournament of the first two players."""
    circle: Columns = {"circle_id": keys.circle_id}
    key = circle | {"tournament_id": keys.tournament_id}
    return [
        models.TournamentRow(
            **key,
            name=f"{mark}Tuesday",
            game="briscola-chiamata",
            rules={"slug": "classic"},
            settings={"plan": {"kind": "round-robin"}},
            people=1,
            seed=f"{mark}seed",
            started_at=FRIDAY,
        ),
        *(models.TournamentEntry(**key, entry=entry, first=1) for entry in (1, 2)),
        *(
            models.TournamentPlayer(
                **key, entry=entry, place=0, player_id=keys.player_ids[entry - 1]
            )
            for entry in (1, 2)
        ),
        models.TournamentTurn(
            **key,
            turn=1,
            drawn=1,
            seating={"tables": [[["1"], ["2"]]], "byes": []},
            penalties={"1": [1, f"{mark}late"]},
            published_at=FRIDAY,
        ),
        models.TournamentTable(**key, turn=1, number=1, session_id=keys.older_id, scores=[2, 1]),
        models.TablePhone(**circle, phone_id=keys.phone_id, session_id=keys.older_id, at=FRIDAY),
    ]


def _reviews(keys: Evening, deal_id: UUID, number: int, mark: str) -> list[Base]:
    """Deal 1 was confirmed and then disputed, twice; the others were confirmed."""
    kinds = ["confirm", "dispute", "dispute"] if number == 1 else ["confirm"]
    of_deal = keys.of_deal(deal_id, number) | keys.written(mark)
    return [
        models.ReviewRow(
            **of_deal, review=review, kind=kind, version=1, reason=f"{mark}{kind} {review}"
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
    played = outcome == "played"
    payouts = dict(enumerate(PAYOUTS)) if played else {}
    of_deal = keys.of_deal(deal_id, number)
    dealt = of_deal | {"outcome": outcome, "dealer": number % 5, "voided": voided}
    of_payout = {name: key for name, key in of_deal.items() if name != "deal_id"}
    write(
        models.DealRow(**dealt, disputed=disputed, recorded_at=FRIDAY),
        models.DealVersion(
            **dealt | keys.written(mark),
            version=1,
            act="record",
            sits_out=[],
            stored=SHEET if played else None,
            payouts={str(seat): amount for seat, amount in payouts.items()},
        ),
        *(
            models.Payout(**of_payout, seat=seat, amount=amount)
            for seat, amount in payouts.items()
            if not voided
        ),
    )
