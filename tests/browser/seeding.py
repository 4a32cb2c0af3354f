"""A circle that has played before: its forms are sent plainly, nothing is drawn."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from playwright.sync_api import APIRequestContext, APIResponse, FilePayload, StorageState

from tests.browser.actor import FIVE, GAME
from tests.browser.phones import Phone
from tests.data.photos import photo as made
from tests.samples import RECORD
from tests.web.tables import filled

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
#: A connection that was kept open may be closed by the server just as it is used again.
RETRIES = 3
SECRET = re.compile(r"/join#([\w-]+)")
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
#: Names as they come: short ones, long ones, two words.
SIX = ("Ada", "Giovambattista", "Ciro", "Maria Grazia", "Ezio", "Fulvia")
#: What the sheet of the deal says whose cards are in the samples.
BY_CARDS = {"caller": "1", "bid_rank": "K", "suit": "C", "card_points": "72"}
#: Col monte one bids points alone, and names any card, which may be laid aside.
BY_POINTS = {"bid_rank": "", "bid_points": "75", "called_rank": "K"}
ASIDE = ("KC", "AB", "7B", "6B", "5B")
#: The sessions of the past by the name of their page: how each is begun, and what is done there.
SESSIONS = Path(__file__).parents[1] / "data/past_sessions.json"
DEAL = {"caller": "0", "bid_rank": "K", "suit": "C", "partner": "2", "card_points": "72"}


@dataclass(slots=True)
class Sheet:
    """A session that is written down deal by deal, and the path of its page."""

    scribe: Scribe
    path: str
    deals: list[str] = field(default_factory=list)

    def record(self, **answers: str) -> Sheet:
        """Write down the next deal."""
        self._next("record", DEAL | answers)
        return self

    def misdeal(self) -> None:
        """Write down that the next deal was dealt wrongly."""
        self._next("outcome", {"outcome": "misdeal"})

    def begin(self, **answers: str) -> None:
        """Write down what the auction said."""
        said = {name: DEAL[name] for name in ("caller", "bid_rank", "suit")} | answers
        form = {"key": str(uuid4()), "number": str(len(self.deals) + 1), **said}
        self.scribe.post(f"{self.path}record/start", form)

    def amend(self, number: int, version: int, reason: str, **answers: str) -> None:
        """Write a new version of a deal."""
        form = DEAL | answers | {"version": str(version), "reason": reason}
        form |= {"key": self.deals[number - 1], "number": str(number)}
        self.scribe.post(f"{self.path}deals/{number}/amend", form)

    def void(self, number: int, version: int, reason: str) -> None:
        """Strike a deal through."""
        form = {"version": str(version), "reason": reason}
        self.scribe.post(f"{self.path}deals/{number}/void", form)

    def restore(self, number: int, version: int) -> None:
        """Let a deal count again."""
        self.scribe.post(f"{self.path}deals/{number}/restore", {"version": str(version)})

    def let_run(self, minutes: int) -> None:
        """Start the timer."""
        self.scribe.post(f"{self.path}start-timer", {"minutes": str(minutes)})

    def sit(self, here: Sequence[int], known: int, guest: str) -> None:
        """Let a guest join those who are here, of so many that are known."""
        seen = self.scribe.hidden(f"{self.path}table", "seen")
        number = str(len(self.deals) + 1)
        form = {"seen": seen, "next_number": number, "since": number, "guest": guest}
        seats = [*map(str, range(known)), "new"]
        placed = [
            pair
            for place, seat in enumerate(seats, start=1)
            for pair in (("seat", seat), ("place", str(place)))
        ]
        self.scribe.post(f"{self.path}table", form, [*placed, *(("here", str(n)) for n in here)])

    def sit_out(self, **chosen: str) -> None:
        """Choose who sits out."""
        seen = self.scribe.hidden(self.path, "seen")
        self.scribe.post(f"{self.path}sit-out", {"seen": seen, **chosen})

    def change(self, **form: str) -> None:
        """Change the rules."""
        self.scribe.post(f"{self.path}rules/change", form)

    def play(self, acts: Sequence[Sequence[Any]]) -> None:
        """Do what a list says: the name of an act, what it takes, and its answers."""
        for name, *given in acts:
            answers = given.pop() if given and isinstance(given[-1], dict) else {}
            getattr(self, name)(*given, **answers)

    def lay(self, number: int, tricks: Sequence[object], **more: object) -> None:
        """Write down the cards of a deal, whose sheet says which was called."""
        page = f"{self.path}deals/{number}/tricks/"
        play = json.dumps({"tricks": tricks, **more})
        form = {"play": play, "seen": self.scribe.hidden(page, "seen"), "do": "stop"}
        self.scribe.post(page, form)

    def note(self, text: str, number: str = "", photo: bytes = b"") -> None:
        """Add a note, with a photo if one is given."""
        form = {"key": str(uuid4()), "text": text, "number": number}
        self.scribe.post_file(f"{self.path}notes/", form, photo)

    def end(self) -> None:
        """End the session."""
        self.scribe.post(f"{self.path}end", {})

    def _next(self, where: str, answers: dict[str, str]) -> None:
        key = str(uuid4())
        number = str(len(self.deals) + 1)
        self.scribe.post(self.path + where, {"key": key, "number": number, **answers})
        self.deals.append(key)


class Scribe:
    """Sends the forms of one phone."""

    def __init__(self, phone: Phone) -> None:
        self._request: APIRequestContext = phone.context.request
        found = TOKEN.search(self._request.get("/join", max_retries=RETRIES).text())
        assert found
        self._token = found[1]

    def start(
        self, title: str, rules: str = "ladder-bands", people: Sequence[str] = FIVE, **other: str
    ) -> Sheet:
        """Start a session."""
        form = {
            "key": str(uuid4()),
            "circle": "",
            "game": GAME,
            "title": title,
            "rules": rules,
            "end": "open",
            "first_dealer": "0",
        }
        seated = [
            (name, value)
            for place, person in enumerate(people, start=1)
            for name, value in (("player", person), ("place", str(place)))
        ]
        answer = self.post("/sessions/new", form | other, seated)
        return Sheet(self, urlsplit(answer.headers["location"]).path)

    def link(self, circle: str, role: str = "scorekeeper") -> str:
        """Make a link into a circle; give its secret."""
        form = {"name": "Another phone", "role": role}
        self.post(f"{circle}links", form)
        found = SECRET.search(self.read(f"{circle}links"))
        assert found
        return found[1]

    def keep_table(self, circle: str, name: str, rules: object) -> str:
        """Keep a table among the house rules; give the path of its page."""
        answer = self.post(f"{circle}rules/new", {"name": name, "action": "save"}, boxes(rules))
        return urlsplit(answer.headers["location"]).path

    def read(self, path: str) -> str:
        """Give the source of a page."""
        return self._request.get(path, max_retries=RETRIES).text()

    def hidden(self, path: str, name: str) -> str:
        """Give what a page sends along unseen."""
        found = re.search(rf'name="{name}"[^>]* value="([^"]*)"', self.read(path))
        assert found
        return found[1]

    def post(
        self,
        path: str,
        form: Mapping[str, str],
        more: Sequence[tuple[str, str]] = (),
        *,
        status: int = 303,
    ) -> APIResponse:
        """Send a form that is sound; the page that follows is not asked for."""
        fields = urlencode([("csrf_token", self._token), *form.items(), *more])
        answer = self._request.post(
            path, data=fields, headers=FORM, max_redirects=0, max_retries=RETRIES
        )
        assert answer.status == status, (path, form, answer.status)
        return answer

    def post_file(self, path: str, form: dict[str, str], photo: bytes) -> None:
        """Send a form with a photo that is sound."""
        file: FilePayload = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": photo}
        parts: dict[str, Any] = {"csrf_token": self._token, "photo": file, **form}
        answer = self._request.post(path, multipart=parts, max_redirects=0, max_retries=RETRIES)
        assert answer.status == 303, (path, form, answer.status)


def boxes(rules: object) -> list[tuple[str, str]]:
    """Give what the form of a table sends."""
    return [(name, value) for name, values in filled(rules).items() for value in values]


class Past(NamedTuple):
    """The cookies of those who may see the pages of a circle, and where these are, by name."""

    cookies: dict[str, StorageState]
    paths: dict[str, str]


def live_through(phone: Phone, player: Phone, watcher: Phone) -> Past:
    """Play evenings of every kind; let a player's phone in, and one that may only watch."""
    scribe = Scribe(phone)
    empty = scribe.start("Before the first deal", people=SIX[:5]).path
    circle = empty.partition("sessions/")[0]
    circle_id = circle.split("/")[2]

    def start(title: str, rules: str = "ladder-bands", count: int = 5, **other: str) -> Sheet:
        return scribe.start(title, rules, SIX[:count], circle=circle_id, **other)

    for other, role in ((player, "player"), (watcher, "spectator")):
        Scribe(other).post("/join", {"code": scribe.link(circle, role)})
    phones = {"keeper": phone, "player": player, "watcher": watcher}
    cookies = {name: each.context.storage_state() for name, each in phones.items()}
    dead_hand = {"preset": "four-balanced", "cards_each": 8, "dead_hand": True}
    dead_hand_rules = scribe.keep_table(circle, "Col morto", dead_hand).split("/")[-2]
    sessions = {
        "long": _long(start("Friday at Bea’s")),
        "ended": _ended(start("Last week")),
        "disputed": _disputed(start("Not agreed"), Scribe(player)),
        "cards": _cards(start("Card by card", first_dealer="4")),
        "monte": _monte(start("Col monte", "monte-5")),
        "dead": _dead(start("Col morto", dead_hand_rules, 4, first_dealer="3")),
    }
    for name, session in json.loads(SESSIONS.read_text(encoding="utf-8")).items():
        acts = session.pop("acts", ())
        sessions[name] = start(**session)
        sessions[name].play(acts)
    paths = {name: sheet.path for name, sheet in sessions.items()}
    paths |= {"circle": circle, "circle_id": circle_id, "empty": empty}
    paths |= {"six_id": paths["six"].split("/")[4], "table": _table(scribe, circle)}
    paths |= {"public": _public(sessions["ended"]), "tournament": _tournament(scribe, circle)}
    return Past(cookies, paths)


