"""Whoever edits the database by hand: every change that a page would show is found."""

import resource
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import date
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Integer, text

from scorer.errors import InvalidError
from scorer.rules.game import Outcome
from scorer.services.album.last_page import publish
from scorer.services.album.notes import NewNote, add_note, take_back
from scorer.services.base.journal import Kind
from scorer.services.base.roles import Role
from scorer.services.book.writing import DealChange
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.circle import circles, codes_and_tokens, players
from scorer.services.deals import deals, reviews
from scorer.services.figures import seasons
from scorer.services.figures.seasons import NewSeason
from scorer.services.files import demo
from scorer.services.files.session_files import note_export
from scorer.services.money.ledger import Payment, note_payment
from scorer.services.record.circle_file import export_circle, import_circles
from scorer.services.record.verify import verify
from scorer.services.record.verify.against import verify_against
from scorer.services.table import house_rules, sessions
from scorer.services.table.changes import Guest
from scorer.services.table.house_rules import NewRuleSet, RuleSetEdit
from scorer.storage import db, queries
from scorer.storage.models import Base
from tests.data import golden
from tests.data.photos import photo
from tests.services.book.test_every_game import EVENINGS, could_void, recorded
from tests.services.conftest import begin_anew
from tests.services.damages import findings
from tests.services.evenings import FIVE, Evening, new_session, sheet, start
from tests.storage.conftest import SQLITE, opened

ON_SQLITE = pytest.mark.parametrize("database_url", [SQLITE], indirect=True)
FIFTY = 50
DEALER = {"preset": "classic", "sits_out": "dealer"}


def a_full_circle() -> Evening:
    """Give a circle with rows in every table, most of them changed at least once."""
    evening = start("classic", FIVE, opening=[3, -3, 0, 0, 0], stake_cents=10)
    circle_id, by = evening.circle_id, evening.by
    who = {player.name: player.player_id for player in queries.circle.players(circle_id)}
    circles.hold(circle_id, by.phone_id, who["Bea"], by=by)
    by = circles.holder(circle_id, by.phone_id)
    for name, role in (("Bar", Role.PLAYER), ("Old", Role.SPECTATOR)):
        circles.join(circles.make_link(circle_id, name, role, by=by), {})
    circles.revoke_link(circle_id, queries.circle.links(circle_id)[-1].link_id, by=by)
    own = house_rules.keep_rules(NewRuleSet(uuid4(), "briscola-chiamata", "Ours", "classic"), by)
    house_rules.save_version(RuleSetEdit(own, 1, "Ours", DEALER), by)
    away = house_rules.keep_rules(NewRuleSet(uuid4(), "scopa", "Away", {}), by)
    house_rules.retire_rules(circle_id, away, by=by)
    ours = Evening(evening.session_id, by)
    _play(ours)
    gino = sessions.start_session(
        new_session(circle_id=circle_id, players=("Gino", *FIVE[1:]), title="With Gino"), by
    )
    Evening(gino.session_id, by).record(sheet("Gino", "Bea"))
    sessions.end_session(circle_id, gino.session_id, by=by)
    publish(circle_id, gino.session_id, uuid4(), uuid4().hex, names=True, money=False, by=by)
    them = {player.name: player.player_id for player in queries.circle.players(circle_id)}
    players.merge(circle_id, them["Ada"], them["Gino"], by=by)
    players.rename(circle_id, them["Ciro"], "Ciro B.", by=by)
    players.retire(circle_id, them["Ezio"], by=by)
    _go_on(ours)
    return ours


def _go_on(evening: Evening) -> None:
    """Propose what is right, sit down anew with no title, for another stake, and let people in."""
    circle_id, by = evening.circle_id, evening.by
    right = DealChange(4, evening.deal(4).version, proposed_form={"partner": "2"})
    reviews.dispute_deal(evening.session_id, right, by)
    people = ("Gino", "Bea", "Ciro B.", "Dora", "Fulvia")
    second = sessions.start_session(new_session(circle_id=circle_id, players=people, title=""), by)
    untitled = Evening(second.session_id, by)
    untitled.record(sheet("Bea", "Dora"))
    untitled.record(outcome=Outcome.MISDEAL)
    sessions.set_stake(*untitled.keys, 25, by=by)
    circles.set_zone(circle_id, "Rome", by=by)
    codes_and_tokens.make_code(circle_id, "Spoken code", "a hash", link_id=uuid4(), by=by)
    payer, payee, *_ = (player.player_id for player in queries.circle.players(circle_id))
    note_payment(circle_id, Payment(uuid4(), payer, payee, 400), by=by)
    players.set_nickname(circle_id, payer, "the Fox", by=by)
    days = date(2026, 11, 1), date(2027, 1, 31)
    seasons.name_season(circle_id, NewSeason(uuid4(), "Winter", *days), by=by)
    add_note(*untitled.keys, NewNote(uuid4(), 1, "Bea laughed"), most=9, by=by)
    add_note(*untitled.keys, NewNote(uuid4(), None, "The table", photo()), most=9, by=by)
    add_note(*untitled.keys, gone := NewNote(uuid4(), None, "", photo()), most=9, by=by)
    take_back(*untitled.keys, gone.key, by=by)


