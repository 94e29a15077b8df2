"""Published robots as YAML files; every number says where it comes from, or that it is assumed."""

from chorda.catalogue.loading import load, names
from chorda.catalogue.necks import neck
from chorda.catalogue.parallel import rfrfr, six_rfs

__all__ = ["load", "names", "neck", "rfrfr", "six_rfs"]
