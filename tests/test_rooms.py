"""A name is an address: modules share none, and words that were replaced do not come back."""

import re
import tokenize
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

import chorda

PACKAGE = Path(chorda.__file__).parent
ROLES = ("papers/", "mechanics/joints/", "sweeps/tasks/")  # one of many of a kind
PAIRS = {  # a description and its mechanics; a verb and what it returns
    ("describe/joints.py", "mechanics/joints"),
    ("describe/rods.py", "mechanics/rods"),
    ("dynamics/rollouts/rollout.py", "results/rollout.py"),
    ("results/equilibrium.py", "statics/equilibrium.py"),
    ("results/equilibrium_batch.py", "statics/equilibrium_batch.py"),
    ("results/workspace.py", "statics/workspace"),
}
REPLACED = {  # the field's word for each
    "actor": "artist",
    "actors": "artists",
    "cord": "tendon or cable",
    "cords": "tendons or cables",
    "crew": "workers",
    "crossing": "change of stability: fold or bifurcation",
    "crossings": "changes of stability",
    "drive": "actuator, motor or winch",
    "driven": "actuated, or free inputs",
    "drives": "actuators",
    "eyes": "observations",
    "freedoms": "degrees of freedom",
    "oil": "pseudo-transient continuation",
    "posture": "configuration",
    "postures": "configurations",
    "quasi": "approximate tangent",
    "said": "message",
    "says": "message",
    "scenery": "surroundings",
    "stage": "camera",
    "stand_in": "proxy joint",
    "told": "reported, message",
    "unheld": "infeasible",
    "untold": "not reported",
}
WITHOUT_A_NOUN = {"FAR", "FARTHEST", "FEW", "LITTLE", "MANY", "MOST", "NEAR", "NOTHING", "SAME"}


def addresses():
    """Folders by module name; a package is a module of the folder that it is in."""
    found = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        module = path.parent if path.name == "__init__.py" else path
        if module != PACKAGE and path.name != "__main__.py":
            found[module.stem].append(module.relative_to(PACKAGE).as_posix())
    return found


def identifiers():
    """(name, where) of every name in the code, and of every module."""
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE).as_posix()
        yield path.stem, where
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type == tokenize.NAME:
                    yield token.string, f"{where}:{token.start[0]}"


def words(name):
    """Of which a name is made, one by one and in pairs.

    >>> sorted(words("StandIn")), sorted(words("MANY_cords2"))
    (['in', 'stand', 'stand_in'], ['cords', 'many', 'many_cords'])
    """
    parts = [x.lower() for x in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    return {*parts, *(f"{a}_{b}" for a, b in pairwise(parts))}


@pytest.fixture(scope="module")
def places_of_words():
    found = defaultdict(list)
    for name, where in identifiers():
        for word in {*words(name) & REPLACED.keys(), *{name} & WITHOUT_A_NOUN}:
            found[word].append(f"{where} {name}")
    return found


def test_no_two_modules_have_one_name():
    shared = {}
    for name, modules in addresses().items():
        others = [x for x in modules if not x.startswith(ROLES)]
        if len(others) > 1 and tuple(others) not in PAIRS:
            shared[name] = others
    assert not shared


@pytest.mark.parametrize("word", REPLACED)
def test_a_replaced_word_does_not_come_back(word, places_of_words):
    found = places_of_words[word]
    assert not found, f"say {REPLACED[word]}: {', '.join(found[:5])} ({len(found)} in all)"


@pytest.mark.parametrize("name", sorted(WITHOUT_A_NOUN))
def test_constants_have_a_noun(name, places_of_words):
    assert not places_of_words[name], f"of what? {', '.join(places_of_words[name][:5])}"
