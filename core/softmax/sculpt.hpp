#pragma once

#include "core/algebra/matrix.hpp"
#include "core/softmax/examples.hpp"

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace attest {

/// Which attention patterns a regression of Y_a on the tokens looks for.
enum class SculptMode : std::uint8_t {
    full,   ///< any pattern that all heads share: p ∈ R^k; needs k − 1 ≤ d
    pairs,  ///< a pattern on two tokens only, for long sequences: every pair is tried
};

[[nodiscard]] std::string_view to_string(SculptMode mode);

/// full at k = 2, both for 3 ≤ k ≤ d, pairs for k > d.
[[nodiscard]] std::vector<SculptMode> sculpt_modes(Index d, Index k);

struct SculptOptions {
    SculptMode mode = SculptMode::full;
    Index rows = 1000;              ///< rows (X, a) to keep: those of least score
    double min_probability = 0.03;  ///< of every token in the pattern
    double min_design = 0.5;        ///< σ_min of the regression, in units of ‖Ŵ‖_F/√d
};

/// Rows on which all heads seem to agree. Where they do, p_1 = … = p_m = p, the label is Ŵᵀ Σ_j p_j
/// x_j and log(p_j/p_0) = x_aᵀ Θ_i (x_j − x_0) for every i: affine constraints on Θ_i that hold for
/// all heads at once. Best first.
struct SculptedRows {
    Index d = 0;
    Index steps = 1;     ///< constraints a row gives: k − 1 (full) or 1 (pairs)
    Vector scores;       ///< s = residual / (σ_min · min p), about the error of a logit
    Matrix tokens;       ///< d×T, x_a
    Matrix labels;       ///< d×T, Y_a
    Matrix mixtures;     ///< d×T, Σ_j p_j x_j as fitted
    Matrix differences;  ///< d×(T·steps), x_j − x_0
    Vector logits;       ///< T·steps, log(p_j/p_0)

    [[nodiscard]] Index count() const { return scores.size(); }
};

/// Regresses every row's label on Ŵᵀ x_0 … Ŵᵀ x_{k−1} with Σ p = 1 and keeps the best rows (the
/// paper's second phase; score and thresholds are ours). One pass, O(N k (k−1)² d), for pairs O(N
/// k³ d); memory for the kept rows only. Throws InvalidInput when k < 2, or k − 1 > d for full.
[[nodiscard]] SculptedRows sculpt(const SoftmaxSource& source,
                                  const Matrix& W,
                                  const SculptOptions& options);

/// The rows of least score in one pass over a stream, with a payload each: memory for `capacity`
/// rows whatever the length of the stream. Ties go to the lower (example, token, first, second), so
/// the choice does not depend on the order of the offers.
class BestRows {
public:
    struct Key {
        double score;
        Index example;
        Index token;
        Index first;
        Index second;

        friend bool operator<(const Key& a, const Key& b) {
            return std::tie(a.score, a.example, a.token, a.first, a.second) <
                   std::tie(b.score, b.example, b.token, b.first, b.second);
        }
    };

    BestRows(Index capacity, Index payload);

    /// Whether a row of this key would be kept now.
    [[nodiscard]] bool accepts(const Key& key) const;
    /// Keeps the row, in place of the worst when full; the caller fills the payload returned. Only
    /// after accepts(key).
    [[nodiscard]] double* keep(const Key& key);

    [[nodiscard]] Index size() const { return static_cast<Index>(heap_.size()); }

    /// What was kept, best first: keys and payloads (a column each).
    struct Result {
        std::vector<Key> keys;
        Matrix payloads;
    };

    [[nodiscard]] Result sorted() const;

private:
    struct Entry {
        Key key;
        Index slot;

        friend bool operator<(const Entry& a, const Entry& b) { return a.key < b.key; }
    };

    std::size_t capacity_;
    Index payload_;
    std::vector<Entry> heap_;  ///< the worst in front
    std::vector<double> payloads_;
};

/// The regression of one label on the values of a few tokens with weights that sum to 1: minimises
/// ‖y − v_0 − Σ_s q_s (v_s − v_0)‖ over q, without allocating. A workspace: start, add each further
/// token, solve, read.
class PatternFit {
public:
    static constexpr Index kMostSteps = 16;

    /// For labels of d entries and patterns of `tokens` tokens, 2 ≤ tokens ≤ kMostSteps + 1.
    PatternFit(Index d, Index tokens);

    void start(const double* label, const double* value);
    void add(Index step, const double* value);

    /// False when σ_min of the d×steps design is below min_design or a probability below
    /// min_probability; nothing may be read then.
    [[nodiscard]] bool solve(double min_design, double min_probability);

    /// residual / (σ_min · least probability).
    [[nodiscard]] double score() const { return score_; }

    /// Of token 0, or of step j − 1.
    [[nodiscard]] double probability(Index j) const { return p_(j); }

private:
    [[nodiscard]] bool solve_one(double min_design, double min_probability);
    [[nodiscard]] bool solve_many(double min_design, double min_probability);
    void score_by(double sigma, double min_probability);

    Index d_;
    Index steps_;
    Vector target_;  ///< y − v_0, then the residual
    Vector base_;    ///< v_0
    Matrix design_;  ///< d×steps, v_s − v_0
    Vector p_;
    double score_ = 0.0;
};

struct SaturatedOptions {
    double residual = 0.02;  ///< of the distance to the nearest other value
    Index most = 60000;      ///< inequalities kept, the source's first
};

struct SaturatedRows {
    Matrix v;         ///< d²×T, unit columns
    Index count = 0;  ///< inequalities of the whole source
};

/// Rows whose label is one token's value, Y_a ≈ Ŵᵀ x_j, for every head to put nearly all its weight
/// on token j: then ⟨v, Θ_i⟩ = x_aᵀ Θ_i (x_j − x_l) > 0 for every i and every l ≠ j. Such rows say
/// nothing about the size of a logit, so sculpting drops them; where heads are large they are most
/// of the rows on which all agree. Ours. One pass, O(N k²
/// d).
[[nodiscard]] SaturatedRows saturated_rows(const SoftmaxSource& source,
                                           const Matrix& W,
                                           const SaturatedOptions& options);

/// Σ W refitted by least squares to the rows that look saturated, first within a tenth of the
/// distance to the nearest other value, then within options.residual: takes most of an error of a
/// few per cent. Ours. Five passes.
[[nodiscard]] Matrix refine_by_saturation(const SoftmaxSource& source,
                                          const Matrix& W,
                                          const SaturatedOptions& options);

}  // namespace attest
