#pragma once

#include "core/data/npy_header.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The three entries of an .npy header, a Python dict literal, not yet interpreted.
struct NpyDict {
    std::string descr;  ///< for instance "<f8"
    AxisOrder order = AxisOrder::c;
    std::vector<Index> shape;
};

/// Parses {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } strictly: these three keys,
/// each once, in any order; a text, True or False, a tuple of integers >= 0. Blanks may follow.
/// Throws InvalidInput whose message starts with `where`.
[[nodiscard]] NpyDict parse_npy_dict(std::string_view text, std::string_view where);

}  // namespace attest
