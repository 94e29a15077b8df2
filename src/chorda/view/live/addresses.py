"""Where pages are served: addresses of this machine."""

import socket

from chorda.errors import InputError
from chorda.safe_text import one_line

HERE, EVERYWHERE = "127.0.0.1", ("0.0.0.0", "::", "")
FIRST_PORT, PORTS = 8080, 65536


def check_address(host: str, port: int) -> None:
    """That pages can be served there: the server's own thread would not say why they cannot."""
    if not (isinstance(port, int) and 0 < port < PORTS):
        raise InputError(f"port: expected a number from 1 to {PORTS - 1}, got {port!r:.60}")
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        with socket.socket(*found[0][:3]) as trial:
            trial.bind((found[0][4][0], 0))
    except (OSError, ValueError) as error:
        raise InputError(
            f"host: expected an address of this machine, such as {HERE}, or 0.0.0.0 for all of its "
            f"addresses, got {one_line(str(host))!r:.60} ({error})"
        ) from None
