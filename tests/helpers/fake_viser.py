"""Of viser, what a robot's nodes need; nothing is shown."""

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
