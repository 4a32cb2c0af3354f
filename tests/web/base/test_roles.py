"""Every route, by every method, for everybody who may come along: what each is answered."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from flask import Flask

from scorer import create_app, storage
from scorer.routes import FACTS, Facts, facts_of
from scorer.services.base.clock import now
from scorer.services.base.roles import Role
from scorer.web.base.access import may
from tests.web.conftest import SETTINGS
from tests.web.phones import JSON, Phone
from tests.web.photos import add_photo
from tests.web.rows import link_ids, phone_ids, player_ids, rows
from tests.web.tables import filled, keep_table

CIRCLE = "/circles/<uuid:circle_id>/"
SESSION = CIRCLE + "sessions/<uuid:session_id>/"
LEDGER = CIRCLE + "ledger"
SEASONS = CIRCLE + "seasons/"
NOTEBOOK = CIRCLE + "notebook"
RULES = CIRCLE + "rules/"
RULE_SET = RULES + "<uuid:rule_set_id>/"
PLAYER = CIRCLE + "players/<uuid:player_id>/"
NOTES = SESSION + "notes/"
DEAL = SESSION + "deals/<int(max=1000000):number>/"
#: Here a cookie opens nothing: who may what with a secret is in test_programs.py.
PROGRAMS = "/api/v1/circles/<uuid:circle>/"
PROGRAM_DEAL = PROGRAMS + "sessions/<uuid:session>/deals/<int(max=1000000):number>"
#: Strangers first and the owner last: what only an owner may do can be done once.
VISITORS = (
    "no cookie",
    "other circle",
    "sent away",
    "revoked link",
    "spectator",
    "player",
    "scorekeeper",
    "owner",
)
#: The facts of every route: its least role, its limits, and what else is declared beside its view.
ROUTES = Path(__file__).parents[2] / "data/routes.txt"
MEMBERS = VISITORS[4:]
READING = ("GET", "HEAD", "OPTIONS")
NO_ROUTE = 405
REFUSED = (401, 403, 404, NO_ROUTE)
METHODS = (*READING, "PUT", "PATCH", "DELETE", "POST")


class Cell(NamedTuple):
    """What those get who may, and the first of the visitors who may; None lets everybody."""

    status: int
    least: str | None = None


MATRIX: dict[str, dict[str, Cell]] = {
    "/": {"GET": Cell(200)},
    "/mine": {"GET": Cell(200)},
    "/forget": {"POST": Cell(303)},
    "/offline": {"GET": Cell(200)},
    "/tonight": {"GET": Cell(302)},
    "/tonight/record": {"GET": Cell(302)},
    "/manifest/<language>.webmanifest": {"GET": Cell(200)},
    "/worker.js": {"GET": Cell(200)},
    "/health": {"GET": Cell(200)},
    "/health/live": {"GET": Cell(200)},
    "/static/<version>/<path:filename>": {"GET": Cell(200)},
    "/language": {"POST": Cell(303)},
    "/theme": {"POST": Cell(303)},
    "/join": {"GET": Cell(200), "POST": Cell(422)},
    "/bring": {"GET": Cell(200), "POST": Cell(200)},
    "/evening/<secret>/": {"GET": Cell(404)},
    "/evening/<secret>/picture.png": {"GET": Cell(404)},
    "/rules/": {"GET": Cell(200)},
    "/rules/<slug>/": {"GET": Cell(200)},
    "/rules/<slug>/<preset>/": {"GET": Cell(200)},
    "/api/v1/openapi.json": {"GET": Cell(200)},
    "/api/v1/rules": {"GET": Cell(200)},
    "/api/v1/rules/<game>": {"GET": Cell(200)},
    "/api/v1/score": {"POST": Cell(400)},
    "/api/v1/circles": {"GET": Cell(401)},
    PROGRAMS + "events": {"GET": Cell(401)},
    PROGRAMS + "sessions": {"GET": Cell(401)},
    PROGRAMS + "standings": {"GET": Cell(401)},
    PROGRAMS + "ledger": {"GET": Cell(401)},
    PROGRAMS + "evenings.atom": {"GET": Cell(401)},
    PROGRAMS + "players": {"GET": Cell(401)},
    PROGRAMS + "players/<uuid:player>": {"GET": Cell(401)},
    PROGRAMS + "sessions/<uuid:session>": {"GET": Cell(401)},
    PROGRAMS + "sessions/<uuid:session>/events": {"GET": Cell(401)},
    PROGRAMS + "sessions/<uuid:session>/smazzate": {"GET": Cell(401)},
    PROGRAMS + "sessions/<uuid:session>/deals": {"POST": Cell(401)},
    PROGRAM_DEAL: {"GET": Cell(401), "PUT": Cell(401)},
    PROGRAM_DEAL + "/reviews": {"GET": Cell(401), "POST": Cell(401)},
    PROGRAM_DEAL + "/uphold": {"POST": Cell(401)},
    PROGRAM_DEAL + "/withdraw": {"POST": Cell(401)},
    PROGRAM_DEAL + "/void": {"POST": Cell(401)},
    PROGRAM_DEAL + "/restore": {"POST": Cell(401)},
    "/api/v1/replay": {"POST": Cell(400)},
    "/api/v1/check": {"POST": Cell(400)},
    "/api/v1/solve": {"POST": Cell(400)},
    "/sessions/new": {"GET": Cell(200), "POST": Cell(303)},
    CIRCLE: {"GET": Cell(200, "spectator")},
    CIRCLE + "share": {"GET": Cell(200, "spectator")},
    CIRCLE + "version": {"GET": Cell(200, "spectator")},
    CIRCLE + "more": {"GET": Cell(200, "spectator")},
    CIRCLE + "standings": {"GET": Cell(200, "spectator")},
    CIRCLE + "token": {"GET": Cell(200, "spectator")},
    CIRCLE + "who": {"GET": Cell(200, "player")},
    CIRCLE + "hold": {"POST": Cell(303, "player")},
    CIRCLE + "own": {"GET": Cell(200, "spectator")},
    CIRCLE + "own/<uuid:phone_id>/away": {"POST": Cell(404, "spectator")},
    CIRCLE + "own/claims": {"POST": Cell(303, "spectator")},
    CIRCLE + "seen": {"POST": Cell(204, "spectator")},
    CIRCLE + "leave": {"POST": Cell(303, "spectator")},
    CIRCLE + "recovery": {"GET": Cell(200, "owner"), "POST": Cell(303, "owner")},
    CIRCLE + "zone": {"POST": Cell(303, "owner")},
    CIRCLE + "recovery/no": {"POST": Cell(303, "owner")},
    CIRCLE + "code": {"POST": Cell(303, "owner")},
    CIRCLE + "links": {"POST": Cell(303, "owner")},
    CIRCLE + "links/<uuid:link_id>/revoke": {"POST": Cell(303, "owner")},
    CIRCLE + "phones/<uuid:phone_id>/role": {"POST": Cell(303, "owner")},
    CIRCLE + "phones/<uuid:phone_id>/holder": {"POST": Cell(303, "owner")},
    CIRCLE + "phones/<uuid:phone_id>/away": {"POST": Cell(303, "owner")},
    CIRCLE + "import": {"POST": Cell(422, "scorekeeper")},
    CIRCLE + "rename": {"POST": Cell(303, "owner")},
    CIRCLE + "file": {"POST": Cell(200, "owner")},
    CIRCLE + "csv": {"POST": Cell(200, "spectator")},
    CIRCLE + "xlsx": {"POST": Cell(200, "spectator")},
    NOTEBOOK: {"GET": Cell(200, "scorekeeper"), "POST": Cell(200, "scorekeeper")},
    NOTEBOOK + "/<uuid:notebook_id>/back": {"POST": Cell(404, "scorekeeper")},
    CIRCLE + "delete": {"GET": Cell(200, "owner"), "POST": Cell(303, "owner")},
    CIRCLE + "evenings/": {"GET": Cell(200, "spectator")},
    CIRCLE + "feed": {"GET": Cell(200, "spectator")},
    CIRCLE + "deals/": {"GET": Cell(200, "spectator")},
    CIRCLE + "journal": {"GET": Cell(200, "spectator")},
    SEASONS: {"GET": Cell(200, "spectator"), "POST": Cell(303, "owner")},
    SEASONS + "<key>": {"GET": Cell(200, "spectator")},
    SEASONS + "<uuid:season_id>/rename": {"POST": Cell(404, "owner")},
    SEASONS + "<uuid:season_id>/drop": {"POST": Cell(404, "owner")},
    LEDGER: {"GET": Cell(200, "spectator")},
    LEDGER + "/payments": {"POST": Cell(422, "player")},
    LEDGER + "/costs": {"POST": Cell(422, "player")},
    LEDGER + "/<uuid:entry_id>/confirm": {"POST": Cell(404, "player")},
    LEDGER + "/<uuid:entry_id>/void": {"POST": Cell(404, "player")},
    LEDGER + "/currency": {"POST": Cell(303, "owner")},
    CIRCLE + "players/": {"GET": Cell(200, "spectator")},
    PLAYER: {"GET": Cell(200, "spectator")},
    PLAYER + "evenings/": {"GET": Cell(200, "spectator")},
    PLAYER + "balance.svg": {"GET": Cell(200, "spectator")},
    PLAYER + "with/<uuid:other_id>": {"GET": Cell(200, "spectator")},
    PLAYER + "rating.svg": {"GET": Cell(200, "spectator")},
    PLAYER + "rating": {"GET": Cell(200, "spectator")},
    CIRCLE + "rating": {"GET": Cell(200, "spectator")},
    PLAYER + "bids.svg": {"GET": Cell(200, "spectator")},
    #: On a phone of the player, too.
    PLAYER + "nickname": {"OPTIONS": Cell(200, "player"), "POST": Cell(303, "owner")},
    PLAYER + "rename": {"POST": Cell(303, "scorekeeper")},
    PLAYER + "retire": {"POST": Cell(303, "scorekeeper")},
    PLAYER + "return": {"POST": Cell(303, "scorekeeper")},
    PLAYER + "merge": {"GET": Cell(200, "owner"), "POST": Cell(422, "owner")},
    RULES: {"GET": Cell(200, "spectator")},
    RULES + "new": {"GET": Cell(200, "scorekeeper"), "POST": Cell(303, "scorekeeper")},
    RULES + "preview": {"POST": Cell(200, "scorekeeper")},
    RULES + "bring": {"POST": Cell(303, "scorekeeper")},
    RULE_SET: {"GET": Cell(200, "spectator")},
    RULE_SET + "share": {"GET": Cell(200, "spectator")},
    RULE_SET + "file": {"GET": Cell(200, "spectator")},
    RULE_SET + "edit": {"GET": Cell(200, "scorekeeper"), "POST": Cell(303, "scorekeeper")},
    RULE_SET + "retire": {"POST": Cell(303, "scorekeeper")},
    RULE_SET + "bring-back": {"POST": Cell(303, "scorekeeper")},
    SESSION: {"GET": Cell(200, "spectator")},
    SESSION + "tv": {"GET": Cell(200, "spectator")},
    SESSION + "last": {"GET": Cell(302, "spectator")},
    SESSION + "sheet": {"GET": Cell(200, "spectator")},
    SESSION + "picture.png": {"GET": Cell(409, "spectator")},
    SESSION + "public": {"POST": Cell(303, "scorekeeper")},
    SESSION + "public/<uuid:page_id>/revoke": {"POST": Cell(404, "scorekeeper")},
    SESSION + "version": {"GET": Cell(200, "spectator")},
    SESSION + "events": {"GET": Cell(200, "spectator")},
    CIRCLE + "events": {"GET": Cell(200, "spectator")},
    SESSION + "chart.svg": {"GET": Cell(200, "spectator")},
    SESSION + "file": {"POST": Cell(200, "spectator")},
    SESSION + "csv": {"POST": Cell(200, "spectator")},
    SESSION + "xlsx": {"POST": Cell(200, "spectator")},
    SESSION + "smazzate": {"POST": Cell(200, "spectator")},
    SESSION + "cards": {"GET": Cell(200, "player"), "POST": Cell(400, "player")},
    SESSION + "table": {"GET": Cell(200, "scorekeeper"), "POST": Cell(409, "scorekeeper")},
    SESSION + "sit-out": {"POST": Cell(303, "scorekeeper")},
    SESSION + "rules": {"GET": Cell(200, "spectator")},
    SESSION + "rules/change": {"GET": Cell(200, "scorekeeper"), "POST": Cell(303, "scorekeeper")},
    SESSION + "what-if": {"GET": Cell(200, "spectator")},
    SESSION + "rename": {"POST": Cell(303, "scorekeeper")},
    SESSION + "stake": {"POST": Cell(303, "scorekeeper")},
    SESSION + "money": {"GET": Cell(200, "spectator"), "POST": Cell(422, "scorekeeper")},
    SESSION + "end": {"POST": Cell(303, "scorekeeper")},
    SESSION + "next": {"POST": Cell(303, "scorekeeper")},
    SESSION + "pen": {"POST": Cell(303, "scorekeeper")},
    SESSION + "reopen": {"POST": Cell(303, "scorekeeper")},
    SESSION + "outcome": {"POST": Cell(303, "scorekeeper")},
    SESSION + "record": {"GET": Cell(200, "scorekeeper"), "POST": Cell(303, "scorekeeper")},
    SESSION + "record/start": {"POST": Cell(303, "scorekeeper")},
    SESSION + "record/forget": {"POST": Cell(303, "scorekeeper")},
    SESSION + "record/resume": {"POST": Cell(303, "scorekeeper")},
    SESSION + "record/preview": {"POST": Cell(200, "scorekeeper")},
    NOTES: {"GET": Cell(200, "spectator"), "POST": Cell(422, "player")},
    NOTES + "<uuid:note_id>.jpg": {"GET": Cell(200, "spectator")},
    #: On the phone that wrote it, too.
    NOTES + "<uuid:note_id>/back": {
        "OPTIONS": Cell(200, "player"),
        "POST": Cell(303, "scorekeeper"),
    },
    DEAL: {"GET": Cell(200, "spectator")},
    DEAL + "amend": {"GET": Cell(200, "scorekeeper"), "POST": Cell(303, "scorekeeper")},
    DEAL + "void": {"POST": Cell(303, "scorekeeper")},
    DEAL + "restore": {"POST": Cell(409, "scorekeeper")},
    DEAL + "undo": {"POST": Cell(303, "scorekeeper")},
    DEAL + "dispute": {"POST": Cell(303, "player")},
    DEAL + "confirm": {"POST": Cell(303, "player")},
    DEAL + "uphold": {"POST": Cell(409, "scorekeeper")},
    DEAL + "accept": {"POST": Cell(409, "scorekeeper")},
    DEAL + "withdraw": {"POST": Cell(303, "player")},
    DEAL + "tricks/": {"GET": Cell(200, "player"), "POST": Cell(200, "player")},
    DEAL + "tricks/keep": {"POST": Cell(303, "player")},
    DEAL + "tricks/record": {"POST": Cell(303, "scorekeeper")},
    DEAL + "tricks/amend": {"POST": Cell(303, "scorekeeper")},
    DEAL + "tricks/replay": {"GET": Cell(302, "spectator")},
    DEAL + "tricks/analysis": {"GET": Cell(200, "spectator"), "POST": Cell(404, "player")},
    DEAL + "tricks/analysis/stop": {"POST": Cell(404, "player")},
    DEAL + "tricks/text": {"GET": Cell(200, "spectator")},
}
BEGINS_A_CIRCLE = "/sessions/new"
#: A session can be started in a circle, which is named beside the address.
BESIDE = {"OPTIONS": Cell(200), "GET": Cell(200, "scorekeeper"), "POST": Cell(303, "scorekeeper")}


@dataclass(frozen=True, slots=True)
class World:
    """A circle that has played, and everybody who may come along."""

    app: Flask
    visitors: dict[str, Phone]
    values: dict[str, object]
    form: dict[str, object]

    def path(self, pattern: str) -> str:
        """Give the address that a rule leads to here."""
        rule = next(one for one in self.app.url_map.iter_rules() if one.rule == pattern)
        built = rule.build({name: self.values[name] for name in rule.arguments})
        assert built is not None
        return str(built[1])


@pytest.fixture(scope="module")
def own_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Give an app with a database of its own, small enough to be compared again and again."""
    url = f"sqlite:///{tmp_path_factory.mktemp('roles') / 'scorer.sqlite'}"
    app = create_app({**SETTINGS, "DATABASE_URL": url, "WTF_CSRF_ENABLED": False})
    with app.app_context():
        storage.upgrade()
    yield app
    with app.app_context():
        storage.db.engine.dispose()


@pytest.fixture(scope="module")
def played(own_app: Flask) -> World:
    """Play two deals, let everybody in, send one away, and revoke the link of another."""
    owner = Phone(own_app).start()
    owner.record(1)
    form: dict[str, object] = {
        **filled(),
        **owner.agreed(circle=""),
        **owner.deal(2),
        "action": "save",
        "document": "{}",
        "play": "{}",
        "version": "1",
        "reason": "?",
        "seen": "0",
        "from": "2",
        "next_number": "2",
        "outcome": "misdeal",
        "role": "player",
        "player_id": "",
        "code": "nonsense",
        "currency": "EUR",
        "names": "full",
        "first": "2026-11-01",
        "last": "2026-11-30",
        "name": "Ada, Bea, Ciro, Dora, Ezio",
        "language": "it",
        "theme": "dark",
    }
    visitors = {name: owner.let_in(Phone(own_app), name) for name in MEMBERS[:-1]}
    for name in ("revoked link", "sent away"):
        visitors[name] = owner.let_in(Phone(own_app))
    revoked, away = link_ids(owner)[-2], phone_ids(owner)[-1]
    owner.post(f"{owner.circle_url}links/{revoked}/revoke")
    owner.post(f"{owner.circle_url}phones/{away}/away")
    owner.let_in(Phone(own_app), "owner")
    circle_id, session_id = owner.keys
    values = {
        "circle_id": circle_id,
        "session_id": session_id,
        "circle": circle_id,
        "session": session_id,
        "number": 1,
        "filename": "base/scorer.css",
        "rule_set_id": keep_table(owner).rule_set_id,
        "player_id": player_ids(owner)[0],
        "player": player_ids(owner)[0],
        "other_id": player_ids(owner)[1],
        "link_id": link_ids(owner)[-1],
        "phone_id": phone_ids(owner)[-1],
        "entry_id": uuid4(),
        "season_id": uuid4(),
        "key": now().strftime("%Y-%m"),
        "notebook_id": uuid4(),
        "page_id": uuid4(),
        "note_id": add_photo(owner),
        "secret": "nonsense",
        "version": "0",
        "slug": "briscola-chiamata",
        "preset": "classic",
        "game": "briscola-chiamata",
        "language": "it",
    }
    form["phone_id"] = str(values["phone_id"])
    visitors |= {"owner": owner, "no cookie": Phone(own_app), "other circle": Phone(own_app)}
    visitors["other circle"].start()
    return World(own_app, visitors, values, form)