def _play(evening: Evening) -> None:
    for _ in range(3):
        evening.record(sheet())
    play = {"called_card": "KC", "tricks": [["7B"]]}
    write_tricks(evening.session_id, TricksEntry(1, 0, play, "as Ada says"), evening.by)
    evening.amend(2, sheet("Ada", "Ezio"), reason="Ezio had it")
    evening.void(3, reason="A card lay on the floor")
    change = DealChange(1, 1, "Ciro was alone")
    reviews.dispute_deal(evening.session_id, change, evening.by)
    evening.change(rules=DEALER)
    evening.change(order=(0, 1, 2, 3, 4, 5), guests=[Guest("Fulvia", 7)])
    evening.record(sheet("Ada", "Fulvia"))
    entry = evening.entry({"caller": "Bea", "bid": 61})
    deals.start_deal(evening.session_id, entry, evening.by)


@pytest.fixture(scope="module")
def played(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("full") / "full.sqlite"
    shutil.copy(sqlite_template, path)
    with opened(f"sqlite:///{path}"):
        a_full_circle()
        db.session.remove()
        with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)")).all()
    return path


MAY = "2026-05-03 20:00:00.000000"

#: By what is edited: the statements, and what verify says.
EDITS: dict[str, tuple[list[str], str]] = {
    "circle name": (["UPDATE circle SET name = 'x'"], "circle Ada, Bea, Ciro, Dora, Ezio: name"),
    "circle created_at": (["UPDATE circle SET created_at = :may"], "created_at is"),
    "circle entries counted": (["UPDATE circle SET journaled = 3"], "does not end where"),
    "circle chain": (["UPDATE circle SET chain = '0'"], "does not end where it should"),
    "link role": (["UPDATE link SET role = 'owner' WHERE name = 'Bar'"], "link Bar: role is"),
    "link name": (["UPDATE link SET name = 'x' WHERE name = 'Bar'"], "link Bar: name is"),
    "link created_at": (["UPDATE link SET created_at = :may"], "link Bar: created_at is"),
    "link revoked": (["UPDATE link SET revoked_at = :may"], "link Bar: revoked_at is"),
    "link revived": (["UPDATE link SET revoked_at = NULL"], "link Old: revoked_at is None"),
    "link expires_at": (["UPDATE link SET expires_at = :may"], "link Bar: expires_at is"),
    "link once": (["UPDATE link SET once = 1"], "link Bar: once is True"),
    "link gone": (["DELETE FROM link WHERE name = 'Old'"], "link Old is gone without an entry"),
    "link secret gone": (["DELETE FROM link_secret"], "link Bar has 0 secrets"),
    "link secret": (
        ["UPDATE link_secret SET secret_hash = 'mine' || link_id"],
        "link Bar opens by another secret than it was made with",
    ),
    "link secret of another circle": (
        ["UPDATE link_secret SET circle_id = x'01'"], "link_secret name a circle that is not",
    ),
    "link secrets traded": (
        [
            "CREATE TABLE before AS SELECT * FROM link_secret",
            """UPDATE link_secret SET link_id = (SELECT link_id FROM before
            WHERE before.rowid = 3 - link_secret.rowid) WHERE rowid < 3""",
        ],
        "link Old opens by another secret than it was made with",
    ),
    "link secret added": (
        ["INSERT INTO link_secret SELECT 'x', circle_id, link_id FROM link WHERE name = 'Bar'"],
        "link Bar has 2 secrets",
    ),
    "player name": (["UPDATE player SET name = 'Zed' WHERE name = 'Ada'"], "Ada: name is 'Zed'"),
    "players' names traded": (
        [
            "UPDATE player SET name = 'x' WHERE name = 'Ada'",
            "UPDATE player SET name = 'Ada' WHERE name = 'Dora'",
            "UPDATE player SET name = 'Dora' WHERE name = 'x'",
        ],
        "player Dora: name is 'Ada'",
    ),
    "player created_at": (["UPDATE player SET created_at = :may"], "player Bea: created_at"),
    "player retired": (["UPDATE player SET retired_at = :may"], "player Bea: retired_at is"),
    "player unretired": (["UPDATE player SET retired_at = NULL"], "Ezio: retired_at is None"),
    "player places": (["UPDATE player SET merged = 7"], "merged is 7, but 0"),
    "player nickname": (["UPDATE player SET nickname = 'x'"], "nickname is 'x', but ''"),
    "player added": (
        ["INSERT INTO player SELECT circle_id, circle_id, 'New', :may, NULL, 0, '' FROM circle"],
        "player New is in no entry",
    ),
    "player gone": (["DELETE FROM player WHERE name = 'Dora'"], "Dora is gone without"),
    "phone name": (["UPDATE phone SET name = 'x'"], "phone #1: name is 'x', but '#1'"),
    "phone role": (["UPDATE phone SET role = 'owner'"], "phone #2: role is 'owner'"),
    "phone holder": (
        ["UPDATE phone SET player_id = (SELECT player_id FROM player WHERE name = 'Ada')"],
        "phone #1: player_id is",
    ),
    "phone held by nobody": (["UPDATE phone SET player_id = NULL"], "phone #1: player_id is None"),
    "phone link": (["UPDATE phone SET link_id = NULL"], "phone #2: link_id is None"),
    "phone joined_at": (["UPDATE phone SET joined_at = :may"], "phone #1: joined_at is"),
    "phone let in again": (["UPDATE phone SET revoked_at = NULL"], "phone #3: revoked_at is None"),
    "phone sent away": (["UPDATE phone SET revoked_at = :may"], "phone #1: revoked_at is"),
    "phone gone": (["DELETE FROM phone WHERE name = '#2'"], "phone #2 is gone without an entry"),
    "rule set name": (["UPDATE rule_set SET name = 'x' || name"], "rule_set Ours: name is"),
    "rule set game": (["UPDATE rule_set SET game = 'briscola'"], "game is 'briscola'"),
    "rule set created_at": (["UPDATE rule_set SET created_at = :may"], "rule_set Ours: created"),
    "rule set brought back": (["UPDATE rule_set SET retired_at = NULL"], "Away: retired_at is"),
    "rules of a version": (
        ["UPDATE rule_set_version SET rules = json_set(rules, '$.floor', 62)"], "rules is",
    ),
    "version written_by": (["UPDATE rule_set_version SET written_by = 'x'"], "written_by is 'x'"),
    "version phone": (["UPDATE rule_set_version SET phone_id = NULL"], "phone_id is None"),
    "version at": (["UPDATE rule_set_version SET at = :may"], ": at is"),
    "version numbered anew": (
        ["UPDATE rule_set_version SET version = 3 WHERE version = 2"], "are numbered [1, 3]",
    ),
    "version gone": (["DELETE FROM rule_set_version WHERE version = 2"], "is gone without an"),
    "session title": (["UPDATE card_session SET title = 'x'"], "card_session Friday: title is"),
    "session game": (["UPDATE card_session SET game = 'briscola'"], "game is 'briscola'"),
    "session rules": (
        ["UPDATE card_session SET rules = json_set(rules, '$.name', 'x')"],
        "card_session Friday: rules is",
    ),
    "session rule set": (
        ["UPDATE card_session SET rule_set_version = 1"], "rule_set_version is 1, but None",
    ),
    "session first dealer": (["UPDATE card_session SET first_dealer = 1"], "first_dealer is 1"),
    "session stake": (["UPDATE card_session SET stake_cents = 99"], "stake_cents is 99"),
    "session started_at": (["UPDATE card_session SET started_at = :may"], "started_at is"),
    "session ended": (["UPDATE card_session SET ended_at = :may"], "Friday: ended_at is"),
    "session reopened": (["UPDATE card_session SET ended_at = NULL"], "Gino: ended_at is None"),
    "session finished": (["UPDATE card_session SET finished_number = 1"], "is stored as the last"),
    "session next number": (["UPDATE card_session SET next_number = 9"], "is stored as the next"),
    "session changes": (["UPDATE card_session SET changes = 1"], "changes, but 1 are counted"),
    "session written": (["UPDATE card_session SET written = 1"], "does not end where it should"),
    "session chain": (["UPDATE card_session SET chain = '0'"], "does not end where it should"),
    "session gone": (
        ["DELETE FROM card_session WHERE title = 'With Gino'"], "With Gino is gone without an",
    ),
    "seats traded": (
        [
            "UPDATE seat SET player_id = x'01' WHERE seat = 0",
            """UPDATE seat SET player_id = (SELECT player_id FROM player WHERE name = 'Ada')
            WHERE seat = 3""",
            """UPDATE seat SET player_id = (SELECT player_id FROM player WHERE name = 'Dora')
            WHERE seat = 0""",
        ],
        "player_id is",
    ),
    "seat opening": (["UPDATE seat SET opening = 8 WHERE seat = 0"], "opening is 8, but 3"),
    "seat of a guest": (["UPDATE seat SET opening = 8 WHERE seat = 5"], "opening is 8, but 7"),
    "seat joined": (["UPDATE seat SET joined = 1 WHERE seat = 5"], "joined is 1"),
    "seat moved": (["UPDATE seat SET seat = 7 WHERE seat = 5"], "is in no entry"),
    "seat gone": (["DELETE FROM seat WHERE seat = 5"], "is gone without an entry"),
    "deal recorded_at": (["UPDATE deal SET recorded_at = :may"], "was recorded at 2026-05-03"),
    "deal outcome": (["UPDATE deal SET outcome = 'redeal'"], "outcome is redeal, but played"),
    "deal dealer": (["UPDATE deal SET dealer = 2 WHERE number = 1"], "dealer is 2, but 4"),
    "deal voided": (["UPDATE deal SET voided = 0"], "voided is False, but True"),
    "deal amended": (["UPDATE deal SET amended = 0"], "amended is False"),
    "deal disputed": (["UPDATE deal SET disputed = 0"], "disputed is False"),
    "deal bid": (["UPDATE deal SET bid = '70'"], "bid and made are 70"),
    "deal made": (["UPDATE deal SET made = 0"], "bid and made are 61, False"),
    "version of a deal gone": (["DELETE FROM deal_version WHERE version = 2"], "the newest is 1"),
    "version of a deal sheet": (
        ["UPDATE deal_version SET stored = json_set(stored, '$.card_points', 71)"],
        "differs from its hash",
    ),
    "version of a deal reason": (["UPDATE deal_version SET reason = 'x'"], "differs from its hash"),
    "version of a deal written_by": (
        ["UPDATE deal_version SET written_by = 'x'"],
        "differs from its hash",
    ),
    "version of a deal at": (["UPDATE deal_version SET at = :may"], "differs from its hash"),
    "payout amount": (["UPDATE payout SET amount = amount * 2"], "deal 1: counts Ada"),
    "payout role": (["UPDATE payout SET role = 'x' WHERE seat = 0"], "have other roles"),
    "payout gone": (["DELETE FROM payout WHERE number = 1"], "deal 1: counts nobody"),
    "review reason": (["UPDATE review SET reason = 'x'"], "review 1 differs from its hash"),
    "review written_by": (["UPDATE review SET written_by = 'x'"], "review 1 differs from its hash"),
    "review at": (["UPDATE review SET at = :may"], "review 1 differs from its hash"),
    "review gone": (["DELETE FROM review", "UPDATE deal SET disputed = 0"], "the chain misses"),
    "cards": (
        ["UPDATE play SET cards = json_set(cards, '$.tricks', json('[]'))"],
        "deal 1: version 1 of the cards differs from its hash",
    ),
    "note on the cards": (["UPDATE play SET reason = 'x'"], "cards differs from its hash"),
    "cards written_by": (["UPDATE play SET written_by = 'x'"], "cards differs from its hash"),
    "cards gone": (["DELETE FROM play"], "the chain misses"),
    "change reason": (["UPDATE session_change SET reason = 'x'"], "differs from its hash"),
    "change from_number": (["UPDATE session_change SET from_number = 1"], "differs from its hash"),
    "change written_by": (["UPDATE session_change SET written_by = 'x'"], "differs from its hash"),
    "change gone": (["DELETE FROM session_change WHERE rules IS NOT NULL"], "the chain misses"),
    "deal under way sheet": (
        ["UPDATE started_deal SET stored = json_set(stored, '$.bid', 99)"], ": stored is",
    ),
    "deal under way dealer": (["UPDATE started_deal SET dealer = 5"], "is dealt by 5, but"),
    "deal under way number": (["UPDATE started_deal SET number = 9"], "number is 9, but 5"),
    "deal under way phone": (["UPDATE started_deal SET phone_id = NULL"], "phone_id is None"),
    "deal under way at": (["UPDATE started_deal SET at = :may"], ": at is '2026-05-03"),
    "deal under way gone": (["DELETE FROM started_deal"], "is gone without an entry"),
    "entry kind": (["UPDATE journal_entry SET kind = 'x' WHERE serial = 4"], "entry 4 (x) differs"),
    "entry by": (["UPDATE journal_entry SET written_by = 'x' WHERE serial = 4"], "entry 4 (player"),
    "entry phone": (["UPDATE journal_entry SET phone_id = NULL WHERE serial = 4"], "entry 4"),
    "entry at": (["UPDATE journal_entry SET at = :may WHERE serial = 4"], "entry 4 (player"),
    "entry before": (
        ["""UPDATE journal_entry SET before = '{"name":"x"}' WHERE kind = 'renamed'"""],
        "(renamed) found player Ciro with name 'x', but it was 'Ciro'",
    ),
    "entry after, and its row": (
        [
            "UPDATE player SET name = 'Zed' WHERE name = 'Ada'",
            """UPDATE journal_entry SET after = json_set(after, '$.name', 'Zed')
            WHERE json_extract(after, '$.name') = 'Ada'""",
        ],
        "(player-added) differs from its hash",
    ),
    "entry gone": (["DELETE FROM journal_entry WHERE serial = 5"], "entries the chain misses 5"),
    "last entry gone": (
        ["DELETE FROM journal_entry WHERE kind = 'retired' AND subject = 'player'"], "misses",
    ),
    "entry no object": (["UPDATE journal_entry SET after = '3' WHERE serial = 4"], "entry 4 can"),
    "entry of another": (["UPDATE journal_entry SET subject = 'link' WHERE serial = 4"], "entry 4"),
    "entry key": (["UPDATE journal_entry SET key = 'x' WHERE serial = 4"], "entry 4 (player-added"),
    "entry chain": (["UPDATE journal_entry SET chain = '0' WHERE serial = 4"], "entry 4 (player-a"),
    "entries traded": (
        [
            "UPDATE journal_entry SET serial = 999 WHERE serial = 4",
            "UPDATE journal_entry SET serial = 4 WHERE serial = 5",
            "UPDATE journal_entry SET serial = 5 WHERE serial = 999",
        ],
        "entry 4 (player-added) differs from its hash",
    ),
    "entries at the end gone, and the count": (
        [
            "DELETE FROM journal_entry WHERE kind = 'code-made'",
            """UPDATE circle SET journaled = (SELECT max(serial) FROM journal_entry),
            chain = (SELECT chain FROM journal_entry ORDER BY serial DESC LIMIT 1)""",
        ],
        "link Spoken code is in no entry",
    ),
    "circle zone": (["UPDATE circle SET zone = 'Asia/Tokyo'"], "zone is 'Asia/Tokyo', but 'Eur"),
    "spoken code of another link": (
        ["UPDATE spoken_code SET link_id = (SELECT link_id FROM link WHERE name = 'Bar')"],
        "a spoken code opens link Bar, which was not made for it",
    ),
    "spoken code that lasts": (
        ["UPDATE spoken_code SET expires_at = '2036-05-03 20:00:00.000000'"],
        "the spoken code runs out at 2036-05-03 20:00:00+00:00, but its link at",
    ),
    "session without a title given one": (
        ["UPDATE card_session SET title = 'x' WHERE title = ''"], "title is 'x', but ''",
    ),
    "session title taken away": (["UPDATE card_session SET title = ''"], "Friday: title is ''"),
    "session stake as it was": (
        ["UPDATE card_session SET stake_cents = NULL WHERE title = ''"], "is None, but 25 by",
    ),
    "session of a rule set": (
        ["UPDATE card_session SET rule_set_id = (SELECT rule_set_id FROM rule_set)"],
        "rule_set_id is",
    ),
    "deals traded": (
        [
            "UPDATE deal SET number = 99 WHERE number = 1",
            "UPDATE deal SET number = 1 WHERE number = 2",
            "UPDATE deal SET number = 2 WHERE number = 99",
        ],
        "deal 1: version 1 was chained as one of deal 2",
    ),
    "deal of another session": (
        ["""UPDATE deal SET session_id = (SELECT session_id FROM card_session WHERE title = '')
        WHERE number = 4"""],
        "Friday: of 11 entries the chain misses",
    ),
    "deal version": (["UPDATE deal SET version = 1"], "version 1 is stored as current"),
    "last deal gone, and its count": (
        [
            "DELETE FROM payout WHERE number = 4",
            "DELETE FROM deal_version WHERE deal_id = (SELECT deal_id FROM deal WHERE number = 4)",
            "DELETE FROM review WHERE deal_id = (SELECT deal_id FROM deal WHERE number = 4)",
            "DELETE FROM deal WHERE number = 4",
            "UPDATE card_session SET next_number = 4 WHERE title = 'Friday'",
        ],
        "Friday: of 11 entries the chain misses",
    ),
    "last version gone, its count and the end of the chain": (
        [
            """DELETE FROM review WHERE deal_id = (SELECT deal_id FROM deal WHERE number = 4)""",
            "UPDATE deal SET disputed = 0 WHERE number = 4",
            """UPDATE card_session SET written = written - 1 WHERE title = 'Friday'""",
        ],
        "Friday: its chain does not end where it should",
    ),
    "version of a deal serial": (["UPDATE deal_version SET serial = 99"], "the chain misses"),
    "version of a deal chain": (["UPDATE deal_version SET chain = '0'"], "differs from its hash"),
    "version of a deal number": (
        ["UPDATE deal_version SET version = 7 WHERE version = 2"], "numbered [1, 7]",
    ),
    "review proposal gone": (["UPDATE review SET proposal = NULL"], "4: review 1 disputes it"),
    "review out of order": (["UPDATE review SET review = 2"], "its reviews are numbered [2]"),
    "review serial": (["UPDATE review SET serial = 99"], "the chain misses"),
    "cards version": (["UPDATE play SET version = 2"], "version 2 of the cards differs"),
    "cards serial": (["UPDATE play SET serial = 99"], "the chain misses"),
    "cards of another session": (
        ["""UPDATE play SET session_id =
        (SELECT session_id FROM card_session WHERE title = '')"""],
        "Friday: of 11 entries the chain misses",
    ),
    "change rules": (
        ["""UPDATE session_change SET rules = json_set(rules, '$.name', 'x')
        WHERE rules IS NOT NULL"""],
        "differs from its hash",
    ),
    "change of seats to nobody": (
        ["UPDATE session_change SET seats = '[]' WHERE seats IS NOT NULL"], "differs from its hash",
    ),
    "change serial": (["UPDATE session_change SET serial = serial + 90"], "the chain misses"),
    "deal under way key": (["UPDATE started_deal SET deal_id = circle_id"], "deal_id is"),
    "payout seat": (["UPDATE payout SET seat = 9 WHERE seat = 0"], "counts"),
    "payout number": (["UPDATE payout SET number = 9 WHERE number = 1"], "is paid but not there"),
}  # fmt: skip
#: By table, the columns whose hash alone tells, each with another value.
CHAINED = {
    "deal_version": {
        "act": "'amend'", "outcome": "'misdeal'", "dealer": "3", "sits_out": "'[2]'",
        "voided": "1", "payouts": "'{}'", "phone_id": "NULL", "change": "1",
        "session_id": "circle_id", "number": "9",
    },
    "review": {
        "proposal": """'{"partner": "3"}'""", "kind": "'uphold'", "version": "9",
        "phone_id": "NULL", "chain": "'0'", "session_id": "circle_id", "number": "9",
    },
    "play": {"at": ":may", "phone_id": "NULL", "chain": "'0'"},
    "session_change": {
        "until_number": "9", "rule_set_id": "circle_id", "rule_set_version": "7",
        "sits_out": "'[1]'", "dealer": "2", "phone_id": "NULL", "at": ":may", "chain": "'0'",
    },
}  # fmt: skip


