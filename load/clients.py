"""Clients that generators make from the OpenAPI document, at work: `python -m load.clients`.

`openapi-python-client` (from PyPI, into an environment of its own) and `openapi-typescript` (from
npm, with `openapi-fetch`; needs Node) each make a client, which records a deal on a real server,
reads it back with its version and the ledger, disputes it with a proposal and withdraws that. Their
packages are brought anew each time. The one from PyPI also calls every operation once. Both must
hold.
"""

import os
import subprocess
import sys
import venv
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from tests.data.photos import photo
from tests.serving import SCORER, serving

PYTHON = """
import sys
from uuid import uuid4
from scorer_client import AuthenticatedClient
from scorer_client.api.circles import circles, deal, ledger, record_deal, review_deal, session
from scorer_client.api.circles import add_note, begin_session, note_payment, photo, sessions, table
from scorer_client.api.circles import withdraw_dispute
from scorer_client.models import AddedNote, ChiamataSheet, NewDeal, NewPayment, NewReview
from scorer_client.models import NewReviewKind, Right, SessionStart, Settling

client = AuthenticatedClient(base_url=sys.argv[1] + "/api/v1", token=sys.argv[2])
circle = circles.sync(client=client).circles[0].id
newest = sessions.sync(circle, client=client).sessions[0]
number = len(session.sync(circle, newest.id, client=client).deals) + 1
while hasattr(deal.sync(circle, newest.id, number, client=client), "payouts"):
    number += 1
sheet = ChiamataSheet(caller="Ada", bid="75", partner="Bea", card_points=80)
new = NewDeal(key=uuid4(), number=number, sheet=sheet)
written = record_deal.sync(circle, newest.id, client=client, body=new)
read = deal.sync(circle, newest.id, number, client=client)
assert written.payouts.to_dict() == read.payouts.to_dict() and read.versions[0].version == 1
assert ledger.sync(circle, client=client).currency == "EUR"
right = Right.from_dict({"card_points": 90})
dispute = NewReview(kind=NewReviewKind.DISPUTE, version=1, right=right)
said = review_deal.sync(circle, newest.id, number, client=client, body=dispute)
settling = Settling(version=1, seen=1)
settled = withdraw_dispute.sync(circle, newest.id, number, client=client, body=settling)
assert said.reviews[0].right.to_dict() == {"card_points": 90} and settled.state == "stands"
start = SessionStart(key=uuid4(), game="scopa", players=["Ada", "Bea"])
begun = begin_session.sync(circle, client=client, body=start)
assert table.sync(circle, begun.id, client=client).seats == ["Ada", "Bea"]
note = AddedNote(key=uuid4(), text="Two of us", photo=sys.argv[3])
assert add_note.sync(circle, begun.id, client=client, body=note).notes[0].photo
shown = photo.sync_detailed(circle, begun.id, note.key, client=client)
assert shown.status_code == 200 and shown.content[:2] == b"\\xff\\xd8"
payment = NewPayment(key=uuid4(), payer="Ada", payee="Bea", amount=500)
assert note_payment.sync(circle, client=client, body=payment).balances["Ada"] is not None
"""
EVERY = """
import json
import pkgutil
import sys
from importlib import import_module
from typing import get_args, get_type_hints
from uuid import uuid4
import scorer_client.api
from scorer_client import AuthenticatedClient
from scorer_client.models import ChiamataSheet, Right

client = AuthenticatedClient(base_url=sys.argv[1] + "/api/v1", token=sys.argv[2])
paths = json.load(open("openapi.json"))["paths"]
walked = pkgutil.walk_packages(scorer_client.api.__path__, "scorer_client.api.")
modules = {found.name.rpartition(".")[2]: found.name for found in walked if not found.ispkg}
called = set()


def call(name, /, *values, **body):
    module = import_module(modules[name])
    called.add(name)
    if name.startswith("events_"):
        asked = module._get_kwargs(*values)
        with client.get_httpx_client().stream(**asked) as answer:
            assert answer.status_code == 200, name
        return None
    given = {}
    if body:
        kind = get_type_hints(module.sync_detailed)["body"]
        kinds = [one for one in get_args(kind) or (kind,) if hasattr(one, "from_dict")]
        made = [key for key, value in body.items() if hasattr(value, "to_dict")]
        parts = {key: body.pop(key) for key in made}
        given["body"] = kinds[0].from_dict(body)
        for key, value in parts.items():
            setattr(given["body"], key, value)
    answer = module.sync_detailed(*values, client=client, **given)
    assert answer.status_code in (200, 201), (name, answer.status_code, answer.content)
    return json.loads(answer.content) if answer.content[:1] in b"{[" else answer.content


def example(path):
    content = paths[path]["post"]["requestBody"]["content"]["application/json"]
    return next(iter(content["examples"].values()))["value"]


def key():
    return str(uuid4())


for path in ("score", "check", "solve", "replay"):
    call(path, **example("/" + path))
call("document"), call("rules"), call("rules_of_game", "scopa")
circle = call("circles")["circles"][0]["id"]
call("sessions", circle), call("standings", circle), call("journal", circle), call("feed", circle)

five = ["Ada", "Bea", "Ciro", "Dora", "Ezio"]
start = {"game": "briscola-chiamata", "players": five, "rules": "classic"}
session = call("begin_session", circle, key=key(), **start)["id"]
of = circle, session
sheet = ChiamataSheet(caller="Ada", bid="75", partner="Bea", card_points=80)
call("record_deal", *of, key=key(), number=1, sheet=sheet)
deal = *of, 1
call("amend_deal", *deal, version=1, sheet=sheet, reason="Counted again")
call("void_deal", *deal, version=2, reason="Not ours"), call("restore_deal", *deal, version=3)
right = Right.from_dict({"card_points": 90})
call("review_deal", *deal, kind="dispute", version=4, right=right)
call("withdraw_dispute", *deal, version=4, seen=1)
call("review_deal", *deal, kind="dispute", version=4, seen=2, reason="No")
call("uphold_deal", *deal, version=4, seen=3), call("reviews", *deal), call("deal", *deal)
call("events_of_circle", circle), call("events_of_session", *of)
call("what_if", *of), call("session_deals", *of)
table = call("table", *of)
call("change_table", *of, seen=table["seen"], next_number=2, dealer="Ciro")
call("rename_session", *of, title="Bots"), call("set_stake", *of, stake=10)
call("end_session", *of), call("reopen_session", *of), call("end_session", *of)
call("session", *of), call("session_money", *of), call("pay_session", *of, way="points", stake=20)
note = key()
call("add_note", *of, key=note, text="Two of us", photo=sys.argv[3]), call("notes_of", *of)
call("photo", *of, note), call("take_back_note", *of, note)
call("publish_session", *of, names=True)
page = call("public_pages", *of)["pages"][0]["id"]
call("revoke_public_page", *of, page), call("begin_next_match", *of)

call("begin_session", circle, key=key(), game="scopa", players=["Bea", "Zoe"])
people = {one["name"]: one["id"] for one in call("players", circle)["players"]}
call("player", circle, people["Ada"]), call("retire_player", circle, people["Zoe"])
call("bring_back", circle, people["Zoe"]), call("rename_player", circle, people["Zoe"], name="Zed")
call("merge_players", circle, people["Ada"], other=people["Zoe"])

payment, cost = key(), key()
call("note_payment", circle, key=payment, payer="Ada", payee="Bea", amount=500)
call("share_cost", circle, key=cost, payer="Ada", amount=300, among={"Ada": 1}, note="Wine")
call("ledger", circle), call("ledger_entries", circle), call("confirm_payment", circle, payment)
call("void_entry", circle, cost), call("choose_currency", circle, currency="EUR")

season = key()
days = {"first": "2026-01-01", "last": "2026-02-01"}
call("name_season", circle, key=season, name="Winter", **days), call("seasons_of", circle)
call("season", circle, season), call("rename_season", circle, season, name="Cold")
call("drop_season", circle, season)

kept = call("keep_rules", circle, key=key(), game="scopa", name="Ours", rules={"target": 16})["id"]
call("own_rules", circle), call("own_rule_set", circle, kept)
call("edit_rules", circle, kept, version=1, name="Ours", rules={"target": 21})
call("retire_rules", circle, kept), call("bring_back_rules", circle, kept)
assert called == modules.keys(), modules.keys() - called
"""
TYPESCRIPT = """
import createClient from "openapi-fetch";
import type { components, paths } from "./api";
declare const process: { argv: string[] };

const [url, secret] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${secret}` };
const client = createClient<paths>({ baseUrl: `${url}/api/v1`, headers });
const circle = (await client.GET("/circles")).data!.circles[0].id;
const listed = await client.GET("/circles/{circle}/sessions", { params: { path: { circle } } });
const session = listed.data!.sessions.find((one) => one.game === "briscola-chiamata")!.id;
const deal = (number: number) => client.GET(
  "/circles/{circle}/sessions/{session}/deals/{number}",
  { params: { path: { circle, session, number } } },
);
let number = 1;
while ((await deal(number)).data) number++;
const sheet: components["schemas"]["ChiamataSheet"] =
  { caller: "Ada", bid: "75", partner: "Bea", card_points: 80 };
const written = await client.POST("/circles/{circle}/sessions/{session}/deals", {
  params: { path: { circle, session } }, body: { key: crypto.randomUUID(), number, sheet },
});
const read = (await deal(number)).data!;
const money = await client.GET("/circles/{circle}/ledger", { params: { path: { circle } } });
if (written.data!.payouts.Ada !== read.payouts.Ada || read.versions[0].version !== 1) throw read;
if (money.data!.currency !== "EUR") throw money;
const path = { circle, session, number };
const said = await client.POST("/circles/{circle}/sessions/{session}/deals/{number}/reviews", {
  params: { path }, body: { kind: "dispute", version: 1, right: { card_points: 90 } },
});
const settled = await client.POST(
  "/circles/{circle}/sessions/{session}/deals/{number}/withdraw",
  { params: { path }, body: { version: 1, seen: 1 } },
);
if (said.data!.reviews[0].right!.card_points !== 90 || settled.data!.state !== "stands") throw said;
"""
COMPILED = (
    *("--strict", "--skipLibCheck", "--target", "es2022"),
    *("--module", "esnext", "--moduleResolution", "bundler"),
)


