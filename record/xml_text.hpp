#pragma once

#include <string>
#include <string_view>

namespace attest {

/// Text as the content or the double-quoted attribute of an XML element: & < > " become entities
/// and each control character a space (XML 1.0, sections 2.2 and 2.4). UTF-8 passes unchanged.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace attest
