#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The fewest insertions, deletions and replacements of characters that turn a into b. O(|a||b|).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name with the least edit distance to `name`; among equals the one with the longest
/// common start, then the first. Throws InvalidInput if none is known.
[[nodiscard]] std::string nearest_name(std::string_view name,
                                       const std::vector<std::string>& known);

/// "what: got 'name', expected one of a, b, c; nearest: b", the message of UnknownName.
[[nodiscard]] std::string unknown_name_message(std::string_view what,
                                               std::string_view name,
                                               const std::vector<std::string>& known);

}  // namespace attest
