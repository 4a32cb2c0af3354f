"""Every route, for everybody who may come along: what each is answered."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from flask import Flask

from scorer.roles import Role
from scorer.routes import FACTS, facts_of
from scorer.services.base.clock import now
from scorer.services.circle.circles import digest
from scorer.storage import in_transaction, models, write
from tests.conftest import one_in_three
from tests.web.phones import JSON, Phone
from tests.web.photos import add_photo
from tests.web.routes import ROWS, Row, address, facts_text, values
from tests.web.rows import link_ids, phone_ids, player_ids, rows, rows_put_back
from tests.web.tables import filled, keep_table

#: Strangers first and the owner last: what only an owner may do can be done once.
VISITORS = (
    "no cookie", "other circle", "sent away", "revoked link", "slip",
    "spectator", "player", "scorekeeper", "owner",
)  # fmt: skip
MEMBERS = VISITORS[5:]
REFUSED = (401, 403, 404)
#: The routes of pages; those of programs, which no cookie opens, are in test_programs.py.
OF_PAGES = [row for row in ROWS if not row.endpoint.startswith("api_")]
EACH_PAGE = {f"{row.method} {row.rule}": row for row in OF_PAGES}
BEGINS_A_CIRCLE = "/sessions/new"


@dataclass(frozen=True, slots=True)
class World:
    """A circle that has played, and everybody who may come along."""

    app: Flask
    visitors: dict[str, Phone]
    values: dict[str, Any]
    form: dict[str, object]


@pytest.fixture(scope="module")
def played(app: Flask) -> World:
    """Play two deals, let everybody in, send one away, and revoke the link of another."""
    owner = Phone(app).start()
    owner.record(1)
    form: dict[str, object] = {
        **filled(),
        **owner.agreed(circle=""),
        **owner.deal(2),
        "action": "save", "document": "{}", "play": "{}", "version": "1", "reason": "?",
        "seen": "0", "from": "2", "next_number": "2", "outcome": "misdeal", "role": "player",
        "player_id": "", "code": "nonsense", "currency": "EUR", "names": "full",
        "first": "2026-11-01", "last": "2026-11-30", "name": "Ada, Bea, Ciro",
        "language": "it", "theme": "dark",
    }  # fmt: skip
    visitors = {name: owner.let_in(Phone(app), name) for name in MEMBERS[:-1]}
    for name in ("revoked link", "sent away"):
        visitors[name] = owner.let_in(Phone(app))
    revoked, away = link_ids(owner)[-2], phone_ids(owner)[-1]
    owner.post(f"{owner.circle_url}links/{revoked}/revoke")
    owner.post(f"{owner.circle_url}phones/{away}/away")
    owner.let_in(Phone(app), "owner")
    keep_table(owner)
    add_photo(owner)
    last = {"link_id": link_ids(owner)[-1], "phone_id": phone_ids(owner)[-1]}
    given = {**values(owner), "number": 1, **last}
    form["phone_id"] = str(given["phone_id"])
    visitors |= {"owner": owner, "no cookie": Phone(app), "other circle": Phone(app)}
    visitors["slip"] = sit_down(owner, Phone(app))
    visitors["other circle"].start()
    return World(app, visitors, given, form)


def sit_down(owner: Phone, phone: Phone) -> Phone:
    """Make the session of the owner a table of a tournament; a phone sits down there by a slip."""
    circle_id, session_id = owner.keys
    key: dict[str, Any] = {"circle_id": circle_id, "tournament_id": UUID(int=9)}
    with owner.app.app_context():
        in_transaction(
            lambda: write(
                models.TournamentRow(
                    **key, name="Club", game="briscola", rules={}, settings={}, people=1,
                    started_at=now(), ended_at=None,
                ),
                models.TournamentTurn(**key, turn=1, drawn=1, seating={}, penalties={}),
                models.TournamentTable(**key, turn=1, number=1, session_id=session_id),
                models.LinkSecret(
                    secret_hash=digest("slip"), circle_id=circle_id, link_id=session_id
                ),
            )
        )  # fmt: skip
    answer = phone.post("/table", {"code": "slip"})
    assert answer.headers["Location"] == owner.url
    phone.url = owner.url
    return phone


@pytest.fixture
def world(played: World) -> Iterator[World]:
    """Give that circle, and afterwards have everything again as it was."""
    clients = [phone.client for phone in played.visitors.values()]
    kept = [(deepcopy(client._cookies), dict(client.given)) for client in clients]
    with rows_put_back(played.app):
        yield replace(played, form=dict(played.form))
    for client, (cookies, tokens) in zip(clients, kept, strict=True):
        client._cookies, client.given = cookies, tokens


def askers(row: Row) -> set[str]:
    """Name the visitors who ask for a route: strangers, and who just may and may not.

    A role may what those below it may, so that the least that may is asked, and the one below it;
    a player, as most phones are, tries every page. What is for everybody is asked for without a
    cookie, with one that opens nothing, and by an owner.
    """
    if row.least is None:
        return {"no cookie", "sent away", "owner"}
    below = VISITORS[max(VISITORS.index(row.least) - 1, VISITORS.index("spectator"))]
    return {*VISITORS[:5], below, row.least, *(["player"] if row.method == "GET" else [])}


def expected(visitor: str, row: Row) -> int:
    """Give the status for a visitor who asks."""
    at_table = visitor == "slip" and row.facts.endswith("at-table")
    if row.least is None or at_table:
        return row.status
    if visitor not in MEMBERS:
        return 404
    return row.status if VISITORS.index(visitor) >= VISITORS.index(row.least) else 403


def test_table_has_every_route_and_method_with_its_facts(app: Flask) -> None:
    routes = [
        (rule.endpoint, method, facts_text(rule.endpoint), rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    ]

    assert [(*row[:2], *row[3:]) for row in ROWS] == sorted(routes)


@pytest.mark.parametrize("row", one_in_three(EACH_PAGE))
def test_everybody_gets_what_the_table_says(world: World, row: Row) -> None:
    assert wrong(world, address(world.app, row.rule, world.values), row) == {}


def test_head_and_options_are_guarded_like_get(world: World) -> None:
    path = f"{world.visitors['owner'].circle_url}delete"
    for method in ("HEAD", "OPTIONS"):
        asked = [ask(world, who, method, path) for who in ("no cookie", "scorekeeper", "owner")]
        assert asked == [404, 403, 200], method


def test_no_cookie_opens_what_is_for_programs(world: World) -> None:
    before = rows(world.app)

    for row in (row for row in ROWS if row.endpoint.startswith("api_")):
        path = address(world.app, row.rule, world.values)
        assert ask(world, "owner", row.method, path) == 401, row
    assert rows(world.app) == before


def test_session_is_started_in_a_circle_by_who_has_the_pen(world: World) -> None:
    circle_id = world.values["circle_id"]
    world.form["circle"] = str(circle_id)

    for method in ("GET", "POST"):
        row = EACH_PAGE[f"{method} {BEGINS_A_CIRCLE}"]
        kept = row._replace(answer=f"{row.status}@scorekeeper")
        assert wrong(world, f"{BEGINS_A_CIRCLE}?circle={circle_id}", kept) == {}


def test_circle_that_is_named_twice_is_the_one_that_counts(world: World) -> None:
    spectator = world.visitors["spectator"]
    own = Phone(world.app)
    own.client = spectator.client
    own.start()
    form = world.form | {"circle": str(world.values["circle_id"]), "key": str(uuid4())}

    answer = own.post(f"/sessions/new?circle={own.keys[0]}", form)

    assert answer.status_code == 403


def wrong(world: World, path: str, row: Row) -> dict[str, tuple[int, int]]:
    """Ask for a route, and give what is answered otherwise than it should be.

    Whoever only reads or is refused changes nothing.
    """
    wanted = {who: expected(who, row) for who in VISITORS if who in askers(row)}
    refused = [who for who in wanted if row.method == "GET" or wanted[who] in REFUSED]
    before = rows(world.app)
    answers = {who: ask(world, who, row.method, path) for who in refused}
    assert rows(world.app) == before
    answers |= {who: ask(world, who, row.method, path) for who in wanted if who not in refused}
    return {who: (got, wanted[who]) for who, got in answers.items() if got != wanted[who]}


def ask(world: World, visitor: str, method: str, path: str) -> int:
    """Give the status that a visitor is answered with."""
    form = world.form | ({"key": str(uuid4())} if path == BEGINS_A_CIRCLE else {})
    data = form if method == "POST" else None
    with world.visitors[visitor].client.open(path, method=method, data=data) as answer:
        return answer.status_code


def test_page_that_the_guard_does_not_know_is_for_owners_only(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(FACTS, "deals.record")
    phones = [world.visitors[name] for name in ("owner", "scorekeeper")]

    assert [phone.get("record").status_code for phone in phones] == [200, 403]
    assert ["/record" in phone.get().text for phone in phones] == [True, False]


@pytest.mark.parametrize("member", ["slip", *MEMBERS])
def test_pages_offer_only_what_the_phone_may_do(world: World, member: str) -> None:
    phone = world.visitors[member]
    world.visitors["owner"].post("record/start", phone.deal(2))
    urls = world.app.url_map.bind("localhost")

    def may_use(endpoint: str) -> bool:
        facts = facts_of(endpoint)
        if member == "slip":
            return facts.least is None or facts.at_table
        return Role(member).reaches(facts.least or Role.SPECTATOR)

    pages = "", "phones", "evenings/", "deals/", "players/", f"players/{player_ids(phone)[0]}/"
    others = [phone.circle_url + page for page in pages]
    if member == "slip":
        others = [phone.url + page for page in ("record", "rules", "money", "notes/")]
    for path in ("/", phone.url, f"{phone.url}deals/1/", *others):
        page = phone.page(path)
        assert page.status == 200
        asked = [
            (link, "GET") for link in page.links if link.startswith("/") and link != BEGINS_A_CIRCLE
        ]
        asked += [(form.action or path, form.method) for form in page.forms]
        for where, method in asked:
            endpoint, _ = urls.match(urlsplit(where).path, method)
            assert may_use(endpoint), (path, method, where)


def test_who_is_refused_is_told_who_may(world: World) -> None:
    spectator, keeper = world.visitors["spectator"], world.visitors["scorekeeper"]
    circle = spectator.circle_url
    for phone, path, sentence in (
        (spectator, "record", "Only a phone with the pen"),
        (keeper, f"{circle}delete", "Only an owner of the circle"),
        (spectator, f"{circle}who", "This phone may only watch"),
    ):
        page, told = phone.page(path), phone.get(path, headers=JSON)

        assert page.status == told.status_code == 403
        assert sentence in page.words
        (problem,) = told.get_json()["problems"]
        assert problem["code"] == "forbidden"
        assert problem["message"].startswith(sentence)
