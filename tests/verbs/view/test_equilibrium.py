"""An equilibrium draws itself."""

from pathlib import Path

import chorda


def test_an_equilibrium_is_drawn_with_its_tensions(tmp_path: Path) -> None:
    rest = chorda.equilibrium(chorda.assemble(chorda.load("neck-3")), tensions=[30, 20, 20, 25])
    figure = rest.plot(tmp_path / "configuration.png")
    assert (tmp_path / "configuration.png").read_bytes().startswith(b"\x89PNG")
    picture, scale = figure.axes
    assert "tension" in scale.get_ylabel()
    (tendons,) = (c for c in picture.collections if c.get_gid() == "tendons")
    first, second, third, left = map(tuple, tendons.get_color())
    assert second == third
    assert len({first, second, left}) == 3


def test_names_of_joints_and_tendons_stand_beside_the_picture_if_asked_for() -> None:
    rest = chorda.equilibrium(chorda.assemble(chorda.load("finger-3")), tensions=5.0)
    named = {text.get_text() for text in rest.plot(names=True).axes[0].texts}
    plain = {text.get_text() for text in rest.plot().axes[0].texts}
    assert named - plain == {
        "palm", "joint1", "joint2", "joint3", "tendon1", "tendon2", "tendon3", "tendon4"
    }  # fmt: skip
