#pragma once

#include "bench/experiments/frame/group_table.hpp"
#include "core/base/choice.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/stream.hpp"
#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

/// Relative squared error of coefficients P (ψ×o) from the moments alone: (E‖y‖² − 2⟨P, C⟩ + ⟨P,
/// ΛP⟩)/E‖y‖². Rounding: ψ·ε times the largest of the three; what is below 0 by no more is 0.
[[nodiscard]] double relative_risk(const Matrix& P, const Moments& moments);

/// The minimiser of training risk + ridge·Σ Λ_ii ‖P_i‖²: a ridge on features of mean square 1.
[[nodiscard]] Matrix scaled_ridge(const Moments& moments, double ridge);

/// One sketch to try.
struct SketchChoice {
    SketchKind kind;
    Index features;  ///< m
    Index draw;      ///< 0 but for random ones

    [[nodiscard]] Stream stream(const Stream& root) const;

    /// Learner, its parameters, stream and repetition of a row.
    void name(CaseKey& key, const Stream& root) const;
};

/// Every kind with m = 4, 16, 64, … and `most`, random ones five times.
[[nodiscard]] std::vector<SketchChoice> sketch_choices(Index most);

/// Least squares on the sketched features: train_risk, test_risk, choose_cpu_seconds.
[[nodiscard]] Metrics measure_sketch(const SketchChoice& choice,
                                     const Moments& train,
                                     const Moments& test,
                                     Index d,
                                     const Stream& root);

/// A line for each group of rows: `groups`, then learner and m, with means over the draws.
[[nodiscard]] Table sketch_table(const std::vector<Row>& rows, std::vector<KeyColumn> groups);

/// Risk against m of some rows, a curve for each kind of sketch; no series without rows.
[[nodiscard]] Panel sketch_panel(const std::vector<Row>& rows,
                                 const std::string& metric,
                                 const std::string& title);

/// The table, and the panels that have a series as one figure, both under this name.
[[nodiscard]] Derived sketch_derived(const std::string& name,
                                     Table table,
                                     std::vector<Panel> panels,
                                     const std::string& title);

}  // namespace attest
