"""A robot's step as C99: no dependency but the mathematical library, nothing allocated."""

from chorda.exporting.c.folder import contents

__all__ = ["contents"]
