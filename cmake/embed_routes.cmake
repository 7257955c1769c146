# attest_embed_routes(FOLDER OUTPUT): writes the source that defines second_routes() (proofs_check/claims/second_routes.hpp)
# from the programs below FOLDER and what each of them prints, PAPER/NAME.py and PAPER/NAME.txt.
function(attest_embed_routes folder output)
    file(GLOB programs RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*/*.py)
    list(SORT programs)
    list(LENGTH programs count)
    set(entries "")
    foreach(program IN LISTS programs)
        string(REGEX REPLACE "[.]py$" "" id ${program})
        foreach(file ${id}.py ${id}.txt)
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${file})
        endforeach()
        file(READ ${folder}/${id}.py code)
        file(READ ${folder}/${id}.txt printed)
        string(APPEND entries "    SecondRoute{\"${id}\",\n                R\"route(${code})route\",\n                R\"route(${printed})route\"},\n")
    endforeach()
    file(GENERATE OUTPUT ${output} CONTENT "// Written by cmake/embed_routes.cmake.
#include \"proofs_check/claims/second_routes.hpp\"

#include <array>

namespace attest {

namespace {

constexpr std::array<SecondRoute, ${count}> kSecondRoutes{{
${entries}}};

}  // namespace

std::span<const SecondRoute> second_routes() {
    return kSecondRoutes;
}

}  // namespace attest
")
endfunction()
