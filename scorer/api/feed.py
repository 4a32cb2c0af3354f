"""The evenings of a circle as an Atom feed (RFC 4287) in pages (RFC 5005), for readers of feeds."""

from uuid import UUID
from xml.etree import ElementTree as ET

from flask import request, url_for
from werkzeug.wrappers import Response

from scorer.api.access import current_reader, enter_feed
from scorer.api.answers import conditional, speaker
from scorer.api.routes import BEFORE, OPERATIONS, Operation
from scorer.roles import Role
from scorer.routes import Routes
from scorer.services.base.clock import moment
from scorer.services.circle.circles import find
from scorer.services.circle.codes_and_tokens import feed_token
from scorer.services.circle.names import given_title
from scorer.services.deals.history import SessionSummary, ended_sessions
from scorer.services.live.events import circle_version
from scorer.storage.models import Circle
from scorer.texts import signed

ATOM = "http://www.w3.org/2005/Atom"
MIMETYPE = "application/atom+xml"

blueprint = Routes(
    "api_feed", __name__, limit=("secret", "api"), url_prefix="/api/v1/circles/<uuid:circle>"
)
blueprint.before_request(enter_feed)


@blueprint.get("/evenings.atom", least=Role.SPECTATOR)
def evenings(circle: UUID) -> Response:
    """Return a page of the sessions that have ended, newest first, each with how it ended."""
    before = BEFORE.value()

    def read() -> bytes:
        (ended, last), following, token = ended_sessions(circle, before), None, None
        if last is not None:
            if "token" in request.args:  # the next page has one of its own
                token = feed_token(current_reader(), before=last)
            following = url_for(
                ".evenings", circle=circle, before=last, token=token, _external=True
            )
        feed = _feed(find(circle), ended, following)
        written: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
        return written

    return conditional(circle_version(circle), read, MIMETYPE)


OPERATIONS.append(
    Operation(
        *("get", "/circles/<uuid:circle>/evenings.atom", "feed", evenings),
        answers=(MIMETYPE,),
        queries=(BEFORE,),
    )
)


def _feed(circle: Circle, ended: list[SessionSummary], following: str | None) -> ET.Element:
    """Write a page of the feed; its own address and that of the first page are without a token."""
    feed = ET.Element("feed", xmlns=ATOM)
    ends = (session.row.ended_at for session in ended if session.row.ended_at)
    updated = max(ends, default=circle.created_at)
    _add_head(feed, circle.name, circle.circle_id, moment(updated))
    ET.SubElement(ET.SubElement(feed, "author"), "name").text = circle.name
    before = request.args.get("before")
    here = f"{request.base_url}?before={before}" if before else request.base_url
    links = {"self": here, "first": request.base_url, "next": following}
    for rel, href in links.items():
        if href:
            ET.SubElement(feed, "link", rel=rel, type=MIMETYPE, href=href)
    speak = speaker()
    for session in ended:
        row, entry = session.row, ET.SubElement(feed, "entry")
        game, given = speak(session.game.name_in(row.rules)), given_title(row.title)
        title = game if given in ("", game) else f"{given} · {game}"
        _add_head(entry, title, row.session_id, moment(row.ended_at or row.started_at))
        ET.SubElement(entry, "published").text = moment(row.started_at)
        page = url_for(
            "sessions.show",
            circle_id=circle.circle_id,
            session_id=row.session_id,
            _external=True,
        )
        ET.SubElement(entry, "link", rel="alternate", type="text/html", href=page)
        sides = (f"{speak(side.name)} {signed(side.balance)}" for side in session.standings)
        ET.SubElement(entry, "summary").text = " · ".join(sides)
    return feed


def _add_head(element: ET.Element, title: str, key: UUID, updated: str) -> None:
    """Add the elements that a feed and its entries both have."""
    ET.SubElement(element, "id").text = key.urn
    ET.SubElement(element, "title").text = title
    ET.SubElement(element, "updated").text = updated
