"""Which kernels of OpenBLAS answer: chosen before the module loads it, left alone where the user or NumPy came first."""

import os
import subprocess
import sys

import pytest

from attest import _blas, _core

NARROW = {"OPENBLAS_CORETYPE": "Prescott", "ATTEST_BLAS_CORE": "emulated"}
AVX2 = {"avx2", "fma"}


def fresh(code, **variables):
    """What another interpreter prints; `variables` are its choice of kernels, and nothing else is."""
    kept = {name: value for name, value in os.environ.items() if "BLAS_CORE" not in name}
    done = subprocess.run([sys.executable, "-c", code], env={**kept, **variables}, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def wider():
    """The kernels that this processor deserves; Prescott's are narrower."""
    better = _blas.better_core("Prescott", _blas._processor_flags())
    if not better or not _core.linear_algebra()["core"]:
        pytest.skip("needs OpenBLAS and a processor with AVX2")
    return better


def test_the_better_kernels_are_as_wide_as_the_processor():
    wide = AVX2 | _blas._AVX512_FLAGS
    assert _blas.better_core("Prescott", wide) == _blas.better_core("Zen", wide) == "SkylakeX"
    assert _blas.better_core("Prescott", AVX2) == "Haswell"
    assert _blas.better_core("Zen", AVX2) == _blas.better_core("Cooperlake", wide) == _blas.better_core("Prescott", set()) == ""
    assert _blas.better_core("", wide) == _blas.better_core("neoversen1", wide) == ""


def test_the_package_chooses_them_before_it_loads_the_library(wider):
    said = fresh("import attest; print(attest._core.linear_algebra()['core']); attest.show_config()", **NARROW)
    assert said.splitlines()[0] == wider
    assert f"BLAS kernels    {wider}, chosen by attest, OpenBLAS took Prescott" in said
    assert "warning" not in said


def test_it_computes_with_them(wider):
    code = "import attest, numpy as np; print(attest.certify(np.random.default_rng(0).standard_normal((400, 4, 16))).verdict)"
    assert fresh(code, **NARROW) == "determined"


def test_where_numpy_loaded_the_library_first_it_says_so(wider):
    said = fresh("import numpy, attest; print(attest._core.linear_algebra()['core']); attest.show_config()", **NARROW)
    if said.splitlines()[0] == "Prescott":  # not where NumPy brings a BLAS of its own
        assert "OpenBLAS answers with its kernels for Prescott, this processor has avx" in said
        assert f"import attest first, or set OPENBLAS_CORETYPE={wider}" in said


def test_the_users_variable_and_off_leave_everything_alone(wider):
    code = "import os, attest; print(attest._core.linear_algebra()['core'], os.environ.get('OPENBLAS_CORETYPE'), attest._blas.advice)"
    assert fresh(code, OPENBLAS_CORETYPE="Prescott") == "Prescott Prescott"
    assert fresh(code, ATTEST_BLAS_CORE="off").split()[1] == "None"


def test_another_word_in_the_variable_is_refused_as_by_the_programs():
    code = "try:\n    import attest\nexcept ValueError as error:\n    print(type(error).__name__, error)"
    assert fresh(code, ATTEST_BLAS_CORE="fast") == "InvalidInput ATTEST_BLAS_CORE: got 'fast', expected auto, off or emulated"
