#pragma once

#include <string>
#include <string_view>

namespace attest {

/// Foreign text for a message: in single quotes, on one line, bytes outside printable ASCII as
/// \xNN, cut after 60 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace attest
