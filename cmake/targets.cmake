# Several sources in one unit: whole builds take a fifth less time. Names of one file's own must be unique in the target.
function(attest_compile_in_groups target)
    if(ATTEST_UNITY_BUILD)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            # GCC takes the group for a header and warns of its anonymous namespaces.
            target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
        endif()
    endif()
endfunction()

# attest_add_library(NAME SOURCES … HEADERS … LINK … [PRIVATE_LINK …]): static library attest_NAME with alias attest::NAME,
# compiled so that programs and the Python module can hold it alike.
# Includes are written from the top of the tree: #include "core/base/error.hpp".
# SEPARATE lists sources that need a unit of their own.
# STANDALONE: without the project's precompiled headers.
function(attest_add_library name)
    cmake_parse_arguments(arg "STANDALONE" "" "SOURCES;HEADERS;LINK;PRIVATE_LINK;SEPARATE" ${ARGN})
    set(target attest_${name})
    if(arg_SOURCES)
        add_library(${target} STATIC ${arg_SOURCES} ${arg_HEADERS})
        set(scope PUBLIC)
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:attest::flags> ${arg_PRIVATE_LINK})
        target_compile_features(${target} PUBLIC cxx_std_20)
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        if(NOT arg_STANDALONE)
            attest_use_precompiled(${target} core)
        endif()
        attest_compile_in_groups(${target})
        set_source_files_properties(${arg_SEPARATE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
        target_compile_features(${target} INTERFACE cxx_std_20)
    endif()
    add_library(attest::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    target_link_libraries(${target} ${scope} ${arg_LINK})
    target_include_directories(${target} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/attest>)
    list(TRANSFORM arg_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set_property(GLOBAL APPEND PROPERTY ATTEST_HEADERS ${arg_HEADERS})
    set_property(GLOBAL APPEND PROPERTY ATTEST_LIBRARIES ${target})
endfunction()

# attest_add_test(NAME_test LABEL fast SOURCES … LINK …): one GoogleTest program; ctest knows each of its suites as NAME.Suite
# (list_suites.cmake), and every one carries LABEL (fast, exact, statistical, faults or slow).
function(attest_add_test name)
    cmake_parse_arguments(arg "" "LABEL;TIMEOUT" "SOURCES;LINK;DEFINITIONS" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 1500)  # ctest's own: against a hang, not a measure; machines stall
    endif()
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE attest::flags ${arg_LINK}
        GTest::gtest_main rapidcheck rapidcheck_gtest)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_features(${name} PRIVATE cxx_std_20)
    target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
    attest_use_precompiled(${name} tests)
    attest_compile_in_groups(${name})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    string(REGEX REPLACE "_test$" "" subject ${name})
    set(suites ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
    if(NOT EXISTS ${suites})  # until it is built
        file(WRITE ${suites} "add_test(${subject}.is_not_built ${name})\n")
    endif()
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM
        COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${name}> -D NAME=${subject} -D LABEL=${arg_LABEL} -D TIMEOUT=${arg_TIMEOUT}
            -D OUTPUT=${suites} -P ${PROJECT_SOURCE_DIR}/cmake/list_suites.cmake)
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${suites})
endfunction()

# attest_add_fuzzer(NAME SOURCES … LINK …): a libFuzzer program build/fuzz/fuzzers/NAME (preset fuzz, target attest_fuzzers). `scripts/test --all`
# runs every program found there for 60 seconds, from the seeds that tests/fuzz/write_seeds.py writes for NAME.
function(attest_add_fuzzer name)
    cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE attest::flags ${arg_LINK} -fsanitize=fuzzer)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_features(${name} PRIVATE cxx_std_20)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzzers)
    add_dependencies(attest_fuzzers ${name})
endfunction()
