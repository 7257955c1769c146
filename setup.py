"""`pip install .`: the module and the programs by CMake, then the package as CMake put it together.

ATTEST_BUILD names a build folder to use; without it a release build is made below setuptools' own.
"""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class CMakeBuild(build_ext):
    """Builds the targets of the package and copies the module and both programs beside the .py files."""

    def build_extension(self, extension):
        root = Path(__file__).resolve().parent
        build = Path(os.environ.get("ATTEST_BUILD") or Path(self.build_temp).resolve())
        if not (build / "CMakeCache.txt").exists():
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DATTEST_UNITY_BUILD=ON", "-DATTEST_BUILD_TESTS=OFF", "-DATTEST_BUILD_BENCH=OFF"]
            python = ["-DATTEST_WITH_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
            subprocess.run(["cmake", "-S", root, "-B", build, "-G", "Ninja", *python, *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "attest_python", "attest", "attest_check"], check=True)
        package = Path(self.get_ext_fullpath("attest._core")).parent
        (package / "bin").mkdir(parents=True, exist_ok=True)
        module = build / "python" / "attest" / ("_core" + sysconfig.get_config_var("EXT_SUFFIX"))
        if not module.exists():
            raise SystemExit(f"setup.py: {build} holds no module for this Python, {sys.executable}: build it by that one, or name another folder in ATTEST_BUILD")
        self.copy_file(str(module), str(package / module.name))
        for program in ("attest", "attest-check"):
            self.copy_file(str(build / "bin" / program), str(package / "bin" / program))


def version():
    """The one of CMakeLists.txt."""
    return re.search(r"^project\(attest VERSION ([0-9.]+)", (Path(__file__).resolve().parent / "CMakeLists.txt").read_text(encoding="utf-8"), re.M).group(1)


setup(
    version=version(),
    packages=["attest"],
    package_dir={"": "python"},
    package_data={"attest": ["py.typed", "_core.pyi"]},
    ext_modules=[Extension("attest._core", [])],
    cmdclass={"build_ext": CMakeBuild},
)
