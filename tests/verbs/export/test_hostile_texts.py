"""Whatever a robot's texts are, exports hold the same model and nothing else."""

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

import chorda
from chorda.describe import Body, Revolute, Robot, Tendon, TensionActuator
from chorda.errors import DescriptionError
from chorda.exporting import c, casadi_files
from chorda.exporting.discrete_model import discrete_model
from chorda.exporting.mjcf import document
from chorda.safe_text import in_c_string
from tests.helpers.hostile_texts import HOSTILE, MARK, harmless
from tests.helpers.refusals import refused

NAMED = ("joint", "tendon", "actuator")


def robot(name="arm", title="", source="", **names):
    """An arm that a tendon pulls."""
    joint, tendon, actuator = (names.get(key, key) for key in NAMED)
    return Robot(
        name=name,
        title=title,
        joints=(Revolute(name=joint, body=Body(mass=1, inertia=(0, 0, 0.1, 0, 0, 0))),),
        actuators=(TensionActuator(name=actuator),),
        tendons=(
            Tendon(
                name=tendon,
                path=({"point": (0.1, 0.1, 0)}, {"frame": joint, "point": (0.1, 0, 0)}),
                actuator=actuator,
            ),
        ),
        sources={f"joints.*{source}": source} if source else {},
    )


def described(**texts):
    """The robot, or none where the description refuses the text."""
    try:
        return robot(**texts)
    except DescriptionError:
        return None


FIELDS = [(field, kind) for field in ("name", "title", "source") for kind in HOSTILE]
LET_THROUGH = [(f, k) for f, k in FIELDS if described(**{f: HOSTILE[k]}) is not None]
REFUSED = [x for x in FIELDS if x not in LET_THROUGH]


def model(field, kind):
    made = robot(**{field: HOSTILE[kind]})
    return discrete_model(chorda.assemble(made), None, 1e-3)


def uncommented(code):
    """What a C compiler sees: trigraphs, joined lines, then comments."""
    code = code.replace("??/", "\\").replace("\\\n", "")
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", code, flags=re.S)


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("field", NAMED)
def test_names_within_a_robot_are_letters_and_digits(field, kind):
    made = described(**{field: HOSTILE[kind]})
    assert made is None or HOSTILE[kind] == "n" * 300


@pytest.mark.parametrize(("field", "kind"), REFUSED)
def test_a_refusal_shows_what_it_refuses(field, kind):
    message = refused(DescriptionError, robot, **{field: HOSTILE[kind]})
    assert f"{field}: expected one line of visible characters, got '" in message
    assert harmless(message)


def test_a_title_and_most_names_are_let_through():
    assert {kind for field, kind in LET_THROUGH if field == "title"} == set(HOSTILE)
    assert ("name", "XML comment") in LET_THROUGH
    assert ("name", "ANSI") not in LET_THROUGH


@pytest.mark.parametrize(("field", "kind"), LET_THROUGH)
def test_c_has_the_text_in_comments_alone(field, kind):
    files = c.contents(model(field, kind))
    plain = c.contents(discrete_model(chorda.assemble(robot()), None, 1e-3))
    start = next(iter(files)).removesuffix(".h")
    assert re.fullmatch("[a-z][a-z0-9_]{0,50}", start)
    for name, text in files.items():
        usual = plain[name.replace(start, "arm")]
        assert harmless(text)
        assert len(text.splitlines()) == len(usual.splitlines())
        if name.endswith((".c", ".h")):
            ours = uncommented(text).replace(start.upper(), "ARM").replace(start, "arm")
            assert ours.split() == uncommented(usual).split()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("field", ["name", "title"])
def test_c_that_is_built_is_inert(field, tmp_path):
    """All texts at once: one export is built and run as its README says."""
    texts = [HOSTILE[kind] for f, kind in LET_THROUGH if f == field]
    system = chorda.assemble(robot(**{field: " ".join(texts)}))
    chorda.export(system, tmp_path / "made", to="c")
    run = subprocess.run(
        [
            "make",
            "-C",
            str(tmp_path / "made"),
            "test",
            "example",
            "CFLAGS=-std=c99 -O0 -Wall -Werror",
        ],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert MARK not in run.stdout + run.stderr


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_c_string_reads_back(tmp_path):
    texts = [text for text in HOSTILE.values() if "\0" not in text]
    lines = "".join(f"  puts({in_c_string(text)}); puts({in_c_string(MARK)});\n" for text in texts)
    (tmp_path / "a.c").write_text(f"#include <stdio.h>\nint main(void) {{\n{lines}return 0; }}\n")
    words = ["cc", "-std=c99", "-Wall", "-Werror", "-pedantic", "a.c", "-o", "a"]
    subprocess.run(words, cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "a"], capture_output=True).stdout.decode()
    assert printed == "".join(f"{text}\n{MARK}\n" for text in texts)


@pytest.mark.parametrize(("field", "kind"), LET_THROUGH)
def test_mjcf_is_the_same_document(field, kind):
    text = document(model(field, kind))
    root, usual = (
        ET.fromstring(text),
        document(discrete_model(chorda.assemble(robot()), None, 1e-3)),
    )
    assert harmless(text)
    name = root.attrib.pop("model")
    assert name == (HOSTILE[kind] if field == "name" else "arm")
    assert text.count("<!--") == text.count("-->") == 1
    other = ET.fromstring(usual)
    del other.attrib["model"]
    assert ET.tostring(root) == ET.tostring(other)


def test_mujoco_takes_every_name():
    mujoco = pytest.importorskip("mujoco")
    for field, kind in LET_THROUGH:
        if field == "name":
            assert mujoco.MjModel.from_xml_string(document(model(field, kind))).njnt == 1


@pytest.mark.parametrize(("field", "kind"), LET_THROUGH)
def test_the_list_of_casadi_functions_reads_back(field, kind):
    text = casadi_files.contents(model(field, kind))["names.json"]
    assert harmless(text)
    named = HOSTILE[kind] if field == "name" else "arm"
    assert json.loads(text)["about"].startswith(f"Made by chorda export: {named}, ")


@pytest.mark.parametrize(("field", "kind"), LET_THROUGH)
def test_the_readme_has_no_markup_of_strangers(field, kind):
    text = c.contents(model(field, kind))["README.md"]
    found = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, _: found.append(tag)
    parser.feed(re.sub(r"\\.", "", text))  # what a backslash escapes is text
    assert found == []
    assert not re.search(r"(?<!\\)\]\(", text)
