"""Expressions to kernels: C through the system's compiler with a private cache, or interpreted."""

from chorda.compile.batch import Batch
from chorda.compile.compiler import announcement, find
from chorda.compile.job import Exit, Job, Settings
from chorda.compile.kernel import Kernel, build

__all__ = ["Batch", "Exit", "Job", "Kernel", "Settings", "announcement", "build", "find"]
