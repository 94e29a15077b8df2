"""A study: a robot, what varies, and what is computed at each point."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from chorda import describe
from chorda.catalogue import load
from chorda.checks import file_path
from chorda.describe.explaining import explain
from chorda.describe.names import Label
from chorda.describe.plain_yaml import loads
from chorda.describe.quantity import Number, Record
from chorda.describe.robot_files import from_data
from chorda.errors import DescriptionError, InputError
from chorda.files import check_file
from chorda.statics.mode_choice import chosen
from chorda.sweeps.tasks import Compute
from chorda.sweeps.variations import Random, Samples, Variation

MAX_CHARACTERS = 2_000_000


class Study(Record):
    """A robot, what varies over it, and what is computed at each point."""

    chorda: Literal[1] = Field(1, description="version of this format")
    name: Label = Field("sweep", description="short name of the study", min_length=1)
    robot: str | dict[str, Any] = Field(
        description="a catalogue name, a robot's YAML file (seen from the study's), or a "
        "description in place"
    )
    tendons: Literal["elastic", "rigid"] = Field("elastic", description="how they are modelled")
    parameters: dict[str, Number] = Field(
        default_factory=dict, description="changes that hold at every point; * matches many"
    )
    vary: tuple[Variation, ...] = Field(description="the quantities that vary")
    samples: Samples | None = Field(None, description="of the random quantities, all together")
    compute: Compute = Field(description="what is done at each point")

    @model_validator(mode="after")
    def _makes_points(self) -> Self:
        if not self.vary:
            raise ValueError("vary: expected at least one quantity, got none")
        taken: set[str] = set()
        for k, item in enumerate(self.vary):
            words = {item.name, item.column}
            if twice := sorted(words & taken):
                raise ValueError(f"vary.{k}: '{twice[0]}' is there twice; keep one, or give labels")
            taken |= words
        drawn = any(isinstance(x, Random) for x in self.vary)
        if drawn and self.samples is None:
            raise ValueError(
                "samples: this field is missing; random quantities need 'samples: {count: 100}'"
            )
        if self.samples is not None and not drawn:
            raise ValueError("samples: nothing is random; leave them out, or say 'kind: random'")
        return self

    def plain(self) -> dict[str, Any]:
        """The study as plain data, robot and all; equal studies have equal data."""
        return dict(_plain(self))

    def text(self) -> str:
        """The same as JSON."""
        return json.dumps(self.plain(), sort_keys=True)

    def fingerprint(self) -> str:
        """A hash of everything that results depend on."""
        data = {k: v for k, v in self.plain().items() if k != "name"}
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:40]


def _plain(value: Any) -> Any:
    """Without what has its default, so that a field that is new changes no older study."""
    if isinstance(value, Record):
        fields = type(value).model_fields
        given = {name: getattr(value, name) for name in fields}
        usual = {
            name: x.get_default(call_default_factory=True, validated_data={})
            for name, x in fields.items()
        }
        return {k: _plain(v) for k, v in given.items() if k == "kind" or v != usual[k]}
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, list | tuple) else value


def parse_study(text: str, where: str = "study", folder: Path | None = None) -> Study:
    """Read a study from YAML text.

    Parameters
    ----------
    text : str
        The study.
    where : str
        What the text is called in error messages.
    folder : Path, optional
        The folder from which a robot's file is seen; by default the current one.

    Returns
    -------
    Study
        The checked study, with the robot's description in it.

    Raises
    ------
    DescriptionError
        If a field is missing, unknown or wrong.
    """
    if len(text) > MAX_CHARACTERS:
        raise DescriptionError(f"{where}: more than the {MAX_CHARACTERS} characters that are read")
    try:
        data = loads(text)
    except DescriptionError as error:
        raise DescriptionError(f"{where}: {error}") from None
    return from_mapping(data, where, folder)


def from_mapping(data: Any, where: str = "study", folder: Path | None = None) -> Study:
    """A study from plain data, with the robot's description inside."""
    if not isinstance(data, Mapping):
        raise DescriptionError(
            f"{where}: expected a mapping with the fields robot, vary, compute; got {data!r:.60}"
        )
    try:
        study = Study.model_validate(dict(data))
    except ValidationError as error:
        raise DescriptionError(explain(error, Study, where)) from None
    return _with_robot(study, folder)


def read_study(path: str | Path) -> Study:
    """Read a study from a YAML file.

    Parameters
    ----------
    path : path
        The file; a robot's file that it names is seen from its folder.

    Returns
    -------
    Study
        The checked study, with the robot's description in it.

    Raises
    ------
    DescriptionError
        If the file cannot be read, or a field is missing, unknown or wrong.
    """
    path = file_path("path", path)
    check_file(path, "a study's YAML file", DescriptionError)
    try:
        with path.open("rb") as file:
            text = file.read(4 * MAX_CHARACTERS + 1).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DescriptionError(f"{path}: expected text in UTF-8, got other bytes") from None
    except OSError as error:
        raise DescriptionError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_study(text, str(path), path.parent)


def given(study: Any) -> Study:
    """A study from whatever the user gave."""
    if isinstance(study, Study):
        return _with_robot(study, None)
    if isinstance(study, str | Path):
        return read_study(study)
    if isinstance(study, Mapping):
        return from_mapping(study)
    raise InputError(f"study: expected a YAML file, a mapping or a Study, got {study!r:.60}")


def robot_of(study: Study) -> describe.Robot:
    """The robot of a study that holds its description."""
    assert isinstance(study.robot, dict)
    return from_data(study.robot, f"{study.name}: robot")


def _with_robot(study: Study, folder: Path | None) -> Study:
    """The study with its robot's description in place of a name."""
    if isinstance(study.robot, dict):
        robot = robot_of(study)
    else:
        file = (folder or Path()) / study.robot
        named = study.robot.endswith((".yaml", ".yml")) and file.is_file()
        robot = load(file if named else study.robot)
    robot = chosen(robot, study.tendons)  # once, and not in each worker
    return study.model_copy(update={"robot": loads(describe.dump(robot))})
