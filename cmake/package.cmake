# Debian packages by CPack, one a component: the programs, what a project compiles against, the Python package. scripts/package runs it.
if(NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()
set(ATTEST_PACKAGE_CONTACT "The Attest authors <maintainers@attest.invalid>" CACHE STRING "Maintainer named in Debian packages")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME attest)
set(CPACK_PACKAGE_CONTACT "${ATTEST_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "learn, certify and audit linear attention")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
if(ATTEST_HAS_PYTHON)
    list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
# What packages need is read off their binaries; the libraries are static, so what they link is named.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME attest)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libopenblas0, gnuplot-nox")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "Attest learns linear attention from sequences by least squares, and proves\nwhether the data determine what was learned. This package holds the command\nline and the independent checker of proofs.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libattest-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libeigen3-dev, liblapacke-dev, libspectra-dev, libboost-dev, libgmp-dev, libflint-dev, librandom123-dev, nettle-dev, libfmt-dev, libzip-dev, zlib1g-dev, nlohmann-json3-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Static libraries, headers and the CMake package of Attest, which learns and\ncertifies linear attention: find_package(attest) and attest::certify.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-attest)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-numpy, attest (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "The Python package of Attest: certify, learn, predict and heads, with the\nconventions of scikit-learn.")

# Debian asks every package for the terms of its files and for a changelog.
file(WRITE ${PROJECT_BINARY_DIR}/package/copyright
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: attest

Files: *
Copyright: 2024-2026 The Attest authors
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")
file(WRITE ${PROJECT_BINARY_DIR}/package/changelog
    "attest (${PROJECT_VERSION}) unstable; urgency=medium

  * What changed is in CHANGELOG.md of the sources.

 -- ${ATTEST_PACKAGE_CONTACT}  Thu, 01 Jan 1970 00:00:00 +0000
")
if(GZIP)
    execute_process(COMMAND ${GZIP} -9nf ${PROJECT_BINARY_DIR}/package/changelog)
    foreach(component IN LISTS CPACK_COMPONENTS_ALL)
        string(TOUPPER ${component} upper)
        install(FILES ${PROJECT_BINARY_DIR}/package/copyright ${PROJECT_BINARY_DIR}/package/changelog.gz
            DESTINATION share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COMPONENT ${component} EXCLUDE_FROM_ALL)
    endforeach()
endif()
include(CPack)
