"""Phones to take, each a browser of its own, and a circle that has played before."""

from collections.abc import Iterator
from typing import Protocol

import pytest
from playwright.sync_api import Browser, StorageState, expect

from tests.browser import phones
from tests.browser.phones import Model, Phone, Shelf
from tests.browser.seeding import Past, live_through

expect.set_options(timeout=phones.PATIENCE)


class Take(Protocol):
    """Take a phone of a model, with nothing on it or with the cookies of another phone."""

    def __call__(
        self, model: Model, cookies: StorageState | None = None, *, new: bool = False
    ) -> Phone: ...


@pytest.fixture(scope="session")
def shelf(browser: Browser, site: str) -> Shelf:
    """Give the shelf that the phones lie on between the tests."""
    return Shelf(browser, site)


@pytest.fixture
def take(shelf: Shelf) -> Iterator[Take]:
    """Give phones; whatever went wrong on one of them fails the test."""
    yield shelf.take
    assert shelf.put_down() == []


@pytest.fixture(scope="session")
def past(shelf: Shelf) -> Past:
    """Give a circle with evenings of every kind, for tests that only look."""
    found = live_through(*(shelf.take(phones.Model()) for _ in range(3)))
    assert shelf.put_down() == []
    return found
