"""How every model of a file reads: nothing unknown, nothing converted, nothing changed afterwards."""

from pydantic import ConfigDict

STRICT = ConfigDict(extra="forbid", frozen=True, strict=True, validate_default=False)
