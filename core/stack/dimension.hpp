#pragma once

#include "core/stack/numerical_rank.hpp"
#include "core/stack/symmetries.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace attest {

/// In which numbers the derivative of a stack is ranked.
enum class StackArithmetic : std::uint8_t {
    residues,   ///< modulo a prime: polynomial stacks
    rationals,  ///< of which relu asks the signs
    powers,     ///< integers and powers of two: softmax, at most two deep
    floating    ///< doubles, which prove nothing
};
[[nodiscard]] std::string_view to_string(StackArithmetic arithmetic);

/// The arithmetic that proves most for an architecture.
[[nodiscard]] StackArithmetic arithmetic_for(const StackShape& shape);

/// Why the dimension is no larger than the rank that was found.
enum class DimensionProof : std::uint8_t {
    symmetries,  ///< ranks of the derivative and of the symmetries add up to P
    bound,       ///< the rank is dimension_bound
    none         ///< the rank is a lower bound, or numerical
};
[[nodiscard]] std::string_view to_string(DimensionProof proof);

/// Integers at which ranks were taken: all that a checker needs besides the architecture. Constants
/// are decays of heads, then cosines and sines, layer after layer.
struct StackPoint {
    std::uint64_t prime = 0;
    std::vector<std::int64_t> parameters;
    std::vector<std::vector<std::int64_t>> constants;
    std::vector<MatrixOf<std::int64_t>> inputs;  ///< d×t
    std::vector<Index> rows;        ///< of the derivative on all inputs: independent, D of them
    std::vector<Index> columns;     ///< with `rows` a minor that is not 0 modulo the prime
    std::vector<Index> field_rows;  ///< the same of the symmetries, in the order of symmetries()
    std::vector<Index> field_columns;
};

/// The functional dimension of an architecture: the rank of dφ at almost all parameters, φ the map
/// from parameters to functions.
struct StackDimension {
    Index tokens = 0;
    Index outputs = 0;     ///< o, numbers read from one example
    Index parameters = 0;  ///< P
    Index rank = 0;        ///< D where it is proved, else a lower bound or numerical
    Index upper = 0;       ///< proved: P minus the rank of the symmetries, or the bound if less
    Index symmetry_rank = 0;
    std::optional<Index> bound;  ///< dimension_bound
    DimensionProof proof = DimensionProof::none;
    StackArithmetic arithmetic = StackArithmetic::residues;
    std::vector<LostToSymmetry> lost;
    Index examples = 0;               ///< with so many random examples the rank was reached
    Index examples_least = 0;         ///< ⌈D/o⌉: fewer never suffice
    std::optional<RankGap> gap;       ///< of floating arithmetic
    std::optional<StackPoint> point;  ///< of an exact one
};

struct DimensionRequest {
    StackShape shape;
    Index tokens = 3;
    std::uint64_t seed = 0;
    bool numerical = false;  ///< doubles even where exact arithmetic serves
};

/// Draws parameters and examples and ranks the derivative, at up to three points, until its rank
/// and that of the symmetries add up to P or meet the bound. O(N·(P·group + (d t)²P) + P³/3).
/// Throws InvalidInput for unsound sizes, MemoryFailure where P is too large.
[[nodiscard]] StackDimension dimension(const DimensionRequest& request);

/// What `dimension` is estimated to take at one point, most often the only one, in seconds of the
/// machine of AuditSize.
[[nodiscard]] double dimension_seconds(const DimensionRequest& request);

/// Bytes that `dimension` takes for P parameters.
[[nodiscard]] double dimension_bytes(Index parameters);

}  // namespace attest
