"""Sliders of a robot at rest: the equilibrium follows them."""

import time as clock
from collections.abc import Callable, Mapping
from typing import Any

from chorda.checks import check_names
from chorda.safe_text import in_markdown
from chorda.view.configurations import Configurations, of_equilibrium
from chorda.view.live.motion_panel import PREPARING
from chorda.view.live.resting import HOLD, TENSIONS, Resting
from chorda.view.live.slider_pages import SliderPages
from chorda.view.live.sliders import INPUTS, PARAMETERS, Slider

SEARCHING = "Looking for the equilibrium."
LONG = 0.3  # [s] of an equilibrium, from which on the page says that it is looked for
UNTIL_SENT = 0.05  # [s] until a text is in the page
GROUP_WORDS = {TENSIONS: "tensions", INPUTS: "inputs of actuators"}


class RestPanel:
    """Controls of a `Resting` in the page; `tick` solves what was asked for since the last one."""

    def __init__(self, gui: Any, model: Resting, changed: Callable[[], None]) -> None:
        self.gui, self.model, self.changed = gui, model, changed
        self._asked: dict[str, dict[str, float | None]] = {}
        self._jobs: list[Callable[[], Any]] = []
        self._pages: dict[str, SliderPages] = {}  # by group
        self._shown = False
        self._prepared: set[tuple[str, str]] = set()  # what has been given before
        self._took = 0.0  # [s] the last equilibrium
        self.folder = gui.add_folder("At rest")
        with self.folder:
            self.text = gui.add_markdown("")
            self._groups = [g for g in GROUP_WORDS if model.known(g)]
            self._given = self._group()
            self._choice = None
            if len(self._groups) > 1:
                words = [GROUP_WORDS[g] for g in self._groups]
                self._choice = gui.add_dropdown(
                    "given", words, initial_value=GROUP_WORDS[self._given]
                )
                self._choice.on_update(lambda event: self._choose() if event.client else None)
            self._actuators = gui.add_folder("actuators", visible=bool(self._groups))
            self._fill(self._actuators, self._given)
            if model.joints:
                joints = gui.add_folder("joints (held where you put them)", expand_by_default=False)
                self._fill(joints, HOLD)
                with joints:
                    gui.add_button("Let joints go").on_click(lambda _: self._let_go())
            if model.known(PARAMETERS):
                folder = gui.add_folder("parameters", expand_by_default=False)
                self._fill(folder, PARAMETERS, page=1, label="parameter")
            gui.add_button("Reset").on_click(lambda _: self._do(self._reset))

    def _group(self) -> str:
        """Whether sliders are tensions or inputs."""
        tensions = TENSIONS in self._groups and not self.model.values[INPUTS]
        return TENSIONS if tensions or not self._groups else self._groups[-1]

    def _fill(self, folder: Any, group: str, **how: Any) -> None:
        def put(x: Slider, value: float) -> None:
            self._ask(group, x.name, value)

        self._pages[group] = SliderPages(
            self.gui, folder, lambda: self.model.sliders(group), put, **how
        )

    def _ask(self, group: str, name: str, value: float | None) -> None:
        self._asked.setdefault(group, {})[name] = value
        self.changed()

    def _do(self, job: Callable[[], Any]) -> None:
        self._jobs.append(job)
        self.changed()

    def _choose(self) -> None:
        assert self._choice is not None
        words = [GROUP_WORDS[g] for g in self._groups]
        group = self._groups[words.index(self._choice.value)]
        self._do(lambda: self.model.give(group))

    def _show_given(self) -> None:
        """Sliders of tensions or of inputs, whichever are given, at their values."""
        if (group := self._group()) != self._given:
            self._given = group
            for old in (TENSIONS, INPUTS):
                if old in self._pages:
                    self._pages.pop(old).remove()
            self._fill(self._actuators, group)
            if self._choice is not None:
                self._choice.value = GROUP_WORDS[group]
        for group, pages in self._pages.items():
            now = {x.name: x.value for x in self.model.sliders(group)}
            pages.show(now | self.model.values[group])

    def _let_go(self) -> None:
        for name in list(self.model.values[HOLD]):
            self._ask(HOLD, name, None)

    def _reset(self) -> None:
        self._asked = {}
        self.model.reset()

    def tick(self, _: float) -> Configurations | None:
        """The robot, if it is somewhere else than at the last tick."""
        jobs, self._jobs = self._jobs, []
        for job in jobs:
            job()
        asked, self._asked = self._asked, {}
        if asked:
            self._announce(asked)
            begin = clock.monotonic()
            self.model.put(asked)
            self._took = clock.monotonic() - begin
        if jobs or asked:
            self._show_given()
        if not (jobs or asked) and self._shown:
            return None
        self._shown = True
        rest = self.model.rest
        self.text.content = f"**{self.model.word}**. {in_markdown(self.model.message)}"
        return of_equilibrium(rest)

    def _announce(self, asked: Mapping[str, Mapping[str, float | None]]) -> None:
        """Say that it takes a while: where something is given for the first time, or it took long
        before."""
        given = {(g, x if g == HOLD else "") for g, values in asked.items() for x in values}
        if given <= self._prepared and self._took < LONG:
            return
        self.text.content = SEARCHING if given <= self._prepared else PREPARING
        clock.sleep(UNTIL_SENT)
        self._prepared |= given

    def again(self) -> None:
        """Show it at the next tick."""
        self._shown = False

    @property
    def state(self) -> dict[str, Any]:
        return {group: dict(values) for group, values in self.model.values.items() if values}

    def put_state(self, state: Mapping[str, Any]) -> None:
        """Values as `state` has them; where it has none of any group they stay."""
        if any(group in state for group in self.model.values):
            self._do(lambda: self.model.replace(state))

    def check_state(self, state: Mapping[str, Any]) -> None:
        """Refuse what this robot does not have."""
        for group in self.model.values:
            check_names(f"state.{group}", state.get(group, {}), self.model.known(group))