@pytest.fixture
def world(played: World) -> Iterator[World]:
    """Give that circle, and afterwards have everything again as it was."""
    clients = [phone.client for phone in played.visitors.values()]
    cookies = [deepcopy(client._cookies) for client in clients]
    with database_of(played.app) as file:
        copy = type(file)(":memory:")
        file.backup(copy)
    yield replace(played, form=dict(played.form))
    with database_of(played.app) as file, closing(copy):
        copy.backup(file)
    for client, before in zip(clients, cookies, strict=True):
        client._cookies = before


@contextmanager
def database_of(app: Flask) -> Iterator[Any]:
    """Open the app's database by a connection of the app's own, to be copied or written over."""
    with app.app_context(), closing(storage.db.engine.raw_connection()) as connection:
        yield connection.driver_connection


def expected(visitor: str, method: str, cells: dict[str, Cell]) -> int:
    """Give the status for a visitor who asks by a method."""
    cell = cells.get("GET" if method == "HEAD" else method)
    if method == "OPTIONS" and cell is None:
        cell = Cell(200, next(iter(cells.values())).least)
    if cell is None:
        return NO_ROUTE
    if cell.least is None:
        return cell.status
    if visitor not in MEMBERS:
        return 404
    return cell.status if VISITORS.index(visitor) >= VISITORS.index(cell.least) else 403


