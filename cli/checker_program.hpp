#pragma once

#include <string>

namespace attest::cli {

/// The stand-alone checker of that name beside this program; else its name, to be looked up in
/// PATH.
[[nodiscard]] std::string checker_program(const std::string& name);

}  // namespace attest::cli
