"""What a picture of the viewer costs, with a client that takes all that the page is sent."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from threading import Thread

from chorda.mechanics import System
from chorda.results import Equilibrium
from chorda.view.live.motion_panel import MotionPanel
from chorda.view.live.viewer import MOTION, Viewer

PATIENCE = 120.0  # [s] until the motion is compiled


@dataclass
class Served:
    """Pictures that were made in some seconds, the time that processors took for them [s], what
    was sent [bytes], and the part of real time that the robot kept up with."""

    pictures: int = 0
    seconds: float = 0.0
    processors: float = 0.0
    sent: int = 0
    real_time: float = 0.0

    @property
    def rate(self) -> float:
        """Pictures a second that one processor could make."""
        return self.pictures / self.processors if self.processors else 0.0


def served(start: Equilibrium | System, pull: float, seconds: float) -> Served | None:
    """A robot in motion in the viewer, for so long; none: the extra `view` is not installed.

    pull: times the first input. Counted is what all threads of this process do: the motion, the
    picture, messages, and the client that reads them.
    """
    if find_spec("viser") is None:
        return None
    viewer, found = Viewer(start), Served()
    viewer.waits_for_pages = False
    try:
        with _client(viewer, found):
            viewer.put_state({"mode": MOTION})
            panel = viewer._panels[MOTION]
            _wait_for(panel)
            first = next(iter(panel.model.inputs))
            panel.model.inputs[first] *= pull
            before = viewer.pictures, time.monotonic(), time.process_time(), found.sent
            moved = panel.model.time
            time.sleep(seconds)
            found.pictures = viewer.pictures - before[0]
            found.seconds = time.monotonic() - before[1]
            found.processors = time.process_time() - before[2]
            found.sent -= before[3]
            found.real_time = (panel.model.time - moved) / found.seconds
    finally:
        viewer.stop()
    return found


def _wait_for(panel: MotionPanel) -> None:
    end = time.monotonic() + PATIENCE
    while (panel.model is None or not panel.model.time) and time.monotonic() < end:
        time.sleep(0.01)
    assert panel.model is not None, panel.problem


@contextmanager
def _client(viewer: Viewer, found: Served) -> Iterator[None]:
    """Something that takes what the page would."""
    import viser
    from websockets.sync.client import connect
    from websockets.typing import Subprotocol

    address = f"ws://127.0.0.1:{viewer.server.get_port()}"
    spoken = Subprotocol(f"viser-v{viser.__version__}")
    with connect(address, subprotocols=[spoken], max_size=None, compression=None) as socket:

        def take() -> None:
            for message in socket:
                found.sent += len(message)

        reader = Thread(target=take, daemon=True)
        reader.start()
        yield
    reader.join(timeout=5.0)
