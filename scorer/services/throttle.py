"""How often one address may ask for the same: counted in the database, so that workers agree."""

from __future__ import annotations

import hashlib
from ipaddress import IPv6Address, IPv6Network, ip_address

from scorer.errors import TooOftenError
from scorer.services.clock import now
from scorer.storage import in_transaction
from scorer.storage.throttle import count_request, forget_requests

PERIOD = 60
MOST_REQUESTS = 10
PREFIX = 64


def admit(address: str, route: str) -> None:
    """Count a request; raise TooOftenError when there were too many in this minute.

    It is written down in a transaction of its own, so that what is refused counts too.
    """
    moment = int(now().timestamp())
    minute = moment // PERIOD
    key = hashlib.sha256(f"{neighbourhood(address)} {route}".encode()).hexdigest()

    def work() -> int:
        requests = count_request(key, minute)
        if requests == 1:
            forget_requests(minute - 1)
        return requests

    if in_transaction(work) > MOST_REQUESTS:
        raise TooOftenError(PERIOD - moment % PERIOD)


def neighbourhood(address: str) -> str:
    """Give what one customer of a network has: an IPv4 address, or the first half of an IPv6 one.

    An IPv4 address in an IPv6 coat is what it is inside.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found), PREFIX), strict=False))