def setting(table: str, column: str, value: str = "") -> str:
    """Write the statement that sets a column of all rows of a table."""
    return f"UPDATE {table} SET {column} = {value}"  # noqa: S608  # names of ours


#: Of the ledger, the columns of an entry and of what it moves, the currency; of pages and seasons.
MONEY = {
    "circle": {"currency": "'CHF'"},
    "ledger_entry": {
        "kind": "'cost'", "session_id": "circle_id", "number": "7", "way": "'pot'",
        "stake_cents": "7", "fee_cents": "7", "means": "'bank'", "note": "'x'",
        "phone_id": "circle_id", "written_by": "'x'", "at": ":may", "confirmed_at": ":may",
        "voided_at": ":may",
    },
    "posting": {"player_id": "circle_id", "cents": "cents * 2"},
    "public_page": {
        "session_id": "circle_id", "names": "0", "money": "1", "created_at": ":may",
        "revoked_at": ":may",
    },
    "season": {
        "name": "'x'", "first_day": "'2026-05-03'", "last_day": "'2027-05-03'",
        "created_at": ":may",
    },
    "note": {
        "number": "7", "text": "'x'", "photo": "'x'",
        "phone_id": "circle_id", "written_by": "'x'", "at": ":may",
    },
}  # fmt: skip

