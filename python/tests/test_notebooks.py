"""The notebooks run from top to bottom, are kept without outputs, and an interrupt of the kernel stops a call."""

import os
import threading
import time
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="scripts/setup --with python installs it")
nbclient = pytest.importorskip("nbclient", reason="scripts/setup --with python installs it")
pytest.importorskip("ipykernel", reason="scripts/setup --with python installs it")
pytest.importorskip("matplotlib", reason="scripts/setup --with python installs it")

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def client(notebook, folder):
    return nbclient.NotebookClient(notebook, timeout=None, kernel_name="python3", resources={"metadata": {"path": str(folder)}})


def test_there_are_six():
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_is_kept_without_outputs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)

    client(notebook, tmp_path).execute()  # raises what a cell raises

    shown = [output for cell in code for output in cell.outputs if output.output_type == "display_data"]
    assert any("image/png" in output.data for output in shown), "no figure"
    said = [output.text for cell in code for output in cell.outputs if output.output_type == "stream" and output.name == "stderr"]
    assert not said, said


LONG = """
import numpy as np, attest
X = np.random.default_rng(0).standard_normal((5000, 20, 40))
print("started", flush=True)
try:
    attest.certify(X, level="exact")
except KeyboardInterrupt:
    print("interrupted", attest.certify(X[:40, :2, :5]).determined)
"""


def test_an_interrupt_of_the_kernel_stops_the_call(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LONG)])
    run = client(notebook, tmp_path)
    with run.setup_kernel():
        pressed = threading.Thread(target=press_when_computing, args=(run, notebook))
        pressed.start()
        run.execute_cell(notebook.cells[0], 0)
        pressed.join()
    said = "".join(output.get("text", "") for output in notebook.cells[0].outputs).split()
    assert said == ["started", "interrupted", "True"]


def processor_seconds(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def press_when_computing(run, notebook):
    while not notebook.cells[0].outputs:
        time.sleep(0.05)
    kernel = run.km.provisioner.pid
    begun = processor_seconds(kernel)
    while processor_seconds(kernel) - begun < 0.5:
        time.sleep(0.01)
    os.kill(kernel, 2)
