"""A link that carries the state of the viewer: opened, it sets the sliders and shows the page."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from chorda.checks import number
from chorda.errors import InputError

LONGEST = 200_000  # letters of a state


def encoded(state: dict[str, Any]) -> str:
    """A state as letters that an address may have.

    >>> decoded(encoded({"mode": "at rest"}))
    {'mode': 'at rest'}
    """
    text = json.dumps(state, separators=(",", ":"), allow_nan=False)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decoded(text: str) -> dict[str, Any]:
    """The state again."""
    try:
        if len(text) > LONGEST:
            raise ValueError("too long")
        found = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(
            f"state: expected the text behind 'state=' in a link of the viewer, got {text!r:.60}"
        )
    return found


def check_state(state: Mapping[str, Any]) -> None:
    """Numbers by name, whoever wrote the link."""
    for group, values in state.items():
        if group == "mode":
            continue
        if group == "at":
            number("state.at", values)
        elif not isinstance(values, Mapping) or not all(
            _is_numeric(x, group == "camera") for x in values.values()
        ):
            raise InputError(f"state.{group}: expected numbers by name, got {values!r:.60}")


def _is_numeric(x: Any, point: bool) -> bool:
    """Whether it is a finite number, or three of them."""
    each = x if point and isinstance(x, list) and len(x) == 3 else [x]
    return all(type(k) in (int, float) and np.isfinite(k) for k in each)


class LinkServer:
    """Serves addresses with a state: it is put, and the browser sent on to the page.

    name, port: under which this machine has the page.
    """

    def __init__(
        self, host: str, name: str, port: int, put: Callable[[dict[str, Any]], None]
    ) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                texts = parse_qs(urlsplit(self.path).query).get("state", [])
                try:
                    for text in texts[:1]:
                        put(decoded(text))
                except InputError as error:
                    self._answer(400, str(error))
                    return
                self.send_response(303)
                self.send_header("Location", f"http://{name}:{port}/")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def _answer(self, code: int, text: str) -> None:
                body = text.encode()
                self.send_response(code)
                self.send_header("Content-Type", "text/plain; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer((host, 0), Handler)
        self.address = f"http://{name}:{self._server.server_port}/"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
