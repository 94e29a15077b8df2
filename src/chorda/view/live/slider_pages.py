"""Sliders in a folder, so many at a time: of more, a choice says which are shown."""

from collections.abc import Callable, Mapping
from typing import Any

from chorda.view.live.sliders import Slider, SliderHandle

MOST_SLIDERS, PAGE_SIZE = 40, 25  # sliders that are shown at once; of more, so many


class SliderPages:
    """Sliders that `sliders` lists; `changed` hears which one a hand moved, and where to [SI].

    page: how many are shown at once, by default all of a few.
    """

    def __init__(
        self,
        gui: Any,
        folder: Any,
        sliders: Callable[[], list[Slider]],
        changed: Callable[[Slider, float], None],
        page: int | None = None,
        label: str = "which",
    ) -> None:
        self._gui, self._folder, self._sliders, self._changed = gui, folder, sliders, changed
        names = [x.name for x in sliders()]
        page = page or (PAGE_SIZE if len(names) > MOST_SLIDERS else MOST_SLIDERS)
        pages = [names[k : k + page] for k in range(0, len(names), page)]
        self._pages = {x[0] if len(x) == 1 else f"{x[0]} to {x[-1]}": x for x in pages}
        self._choice, self.handles = None, dict[str, SliderHandle]()
        if len(pages) > 1:
            with folder:
                self._choice = gui.add_dropdown(label, tuple(self._pages))
            self._choice.on_update(lambda _: self.turn())
        self.turn()

    def turn(self) -> None:
        """Show the sliders of the page that is chosen."""
        self._clear()
        labels = list(self._pages)
        names = self._pages[self._choice.value if self._choice else labels[0]] if labels else []
        with self._folder:
            for x in self._sliders():
                if x.name in names:
                    self._add(x)

    def _add(self, x: Slider) -> None:
        made = SliderHandle(self._gui, x)
        made.node.on_update(lambda event: self._changed(x, made.value) if event.client else None)
        self.handles[x.name] = made

    def show(self, values: Mapping[str, float]) -> None:
        """Move the sliders to values by name [SI]."""
        for name, handle in self.handles.items():
            if name in values:
                handle.value = values[name]

    def remove(self) -> None:
        """Take all of it out of the page."""
        self._clear()
        if self._choice is not None:
            self._choice.remove()

    def _clear(self) -> None:
        for handle in self.handles.values():
            handle.node.remove()
        self.handles = {}
