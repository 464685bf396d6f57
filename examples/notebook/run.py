"""Runs the code cells of a notebook in order, without Jupyter: python3 run.py <notebook>"""

import json
import sys
from typing import Any


def run(path: str) -> dict[str, Any]:
    """The names that the cells have defined. An error names the cell that it is of."""
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path} ({cell['id']})", "exec"), names)
    return names


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Give the path of one notebook: python3 run.py published-tables.ipynb")
    run(sys.argv[1])
