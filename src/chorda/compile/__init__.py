"""Expressions to kernels: C through the system's compiler with a private cache, or interpreted."""

from chorda.compile.compiler import announcement, find
from chorda.compile.kernel import INFO, Kernel, Settings, build

__all__ = ["INFO", "Kernel", "Settings", "announcement", "build", "find"]
