# build/provenance/attest_build_info.hpp: version, commit, compiler and flags. The commit is read again at every build.
set(ATTEST_PROVENANCE_DIR ${PROJECT_BINARY_DIR}/provenance)
string(TOUPPER "${CMAKE_BUILD_TYPE}" attest_build_type)
add_custom_target(attest_build_info
    COMMAND ${CMAKE_COMMAND}
        -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${ATTEST_PROVENANCE_DIR}/attest_build_info.hpp
        -DVERSION=${PROJECT_VERSION} "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
        "-DFLAGS=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${attest_build_type}}" -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
        -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake
    BYPRODUCTS ${ATTEST_PROVENANCE_DIR}/attest_build_info.hpp
    COMMENT "" VERBATIM)
