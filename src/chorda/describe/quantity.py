"""Numbers with a unit: the unit, the meaning and the usual range live in the schema."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from chorda.describe.explaining import explain
from chorda.errors import DescriptionError

REQUIRED: Any = ...


def _for_files(schema: dict[str, Any]) -> None:
    """What a file needs to know: not how records are made in Python, but their 'kind'.

    A fixed kind tells records apart, so a file must give it although it has a default.
    """
    if "description" in schema:
        schema["description"] = schema["description"].partition("\n\nSee Also\n")[0]
    if "const" in schema.get("properties", {}).get("kind", {}):
        schema["required"] = ["kind", *schema.get("required", [])]


class Record(BaseModel):
    """A frozen record; a field that is not known is an error, never ignored."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, json_schema_extra=_for_files
    )

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            where = str(fields.get("name") or type(self).__name__)
            raise DescriptionError(explain(error, type(self), where)) from None

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # nested records skip it

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields changed, checked like a new one."""
        if not update:
            return super().model_copy(deep=deep)
        return type(self)(**{k: getattr(self, k) for k in self.model_fields_set} | dict(update))


def _is_a_number(value: Any) -> Any:
    if isinstance(value, bool | str | bytes):
        raise ValueError(f"expected a number, got {value!r}; write it like 0.05 or 1e-3")
    return value


Number = Annotated[float, BeforeValidator(_is_a_number)]


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
    if positive or non_negative:  # pydantic leaves it out of the schema where None is allowed
        extra["exclusiveMinimum" if positive else "minimum"] = 0
    return Field(
        default,
        description=f"{meaning} [{unit}]",
        gt=0 if positive else None,
        ge=0 if non_negative else None,
        json_schema_extra=extra,
    )


def optional(unit: str, meaning: str, most: float) -> Any:
    """A number of at least 0, up to `most` in practice; left out, its effect is absent."""
    return quantity(unit, meaning, default=None, non_negative=True, usual=(0, most))
