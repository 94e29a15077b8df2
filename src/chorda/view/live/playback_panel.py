"""Controls of a result that is played back: a slider over it, speed, and what each place is."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chorda.mechanics import Array
from chorda.results import EquilibriumPath, Run, Workspace
from chorda.safe_text import in_markdown
from chorda.view.configurations import Configurations, between, configurations, picked
from chorda.view.display_units import display_unit


def _about(result: Run | EquilibriumPath | Workspace) -> str:
    """What became of it; of a workspace also how much of it can be used."""
    if not isinstance(result, Workspace) or not result.limits:
        return result.status.message
    usable, cells = int(np.sum(result.usable)), result.usable.size
    message = result.status.message
    return f"{message} {usable} of {cells} are stable and within the limits."


PATH_SECONDS = 6.0  # that a path takes from its first configuration to its last


class PlaybackPanel:
    """Controls of a run, a path or a workspace; beside: another run at the same times."""

    def __init__(
        self,
        gui: Any,
        result: Run | EquilibriumPath | Workspace,
        changed: Callable[[], None],
        beside: Run | None = None,
    ) -> None:
        self.result, self.changed = result, changed
        self.whole = configurations(result)
        self.other = None if beside is None else configurations(beside)
        self.ordered = not isinstance(result, Workspace)
        self.first = float(self.whole.at[0]) if self.ordered else 0.0
        self.last = float(self.whole.at[-1]) if self.ordered else len(self.whole) - 1.0
        start = self.first
        if isinstance(result, Workspace):  # the cell that it began from
            start = float(np.argmin(result.cells.front[self.whole.at.astype(int)]))
        self.at, self._playing, self._shown = start, self.ordered, False
        self.folder = gui.add_folder("Playback")
        with self.folder:
            self.text = gui.add_markdown(in_markdown(_about(result)))
            self.now = gui.add_markdown("")
            if self.ordered and self.last > self.first:
                self._play = gui.add_button("Pause")
                self._play.on_click(lambda _: self.toggle())
                gui.add_button("Step").on_click(lambda _: self.step())
                self._speed = gui.add_slider("speed", 0.05, 4.0, 0.05, 1.0)
            else:
                self._play, self._playing = None, False
            unit = f" [{self.whole.unit}]" if self.whole.unit else ""
            wide = max(self.last - self.first, 1e-9)
            step = wide / 1000 if self.ordered else 1.0
            self.slider = gui.add_slider(
                f"{self.whole.axis}{unit}", self.first, self.first + wide, step, start
            )
        self.slider.on_update(lambda event: self.seek(self.slider.value) if event.client else None)

    def toggle(self) -> None:
        """Play or pause; at the end, from the beginning."""
        if not self._playing and self.at >= self.last:
            self.at = self.first
        self._set_playing(not self._playing)

    def _set_playing(self, on: bool) -> None:
        self._playing = on and self._play is not None
        if self._play is not None:
            self._play.label = "Pause" if self._playing else "Play"
        self._shown = False
        self.changed()

    def step(self) -> None:
        """To the next of the times that were computed."""
        later = self.whole.at[self.whole.at > self.at + 1e-12]
        self.at = float(later[0]) if len(later) else self.last
        self._set_playing(False)

    def seek(self, at: float) -> None:
        self.at = min(max(float(at), self.first), self.last)
        self._set_playing(False)

    def pick(self, origin: Array, way: Array, ends: Array) -> None:
        """Go to the configuration whose end (n, 3) is nearest to a ray."""
        way = way / np.linalg.norm(way)
        off = ends - origin
        gap = np.linalg.norm(off - (off @ way)[:, None] * way, axis=1)
        near = int(np.argmin(gap / np.maximum(off @ way, 1e-9)))
        self.slider.value = near
        self.seek(near)

    def tick(self, seconds: float) -> Configurations | None:
        """The robot at the time that has come, if it is another one than before."""
        if self._playing:
            factor = float(self._speed.value)
            if not isinstance(self.result, Run):
                factor *= (self.last - self.first) / PATH_SECONDS
            self.at = min(self.at + seconds * factor, self.last)
            self.slider.value = self.at
            if self.at >= self.last:
                self._set_playing(False)
        elif self._shown:
            return None
        self._shown = True
        self.now.content = self._text()
        return self.configuration(self.whole)

    def configuration(self, c: Configurations) -> Configurations:
        """At the present time, or where another run ended before it."""
        if isinstance(self.result, Run):
            return between(c, np.clip([self.at], c.at[0], c.at[-1]))
        return picked(c, np.array([self.row]))

    @property
    def row(self) -> int:
        """Which of the configurations is shown."""
        if not self.ordered:
            return round(self.at)
        return int(np.argmin(np.abs(self.whole.at - self.at)))

    def _text(self) -> str:
        word = f", **{self.whole.stability[self.row]}**" if self.whole.stability else ""
        if isinstance(self.result, Workspace):
            cell = int(self.whole.at[self.row])
            values = zip(self.result.names, self.result.point(cell), self.result.units, strict=True)
            texts = []
            for name, x, unit in values:
                shown = display_unit(unit, np.array([x]))
                texts.append(f"{name} = {shown.factor * x:.4g} {shown.unit}".rstrip())
            beyond = [x for x, mask in self.result.violations.items() if mask.flat[cell]]
            return ", ".join(texts) + word + (f": {', '.join(beyond)}" if beyond else "")
        symbol = "t" if isinstance(self.result, Run) else self.whole.axis
        return f"{symbol} = {self.at:.4f} {self.whole.unit}".rstrip() + word

    def again(self) -> None:
        self._shown = False

    @property
    def state(self) -> dict[str, Any]:
        return {"at": self.at}

    def put_state(self, state: Mapping[str, Any]) -> None:
        if "at" in state:
            self.slider.value = float(state["at"])
            self.seek(float(state["at"]))
