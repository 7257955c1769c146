"""The kernels of OpenBLAS, chosen before the module loads it.

OpenBLAS takes the kernels of a far older processor on one that is newer than itself, and looks at OPENBLAS_CORETYPE only when it is loaded. So it
is loaded here, asked, and where its kernels are narrower than the processor's vectors unloaded again, with the variable set for the next time.
NumPy may have loaded it before: then nothing can be done, and `advice` says what to do. The user's own variable always wins, and
ATTEST_BLAS_CORE=off leaves everything alone; another word than auto, off or emulated raises InvalidInput. core/algebra/blas_core.cpp decides the same
for the programs.
"""

from __future__ import annotations

import _ctypes
import ctypes
import os
import platform
import sys

from .errors import InvalidInput

_BEFORE_AVX2 = """Prescott Core2 Penryn Dunnington Atom Nano Nehalem Athlon Opteron Opteron_SSE3 Barcelona Bobcat Sandybridge Bulldozer Piledriver
    Steamroller""".split()
_AVX2 = ["Haswell", "Excavator", "Zen"]
_AVX512_FLAGS = {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}


def better_core(core: str, flags: set[str]) -> str:
    """The core type with kernels as wide as the processor's vectors, where those of `core` are narrower; else the empty text."""
    if flags >= _AVX512_FLAGS and core in _BEFORE_AVX2 + _AVX2:
        return "SkylakeX"
    return "Haswell" if flags >= {"avx2", "fma"} and core in _BEFORE_AVX2 else ""


def _processor_flags() -> set[str]:
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return set()
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
            return next((set(line.split()) for line in lines if line.startswith("flags")), set())
    except OSError:
        return set()


def _mapped(library: str) -> bool:
    """Whether the library is in this process."""
    try:
        handle = ctypes.CDLL(library, mode=os.RTLD_NOLOAD)
    except OSError:
        return False
    _ctypes.dlclose(handle._handle)
    return True


def _choose(library: str = "libblas.so.3") -> str:
    """Makes the library answer with the better kernels; what to do where it cannot. Raises InvalidInput for an unknown policy."""
    policy = os.environ.get("ATTEST_BLAS_CORE", "auto")
    if policy not in ("auto", "off", "emulated"):
        raise InvalidInput(f"ATTEST_BLAS_CORE: got '{policy}', expected auto, off or emulated")
    if policy == "off" or ("OPENBLAS_CORETYPE" in os.environ and policy != "emulated"):
        return ""
    flags = _processor_flags()
    if not flags >= {"avx2", "fma"}:
        return ""
    loaded_before = _mapped(library)
    try:
        blas = ctypes.CDLL(library)
        name = blas.openblas_get_corename
    except (OSError, AttributeError):
        return ""
    name.restype = ctypes.c_char_p
    core = name().decode()
    better = better_core(core, flags)
    if not better:
        return ""
    _ctypes.dlclose(blas._handle)
    if not loaded_before and not _mapped(library):
        os.environ.pop("ATTEST_BLAS_CORE", None)
        os.environ.update(OPENBLAS_CORETYPE=better, ATTEST_BLAS_CORE_BEFORE=core)
        return ""
    width = "avx512" if better == "SkylakeX" else "avx2"
    cure = f"set OPENBLAS_CORETYPE={better} before Python starts"
    cure = f"it was loaded before Attest, so import attest first, or {cure}" if loaded_before else f"it stays loaded, so {cure}"
    return f"OpenBLAS answers with its kernels for {core}, this processor has {width}: {cure}"


advice = _choose()
