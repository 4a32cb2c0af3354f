import time

import pytest

from bench.phones import faults, in_one_session
from bench.slow_clients import KINDS, slow_clients
from tests.storage.conftest import SQLITE

CLIENTS = 25
PATIENCE = 15.0


@pytest.mark.slow
@pytest.mark.parametrize("database_url", [SQLITE], indirect=True)
def test_a_deal_is_recorded_while_slow_clients_hold_their_connections(
    site: str, database_url: str
) -> None:
    (phone,) = in_one_session(site, 1)
    with slow_clients(site, list(KINDS), CLIENTS):
        began = time.monotonic()
        phone.record(70)

    assert time.monotonic() - began < PATIENCE
    assert faults([phone], database_url) == []
