"""Platforms that only closures hold are drawn too."""

import numpy as np

import chorda


def links(name):
    system = chorda.assemble(chorda.load(name))
    places = system.drawing(system.rest, system.parameters()).full().T
    found = [x for x in system.picture.lines if x.kind == "link"]
    return [(x.name, places[x.points[-1]] - places[x.points[0]]) for x in found]


def test_a_platform_is_drawn_to_its_joints_and_its_slides_are_not():
    for name, size in (("3-rfr", 0.06), ("tendon-parallel", 0.05)):
        drawn = links(name)
        assert [x for x, _ in drawn] == ["platform"] * 3
        assert np.allclose([np.linalg.norm(way) for _, way in drawn], size)
