"""A page in the browser that shows a robot or a result, served on this machine."""

import socket
import threading
import time as clock
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import numpy as np

from chorda.checks import check_names
from chorda.errors import ChordaError, InputError
from chorda.mechanics import Array, System
from chorda.results import Equilibrium, EquilibriumPath, Run, Workspace
from chorda.safe_text import in_markdown, one_line
from chorda.view.configurations import Configurations, Shown
from chorda.view.live.addresses import EVERYWHERE, FIRST_PORT, HERE, check_address
from chorda.view.live.beside_robot import draw_ends, draw_floor
from chorda.view.live.first_look import WIDER_MARGIN, fit, is_outside, place_cameras
from chorda.view.live.keys import as_html, comparison_rows, robot_key, stability_rows
from chorda.view.live.motion_panel import MotionPanel
from chorda.view.live.playback_panel import PlaybackPanel
from chorda.view.live.rest_panel import RestPanel
from chorda.view.live.resting import Resting
from chorda.view.live.robot_nodes import ROOM, RobotNodes
from chorda.view.live.sliders import nice
from chorda.view.live.state_link import LinkServer, check_state, decoded, encoded
from chorda.view.scene import Scene, largest_force, make_scene

RATE = 30.0  # pictures a second
LINK_SECONDS = 1.0  # between links
REST, MOTION, PLAYBACK = "at rest", "in motion", "playback"
BESIDE = "beside"  # nodes of a second run


