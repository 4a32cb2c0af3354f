"""The journal of a circle as a page shows it: who did what, when, and how it changed values."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from typing import Any, NamedTuple
from uuid import UUID

from scorer.errors import InvalidError, ScorerError
from scorer.evening.session_acts import TIMED, Cancel, End, PlayOn, Resume, Start
from scorer.games import stored_game
from scorer.roles import KEY, Role
from scorer.rules.game import Table
from scorer.services.base.journal import Kind
from scorer.services.circle.circles import phone_words
from scorer.services.circle.names import END, Names, title_of
from scorer.services.session.settling import Way
from scorer.services.session.state import SessionState, load_states
from scorer.storage import queries
from scorer.storage.models import JournalEntry
from scorer.storage.queries.journal import Way as WayTo
from scorer.storage.queries.journal import about, on_phone
from scorer.texts import Text, deal_count, evening_count, say, signed
from scorer.tournaments.acts import TOURNAMENT_ACTS

Value = Text | str | int | date
Sentences = dict[tuple[str, str], Text]

PAGE = 50

#: Who wrote what no phone did, as the filter has it.
OPERATOR = "operator"

#: What an entry says, by what was done to what, in the groups that people look for; the places are
#: filled in by `EntryFormatter`.
PHONES: Sentences = {
    (Kind.LINK_MADE, "link"): say("The link “%(link)s” was made."),
    (Kind.CODE_MADE, "link"): say("A code to say aloud was made, for ten minutes."),
    (Kind.CODE_REPLACED, "link"): say("The code before was closed."),
    (Kind.LINK_REVOKED, "link"): say("The link “%(link)s” was revoked."),
    (Kind.KEY_MADE, "program_key"): say("The key “%(link)s” was made for a program."),
    (Kind.KEY_REVOKED, "program_key"): say("The key “%(link)s” was taken back."),
    (Kind.HOOK_MADE, "hook"): say("A web hook tells %(hook)s what happens."),
    (Kind.HOOK_REMOVED, "hook"): say("The web hook to %(hook)s was removed."),
    (Kind.HOOK_GIVEN_UP, "hook"): say("The web hook to %(hook)s failed too often and stopped."),
    (Kind.JOINED, "phone"): say("%(whose)s came in."),
    (Kind.LEFT, "phone"): say("%(whose)s left the circle."),
    (Kind.SENT_AWAY, "phone"): say("%(whose)s was sent away."),
    (Kind.ROLE_GIVEN, "phone"): say("%(whose)s has another role."),
    (Kind.PEN_PASSED, "card_session"): say("The pen was passed on at “%(title)s”."),
    (Kind.PEN_TAKEN_BACK, "card_session"): say("The pen was taken back at “%(title)s”."),
    (Kind.HELD, "phone"): say("%(phone)s is the phone of %(holder)s now."),
    (Kind.LET_GO, "phone"): say("%(phone)s is the phone of %(holder)s no longer."),
}
NAMES: Sentences = {
    (Kind.CIRCLE_BEGUN, "circle"): say("The circle “%(name)s” began."),
    (Kind.PLAYER_ADDED, "player"): say("%(name)s is among the players."),
    (Kind.RENAMED, "circle"): say("The circle “%(before)s” is called “%(after)s” now."),
    (Kind.RENAMED, "season"): say("The season “%(before)s” is called “%(after)s” now."),
    (Kind.RENAMED, "player"): say("%(before)s is called %(after)s now."),
    (Kind.RENAMED, "card_session"): say("The session “%(before)s” is called “%(after)s” now."),
    (Kind.RENAMED, "rule_set"): say("The table “%(before)s” is called “%(after)s” now."),
    (Kind.NICKNAMED, "player"): say("%(name)s has another nickname."),
    (Kind.ZONE_SET, "circle"): say("The circle has another time zone."),
    (Kind.SEASON_NAMED, "season"): say("The season “%(name)s” has its days."),
    (Kind.SEASON_DROPPED, "season"): say("The season “%(name)s” was dropped."),
    (Kind.SEASON_POINTS_SET, "season"): say("A season counts its tournaments otherwise."),
    (Kind.MERGED, "player"): say("%(name)s goes on for the two who were made one."),
    (Kind.RETIRED, "player"): say("%(name)s is not offered for new sessions any more."),
    (Kind.BROUGHT_BACK, "player"): say("%(name)s is back."),
}
RULES: Sentences = {
    (Kind.RULES_KEPT, "rule_set"): say("The circle has a table of its own: “%(name)s”."),
    (Kind.RULES_KEPT, "rule_set_version"): say("Version %(number)s of the table “%(name)s”."),
    (Kind.RULES_CHANGED, "rule_set_version"): say("Version %(number)s of the table “%(name)s”."),
    (Kind.RETIRED, "rule_set"): say("The table “%(name)s” was put away."),
    (Kind.BROUGHT_BACK, "rule_set"): say("The table “%(name)s” is offered again."),
}
EVENINGS: Sentences = {
    (Kind.SESSION_STARTED, "card_session"): say("The session “%(title)s” began."),
    (Kind.SEATED, "seat"): say("%(name)s sits at the table of “%(title)s”, too."),
    (Kind.STAKE_SET, "card_session"): say("“%(title)s” has another stake."),
    **{(Kind(act.noted), "card_session"): act.done for act in (End, PlayOn)},
    **{(Kind(act.noted), "timer"): act.done for act in TIMED},
    (Kind.NOTE_ADDED, "note"): say("“%(title)s” has one more note."),
    (Kind.NOTE_TAKEN_BACK, "note"): say("A note of “%(title)s” was taken back."),
    (Kind.PHOTO_ADDED, "note"): say("“%(title)s” has one more photo."),
    (Kind.PHOTO_TAKEN_BACK, "note"): say("A photo of “%(title)s” was taken back and deleted."),
}
UNDER_WAY: Sentences = {
    (Kind(act.noted), "started_deal"): act.done for act in (Start, Cancel, Resume)
}
TOURNAMENTS: Sentences = {
    (Kind.TOURNAMENT_MADE, "tournament"): say("The tournament “%(name)s” was made."),
    (Kind.TURN_DRAWN, "tournament"): say("The lots of “%(name)s” were drawn."),
    (Kind.SAT_DOWN, "table_phone"): say("%(whose)s writes at the table “%(title)s”, by its slip."),
    (Kind.TURN_UNDRAWN, "tournament_turn"): say(
        "The draw of turn %(number)s of “%(name)s” was dropped."
    ),
    **{
        (Kind(act.noted), subject): act.done
        for act in TOURNAMENT_ACTS.values()
        for subject in act.subjects
    },
}
MONEY: Sentences = {
    (Kind.CURRENCY_CHOSEN, "circle"): say("The circle has its currency."),
    (Kind.EVENING_POSTED, "ledger_entry"): say("“%(title)s” is counted in the money."),
    (Kind.CORRECTION_POSTED, "ledger_entry"): say("“%(title)s” comes to other amounts."),
    (Kind.PAYMENT_NOTED, "ledger_entry"): say("%(payer)s paid %(payee)s."),
    (Kind.PAYMENT_CONFIRMED, "ledger_entry"): say("%(payee)s got what %(payer)s paid."),
    (Kind.PAYMENT_VOUCHED_FOR, "ledger_entry"): say(
        "An owner says that %(payee)s got what %(payer)s paid."
    ),
    (Kind.COST_SHARED, "ledger_entry"): say("%(payer)s paid something that several share."),
    (Kind.MONEY_VOIDED, "ledger_entry"): say("What %(payer)s paid was taken back."),
}
FILES: Sentences = {
    (Kind.BROUGHT_IN, "card_session"): say("The session “%(title)s” came out of a file."),
    (Kind.NOTEBOOK_KEPT, "notebook"): say("An old notebook came in: %(sessions)s, %(deals)s."),
    (Kind.NOTEBOOK_TAKEN_BACK, "notebook"): say("A notebook was taken back, with %(sessions)s."),
    (Kind.NOTEBOOK_TAKEN_BACK, "player"): say("%(name)s, who came with it, is gone again."),
    (Kind.EXPORTED, "circle"): say("The file of the whole circle was taken out."),
    (Kind.EXPORTED, "card_session"): say("The file of the session “%(title)s” was taken out."),
    (Kind.TABLE_EXPORTED, "card_session"): say("The session “%(title)s” was taken out as a table."),
    (Kind.TABLE_EXPORTED, "circle"): say("All deals of the circle were taken out as a table."),
    (Kind.PAGE_PUBLISHED, "public_page"): say("“%(title)s” has a public page."),
    (Kind.PAGE_REVOKED, "public_page"): say("The public page of an evening was taken back."),
}
#: The groups that people look for, by their codes.
GROUPS: dict[str, tuple[Text, Sentences]] = {
    "phones": (say("phones and links"), PHONES),
    "names": (say("names"), NAMES),
    "rules": (say("rules"), RULES),
    "evenings": (say("sessions"), EVENINGS),
    "under-way": (say("deals under way"), UNDER_WAY),
    "tournaments": (say("tournaments"), TOURNAMENTS),
    "money": (say("money"), MONEY),
    "files": (say("files"), FILES),
}
SENTENCES: Sentences = {what: text for _, group in GROUPS.values() for what, text in group.items()}
ONE_PLAYER = say("%(other)s and %(name)s are one player now: %(name)s.")
PEN_GIVEN = say("%(whose)s got the pen.")
PEN_TAKEN = say("%(whose)s has the pen no longer.")
#: What a session is called that went with its notebook.
GONE = say("an evening that was taken back")
NOTHING_MORE = say("Something else was changed.")
#: The columns that are shown beside the sentence: what they are called there, and how a value is
#: said, of which `EntryFormatter` looks up those without. An amount of money is in cents.
SHOWN: dict[str, tuple[Text, Callable[[Any], Value] | None]] = {
    "role": (say("Role"), lambda role: Role(role).words),
    "zone": (say("Time zone"), str),
    "currency": (say("Currency"), str),
    "postings": (say("Amount"), None),
    "way": (say("How it is paid"), lambda way: Way(way).words),
    "note": (say("Note"), str),
    "text": (say("Note"), str),
    "link_id": (say("Link"), None),
    "player_id": (say("Whose phone"), None),
    "game": (say("Game"), lambda slug: stored_game(slug).name),
    "rules": (say("Rules"), None),
    "stored": (say("Auction"), None),
    "minutes": (say("Minutes"), str),
    "seats": (say("Players"), None),
    "lots": (say("Seats by lot"), str),
    "stake_cents": (say("Stake"), int),
    "opening": (say("Balance brought in"), signed),
    "expires_at": (say("Runs out"), datetime.fromisoformat),
    "once": (say("For one phone only"), lambda _: say("yes")),
    "nickname": (say("Nickname"), str),
    "first_day": (say("From"), date.fromisoformat),
    "last_day": (say("To"), date.fromisoformat),
    "created_at": (say("In the circle since"), datetime.fromisoformat),
    "retired_at": (say("Retired since"), datetime.fromisoformat),
}
#: These columns are shown only where one value took the place of another.
ONLY_CHANGED = {"player_id", "created_at"}
#: The sentence tells these already.
TOLD = {
    (Kind.RETIRED, "retired_at"),
    (Kind.BROUGHT_BACK, "retired_at"),
    (Kind.LET_GO, "player_id"),
}
#: The subjects whose entries lead to a session.
OF_A_SESSION = {"card_session", "seat", "started_deal", "timer", "note"}
#: The subjects whose keys begin with that of a rule set or a tournament.
OF_WHAT_HAS_A_NAME = {"rule_set", "rule_set_version"} | {
    subject for _, subject in TOURNAMENTS if subject.startswith("tournament")
}


class Changed(NamedTuple):
    """A value before, if any, and after; a number is an amount in cents."""

    label: Text
    old: Value | None
    new: Value | None


class JournalLine(NamedTuple):
    """An entry in words: who, on which phone, when, and what.

    The entry has the player's name of that time; if it has none, ``held_by`` is who holds the phone
    today. Without a phone it was the operator. ``subject`` and ``key`` say what it links to.
    """

    entry: JournalEntry
    phone: Text | str | None
    held_by: str | None
    text: Text
    changes: tuple[Changed, ...]
    subject: str
    key: str


class JournalPage(NamedTuple):
    """A page of the journal, newest first; ``older`` is the serial below which the next begins."""

    lines: tuple[JournalLine, ...]
    older: int | None


def journal_page(
    circle_id: UUID,
    *,
    who: str = "",
    group: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
    zone: tzinfo = UTC,
) -> JournalPage:
    """Return a page of entries: of a player, of a group of kinds, or of a span of dates.

    ``who`` is one of `doers`. Sessions that nobody gave a title are called by their day in a zone.
    """
    names = Names(circle_id)
    entries = queries.journal.search_entries(
        circle_id,
        limit=PAGE + 1,
        acts=GROUPS[group][1] if group else None,
        person=_ways(names, who) if who else None,
        since=since,
        until=until,
        before=before,
    )
    formatter = EntryFormatter(circle_id, names, entries[:PAGE], zone)
    lines = tuple(formatter.line(entry) for entry in entries[:PAGE])
    return JournalPage(lines, lines[-1].entry.serial if len(entries) > PAGE else None)


def doers(circle_id: UUID) -> dict[str, Text | str]:
    """List the choices of a search: players, phones without a holder, the operator."""
    names: dict[str, Text | str] = {
        str(player.player_id): player.name for player in queries.circle.players(circle_id)
    }
    for phone in queries.circle.phones(circle_id):
        if phone.player_id is None:
            names[str(phone.phone_id)] = phone_words(phone.name) or ""
    if queries.journal.search_entries(circle_id, limit=1, person=[on_phone(None)]):
        names[OPERATOR] = say("the operator")
    return names


def _ways(names: Names, who: str) -> Sequence[WayTo]:
    """List every relation that entries may have to a person."""
    if who == OPERATOR:
        return [on_phone(None)]
    return names.ways(who) or [on_phone(UUID(who)), about("phone", who, 1, END)]


class EntryFormatter:
    """Write entries in words; the names in a page of them are loaded at once."""

    def __init__(
        self, circle_id: UUID, names: Names, entries: Sequence[JournalEntry], zone: tzinfo
    ) -> None:
        keys = {UUID(_key(entry)) for entry in entries if entry.subject in OF_A_SESSION}
        moving = {UUID(entry.key) for entry in entries if entry.subject == "ledger_entry"}
        keys |= {UUID(of) for entry in entries if (of := (entry.after or {}).get("session_id"))}
        self._moved = queries.money.postings(circle_id, moving) if moving else {}
        self._names = names
        self._phones = {str(phone.phone_id): phone for phone in queries.circle.phones(circle_id)}
        self._links = {str(link.link_id): link.name for link in queries.circle.links(circle_id)}
        programs = ((key, phone) for key, phone in self._phones.items() if phone.is_key)
        self._links |= {key: phone.name.removeprefix(KEY) for key, phone in programs}
        sessions = queries.session.sessions_by_key(circle_id, keys)
        self._titles = {str(row.session_id): title_of(row, zone) for row in sessions}
        rule_sets = queries.session.rule_set_names(circle_id)
        self._called = {str(key): name for key, name in rule_sets.items()}
        if any(
            entry.subject.startswith("tournament") or (entry.after or {}).get("tournament_id")
            for entry in entries
        ):
            tournaments = queries.tournament.tournaments(circle_id)
            self._called |= {str(row.tournament_id): row.name for row in tournaments}
        self._terms = _terms(circle_id, keys)

    def line(self, entry: JournalEntry) -> JournalLine:
        phone = self._phones.get(str(entry.phone_id))
        gone = entry.subject in OF_A_SESSION and _key(entry) not in self._titles
        merged = self._names.now(entry.key) if entry.subject == "player" else ""
        changes, after = [], entry.after or {}
        for column, (label, _) in SHOWN.items():
            old, new = (self._value(column, kept or {}, entry) for kept in (entry.before, after))
            is_told = (entry.kind, column) in TOLD or (column in ONLY_CHANGED and old is None)
            if column in after and not is_told and (old or new):
                changes.append(Changed(label, old, new))
        return JournalLine(
            entry=entry,
            phone=phone_words(phone.name) if phone else None,
            held_by=phone.player if phone and not entry.written_by else None,
            text=self._sentence(entry),
            changes=tuple(changes),
            subject="" if gone or merged in self._names.gone else entry.subject,
            key=merged or entry.key,
        )

    def _sentence(self, entry: JournalEntry) -> Text:
        template = SENTENCES.get((entry.kind, entry.subject), NOTHING_MORE)
        if entry.kind == Kind.ROLE_GIVEN and entry.before and entry.after:
            had, has = (
                Role(values["role"]).reaches(Role.SCOREKEEPER)
                for values in (entry.before, entry.after)
            )
            template = template if had == has else PEN_GIVEN if has else PEN_TAKEN
        if "became" in (entry.after or {}):
            template = ONE_PLAYER
        return Text(template.template, self._values(entry))

    def _values(self, entry: JournalEntry) -> Mapping[str, object]:
        """Return the values for the placeholders of a sentence about an entry's subject."""
        key, _, rest = entry.key.partition("/")
        before, after = entry.before or {}, entry.after or {}
        row = {**before, **after}
        if entry.kind == Kind.RENAMED:
            was, now = (next(iter(values.values())) for values in (before, after))
            title = self._titles.get(key)
            return {"before": was or title, "after": now or title}
        match entry.subject:
            case "circle" | "link" | "season" | "program_key" | "hook":
                link = self._links.get(key)
                return {"name": row.get("name"), "link": link, "hook": row.get("hook")}
            case "phone" | "table_phone":
                return self._of_phone(entry)
            case "ledger_entry" | "public_page":
                return self._of_money(entry)
            case "player":
                return {"name": self._names.name(key, entry.serial), "other": before.get("name")}
            case "notebook":
                evenings = evening_count(len(row["sessions"]))
                return {"sessions": evenings, "deals": deal_count(row["deals"])}
            case subject if subject in OF_WHAT_HAS_A_NAME:
                return {"name": self._called.get(key), "number": rest.partition("/")[0]}
            case _:
                name = self._name(row.get("player_id"), entry.serial)
                title = self._titles.get(key, GONE)
                return {"title": title, "number": row.get("number"), "name": name}

    def _of_phone(self, entry: JournalEntry) -> Mapping[str, object]:
        """Name a phone by its number, by who holds it or held it right before, and its table."""
        phone = self._phones.get(entry.key)
        number = phone_words(phone.name) if phone else None
        let_go = (entry.before or {}).get("player_id")
        holder = self._name(self._names.holder(entry.key, entry.serial) or let_go, entry.serial)
        whose = say("%(name)s’s phone", name=holder) if holder else number
        title = self._titles.get((entry.after or {}).get("session_id") or "")
        return {"phone": number, "holder": holder, "whose": whose, "title": title}

    def _of_money(self, entry: JournalEntry) -> Mapping[str, object]:
        people = [who for who, _ in self._moved.get(UUID(entry.key), ())]
        payer, payee = [*(self._name(str(who), entry.serial) for who in people), None, None][:2]
        after = entry.after or {}
        title = self._titles.get(after.get("session_id") or "")
        title = title or self._called.get(after.get("tournament_id") or "")
        return {"title": title, "payer": payer, "payee": payee}

    def _name(self, player: str | None, serial: int) -> str | None:
        return self._names.name(player, serial) if player else None

    def _value(self, column: str, values: Mapping[str, Any], entry: JournalEntry) -> Value | None:
        """Write the value of a column, before the entry or after it."""
        value, serial = values.get(column), entry.serial
        if not value:
            return None
        if read := SHOWN[column][1]:
            return read(value)
        match column:
            case "rules":
                at = self._terms.get(_key(entry))
                return at.game.describe(at.evening.began.rules).name if at else None
            case "stored":
                return self._auction(values, entry)
            case "link_id":
                return self._links.get(value)
            case "player_id":
                return self._names.name(value, serial)
            case "postings":
                return value[0][1] if not values.get("session_id") else None
            case _:  # the seats
                seated = ((self._names.name(player, serial), brought) for player, brought in value)
                return ", ".join(f"{name} {signed(of)}" if of else name for name, of in seated)

    def _auction(self, values: Mapping[str, Any], entry: JournalEntry) -> Text | None:
        """List the calls of a deal under way, by the rules of its start."""
        at = self._terms.get(_key(entry))
        if at is None or at.game.missing:
            return None
        terms = at.terms(values["number"])
        names = tuple(self._names.name(str(seat.player_id), entry.serial) for seat in at.seats)
        try:
            start = at.start_of(values["stored"], terms.rules)
        except InvalidError:
            return None
        return at.game.started(start, Table(terms.rules, names, terms.order, terms.order))


def _key(entry: JournalEntry) -> str:
    return entry.key.partition("/")[0]


def _terms(circle_id: UUID, keys: Collection[UUID]) -> dict[str, SessionState]:
    """Return sessions by key; none if their rules cannot be read."""
    try:
        return {str(key): state for key, state in load_states(circle_id, keys).items()}
    except ScorerError:
        return {}
