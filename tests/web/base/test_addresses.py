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
        *((f"http://{host}:8000", True) for host in ("127.0.0.1", "[::1]", "localhost")),
        *((url, False) for url in ("http://192.0.2.7:8000", "https://scorer.example")),
    ],
)
def test_address_of_the_machine_itself_opens_on_no_other(url: str, *, only_here: bool) -> None:
    assert opens_only_here(url) is only_here
