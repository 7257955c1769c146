#pragma once

#include <string_view>

/// The files of report/page and the explorer, as cmake/embed_page.cmake puts them into the program.
namespace attest::assets {

extern const std::string_view kStyle;     ///< report.css
extern const std::string_view kScript;    ///< the scripts, one after the other in one function
extern const std::string_view kExplorer;  ///< docs/play/index.html, a whole page

}  // namespace attest::assets
