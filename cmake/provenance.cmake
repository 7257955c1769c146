# build/provenance/attest_build_info.hpp: version, commit, compiler and flags. The commit is read again at every build.
set(ATTEST_PROVENANCE_DIR ${PROJECT_BINARY_DIR}/provenance)
string(TOUPPER "${CMAKE_BUILD_TYPE}" attest_build_type)
# attest::flags adds these two to every target of ours.
set(attest_own_flags "-ffp-contract=off")
if(ATTEST_SANITIZE)
    string(APPEND attest_own_flags " -fsanitize=${ATTEST_SANITIZE}")
endif()
add_custom_target(attest_build_info
    COMMAND ${CMAKE_COMMAND}
        -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${ATTEST_PROVENANCE_DIR}/attest_build_info.hpp
        -DVERSION=${PROJECT_VERSION} "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
        "-DFLAGS=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${attest_build_type}} ${attest_own_flags}"
        -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
        -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake
    BYPRODUCTS ${ATTEST_PROVENANCE_DIR}/attest_build_info.hpp
    COMMENT "" VERBATIM)
