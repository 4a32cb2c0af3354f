"""The address of the server in links and codes, as the setting says or as the page was asked."""

import pytest

from scorer.web.base.addresses import opens_only_here
from tests.web.phones import Phone

NOTICE = "Other phones can’t open"


def test_links_carry_the_public_address_where_it_is_said(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone.start()
    usual = phone.link()
    warned = NOTICE in phone.page(f"{phone.circle_url}share").words
    monkeypatch.setitem(phone.app.config, "PUBLIC_URL", "https://scorer.example")
    public = phone.link("Another")
    asked = phone.client.get("/rules/", headers={"Host": "scorer.example"}).status_code

    assert usual.startswith("http://localhost/join#")
    assert public.startswith("https://scorer.example/join#")
    assert (warned, NOTICE in phone.page(f"{phone.circle_url}share").words) == (True, False)
    assert asked == 200


@pytest.mark.parametrize(
    ("url", "only_here"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://[::1]:8000", True),
        ("http://localhost:8000", True),
        ("http://192.0.2.7:8000", False),
        ("https://scorer.example", False),
    ],
)
def test_address_of_the_machine_itself_opens_on_no_other(url: str, *, only_here: bool) -> None:
    assert opens_only_here(url) is only_here
