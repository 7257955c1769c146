# cmake -D PROGRAM=… -D NAME=… -D LABEL=… -D TIMEOUT=… -D OUTPUT=… -P list_suites.cmake: writes for ctest one test for each suite of a
# GoogleTest program, named NAME.Suite. A suite, not a case, is a process: starting one costs more than most cases, and a suite's
# fixture is made once. RapidCheck's seed is fixed here, so a run can be repeated.
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+[.]" suites "${listed}")
if(NOT suites)
    message(FATAL_ERROR "${PROGRAM} lists no suite")
endif()
set(lines)
foreach(suite IN LISTS suites)
    string(REGEX REPLACE "[\n.]" "" suite "${suite}")
    # Skipped is what passes no case and ends with those skipped. A suite that skips some and passes others would hide them: it fails.
    string(APPEND lines
        "add_test([=[${NAME}.${suite}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=])\n"
        "set_tests_properties([=[${NAME}.${suite}]=] PROPERTIES LABELS ${LABEL} TIMEOUT ${TIMEOUT} ENVIRONMENT RC_PARAMS=seed=20241014\n"
        "    SKIP_REGULAR_EXPRESSION [==[\\[  PASSED  \\] 0 tests[.]\n(\\[  SKIPPED \\][^\n]*\n)+$]==]\n"
        "    FAIL_REGULAR_EXPRESSION [==[\\[  PASSED  \\] [1-9][0-9]* tests?[.]\n\\[  SKIPPED ]==])\n")
endforeach()
file(WRITE "${OUTPUT}" "${lines}")