class Viewer:
    """A page at `url`, which lives until `stop` or the end of the program.

    `link` is an address that carries the state of the sliders; it works while the page is served.
    `pictures` counts how many were shown so far; `waits_for_pages`: whether time passes only while
    a page is open.

    Parameters
    ----------
    shown : System, Equilibrium, Run, EquilibriumPath or Workspace
        What to show.
    beside : Run, optional
        Another run, shown at the same times.
    host : str
        Address to serve at.
    port : int
        Where the page is served; the next one that is free.
    state : str, optional
        The text behind 'state=' in a link of the viewer.

    See Also
    --------
    open_viewer : makes it, and opens the browser.
    """

    def __init__(
        self,
        shown: System | Shown,
        beside: Run | None = None,
        host: str = HERE,
        port: int = FIRST_PORT,
        state: str | None = None,
    ) -> None:
        viser = _viser()
        if beside is not None and not (isinstance(shown, Run) and isinstance(beside, Run)):
            raise InputError("beside: expected another Run beside a Run")
        check_address(host, port)
        self.system = shown if isinstance(shown, System) else shown.system
        self._lock, self._event, self._over = threading.Lock(), threading.Event(), False
        self._nodes: dict[str, RobotNodes] = {}
        self._frames, self.pictures, self.waits_for_pages = False, 0, True
        self._state: dict[str, Any] | None = decoded(state) if state is not None else None
        self.failure: BaseException | None = None
        self._model = _resting(shown)
        label = f"Chorda: {one_line(self.system.robot.name)}"
        with redirect_stdout(StringIO()):  # it announces itself, on the port that it was asked for
            self.server = viser.ViserServer(host=host, port=port, label=label, verbose=False)
        name = socket.gethostname() if host in EVERYWHERE else host
        self.url = f"http://{name}:{self.server.get_port()}/"
        self._links = LinkServer(host, name, self.server.get_port(), self.put_state)
        self.link = self.url
        self._make_page(shown, beside)
        if self._state:
            self.put_state(self._state)
        self._thread = threading.Thread(target=self._serve, daemon=True, name="chorda-viewer")
        self._thread.start()

    # The page --------------------------------------------------------------------------------

    def _make_page(self, shown: System | Shown, beside: Run | None) -> None:
        gui = self.server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, control_width="large")
        gui.main_panel.dock_right()  # beside the robot, not over it
        gui.add_markdown(f"### {in_markdown(self.system.robot.name)}")
        self._panels: dict[str, Any] = {}
        self._mark: Any = None
        modes = (REST, MOTION) if self._model is not None else (PLAYBACK,)
        self._mode = modes[0]
        if len(modes) > 1:
            self._choice = gui.add_dropdown("robot", modes, initial_value=REST)
            self._choice.on_update(lambda _: self._choose(self._choice.value))
        if self._model is not None:
            self._panels[REST] = RestPanel(gui, self._model, self._event.set)
            scenes = [scene := self._scene(self._panels[REST].tick(0.0))]
            self._panels[REST].again()
            size = scene.drawing.size
            self._panels[MOTION] = MotionPanel(gui, self._start, size, self._event.set)
        else:
            assert isinstance(shown, Run | EquilibriumPath | Workspace)
            panel = PlaybackPanel(gui, shown, self._event.set, beside)
            self._panels[PLAYBACK] = panel
            runs = [x for x in (panel.whole, panel.other) if x is not None]
            largest = max(map(largest_force, runs)) or 1.0  # of the arrows of both
            scenes = [scene := self._scene(panel.whole, largest)]
            self._mark = draw_ends(self.server, scene, shown, panel.whole, panel.pick)
            if panel.other is not None:
                scenes.append(make_scene(panel.other, largest))
                self._nodes[BESIDE] = RobotNodes(self.server, scenes[-1], BESIDE, ghost=True)
        with gui.add_folder("picture"):
            self._end = gui.add_text("end [m]", "", disabled=True)
            gui.add_button("Fit").on_click(lambda event: self._fit(event.client))
            frames = gui.add_checkbox("frames", False)
            frames.on_update(lambda _: self._show_frames(bool(frames.value)))
            self._address = gui.add_text("link", self.url, disabled=True)
            self._key = gui.add_html("")
            if isinstance(shown, EquilibriumPath | Workspace):
                gui.add_html(as_html(stability_rows(self._panels[PLAYBACK].whole.stability)))
            if isinstance(shown, Run) and beside is not None:
                gui.add_html(as_html(comparison_rows(shown, beside)))
        self._size = scene.drawing.size
        draw_floor(self.server, scene)
        place_cameras(self.server, scenes, lambda: (self._state or {}).get("camera"))

    def _scene(self, c: Configurations, largest: float | None = None) -> Scene:
        scene = make_scene(c, largest)
        self._nodes[self._mode] = RobotNodes(self.server, scene, "robot")
        return scene

    def _choose(self, mode: str) -> None:
        with self._lock:
            self._mode = mode
            for name, panel in self._panels.items():
                panel.folder.visible = name == mode
            if mode == MOTION:
                self._panels[MOTION].restart()
            else:
                self._panels[mode].again()
        self._event.set()

    def _start(self) -> Equilibrium | System:
        """What a motion begins with."""
        assert self._model is not None
        rest = self._model.rest
        return rest if rest.status.ok else self.system

    def _show_frames(self, on: bool) -> None:
        for nodes in self._nodes.values():
            nodes.frames = on
        self._frames = on
        panel = self._panels[self._mode]
        if hasattr(panel, "again"):
            panel.again()
        self._event.set()

    # What moves it ---------------------------------------------------------------------------

    def _serve(self) -> None:
        before, linked = clock.monotonic(), 0.0
        while not self._over:
            now = clock.monotonic()
            try:
                with self._lock:
                    moved = self.tick(now - before)
                if now - linked > LINK_SECONDS:
                    linked = now
                    self._renew_link()
            except ChordaError as error:
                self._end.value = str(error)
                moved = False
            except Exception as error:  # the page stays; who waits is told
                self.failure = error
                self._over = True
                raise
            before = now
            if not moved:
                self._event.wait(1 / RATE)
                self._event.clear()
            else:
                clock.sleep(max(0.0, 1 / RATE - (clock.monotonic() - now)))

    def tick(self, seconds: float) -> bool:
        """Show the next picture.

        Parameters
        ----------
        seconds : float
            Since the last one [s].

        Returns
        -------
        bool
            Whether anything moved.
        """
        mode, panel = self._mode, self._panels[self._mode]
        c = panel.tick(seconds if self._is_watched() else 0.0)
        if c is None:
            return False
        if mode == MOTION and not self._is_shown(MOTION):
            self._nodes[mode] = RobotNodes(
                self.server, make_scene(c, panel.largest), "robot in motion"
            )
            self._nodes[mode].frames = self._frames
        nodes, before = self._nodes[mode], self._seen()
        if mode == REST and largest_force(c) > nodes.scene.largest:  # arrows of another scale
            nodes.remove()
            self._scene(c, nice(ROOM * largest_force(c)))
            nodes = self._nodes[mode]
            nodes.frames = self._frames
        fresh = not nodes.meshes
        with self.server.atomic():
            nodes.show(c)
            for name, other in self._nodes.items():
                if name not in (mode, BESIDE):
                    other.remove()
            if self._mark is not None:
                self._mark.position = nodes.end
        self._keep_in_view(before)
        self.pictures += 1
        if mode == PLAYBACK and panel.other is not None:
            other = self._nodes[BESIDE]
            other.show(panel.configuration(panel.other))
            nodes.largest = other.largest = max(nodes.largest, other.largest)  # one scale
        if fresh and mode == MOTION:
            self._let_pull(nodes, panel)
        self._end.value = ", ".join(f"{x:.6f}" for x in nodes.end)
        if (key := robot_key(nodes)) != self._key.content:
            self._key.content = key
        return True

    def _is_shown(self, mode: str) -> bool:
        return mode in self._nodes and bool(self._nodes[mode].meshes)

    def _is_watched(self) -> bool:
        """Whether a page is open: without one, no time passes."""
        return not self.waits_for_pages or bool(self.server.get_clients())

    def _seen(self) -> Array:
        """Where the robots are that are shown (k, 3) [m]."""
        return np.concatenate([np.zeros((0, 3)), *(x.places for x in self._nodes.values())])

    def _keep_in_view(self, before: Array) -> None:
        """Where the robot itself went out of a picture, the camera goes back."""
        now = self._seen()
        for client in self.server.get_clients().values():
            camera = client.camera
            if len(before) and is_outside(camera, now) and not is_outside(camera, before):
                fit(camera, now, self._size, WIDER_MARGIN)

    def _fit(self, client: Any) -> None:
        """All of the robot, and of what is played back, in the picture of a page."""
        whole = [x.scene.seen for x in self._nodes.values()] if self._mode == PLAYBACK else []
        fit(client.camera, np.concatenate([self._seen(), *whole]), self._size)

    def _let_pull(self, nodes: RobotNodes, panel: MotionPanel) -> None:
        """A drag on the robot pulls the body that was grabbed."""

        async def drag(event: Any) -> None:
            panel.drag(event.phase, np.array(event.start_position), np.array(event.end_position))

        for mesh in nodes.meshes:
            mesh.on_drag(drag)

    # State -----------------------------------------------------------------------------------

    @property
    def state(self) -> dict[str, Any]:
        """What the sliders and the camera are at."""
        found: dict[str, Any] = {"mode": self._mode}
        for panel in self._panels.values():
            found |= panel.state
        for client in list(self.server.get_clients().values())[:1]:
            place = {x: getattr(client.camera, x) for x in ("position", "look_at")}
            found["camera"] = {x: np.round(v, 5).tolist() for x, v in place.items()}
        return found

    def put_state(self, state: Mapping[str, Any]) -> None:
        """Set the sliders to a state.

        Parameters
        ----------
        state : mapping
            As `state` has it.

        Raises
        ------
        InputError
            Something in it does not fit this robot.
        """
        mode = state.get("mode", self._mode)
        check_names("state.mode", [mode], tuple(self._panels))
        check_state(state)
        if isinstance(panel := self._panels.get(REST), RestPanel):
            panel.check_state(state)
        self._state = dict(state)
        for panel in self._panels.values():
            panel.put_state(state)
        if mode != self._mode:
            self._choice.value = mode
            self._choose(mode)
        for client in self.server.get_clients().values():
            for name, value in state.get("camera", {}).items():
                setattr(client.camera, name, np.asarray(value, float))

    def _renew_link(self) -> None:
        link = f"{self._links.address}?state={encoded(self.state)}"
        if link != self.link:
            self.link = self._address.value = link

    # Its life --------------------------------------------------------------------------------

    def wait(self) -> None:
        """Wait until Ctrl-C, or until it is stopped."""
        try:
            while not self._over:
                clock.sleep(0.2)
        except KeyboardInterrupt:
            self.stop()
        if self.failure is not None:
            raise self.failure

    def stop(self) -> None:
        """Close the page."""
        self._over = True
        self._event.set()
        self._thread.join(timeout=10.0)
        self._links.close()
        with redirect_stdout(StringIO()):
            self.server.stop()

    def __repr__(self) -> str:
        return f"<Viewer of {self.system.robot.name} at {self.url}>"


def _resting(shown: System | Shown) -> Resting | None:
    """The sliders of a robot or an equilibrium."""
    if isinstance(shown, System):
        return Resting(shown)
    return Resting(shown.system, shown) if isinstance(shown, Equilibrium) else None


def _viser() -> Any:
    try:
        import viser
    except ImportError:
        raise InputError(
            "view: the viewer needs the extra 'view'; pip install 'chorda[view]', or write a page, "
            "to_html('run.html')"
        ) from None
    return viser