def test_matrix_has_every_route_and_method_and_no_other(app: Flask) -> None:
    routes: dict[str, set[str]] = {}
    for rule in app.url_map.iter_rules():
        routes.setdefault(rule.rule, set()).update((rule.methods or set()) - {"HEAD", "OPTIONS"})

    assert {rule: cells.keys() - {"OPTIONS"} for rule, cells in MATRIX.items()} == routes


def test_every_page_of_a_circle_says_who_may_use_it(app: Flask) -> None:
    of_a_circle = {r.endpoint for r in app.url_map.iter_rules() if "circle_id" in r.arguments}
    named = {name for name, facts in FACTS.items() if facts.least and not name.startswith("api_")}

    assert named == of_a_circle | {"sessions.new", "sessions.new_sent"}


def test_table_of_routes_is_the_one_that_was_read(app: Flask) -> None:
    said = [(name, facts_of(name)) for name in sorted(app.view_functions)]
    lines = [
        " ".join(
            [
                f"{name:28} {facts.least.value if facts.least else '-':11}",
                ",".join(facts.limits) or "-",
                *(["kept"] if facts.kept else []),
                *([facts.logged] if facts.logged else []),
                *([f"{facts.largest} bytes"] if facts.largest else []),
                *(["sandboxed"] if facts.sandboxed else []),
            ]
        )
        for name, facts in said
    ]

    assert "\n".join(lines) + "\n" == ROUTES.read_text("utf-8")


