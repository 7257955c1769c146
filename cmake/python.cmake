# Sets ATTEST_HAS_PYTHON: whether the Python package is built. The interpreter is Debian's, since python3 on PATH may be another one without NumPy;
# Python3_EXECUTABLE names a third.
set(ATTEST_HAS_PYTHON OFF)
if(ATTEST_WITH_PYTHON STREQUAL "AUTO" AND (NOT PROJECT_IS_TOP_LEVEL OR ATTEST_SANITIZE))
    return()  # a sanitized module needs its run time loaded before the interpreter's, as its tests do
endif()
if(ATTEST_WITH_PYTHON)
    if(NOT Python3_EXECUTABLE)
        set(Python3_EXECUTABLE /usr/bin/python3)
    endif()
    set(PYTHON_EXECUTABLE ${Python3_EXECUTABLE})
    find_package(pybind11 2.10 QUIET CONFIG)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import numpy" RESULT_VARIABLE attest_numpy_missing OUTPUT_QUIET ERROR_QUIET)
    if(pybind11_FOUND AND attest_numpy_missing EQUAL 0)
        set(ATTEST_HAS_PYTHON ON)
    elseif(NOT ATTEST_WITH_PYTHON STREQUAL "AUTO")
        message(FATAL_ERROR "ATTEST_WITH_PYTHON: ${Python3_EXECUTABLE} lacks NumPy, or pybind11 2.10 is absent; run scripts/setup")
    endif()
endif()
