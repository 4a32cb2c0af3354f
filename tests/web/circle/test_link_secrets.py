"""The secret of a link: shown for ten minutes on the phone that made it, and in no cookie."""

from typing import Any

from flask import Flask

from tests.web.phones import Phone


def cookie_of(phone: Phone) -> dict[str, Any]:
    """Read the cookie as anybody can who has it: it is signed, not encrypted."""
    kept = phone.client.get_cookie("scorer")
    assert kept is not None
    serializer = phone.app.session_interface.get_signing_serializer(phone.app)  # type: ignore[attr-defined]
    found: dict[str, Any] = serializer.loads(kept.value)
    return found


def secret_shown(phone: Phone) -> str | None:
    """Find the secret on the page of the phones, if it is shown there."""
    _, found, rest = phone.get(f"{phone.circle_url}links").text.partition("/join#")
    return rest.partition('"')[0] if found else None


def test_secret_is_in_no_cookie_and_not_in_the_journal(app: Flask, owner: Phone) -> None:
    secret, guest = owner.link(role="owner").partition("#")[2], Phone(app)
    said = [str(part) for part in cookie_of(owner)["fresh"]]
    assert [guest.post("/join", {"code": part}).status_code for part in said] == [422] * 3
    guest.post("/join", {"code": secret})

    assert len(secret) >= 22
    assert secret not in str(cookie_of(owner))
    assert secret not in str(cookie_of(guest))
    assert secret not in owner.get(f"{owner.circle_url}journal").text
