"""Rows of answers as tables of pandas or polars, which are imported when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

Row = Mapping[str, Any]


def to_pandas(
    rows: Iterable[Row],
    *,
    decimals: Sequence[str] = (),
    floats: Sequence[str] = (),
    times: Sequence[str] = (),
) -> Any:
    """A DataFrame of pandas. Raises ImportError if pandas is not installed."""
    import pandas

    return pandas.DataFrame(columns_of(rows, decimals=decimals, floats=floats, times=times))


def to_polars(
    rows: Iterable[Row],
    *,
    decimals: Sequence[str] = (),
    floats: Sequence[str] = (),
    times: Sequence[str] = (),
) -> Any:
    """A DataFrame of polars. Raises ImportError if polars is not installed."""
    import polars

    columns = columns_of(rows, decimals=decimals, floats=floats, times=times)
    return polars.DataFrame(columns, strict=False, infer_schema_length=None)


def columns_of(
    rows: Iterable[Row],
    *,
    decimals: Sequence[str] = (),
    floats: Sequence[str] = (),
    times: Sequence[str] = (),
) -> dict[str, list[Any]]:
    """The columns of rows, in the order in which they first occur.

    Decimals stay the text that the API sends, except in the columns that are named: exact as
    Decimal, or as float, which loses digits. `times` become datetime. What is null or missing is
    None. Raises ValueError for a column that no row has.
    """
    all_rows = list(rows)
    columns: dict[str, list[Any]] = {name: [] for row in all_rows for name in row}
    reads = {
        **_each(decimals, Decimal),
        **_each(floats, float),
        **_each(times, datetime.fromisoformat),
    }
    missing = [name for name in reads if name not in columns]
    if missing and all_rows:
        raise ValueError(f"No row has {', '.join(missing)}.")
    for name, column in columns.items():
        read = reads.get(name)
        for row in all_rows:
            value = row.get(name)
            column.append(value if read is None or value is None else read(value))
    return columns


def _each(names: Sequence[str], read: Callable[[Any], Any]) -> dict[str, Callable[[Any], Any]]:
    return {name: read for name in names}
