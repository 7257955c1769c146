#pragma once

#include "core/algebra/matrix.hpp"
#include "core/trained/safetensors.hpp"

#include <map>
#include <string>
#include <vector>

namespace attest {

/// A tensor in memory.
struct Weight {
    std::vector<Index> shape;
    std::vector<double> values;  ///< in C order
};

/// The weights of one trained layer, by their names without the prefix.
struct Weights {
    std::string file;
    std::string prefix;
    std::map<std::string, Weight> tensors;

    [[nodiscard]] bool contains(const std::string& name) const { return tensors.contains(name); }

    /// "layer.safetensors: attn.q_proj.weight", the start of a message about a weight.
    [[nodiscard]] std::string where(const std::string& name) const;

    /// Throws InvalidInput naming the weight when it is absent or no matrix.
    [[nodiscard]] Matrix matrix(const std::string& name) const;
    /// The same for a vector; zeros of this length when it is absent.
    [[nodiscard]] Vector vector_or_zero(const std::string& name, Index length) const;
};

/// "'a', 'b' and 3 more": the first eight names.
[[nodiscard]] std::string some_of(const std::vector<std::string>& names);

/// Reads every tensor whose name begins with the prefix from a .safetensors file, or array from an
/// .npz file (told apart by their first bytes). Those whose names go on with one of `unread` are
/// listed without shape and values. Throws InvalidInput of one line for a malformed file, for a NaN
/// or infinity unless they are kept, and when no name begins so, with those that there are.
[[nodiscard]] Weights read_weights(const std::string& path,
                                   const std::string& prefix,
                                   NonFinite odd = NonFinite::refused,
                                   const std::vector<std::string>& unread = {});

/// The names of a file's tensors that begin with the prefix, whole. Throws InvalidInput as
/// read_weights, but for values.
[[nodiscard]] std::vector<std::string> weight_names(const std::string& path,
                                                    const std::string& prefix);

}  // namespace attest
