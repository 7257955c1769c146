# Pages of man(1) for the program and its commands, from what it says to --help; where there is a Python to write them.
find_program(ATTEST_PYTHON3 NAMES python3)
find_program(GZIP gzip)
mark_as_advanced(ATTEST_PYTHON3 GZIP)
if(NOT PROJECT_IS_TOP_LEVEL OR NOT ATTEST_PYTHON3 OR NOT GZIP)
    return()
endif()
set(attest_man ${PROJECT_BINARY_DIR}/man)
add_custom_command(OUTPUT ${attest_man}/attest.1.gz
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${attest_man}
    COMMAND ${ATTEST_PYTHON3} -B ${PROJECT_SOURCE_DIR}/scripts/man $<TARGET_FILE:attest> ${attest_man}
    COMMAND ${GZIP} -9nr ${attest_man}
    DEPENDS attest ${PROJECT_SOURCE_DIR}/scripts/man
    COMMENT "Writing pages of man" VERBATIM)
add_custom_target(attest_man ALL DEPENDS ${attest_man}/attest.1.gz)
install(DIRECTORY ${attest_man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