EDITS |= {
    f"{table} {column}": ([setting(table, column, value)], "differs from its hash")
    for table, columns in CHAINED.items()
    for column, value in columns.items()
}
EDITS |= {
    f"{table} {column}": ([setting(table, column, value)], f": {column} is")
    for table, columns in MONEY.items()
    for column, value in columns.items()
}
EDITS |= {
    "ledger entry under another key": (
        ["UPDATE ledger_entry SET entry_id = circle_id"], "is gone without an entry",
    ),
    "public page under another key": (
        ["UPDATE public_page SET page_id = circle_id"], "is gone without an entry",
    ),
    "posting of another entry": (
        ["UPDATE posting SET entry_id = circle_id"], "is gone without an entry",
    ),
    "season under another key": (
        ["UPDATE season SET season_id = circle_id"], "season Winter is gone without an entry",
    ),
    "note under another key": (
        ["UPDATE note SET note_id = circle_id WHERE photo = ''"], "is gone without an entry",
    ),
    "note of another session": (
        ["UPDATE note SET session_id = circle_id"], "is gone without an entry",
    ),
    "another photo": (
        ["UPDATE photo SET jpeg = x'ffd8'"], "is not the one that was kept",
    ),
    "photo of another note": (
        ["UPDATE photo SET note_id = (SELECT note_id FROM note WHERE photo = '')"],
        "is not the one that was kept",
    ),
    "photo taken away": (["DELETE FROM photo"], "is not the one that was kept"),
    "posting in another line": (["UPDATE posting SET line = line + 5"], "is in no entry"),
}  # fmt: skip
#: What the keys of rows consist of, to be changed with what they hold together only.
KEYS = {
    "circle_id", "session_id", "deal_id", "player_id", "phone_id", "link_id", "rule_set_id",
    "season_id",
}  # fmt: skip
#: What no page shows: in what order a page is sent again, where a phone was, and secrets.
UNSEEN = {
    ("card_session", "version"),
    ("phone", "browser"),
    ("phone", "last_seen_at"),
    ("spoken_code", "code_hash"),
    ("throttle", "minute"),
    ("throttle", "requests"),
    ("throttle", "address_hash"),
}


