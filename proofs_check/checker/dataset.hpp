#pragma once
#include "proofs_check/checker/npz.hpp"

#include <set>

namespace attest::checker {
/// One column for each example or token, column after column; no rows: the data have none.
struct Matrix {
    Index rows = 0;
    std::vector<double> values;
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
    Matrix x, phi, gates, s, u, keys, beta;  ///< what some layers read
};

using Names = std::set<std::string>;

/// Of x, phi, gates, s, u, keys and beta those that the layer of a proof reads, by the words of its
/// first line that begins with `layer `, whether these are canonical or not (FORMAT.md §1).
[[nodiscard]] Names layer_arrays(std::string_view proof);

/// Reads an .npz file in one of the layouts of FORMAT.md §5, of the layers' arrays these.
[[nodiscard]] Dataset load_dataset(const std::string& path,
                                   const Names& layer_arrays = {
                                       "x", "phi", "gates", "s", "u", "keys", "beta"});
}  // namespace attest::checker
