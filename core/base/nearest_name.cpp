#include "core/base/nearest_name.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attest {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // row[j] is the distance between the first i characters of a and the first j of b.
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
    require(!known.empty(), "nearest_name: no name is known");
    const auto common_start = [&](const std::string& other) {
        const std::size_t length = std::min(name.size(), other.size());
        return std::mismatch(name.begin(), name.begin() + length, other.begin()).first -
               name.begin();
    };
    return *std::min_element(
        known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
            return std::pair{edit_distance(name, a), -common_start(a)} <
                   std::pair{edit_distance(name, b), -common_start(b)};
        });
}

std::string unknown_name_message(std::string_view what,
                                 std::string_view name,
                                 const std::vector<std::string>& known) {
    std::string list;
    for (const std::string& each : known) {
        list += (list.empty() ? "" : ", ") + each;
    }
    return formatted("{}: got '{}', expected one of {}; nearest: {}",
                     what,
                     name,
                     list,
                     nearest_name(name, known));
}

}  // namespace attest
