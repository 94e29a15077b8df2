"""Of viser, what panels and a robot's nodes need; nothing is shown."""

from contextlib import nullcontext
from types import SimpleNamespace


class FakeServer:
    """Keeps what it was given."""

    def __init__(self):
        self.scene = self

    def atomic(self):
        return nullcontext()

    def add_mesh_simple(self, *_, **more):
        return SimpleNamespace(**more)

    def add_line_segments(self, name, points, colors, thickness):
        return SimpleNamespace(points=points, colors=colors)


class FakeGui:
    """Makes anything that is added; a slider has its bounds and its value."""

    def __init__(self):
        self.content = self.label = ""

    def __getattr__(self, name):
        if not name.startswith("add_"):
            raise AttributeError(name)

        def add(*arguments, **more):
            made = FakeGui()
            made.value = arguments[-1] if arguments else None
            if name == "add_slider":
                made.min, made.max = arguments[1:3]
            if name == "add_dropdown":
                made.value = more.get("initial_value", arguments[1][0])
            return made

        return add

    def remove(self):
        pass

    def on_update(self, act):
        self.act = act

    on_click = on_update

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass
