"""A CasADi function at many columns on a GPU, one column a thread."""

from typing import Any

import numpy as np

from chorda.compile.columns import DRIVERS, counts, densified, side_by_side
from chorda.compile.cuda_text import cuda_text
from chorda.compile.device import launching
from chorda.mechanics import System

NAME = "chorda_columns"
KERNEL = """
extern "C" __global__ void chorda_columns(long members, long shared, {parameters}) {{
  const long long sizes[NIN + NOUT] = {{{sizes}}};
  double *const arrays[NIN + NOUT] = {{{names}}};
  double room[{room} + 1], w[SZW + 1];
  long long own[NIN + 1], iw[SZIW + 1];
  Places at;
  long k, m = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= members) return;
  for (k = 0; k < NIN; ++k) own[k] = shared >> k & 1;
  lay_out(&at, sizes, own, arrays, room);
  column(&at, m, members, sizes, own, arrays, iw, w);
}}
"""


def at_columns_there(
    cp: Any, system: System, function: Any, *arguments: Any, progress: bool | None = None
) -> list[Any]:
    """As `columns.at_columns`, of arrays of doubles on the GPU; the results are there too.

    cp: the module CuPy. arguments: (size, members), or (size, 1) where all share it. Several
    matrices stand side by side, as `at_columns` has them.
    """
    members = max(x.shape[1] for x in arguments)
    shapes = [function.size_out(k) for k in range(function.n_out())]
    results = [cp.empty((rows * wide, members), np.float64) for rows, wide in shapes]
    launch = launching(
        system,
        function,
        NAME,
        lambda: columns_text(function),
        f"{function.name()} of {system.robot.name}",
        cp=cp,
        progress=progress,
    )
    given = [cp.ascontiguousarray(x, dtype=np.float64) for x in arguments]
    shared = sum(1 << k for k, x in enumerate(given) if x.shape[1] == 1)
    if members:
        launch(members, (shared,), (*given, *results))
    both = zip(results, shapes, strict=True)
    return [x if wide == 1 else side_by_side(x, wide) for x, (_, wide) in both]


def columns_text(function: Any) -> str:
    """CUDA source of the kernel chorda_columns."""
    sizes = [function.numel_in(k) for k in range(function.n_in())]
    sizes += [function.numel_out(k) for k in range(function.n_out())]
    names = [f"a{k}" for k in range(len(sizes))]
    kernel = KERNEL.format(
        parameters=", ".join(f"double *{name}" for name in names),
        sizes=", ".join(map(str, sizes)),
        names=", ".join(names),
        room=sum(sizes),
    )
    return cuda_text(densified(function), counts(function), DRIVERS) + kernel