def _long(sheet: Sheet) -> Sheet:
    for number in range(23):
        caller, partner = number % 5, (number * 2 + 1) % 5
        with_whom = "alone" if caller == partner else str(partner)
        count = str(48 + 3 * number)
        sheet.record(caller=str(caller), partner=with_whom, card_points=count)
    return sheet


def _ended(sheet: Sheet) -> Sheet:
    """Two photos and two notes say what it was like."""
    sheet.record()
    sheet.note("The table, and Bea with four aces that nobody believed", photo=made())
    sheet.note("", "1", made((300, 400)))
    sheet.note("Ciro paid for the coffee")
    sheet.note("Dora laughed", "1")
    sheet.end()
    return sheet


def _cards(sheet: Sheet) -> Sheet:
    """The cards of deal 1 agree with its sheet, of deal 2 they don't, of deal 3 some are known.

    Those of deal 4 are all there, and its sheet is still to be written.
    """
    for number, partner in enumerate(("2", "3", "2"), start=1):
        sheet.record(**BY_CARDS, partner=partner)
        sheet.lay(number, RECORD["tricks"] if number < 3 else [*RECORD["tricks"][:2], None])
    sheet.begin()
    sheet.lay(4, RECORD["tricks"])
    return sheet


def _monte(sheet: Sheet) -> Sheet:
    """The cards of deal 1 are all there, and the called one, which was laid aside, was shown."""
    sheet.begin(**BY_POINTS)
    sheet.lay(1, in_tricks(ASIDE), discards=ASIDE, shown=True)
    sheet.scribe.post(f"{sheet.path}deals/1/tricks/record", {})
    return sheet


