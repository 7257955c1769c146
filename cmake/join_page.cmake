# Writes OUTPUT: PAGE with the style sheet and the scripts that it names, which lie beside it, in their places, so that one file is the
# whole page: cmake -DPAGE=docs/play/index.html -DOUTPUT=page.html -P cmake/join_page.cmake
get_filename_component(folder ${PAGE} DIRECTORY)
file(READ ${PAGE} page)

function(join_in tag file begin end)
    file(READ ${folder}/${file} text)
    if(text MATCHES "</(script|style)")
        message(FATAL_ERROR "${file}: holds </${CMAKE_MATCH_1}")
    endif()
    string(REPLACE "${tag}" "${begin}\n${text}${end}" page "${page}")
    set(page "${page}" PARENT_SCOPE)
endfunction()

string(REGEX MATCHALL "<(link rel=\"stylesheet\" href|script src)=\"[^\"]*\">" tags "${page}")
foreach(tag IN LISTS tags)
    string(REGEX REPLACE ".*=\"([^\"]*)\">" "\\1" file "${tag}")
    if(tag MATCHES "^<script")
        join_in("${tag}</script>" ${file} "<script>" "</script>")
    else()
        join_in("${tag}" ${file} "<style>" "</style>")
    endif()
endforeach()
file(WRITE ${OUTPUT} "${page}")
