"""What Mozilla's HTTP Observatory would say of our answers behind HTTPS, by its published scoring.

Each rule gives what it adds to 100; what is added counts from 90 on. Whether plain HTTP leads to
HTTPS is the proxy's to answer, and no name of ours is in the list that browsers are shipped with.
"""

from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest
from werkzeug.datastructures import Headers
from werkzeug.test import Client, TestResponse
from werkzeug.wrappers import Response

from scorer import create_app, storage
from tests.web.conftest import SETTINGS
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.routes import addresses, values
from tests.web.tables import keep_table

LEAST = 130
FOR_MORE = 90
HALF_A_YEAR = 15_552_000
HTTPS, ELSEWHERE = "https://localhost", "https://elsewhere.example"
BROAD = {"ftp:", "http:", "https:", "*", "http://*", "http://*.*", "https://*", "https://*.*"}
UNSAFE = {"'unsafe-inline'", "data:"}
PRIVATE = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}


def policy_of(headers: Headers) -> dict[str, set[str]]:
    """Read the content policy: the first of two directives of one name counts."""
    policy: dict[str, set[str]] = {}
    for directive in headers.get("Content-Security-Policy", "").split(";"):
        name, *sources = directive.lower().split() or [""]
        policy.setdefault(name, set(sources))
    policy.pop("", None)
    return policy


def content_policy(headers: Headers) -> int:
    policy = policy_of(headers)
    if not policy:
        return -25
    usual = policy.get("default-src", {"*"})
    script, style, objects = (
        policy.get(f"{kind}-src", usual) for kind in ("script", "style", "object")
    )
    passive = policy.get("img-src", usual) | policy.get("media-src", usual)
    active = set().union(*(v for k, v in policy.items() if k not in {"img-src", "media-src"}))
    if script & (BROAD | UNSAFE) or objects & BROAD or insecure(active):
        return -20
    if "'unsafe-eval'" in script | style or insecure(passive):
        return -10
    if style & (BROAD | UNSAFE):
        return 0
    return 10 if policy.get("default-src") == {"'none'"} else 5


def insecure(sources: set[str]) -> bool:
    return any(source.startswith(("http:", "ftp:")) for source in sources)


def transport(headers: Headers) -> int:
    found = dict(
        part.strip().lower().partition("=")[::2]
        for part in headers.get("Strict-Transport-Security", "").split(";")
    )
    if not found.get("max-age", "").isdigit():
        return -20
    return 0 if int(found["max-age"]) >= HALF_A_YEAR else -10


def cookies(headers: Headers) -> int:
    made = [
        morsel for one in headers.getlist("Set-Cookie") for morsel in SimpleCookie(one).values()
    ]
    if not made:
        return 0
    worst = 5 if all(one["samesite"] for one in made) else 0
    for one in made:
        of_a_session = any(part in one.key.lower() for part in ("login", "sess"))
        if of_a_session and not one["httponly"]:
            worst = min(worst, -30)
        if one["samesite"] and one["samesite"].lower() not in {"lax", "strict"}:
            worst = min(worst, -20)
        if not one["secure"]:
            worst = min(worst, -5 if transport(headers) == 0 else -40 if of_a_session else -20)
    return worst


def sharing(headers: Headers) -> int:
    allowed = headers.get("Access-Control-Allow-Origin")
    with_cookies = headers.get("Access-Control-Allow-Credentials") == "true"
    return -50 if allowed == ELSEWHERE and with_cookies else 0


def referrer(headers: Headers) -> int:
    policies = headers.get("Referrer-Policy", "").replace(" ", "").split(",")
    return 0 if policies == [""] else 5 if policies[-1] in PRIVATE else -5


def framing(headers: Headers) -> int:
    ancestors = policy_of(headers).get("frame-ancestors", {"*"})
    by_header = headers.get("X-Frame-Options", "").upper() in {"DENY", "SAMEORIGIN"}
    return 5 if by_header or not ancestors & BROAD else -20


def sniffing(headers: Headers) -> int:
    return 0 if headers.get("X-Content-Type-Options") == "nosniff" else -5