@pytest.mark.parametrize("pattern", MATRIX)
def test_everybody_gets_what_the_matrix_says(world: World, pattern: str) -> None:
    assert wrong(world, world.path(pattern), MATRIX[pattern]) == {}


def test_session_is_started_in_a_circle_by_who_has_the_pen(world: World) -> None:
    circle_id = world.values["circle_id"]
    world.form["circle"] = str(circle_id)

    assert wrong(world, f"/sessions/new?circle={circle_id}", BESIDE) == {}


def test_circle_that_is_named_twice_is_the_one_that_counts(world: World) -> None:
    spectator = world.visitors["spectator"]
    own = Phone(world.app)
    own.client = spectator.client
    own.start()
    form = world.form | {"circle": str(world.values["circle_id"]), "key": str(uuid4())}

    answer = own.post(f"/sessions/new?circle={own.keys[0]}", form)

    assert answer.status_code == 403


def wrong(world: World, path: str, cells: dict[str, Cell]) -> dict[tuple[str, str], Any]:
    """Ask by every method for everybody, and give what is answered otherwise than it should be.

    Whoever only reads or is refused changes nothing. A method that no route has is refused before
    anybody looks who asks: the first and the last visitor stand for all.
    """
    answers = {}
    for visitor in VISITORS:
        wanted = {method: expected(visitor, method, cells) for method in METHODS}
        if visitor in VISITORS[1:-1]:
            wanted = {method: status for method, status in wanted.items() if status != NO_ROUTE}
        changing = [m for m in wanted if m not in READING and wanted[m] not in REFUSED]
        before = rows(world.app)
        for method in [m for m in wanted if m not in changing]:
            answers[visitor, method] = (ask(world, visitor, method, path), wanted[method])
        assert rows(world.app) == before, visitor
        for method in changing:
            answers[visitor, method] = (ask(world, visitor, method, path), wanted[method])
    return {cell: both for cell, both in answers.items() if both[0] != both[1]}