def _dead(sheet: Sheet) -> Sheet:
    """The called card was in the dead hand, which took the first trick."""
    sheet.record(**{**BY_POINTS, "called_rank": "J"}, suit="B", partner="alone")
    sheet.lay(1, RECORD["tricks"][:1])
    return sheet


def in_tricks(aside: Sequence[str]) -> list[list[str]]:
    """Play everything else in the order of the pack, five by five."""
    pack = [rank + suit for suit in "CDSB" for rank in "A3KQJ76542"]
    left = [card for card in pack if card not in aside]
    return [left[index : index + 5] for index in range(0, len(left), 5)]


def _disputed(sheet: Sheet, player: Scribe) -> Sheet:
    """Deal 1 was upheld, deal 2 is disputed, deal 3 waits to be confirmed."""
    for _ in range(3):
        sheet.record()
    for number in (1, 2):
        asked = {"version": "1", "seen": "0", "reason": "Ezio was the partner, and they had 59"}
        player.post(f"{sheet.path}deals/{number}/dispute", asked)
    answered = {"version": "1", "seen": "1", "reason": "Counted again by Dora"}
    sheet.scribe.post(f"{sheet.path}deals/1/uphold", answered)
    return sheet


def _public(sheet: Sheet) -> str:
    """The page of an evening for whoever has its address."""
    sheet.scribe.post(f"{sheet.path}public", {"names": "full"})
    shown = sheet.scribe.read(f"{sheet.path}last")
    found = re.search(r"/evening/[\w-]+/", shown)
    assert found
    return found[0]


def _tournament(scribe: Scribe, circle: str) -> str:
    """A club evening of four pairs, whose first turn is published."""
    form = {
        "key": str(uuid4()),
        "game": "briscola",
        "name": "The club on Tuesdays",
        "rules": "best-of-3",
        "people": "2",
        "plan": "mitchell",
        "points": "result",
        "ties": "difference",
        "names": "Ada, Giovambattista\nCiro, Maria Grazia\nEzio, Fulvia\nGino, Maria Teresa",
    }
    path = urlsplit(scribe.post(f"{circle}tournaments/new", form).headers["location"]).path
    scribe.post(f"{path}/draw", {"turn": "1"})
    scribe.post(f"{path}/publish", {"turn": "1", "drawn": scribe.hidden(path, "drawn")})
    return path


def _table(scribe: Scribe, circle: str) -> str:
    """A table of the circle that doesn't balance, in its second version."""
    odd = {"preset": "ladder-bands", "score": {"partner": 2}}
    path = scribe.keep_table(circle, "The table of the club in via Garibaldi", odd)
    said = {"name": "The table of the club in via Garibaldi", "action": "save", "version": "1"}
    scribe.post(f"{path}edit", said, boxes({**odd, "floor": 62}))
    return path
