"""NetCDF files of results: written whole, with a checksum; refused with what is wrong with them."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from chorda.checks import file_path
from chorda.errors import StorageError
from chorda.files import check_file, verify, write_checked

if TYPE_CHECKING:
    import xarray

T = TypeVar("T")


def write(data: "xarray.Dataset", path: str | Path) -> Path:
    content = data.to_netcdf(engine="h5netcdf")  # in memory: HDF5 crashes on a full disk
    return write_checked(path, content)


def read(
    path: str | Path,
    kind: str,
    version: tuple[str, int],
    parse: "Callable[[xarray.Dataset], T]",
    other: str = "",
) -> T:
    """What `parse` makes of the dataset in a file.

    kind: "run" or "workspace", as in messages; version: the attribute that has the file's format,
    and the newest that is known; other: what to try with a file that has no such attribute.
    """
    import xarray

    path, (attribute, newest) = file_path("path", path), version
    no = f"{path}: this is no {kind} saved by Chorda"
    writer = f"{kind.capitalize()}.save"
    try:
        check_file(path, f"a file that {writer} wrote")
        verified = verify(path)
        with xarray.open_dataset(
            path, engine="h5netcdf", mask_and_scale=False, decode_times=False
        ) as file:
            data = file.load()
        if other and attribute not in data.attrs:
            raise StorageError(f"{no}; {other}")
        if not verified and attribute in data.attrs:
            warnings.warn(
                f"{path}: has no checksum, so that damage to its numbers would not be found; save "
                f"it again by {writer} to give it one",
                stacklevel=4,
            )
        if (found := data.attrs[attribute]) > newest:
            raise StorageError(
                f"{path}: saved by a newer Chorda (format {found}, this one reads up to {newest}); "
                "update Chorda"
            )
        return parse(data)
    except StorageError:
        raise
    except KeyError as error:
        raise StorageError(f"{no}: it lacks {error}") from None
    except (OSError, RuntimeError, ValueError, TypeError, AttributeError) as error:
        raise StorageError(f"{no}, or it is damaged ({error})") from error
