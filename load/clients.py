"""Clients that generators make from the OpenAPI document, at work: `python -m load.clients`.

`openapi-python-client` (from PyPI, into an environment of its own) and `openapi-typescript` (from
npm, with `openapi-fetch`; needs Node) each make a client, which records a deal on a real server,
reads it back with its version and the ledger, disputes it with a proposal and withdraws that. Their
packages are brought anew each time. Both must hold.
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
    (folder / "use.py").write_text(PYTHON, encoding="utf-8")
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
