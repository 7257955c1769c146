# Writes OUTPUT, a C++ source with the file STYLE and the files SCRIPTS as strings. Each literal stays below the 64 KB that the
# standard asks compilers to take.
function(read_literal file variable)
    file(READ ${file} text)
    string(FIND "${text}" ")page\"" end)
    string(LENGTH "${text}" length)
    if(NOT end EQUAL -1 OR length GREATER 60000)
        message(FATAL_ERROR "${file}: holds )page\" or is longer than 60000 characters")
    endif()
    set(${variable} "R\"page(${text})page\"" PARENT_SCOPE)
endfunction()

read_literal(${STYLE} style)
set(scripts "")
foreach(script IN LISTS SCRIPTS)
    read_literal(${script} literal)
    string(APPEND scripts "${literal}\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_page.cmake.
#include \"report/page_assets.hpp\"

namespace attest::assets {

const std::string_view kStyle = ${style};
const std::string_view kScript = \"(function () {\\n'use strict';\\n\"\n${scripts}\"}());\\n\";

}  // namespace attest::assets
")
