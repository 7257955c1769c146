# Third-party templates are most of what a small source file costs to compile, so they are read once: here for the libraries,
# the command line and the tests. Our own headers are not in it, and the presets tidy and fuzz build without
# (CMAKE_DISABLE_PRECOMPILE_HEADERS), so a missing #include is still found.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/precompiled/empty.cpp CONTENT "// Holds the precompiled headers.\n")

# attest_precompile(NAME HEADERS … LINK …): attest_use_precompiled(target NAME) then compiles a target with these headers.
function(attest_precompile name)
    cmake_parse_arguments(arg "" "" "HEADERS;LINK" ${ARGN})
    add_library(attest_${name}_headers INTERFACE)
    target_link_libraries(attest_${name}_headers INTERFACE ${arg_LINK})
    add_library(attest_precompiled_${name} OBJECT ${PROJECT_BINARY_DIR}/precompiled/empty.cpp)
    target_link_libraries(attest_precompiled_${name} PRIVATE attest::flags attest_${name}_headers)
    target_compile_features(attest_precompiled_${name} PRIVATE cxx_std_20)
    target_precompile_headers(attest_precompiled_${name} PRIVATE ${arg_HEADERS})
endfunction()

# The target gets the include paths and definitions too: what is precompiled has to be compiled alike.
function(attest_use_precompiled target name)
    target_precompile_headers(${target} REUSE_FROM attest_precompiled_${name})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:attest_${name}_headers>)
endfunction()

attest_precompile(core
    HEADERS <Eigen/Core> <boost/multiprecision/eigen.hpp> <boost/multiprecision/gmp.hpp> <fmt/core.h> <functional> <nlohmann/json.hpp> <string> <vector>
    LINK fmt::fmt Eigen3::Eigen Boost::headers GMP::GMP nlohmann_json::nlohmann_json)
set_target_properties(attest_precompiled_core PROPERTIES POSITION_INDEPENDENT_CODE ON)
attest_precompile(cli
    HEADERS <CLI/CLI.hpp> <Eigen/Core> <boost/multiprecision/eigen.hpp> <boost/multiprecision/gmp.hpp> <fmt/core.h> <nlohmann/json.hpp>
    LINK fmt::fmt CLI11::CLI11 Eigen3::Eigen Boost::headers GMP::GMP nlohmann_json::nlohmann_json)
if(ATTEST_BUILD_TESTS)
    attest_precompile(tests
        HEADERS
            <Eigen/Dense> <boost/multiprecision/cpp_bin_float.hpp> <boost/multiprecision/eigen.hpp> <boost/multiprecision/gmp.hpp> <fmt/core.h> <gtest/gtest.h>
            <nlohmann/json.hpp> <rapidcheck/gtest.h>
        LINK
            fmt::fmt Eigen3::Eigen Boost::headers GMP::GMP GTest::gtest nlohmann_json::nlohmann_json rapidcheck rapidcheck_gtest)
    # Compiling the tests costs more than running them, and what they measure is in the libraries.
    target_compile_options(attest_tests_headers INTERFACE $<$<CONFIG:Release>:-O1>)
endif()