def ask(world: World, visitor: str, method: str, path: str) -> int:
    """Give the status that a visitor is answered with."""
    form = world.form | ({"key": str(uuid4())} if path == BEGINS_A_CIRCLE else {})
    data = None if method in READING else form
    return world.visitors[visitor].client.open(path, method=method, data=data).status_code


def test_page_that_the_guard_does_not_know_is_for_owners_only(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FACTS, "offering", Facts(Role.SPECTATOR))
    app = create_app(
        {
            **SETTINGS,
            "DATABASE_URL": f"sqlite:///{tmp_path}/scorer.sqlite",
            "WTF_CSRF_ENABLED": False,
        }
    )

    @app.get("/circles/<uuid:circle_id>/forgotten")
    def forgotten(circle_id: object) -> str:
        return str(circle_id)

    @app.get("/circles/<uuid:circle_id>/offering")
    def offering(circle_id: object) -> str:
        return f"{circle_id} {may('forgotten')}"

    with app.app_context():
        storage.upgrade()
    owner = Phone(app).start()
    keeper = owner.let_in(Phone(app))
    statuses = [one.get(f"{owner.circle_url}forgotten").status_code for one in (owner, keeper)]
    offers = [one.get(f"{owner.circle_url}offering").text.split()[1] for one in (owner, keeper)]
    with app.app_context():
        storage.db.engine.dispose()

    assert statuses == [200, 403]
    assert offers == ["True", "False"]


