# Writes OUTPUT, a C++ source with the file STYLE, the files SCRIPTS and the file EXPLORER as strings, in literals below the 64 KB that the
# standard asks compilers to take.
function(read_literals file variable)
    file(READ ${file} text)
    string(FIND "${text}" ")page\"" end)
    if(NOT end EQUAL -1)
        message(FATAL_ERROR "${file}: holds )page\"")
    endif()
    set(literals "")
    string(LENGTH "${text}" length)
    while(length GREATER 50000)
        # Cut before a letter of one byte: another's bytes belong together.
        set(end 50000)
        string(SUBSTRING "${text}" ${end} 1 next)
        while(NOT "${next}" MATCHES "^[A-Za-z0-9 ]$")
            math(EXPR end "${end} + 1")
            string(SUBSTRING "${text}" ${end} 1 next)
        endwhile()
        string(SUBSTRING "${text}" 0 ${end} piece)
        string(SUBSTRING "${text}" ${end} -1 text)
        string(APPEND literals "R\"page(${piece})page\"\n")
        string(LENGTH "${text}" length)
    endwhile()
    set(${variable} "${literals}R\"page(${text})page\"\n" PARENT_SCOPE)
endfunction()

read_literals(${STYLE} style)
read_literals(${EXPLORER} explorer)
set(scripts "")
foreach(script IN LISTS SCRIPTS)
    read_literals(${script} literals)
    string(APPEND scripts "${literals}")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_page.cmake.
#include \"report/pages.hpp\"

namespace attest::assets {

const std::string_view kStyle = ${style};
const std::string_view kScript = \"(function () {\\n'use strict';\\n\"\n${scripts}\"}());\\n\";
const std::string_view kExplorer = ${explorer};

}  // namespace attest::assets
")