def main() -> None:
    """Let both kinds of client record and read a deal."""
    with TemporaryDirectory(prefix="scorer-clients-") as name:
        folder = Path(name)
        data = folder / "data"
        data.mkdir()
        joined = subprocess.run(
            [SCORER, "demo", "--address", ""],
            env=os.environ | {"SCORER_INSTANCE": str(data)},
            check=True,
            capture_output=True,
            text=True,
        )
        secret = joined.stdout.strip().partition("#")[2]
        with serving(data) as url:
            with urlopen(f"{url}/api/v1/openapi.json") as answer:
                (folder / "openapi.json").write_bytes(answer.read())
            python_client(folder, url, secret)
            typescript_client(folder, url, secret)


def python_client(folder: Path, url: str, secret: str) -> None:
    """Make the client of `openapi-python-client`, and let it work."""
    programs = folder / "python" / "bin"
    venv.create(programs.parent, with_pip=True)
    _run(folder, programs / "pip", "install", "--quiet", "openapi-python-client")
    # Its integrations (ruff) are no part of this.
    (folder / "config.yaml").write_text("post_hooks: []", encoding="utf-8")
    generate = ("generate", "--path", "openapi.json", "--meta", "none", "--fail-on-warning")
    told = ("--config", "config.yaml", "--output-path", "scorer_client")
    _run(folder, programs / "openapi-python-client", *generate, *told)
    for script in (PYTHON, EVERY):
        (folder / "use.py").write_text(script, encoding="utf-8")
        _run(folder, programs / "python", "use.py", url, secret, b64encode(photo()).decode())
    print("openapi-python-client: held")


def typescript_client(folder: Path, url: str, secret: str) -> None:
    """Make the client of `openapi-typescript`, have it checked and let it work."""
    packages = ("openapi-typescript", "openapi-fetch", "typescript@5")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    _run(folder, "npm", "install", "--silent", *packages)
    _run(folder, "npx", "openapi-typescript", "openapi.json", "--output", "api.ts")
    (folder / "use.ts").write_text(TYPESCRIPT, encoding="utf-8")
    _run(folder, "npx", "tsc", *COMPILED, "use.ts")
    _run(folder, "node", "use.js", url, secret)
    print("openapi-typescript: held")


def _run(folder: Path, *command: str | Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    main()