@pytest.mark.parametrize("member", MEMBERS)
def test_pages_offer_only_what_the_phone_may_do(world: World, member: str) -> None:
    phone = world.visitors[member]
    world.visitors["owner"].post("record/start", phone.deal(2))
    role = Role(member)
    urls = world.app.url_map.bind("localhost")

    for path in (
        "/",
        phone.circle_url,
        f"{phone.circle_url}share",
        phone.url,
        phone.url + "deals/1/",
        f"{phone.circle_url}evenings/",
        f"{phone.circle_url}deals/",
        f"{phone.circle_url}players/",
        f"{phone.circle_url}players/{player_ids(phone)[0]}/",
    ):
        page = phone.page(path)
        assert page.status == 200
        asked = [
            (link, "GET") for link in page.links if link.startswith("/") and link != BEGINS_A_CIRCLE
        ]
        asked += [(form.action or path, form.method) for form in page.forms]
        for address, method in asked:
            endpoint, _ = urls.match(urlsplit(address).path, method)
            assert role.reaches(facts_of(endpoint).least or Role.SPECTATOR), (path, method, address)


@pytest.mark.parametrize(
    ("member", "path", "sentence"),
    [
        pytest.param("spectator", "record", "Only a phone with the pen", id="pen"),
        pytest.param("scorekeeper", "/delete", "Only an owner of the circle", id="owner"),
        pytest.param("spectator", "/who", "This phone may only watch", id="player"),
    ],
)
def test_who_is_refused_is_told_who_may(
    world: World, member: str, path: str, sentence: str
) -> None:
    phone = world.visitors[member]
    where = phone.circle_url + path[1:] if path.startswith("/") else path

    page, told = phone.page(where), phone.get(where, headers=JSON)

    assert page.status == told.status_code == 403
    assert sentence in page.words
    assert [problem["code"] for problem in told.get_json()["problems"]] == ["forbidden"]
    assert told.get_json()["problems"][0]["message"].startswith(sentence)


def test_role_that_was_changed_counts_from_the_next_page_on(world: World) -> None:
    owner, spectator = world.visitors["owner"], world.visitors["spectator"]
    phone_id = phone_ids(owner)[1]
    given = f"{owner.circle_url}phones/{phone_id}/role"

    before = spectator.get("record").status_code
    owner.post(given, {"role": "scorekeeper"})
    with_the_pen = spectator.get("record").status_code
    owner.post(given, {"role": "spectator"})

    assert [before, with_the_pen, spectator.get("record").status_code] == [403, 200, 403]