def test_every_column_that_a_page_shows_is_edited() -> None:
    done = " ".join(statement for statements, _ in EDITS.values() for statement in statements)
    every = {
        (table.name, column.name)
        for table in Base.metadata.tables.values()
        for column in table.c
        if not (column.primary_key and column.name in KEYS)
    }
    missing = {one for one in every - UNSEEN if setting(*one).strip() not in done}

    assert missing == set()


@pytest.fixture
def file(sqlite_url: str, shared_file: Path, played: Path) -> Path:
    """Give the database of the application, which has not opened it yet, with the circle."""
    assert sqlite_url.endswith(str(shared_file))
    begin_anew(shared_file, played)
    return shared_file


#: `make test` tries every third; each table has some of them.
EACH_EDIT = [
    pytest.param(*edit, id=name, marks=pytest.mark.slow if place % 3 else [])
    for place, (name, edit) in enumerate(EDITS.items())
]


@ON_SQLITE
@pytest.mark.parametrize(("statements", "told"), EACH_EDIT)
def test_edit_by_hand_is_found(statements: list[str], told: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        changed = [connection.execute(one, {"may": MAY}).rowcount for one in statements]
    assert all(changed)

    found = findings()

    assert [line for line in found if told in line], found


def counters() -> list[tuple[str, str]]:
    """List the columns with whole numbers, by table."""
    return [
        (table.name, column.name)
        for table in Base.metadata.tables.values()
        for column in table.c
        if isinstance(column.type, Integer)
    ]


@contextmanager
def little_memory() -> Iterator[None]:
    """Let this process take no more than another 400 MB while the block runs."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + 400_000_000
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@ON_SQLITE
@pytest.mark.parametrize(("table", "column"), counters())
def test_number_of_any_size_is_counted_and_not_built(table: str, column: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection, suppress(sqlite3.IntegrityError):
        key = "number" if table == "payout" else "rowid"  # where rows have none
        first = f"{key} = (SELECT min({key}) FROM {table})"  # noqa: S608  # names of ours
        connection.execute(f"UPDATE {table} SET {column} = 2147483647 WHERE {first}")  # noqa: S608  # names of ours

    with little_memory():
        findings()


@ON_SQLITE
@pytest.mark.parametrize("place", ["circle SET journaled", "card_session SET written"])
def test_forged_count_of_entries_is_named(place: str, file: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"UPDATE {place} = 2147483647")  # names of ours
    (circle_id,) = queries.circle.circle_ids()
    copy, compared = tmp_path / "copy", list[str]()

    with little_memory():
        found = [line for line in findings() if "of 2147483647 entries the chain misses" in line]
        copy.write_bytes(b"".join(export_circle(circle_id)))
        verify_against(copy, compared.append)
        circles.delete_circle(circle_id, circles.find(circle_id).name)
        with pytest.raises(InvalidError) as refused:
            import_circles(copy)

    assert found
    assert max(map(len, found)) < 300
    assert refused.value.problems[0].code == "damaged"
    assert "has not all of the 2147483647 entries" in " ".join(compared)


@ON_SQLITE
@pytest.mark.usefixtures("file")
def test_nothing_is_found_where_nothing_was_edited() -> None:
    assert findings() == []


@ON_SQLITE
def test_rename_after_an_edit_does_not_hide_it(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE player SET name = 'Zed' WHERE name = 'Ada'")
    (circle_id,) = queries.circle.circle_ids()
    zed = next(one for one in queries.circle.players(circle_id) if one.name == "Zed")
    players.rename(circle_id, zed.player_id, "Adele")

    assert [line for line in findings() if "with name 'Zed', but it was 'Ada'" in line]


def imported(circle_id: UUID, path: Path) -> None:
    path.write_bytes(b"".join(export_circle(circle_id)))
    name = circles.find(circle_id).name
    circles.delete_circle(circle_id, name)
    import_circles(path)


def test_untouched_circles_have_nothing_to_be_found(tmp_path: Path) -> None:
    for seed in range(3):
        demo.fill(seed)
    for _ in range(3):
        a_full_circle()
    for number, circle_id in enumerate(queries.circle.circle_ids()):
        imported(circle_id, tmp_path / str(number))
    a_full_circle()

    found: list[str] = []
    count = verify(found.append)

    assert (found, count.circles) == ([], 7)


def worked_on(number: int, kept: Evening) -> None:
    """Do to an evening, and to its circle, what its number says."""
    circle_id, by = kept.circle_id, kept.by
    first, *_, last = queries.circle.players(circle_id)
    if number % 2:
        could_void(kept, 1)
        circles.hold(circle_id, by.phone_id, first.player_id, by=by)
    if number % 3:
        joined = circles.join(circles.make_link(circle_id, "Bar", Role.PLAYER, by=by), {})
        circles.give_role(circle_id, joined.phone_id, list(Role)[number % len(Role)], by=by)
    if number % 5 == 0:
        players.rename(circle_id, last.player_id, f"Zed {number}", by=by)
    if number % 7 == 0:
        note_export(*kept.keys, Kind.EXPORTED, by=by)
    if number % 4 == 0:
        sessions.end_session(*kept.keys, by=by)


@pytest.mark.slow
@ON_SQLITE
def test_fifty_untouched_circles_of_all_games_have_nothing_to_be_found(tmp_path: Path) -> None:
    chosen = [EVENINGS[place * len(EVENINGS) // FIFTY] for place in range(FIFTY)]
    for number, (evening,) in enumerate(one.values for one in chosen):
        assert isinstance(evening, golden.Evening)
        worked_on(number, recorded(evening))
    for number, circle_id in enumerate(queries.circle.circle_ids()[::10]):
        imported(circle_id, tmp_path / str(number))

    found: list[str] = []
    count = verify(found.append)

    assert (found, count.circles) == ([], FIFTY)
