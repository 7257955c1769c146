#pragma once

#include "core/base/shape.hpp"

#include <functional>
#include <string>

namespace attest {

/// The bytes [first, first + count) of a file, fewer where it ends.
using ReadBytes = std::function<std::string(Index first, Index count)>;

/// Throws InvalidInput unless the file is one zip archive from its first byte to its last, with one
/// name for each member: else readers of zip files find different archives or names in it. What
/// libzip checks by itself is left to it.
void require_one_archive(const ReadBytes& read, Index size, const std::string& name);

}  // namespace attest
