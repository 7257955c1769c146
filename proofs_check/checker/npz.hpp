#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attest::checker {
using Index = long long;  ///< counts, subscripts, line numbers: signed

/// Ends the program with this exit code: 1 the proof is rejected, 4 a file is bad.
struct Failure : std::runtime_error {
    Failure(int exit, const std::string& reason) : std::runtime_error(reason), code(exit) {}

    int code;
};

/// A data set in canonical form (FORMAT.md §1): labels and tokens one after the other.
struct Dataset {
    Index d = 0;
    Index o = 0;
    bool prefixes = false;  ///< label kind per_prefix
    std::vector<Index> offsets{0};
    std::vector<Index> query;  ///< empty: the last column
    std::vector<double> y, tokens;
    Index num_examples = 0;
};

[[nodiscard]] std::string read_file(const std::string& path, Index limit);

/// Reads an .npz file in one of the layouts of FORMAT.md §5.
[[nodiscard]] Dataset load_dataset(const std::string& path);
}  // namespace attest::checker
