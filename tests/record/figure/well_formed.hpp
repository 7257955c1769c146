#pragma once

#include <regex>
#include <string>
#include <vector>

namespace attest::record_test {

/// Whether every element that is opened is closed, in order, in one root. No attribute here holds <
/// or >.
inline bool is_well_formed(const std::string& svg) {
    const std::regex tag("<(/?)([A-Za-z:]+)[^<>]*?(/?)>");
    std::vector<std::string> open;
    std::size_t roots = 0;
    const std::string body = svg.substr(svg.find("?>") + 2);
    for (std::sregex_iterator at(body.begin(), body.end(), tag), end; at != end; ++at) {
        const std::smatch& found = *at;
        if (found[1] == "/") {
            if (open.empty() || open.back() != found[2]) {
                return false;
            }
            open.pop_back();
        } else if (found[3] != "/") {
            roots += open.empty() ? 1U : 0U;
            open.push_back(found[2]);
        }
    }
    const std::string left = std::regex_replace(body, tag, "");
    const std::regex loose("<|&(?!amp;|lt;|gt;|quot;|apos;|#)");
    return open.empty() && roots == 1 && !std::regex_search(left, loose);
}

}  // namespace attest::record_test
