#pragma once

#include <regex>
#include <string>
#include <vector>

namespace attest::test {

/// What the parentheses of the pattern hold, match by match.
[[nodiscard]] inline std::vector<std::string> all_matches(const std::string& text,
                                                          const std::string& pattern) {
    const std::regex expression(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end;
         ++match) {
        found.push_back((*match)[1]);
    }
    return found;
}

}  // namespace attest::test
