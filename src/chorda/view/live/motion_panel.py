"""Controls of a robot in motion: it runs in real time under sliders, and can be pulled."""

import time as clock
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chorda.errors import ChordaError
from chorda.mechanics import Array, System
from chorda.results import Equilibrium
from chorda.results.workspace import units_at_rest
from chorda.safe_text import in_markdown
from chorda.view.configurations import Configurations
from chorda.view.live.moving_robot import MovingRobot
from chorda.view.live.slider_pages import SliderPages
from chorda.view.live.sliders import Slider, input_sliders, parameter_slider

LONGEST_TICK = 0.1  # [s] that is made up for at once
PATIENCE = 0.05  # [s] of computing in a tick
SMOOTHING = 0.9  # of the speed that is shown
PREPARING = "Getting ready: the first time this takes a few seconds."
REPORT = 0.25  # [s] between texts
STRETCH = 0.25  # over the robot's size: a pull as long as that is `usual_force`
LEAST_FORCE = 0.5  # [N]


class MotionPanel:
    """Controls of a `MovingRobot`, made from what `start` gives when it is first shown."""

    def __init__(
        self,
        gui: Any,
        start: Callable[[], Equilibrium | System],
        size: float,
        changed: Callable[[], None],
    ) -> None:
        self.gui, self.start, self.changed = gui, start, changed
        self.model: MovingRobot | None = None
        self.problem = ""
        self._playing, self._again = True, True
        self._asked = self._done = 0  # single steps
        self._announced, self._reported, self._debt = False, 0.0, 0.0
        self._moved = self._passed = 0.0  # smoothed, their ratio is the speed
        self._pages: list[SliderPages] = []
        self._changes: dict[str, float] = {}  # of parameters, since the last tick
        self._wanted: dict[str, float] = {}
        self.folder = gui.add_folder("In motion", visible=False)
        with self.folder:
            self.text = gui.add_markdown("")
            self._play = gui.add_button("Pause")
            self._play.on_click(lambda _: self._toggle())
            gui.add_button("Step").on_click(lambda _: self._step())
            gui.add_button("Reset").on_click(lambda _: self.restart())
            self._speed = gui.add_slider("speed", 0.05, 2.0, 0.05, 1.0)
            self._pull = gui.add_slider("pull [N per robot's size]", 0.0, 100.0, 0.1, 10.0)
            self._inputs = gui.add_folder("actuators")
            self._parameters = gui.add_folder("parameters", expand_by_default=False)
        self.size = size

    def _toggle(self) -> None:
        self._playing = not self._playing
        self._play.label = "Pause" if self._playing else "Play"
        self.changed()

    def _step(self) -> None:
        self._playing, self._asked = False, self._asked + 1
        self._play.label = "Play"
        self.changed()

    def restart(self) -> None:
        """From the equilibrium that is shown at rest, at the next tick."""
        self._again = True
        self.changed()

    def drag(self, phase: str, start: Array, end: Array) -> None:
        """The hand pulls what it grabbed at `start` (3) [m] towards `end`, or lets go."""
        if self.model is not None:
            if phase == "start":
                self.model.take(start)
            force = float(self._pull.value) / self.size
            self.model.pull = np.zeros(3) if phase == "end" else force * (end - start)

    @property
    def largest(self) -> float:
        """Force of the longest arrow [N]."""
        return max(LEAST_FORCE, STRETCH * float(self._pull.value))

    def _make(self) -> None:
        self._again, self.problem = False, ""
        for pages in self._pages:
            pages.remove()
        self._pages, self.model, self._changes = [], None, {}
        try:
            model = MovingRobot(self.start())
            model.advance(model.step)  # what is compiled once is compiled here
            model.reset()
        except ChordaError as error:
            self.problem = str(error)
            return
        self.model, self._moved, self._passed = model, 0.0, 0.0
        model.inputs |= {x: v for x, v in self._wanted.items() if x in model.inputs}
        self._wanted = {}
        self._inputs.visible = bool(model.home)
        self._parameters.visible = bool(model.parameters)
        self._add(self._inputs, lambda: input_sliders(model.system, model.inputs), self._put)
        units = units_at_rest(model.system)
        self._add(
            self._parameters,
            lambda: [
                parameter_slider(units.get(x, "-"), x, v) for x, v in model.parameters.items()
            ],
            lambda x, value: self._changes.update({x.name: value}),
            page=1,
            label="parameter",
        )

    def _add(self, folder: Any, sliders: Any, changed: Any, **how: Any) -> None:
        self._pages.append(SliderPages(self.gui, folder, sliders, changed, **how))

    def _put(self, x: Slider, value: float) -> None:
        if self.model is not None:
            self.model.inputs[x.name] = value

    def _change(self, model: MovingRobot) -> None:
        """Give the robot the parameters that were moved."""
        changes, self._changes = self._changes, {}
        try:
            model.change(changes)
            self.problem = ""
        except ChordaError as error:
            self.problem = str(error)

    def tick(self, seconds: float) -> Configurations | None:
        """Go on for so long; the robot where it is then."""
        fresh = self._again
        if fresh and not self._announced:  # making may take seconds, and the page says so
            self._announced = True
            self.text.content = PREPARING
            return None
        if fresh:
            self._make()
            self._announced, self._reported = False, 0.0
        model = self.model
        if model is None:
            self._report(in_markdown(self.problem))
            return None
        if self._changes:
            self._change(model)
        moved = 0.0
        while self._done < self._asked:
            self._done += 1
            moved += model.advance(model.step)
        if self._playing and not fresh:
            asked = min(seconds, LONGEST_TICK) * float(self._speed.value)
            self._debt = min(self._debt + asked, LONGEST_TICK)
            if self._debt >= model.step:
                moved += model.advance(self._debt, PATIENCE)
                self._debt -= moved  # below zero where a whole step was more than was due
            self._moved = SMOOTHING * self._moved + moved
            self._passed = SMOOTHING * self._passed + seconds
        if model.ended:
            self._report(f"**Ended.** {in_markdown(model.ended)}")
        else:
            speed = f", {self._moved / self._passed:.2f} of real time" if self._passed else ""
            refused = f"\n\n**Refused.** {in_markdown(self.problem)}" if self.problem else ""
            self._report(f"t = {model.time:.3f} s{speed}{refused}")
        return model.configuration() if moved or fresh else None

    def _report(self, text: str) -> None:
        if clock.monotonic() - self._reported > REPORT or not self._playing:
            self._reported = clock.monotonic()
            if self.text.content != text:
                self.text.content = text

    @property
    def state(self) -> dict[str, Any]:
        return {} if self.model is None else {"motion": dict(self.model.inputs)}

    def put_state(self, state: Mapping[str, Any]) -> None:
        """Inputs as `state` has them; the motion begins again."""
        if "motion" in state:
            self._wanted = dict(state["motion"])
            self.restart()
