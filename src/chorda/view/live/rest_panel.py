"""Sliders of a robot at rest: the equilibrium follows them."""

from collections.abc import Callable, Mapping
from typing import Any

from chorda.safe_text import in_markdown
from chorda.view.configurations import Configurations, of_equilibrium
from chorda.view.live.resting import HOLD, INPUTS, PARAMETERS, TENSIONS, Resting, Slider

STEPS = 1000  # of a slider
MOST_SLIDERS = 60  # of a group
GROUP_WORDS = {TENSIONS: "tensions", INPUTS: "inputs of actuators"}


class RestPanel:
    """Controls of a `Resting` in the page; `tick` solves what was asked for since the last one."""

    def __init__(self, gui: Any, model: Resting, changed: Callable[[], None]) -> None:
        self.gui, self.model, self.changed = gui, model, changed
        self._asked: dict[str, dict[str, float | None]] = {}
        self._jobs: list[Callable[[], Any]] = []
        self._handles: dict[tuple[str, str], Any] = {}
        self._shown = False
        self.folder = gui.add_folder("At rest")
        with self.folder:
            self.text = gui.add_markdown("")
            groups = [g for g, n in ((TENSIONS, model.tendons), (INPUTS, model.system.given)) if n]
            if len(groups) > 1:
                words = [GROUP_WORDS[g] for g in groups]
                now = INPUTS if model.values[INPUTS] and not model.values[TENSIONS] else TENSIONS
                choice = gui.add_dropdown("given", words, initial_value=GROUP_WORDS[now])
                choice.on_update(lambda _: self._give(groups[words.index(choice.value)]))
            now = INPUTS if INPUTS in groups and not model.values[TENSIONS] else TENSIONS
            self._actuators = gui.add_folder("actuators")
            self._fill(self._actuators, now)
            joints = gui.add_folder("joints (held where you put them)", expand_by_default=False)
            self._fill(joints, HOLD)
            with joints:
                gui.add_button("Let joints go").on_click(lambda _: self._let_go())
            self._parameters = gui.add_folder("parameters", expand_by_default=False)
            self._fill_parameters()
            gui.add_button("Reset").on_click(lambda _: self._do(self._reset))

    def _fill(self, folder: Any, group: str) -> None:
        with folder:
            for x in self.model.sliders(group)[:MOST_SLIDERS]:
                self._slider(x)

    def _slider(self, x: Slider) -> Any:
        step = (x.high - x.low) / STEPS
        made = self.gui.add_slider(
            f"{x.name} [{x.unit}]", x.low, x.high, step, min(max(x.value, x.low), x.high)
        )
        made.on_update(
            lambda event: self._ask(x.group, x.name, made.value) if event.client else None
        )
        self._handles[x.group, x.name] = made
        return made

    def _fill_parameters(self) -> None:
        known = {x.name: x for x in self.model.sliders(PARAMETERS)}
        if not known:
            return
        with self._parameters:
            choice = self.gui.add_dropdown("parameter", list(known))
        current: list[Any] = []

        def choose() -> None:
            for old in current:
                old.remove()
            now = next(x for x in self.model.sliders(PARAMETERS) if x.name == choice.value)
            with self._parameters:
                current[:] = [self._slider(now)]

        choice.on_update(lambda _: choose())
        choose()

    def _ask(self, group: str, name: str, value: float | None) -> None:
        self._asked.setdefault(group, {})[name] = value
        self.changed()

    def _do(self, job: Callable[[], Any]) -> None:
        self._jobs.append(job)
        self.changed()

    def _give(self, group: str) -> None:
        def change() -> None:
            self.model.give(group)
            for key in [k for k in self._handles if k[0] in (TENSIONS, INPUTS)]:
                self._handles.pop(key).remove()
            self._fill(self._actuators, group)

        self._do(change)

    def _let_go(self) -> None:
        for name in list(self.model.values[HOLD]):
            self._ask(HOLD, name, None)

    def _reset(self) -> None:
        self.model.reset()
        for (group, name), handle in self._handles.items():
            found = {x.name: x.value for x in self.model.sliders(group)}
            handle.value = found[name]

    def tick(self, _: float) -> Configurations | None:
        """The robot, if it is somewhere else than at the last tick."""
        jobs, self._jobs = self._jobs, []
        asked, self._asked = self._asked, {}
        for job in jobs:
            job()
        if asked:
            self.model.put(asked)
        if not (jobs or asked) and self._shown:
            return None
        self._shown = True
        rest = self.model.rest
        word = f"**{rest.stability}**" if rest.status.ok else "**no equilibrium**"
        self.text.content = f"{word}. {in_markdown(self.model.message)}"
        return of_equilibrium(rest)

    def again(self) -> None:
        """Show it at the next tick."""
        self._shown = False

    @property
    def state(self) -> dict[str, Any]:
        return {group: dict(values) for group, values in self.model.values.items() if values}

    def put_state(self, state: Mapping[str, Any]) -> None:
        """Values as `state` has them; where it has none they stay."""
        if not any(group in state for group in self.model.values):
            return

        def change() -> None:
            for group in self.model.values:
                self.model.values[group] = {}
            self.model.put({g: v for g, v in state.items() if g in self.model.values})
            for key, handle in self._handles.items():
                value = state.get(key[0], {}).get(key[1])
                if value is not None:
                    handle.value = value

        self._do(change)
