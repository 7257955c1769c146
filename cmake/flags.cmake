# attest::flags carries the compiler settings of our own code. It is linked PRIVATE, so users of the libraries never inherit it.
add_library(attest_flags INTERFACE)
add_library(attest::flags ALIAS attest_flags)

set(CMAKE_CXX_EXTENSIONS OFF)
if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    find_program(ATTEST_CCACHE ccache)
    mark_as_advanced(ATTEST_CCACHE)
    if(ATTEST_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        # The sloppiness is what ccache asks for to cache a file that uses precompiled headers.
        set(CMAKE_CXX_COMPILER_LAUNCHER
            ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ATTEST_CCACHE})
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            add_compile_options(-fpch-preprocess)
        endif()
    endif()
endif()

# Nobody replaces our functions at load time, so calls inside a library need not go through its table.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(attest_flags INTERFACE -fno-semantic-interposition)
endif()

# No contraction into fused multiply-adds: the same source gives the same doubles on every machine.
target_compile_options(attest_flags INTERFACE
    -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Wfloat-equal
    $<$<BOOL:${ATTEST_WERROR}>:-Werror>)

# libstdc++ 12 and Eigen 3.4 raise false alarms of these kinds at -O2.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(attest_flags INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
else()
    # Clang warns of a defaulted comparison of structs that hold a number; GCC, which every other build uses, of written ones alone.
    target_compile_options(attest_flags INTERFACE -Wno-float-equal)
endif()

if(ATTEST_SANITIZE)
    target_compile_options(attest_flags INTERFACE
        -fsanitize=${ATTEST_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # GCC writes a check for these two at every access, which makes a third of its time. A null pointer stops under the address
    # sanitizer all the same, and the fuzz preset, of clang, checks both where files are read.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(attest_flags INTERFACE -fno-sanitize=null,alignment)
        # Else the loader moves two million addresses of what the sanitizers know, half of the time of a short test.
        target_link_options(attest_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
    endif()
    target_link_options(attest_flags INTERFACE -fsanitize=${ATTEST_SANITIZE})
endif()
