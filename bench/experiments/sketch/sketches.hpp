#pragma once

#include "core/base/choice.hpp"
#include "core/moments/second_moment.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

/// Ways to put m numbers in the place of ψ cubic features: all are linear, H ↦ BᵀH.
enum class SketchKind : std::uint8_t {
    eigenvectors,   ///< the leading ones of Λ, of features of mean square 1
    pursuit,        ///< features chosen one by one: orthogonal matching pursuit
    mean_square,    ///< the features of largest mean square
    count_sketch,   ///< every feature with a random sign into one of m sums (Charikar et al. 2002)
    tensor_sketch,  ///< the same by three hashes of its factors (Pham and Pagh 2013)
    projection,     ///< m random directions, normal entries
    tokens,         ///< features of tokens projected to k random directions, k as large as k²(k +
                    ///< 1)/2 ≤ m allows: heads of k×k parameters; fewer than m columns
};

inline constexpr Choices<SketchKind, 7> kSketchKinds{{{SketchKind::eigenvectors, "eigenvectors"},
                                                      {SketchKind::pursuit, "pursuit"},
                                                      {SketchKind::mean_square, "mean_square"},
                                                      {SketchKind::count_sketch, "count_sketch"},
                                                      {SketchKind::tensor_sketch, "tensor_sketch"},
                                                      {SketchKind::projection, "projection"},
                                                      {SketchKind::tokens, "tokens"}}};

[[nodiscard]] std::string_view to_string(SketchKind kind);

/// Whether the stream decides anything.
[[nodiscard]] bool is_random(SketchKind kind);

/// B, ψ×m or narrower, for cubic features of tokens of dimension d. Reads the training moments
/// alone.
[[nodiscard]] Matrix sketch(
    SketchKind kind, const Moments& train, Index d, Index m, const Stream& stream);

/// The moments of BᵀH.
[[nodiscard]] Moments sketched(const Moments& moments, const Matrix& B);

}  // namespace attest
