#pragma once

#include <string>
#include <string_view>

namespace attest::html {

/// A whole page: head, the report's style, `body` as it is. Its policy lets it run its own script
/// and style and fetch nothing at all.
[[nodiscard]] std::string page(std::string_view title, std::string_view body);

}  // namespace attest::html
