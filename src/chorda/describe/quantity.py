"""Numbers with a unit: the unit, the meaning and the usual range live in the schema."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

REQUIRED: Any = ...


class Record(BaseModel):
    """A frozen record; a field that is not known is an error, never ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def quantity(
    unit: str,
    meaning: str,
    *,
    default: Any = REQUIRED,
    usual: tuple[float, float] | None = None,
    positive: bool = False,
    non_negative: bool = False,
) -> Any:
    """A number (or list of numbers) in `unit`.

    `usual` is the range of magnitudes met in practice: outside it a warning asks whether the unit
    is right. A default of None means that the effect is absent from the model; a value that is
    given, be it zero, becomes a parameter of the assembled system.
    """
    extra: dict[str, Any] = {"unit": unit}
    if usual is not None:
        extra["usual"] = list(usual)
    return Field(
        default,
        description=f"{meaning} [{unit}]",
        gt=0 if positive else None,
        ge=0 if non_negative else None,
        json_schema_extra=extra,
    )
