"""Requests to addresses that people typed in, which reach public machines only.

A name is resolved once, and the connection goes to an address that was checked, whatever the DNS
answers later. Redirects are not followed, and only the head of an answer is read.
"""

import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address, ip_network
from threading import Timer
from urllib.parse import SplitResult, urlsplit

#: Seconds for each step, and for the whole exchange once the connection is there.
PATIENCE, DEADLINE = 5, 10
LONGEST = 500
#: How many addresses of a name are tried.
TRIED = 3
PORTS = {"http": 80, "https": 443}
#: The networks without public machines, by the IANA's registries of special addresses, and those
#: that carry addresses of IPv4. All other public addresses of IPv6 are in `GLOBAL`.
GLOBAL = ip_network("2000::/3")
SPECIAL = [
    ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
]


class UnreachedError(Exception):
    """A request without an answer; its text is ``address``, ``name``, ``tls`` or ``silence``."""


def is_public(address: str) -> bool:
    """Whether an IP address may be that of a public machine."""
    ip = ip_address(address)
    return (ip.version == 4 or ip in GLOBAL) and not any(ip in network for network in SPECIAL)


def is_readable(address: str, *, private: bool) -> bool:
    """Whether an address is a web address without a user name; https, unless it may be private."""
    try:
        parts = urlsplit(address)
        sound = parts.port != 0 and bool((parts.hostname or "").encode("idna"))
    except ValueError:
        return False
    plain = address.isascii() and address.isprintable() and not set(' "<>@#') & set(address)
    schemes = PORTS.keys() if private else {"https"}
    return sound and plain and parts.scheme in schemes and len(address) <= LONGEST


def post(address: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> int:
    """Send a body; return the status of the answer, or raise UnreachedError."""
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UnreachedError("name") from error
    numbers = dict.fromkeys(str(entry[4][0]) for entry in found)
    allowed = [number for number in numbers if private or is_public(number)][:TRIED]
    if not allowed:
        raise UnreachedError("address")
    try:
        with _connect(allowed, port) as line, line.dup() as same_line:
            timer = Timer(DEADLINE, _hang_up, [same_line])
            timer.start()
            try:
                return _exchange(parts, line, body, headers)
            finally:
                timer.cancel()
    except ssl.SSLError as error:
        raise UnreachedError("tls") from error
    except (OSError, HTTPException) as error:
        raise UnreachedError("silence") from error


def _connect(addresses: Sequence[str], port: int) -> socket.socket:
    *others, last = addresses
    for address in others:
        with suppress(OSError):
            return socket.create_connection((address, port), PATIENCE)
    return socket.create_connection((last, port), PATIENCE)


def _exchange(
    parts: SplitResult, line: socket.socket, body: bytes, headers: Mapping[str, str]
) -> int:
    """Send a request over a connection, encrypted where its address says so; return the status."""
    host = parts.hostname or ""
    client = HTTPConnection(host, parts.port)
    if parts.scheme == "https":
        client = HTTPSConnection(host, parts.port)
        line = ssl.create_default_context().wrap_socket(line, server_hostname=host)
    client.sock = line
    with closing(client):
        client.request("POST", f"{parts.path or '/'}?{parts.query}".rstrip("?"), body, headers)
        return client.getresponse().status


def _hang_up(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
