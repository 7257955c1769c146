# cmake --install puts the libraries of core, tasks and programs, their headers and a package file where find_package(attest) finds
# them. Programs install themselves: install(TARGETS … RUNTIME) beside their add_executable.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(attest_all_libraries GLOBAL PROPERTY ATTEST_LIBRARIES)
set(attest_installed)
foreach(library IN LISTS attest_all_libraries)
    get_target_property(folder ${library} SOURCE_DIR)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${folder})
    if(path MATCHES "^(core|tasks|programs)(/|$)")
        list(APPEND attest_installed ${library})
    endif()
endforeach()
install(TARGETS ${attest_installed} EXPORT attest
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)

get_property(attest_all_headers GLOBAL PROPERTY ATTEST_HEADERS)
foreach(header IN LISTS attest_all_headers)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${header})
    if(path MATCHES "^(core|tasks|programs)/")
        get_filename_component(folder ${path} DIRECTORY)
        install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/attest/${folder} COMPONENT development)
        file(STRINGS ${header} attest_includes REGEX "^#include \"")
        foreach(include IN LISTS attest_includes)
            string(REGEX REPLACE "^#include \"(.*)\".*" "${PROJECT_SOURCE_DIR}/\\1" included "${include}")
            if(NOT included IN_LIST attest_all_headers)
                message(FATAL_ERROR "${path} is installed, ${included}, which it includes, is not: it belongs among the HEADERS")
            endif()
        endforeach()
    endif()
endforeach()

set(attest_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/attest)
install(EXPORT attest NAMESPACE attest:: FILE attest-targets.cmake DESTINATION ${attest_package_dir} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/attest-config.cmake.in
    ${PROJECT_BINARY_DIR}/package/attest-config.cmake INSTALL_DESTINATION ${attest_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/attest-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/attest-config.cmake
    ${PROJECT_BINARY_DIR}/package/attest-config-version.cmake DESTINATION ${attest_package_dir} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/modules DESTINATION ${attest_package_dir} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The pages that the help of commands names.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN "*.md" PATTERN notebooks EXCLUDE PATTERN play EXCLUDE PATTERN site EXCLUDE PATTERN sweeps EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/docs/play/index.html DESTINATION ${CMAKE_INSTALL_DOCDIR}/play)