def isolation(headers: Headers) -> int:
    """Add up the three policies about other origins, of which each gives ten."""
    good = {
        "Cross-Origin-Resource-Policy": {"same-origin", "same-site"},
        "Cross-Origin-Opener-Policy": {"same-origin", "same-origin-allow-popups"},
        "Cross-Origin-Embedder-Policy": {"require-corp", "credentialless"},
    }
    return sum(10 for name, values in good.items() if headers.get(name) in values)


def integrity(answer: TestResponse) -> int:
    scripts = Page(answer).scripts if answer.mimetype == "text/html" else []
    foreign = [one for one in scripts if one and one.startswith(("http:", "https:", "//"))]
    return -50 if any(not one.startswith("https:") for one in foreign) else -5 if foreign else 0


RULES = (content_policy, transport, cookies, sharing, referrer, framing, sniffing, isolation)


def score(answer: TestResponse) -> int:
    found = [*(rule(answer.headers) for rule in RULES), integrity(answer)]
    without_more = 100 + sum(one for one in found if one < 0)
    return 100 + sum(found) if without_more >= FOR_MORE else max(without_more, 0)


@pytest.fixture(scope="module")
def phone(shared_url: str) -> Iterator[Phone]:
    """Give a phone in a circle of the app as it stands behind a proxy that speaks HTTPS."""
    settings = {"DATABASE_URL": shared_url, "LAN_HTTP": False, "WTF_CSRF_ENABLED": False}
    app = create_app({**SETTINGS, **settings})
    phone = Phone(app).start()
    phone.record(1)
    phone.record(2)
    phone.link()
    keep_table(phone)
    yield phone
    with app.app_context():
        storage.db.engine.dispose()


def test_every_answer_behind_https_has_at_least_130_points(phone: Phone) -> None:
    asked = {"base_url": HTTPS, "headers": {"Origin": ELSEWHERE}}
    answers = {
        endpoint: phone.get(path, **asked)
        for endpoint, path in addresses(phone.app, "GET", values(phone)).items()
        if endpoint != "static"  # a part of a page, which is judged with the page
    }

    points = {endpoint: score(answer) for endpoint, answer in answers.items()}

    assert len(points) > 40
    assert {endpoint: one for endpoint, one in points.items() if one < LEAST} == {}


@pytest.mark.parametrize("path", ["/", "/join", "/health"])
def test_first_visit_has_at_least_130_points_with_the_cookie_that_it_sets(
    phone: Phone, path: str
) -> None:
    answer = phone.app.test_client().get(path, base_url=HTTPS)

    assert score(answer) >= LEAST
    assert cookies(answer.headers) == (5 if path != "/health" else 0)


GOOD = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Strict-Transport-Security": "max-age=63072000",
    "X-Content-Type-Options": "nosniff",
}


@pytest.mark.parametrize(
    ("headers", "points"),
    [
        pytest.param({}, 30, id="nothing"),
        pytest.param(GOOD, 115, id="good"),
        pytest.param({**GOOD, "Referrer-Policy": "unsafe-url"}, 110, id="referrer"),
        pytest.param({**GOOD, "Strict-Transport-Security": "max-age=60"}, 105, id="a minute"),
        pytest.param({**GOOD, "Content-Security-Policy": "default-src *"}, 60, id="any source"),
        pytest.param({**GOOD, "Set-Cookie": "sessionid=1; Secure"}, 70, id="cookie for scripts"),
        pytest.param({**GOOD, "Set-Cookie": "a=1; SameSite=Lax"}, 110, id="cookie in the clear"),
        pytest.param(
            {
                **GOOD,
                "Access-Control-Allow-Origin": ELSEWHERE,
                "Access-Control-Allow-Credentials": "true",
            },
            50,
            id="shared with cookies",
        ),
    ],
)
def test_points_are_counted_as_they_are_published(headers: dict[str, str], points: int) -> None:
    answer = Client(Response("", mimetype="text/html", headers=headers)).get("/")

    assert score(answer) == points
