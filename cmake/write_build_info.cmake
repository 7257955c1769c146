set(commit "unknown")
set(dirty "false")
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} rev-parse HEAD
        OUTPUT_VARIABLE out OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE code ERROR_QUIET)
    if(code EQUAL 0)
        set(commit ${out})
        # Written results do not make the program that writes them a different one.
        execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} status --porcelain -- . ":!results" ":!README.md" ":!CLAIMS.md" ":!docs/claims"
            OUTPUT_VARIABLE out OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(out)
            set(dirty "true")
        endif()
    endif()
endif()
string(STRIP "${FLAGS}" FLAGS)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[#pragma once
// Written by cmake/write_build_info.cmake.
#define ATTEST_VERSION "@VERSION@"
#define ATTEST_COMMIT "@commit@"
#define ATTEST_DIRTY @dirty@
#define ATTEST_COMPILER "@COMPILER@"
#define ATTEST_COMPILER_FLAGS "@FLAGS@"
#define ATTEST_BUILD_TYPE "@BUILD_TYPE@"
]])
