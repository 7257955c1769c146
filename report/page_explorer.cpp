#include "core/base/text.hpp"
#include "report/html_text.hpp"
#include "report/page_assets.hpp"
#include "report/page_sections.hpp"

#include <nlohmann/json.hpp>

namespace attest {

std::string explorer_section() {
    return formatted(
        "<section id=\"explorer\">\n<h2>The explorer</h2>\n<p>Move the tokens of a few small "
        "examples and see what they determine: rank, λ_min, what is left open, and two models that "
        "the examples cannot tell apart, in exact arithmetic. It computes in this page and "
        "asks the network for nothing.</p>\n<details id=\"explorer-frame\">\n<summary>Open the "
        "explorer</summary>\n</details>\n{}</section>\n",
        html::data_block("data-explorer", nlohmann::ordered_json(assets::kExplorer)));
}

}  // namespace attest
