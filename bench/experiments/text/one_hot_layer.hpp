#pragma once

#include "bench/experiments/text/ngrams.hpp"

namespace attest {

/// A window of one-hot tokens: its words, the last of which asks, and the word that comes next.
struct WordWindow {
    std::vector<Index> words;
    Index next = 0;

    [[nodiscard]] Index query() const { return words.back(); }
};

[[nodiscard]] std::vector<WordWindow> word_windows(const VocabularyText& text,
                                                   std::span<const TextWindow> windows,
                                                   Index n);

/// What a ridge pulls towards: the unit vectors' bigram of this Dirichlet weight, or zero.
struct RidgeTarget {
    const NgramTables* tables = nullptr;  ///< null: zero; else used while the layer is made
    double bigram_weight = 0.0;
};

/// Least squares of a layer of linear attention on one-hot tokens of V words, the next word's unit
/// vector as label: no features are formed. Pairs S_jk, j ≠ k, vanish, and S_jj z_l are the counts
/// x of a window's words where it asks word l, else 0; so the problem splits into one for each
/// query word v,
///   min (1/N) Σ_{i asks v} ‖A x_i − y_i‖² + ridge ‖A − A⁰‖²,   A⁰ x = prior_v on windows of n
///   words,
/// and the ridge is that of SolveOptions in either norm. Its output is prior_v + Σ_i c_i (y_i −
/// prior_v) with c = Xᵀ(XXᵀ + N·ridge)⁻¹x = (XᵀX + N·ridge)⁻¹Xᵀx, whichever is smaller.
class OneHotLayer {
public:
    /// ridge > 0; or 0 for the minimiser of least norm: eigenvalues of a Gram of counts up to its
    /// size times ε times the largest count as zero. All windows are equally long. Σ min(N_v, V)²
    /// doubles, a few times Σ min(N_v, V)³ flops. Throws EnvironmentFailure when that memory is not
    /// there.
    OneHotLayer(Index vocabulary,
                std::vector<WordWindow> training,
                const RidgeTarget& target,
                double ridge);

    /// V numbers.
    [[nodiscard]] Vector predict(const WordWindow& window) const;

    /// Σ_v of the numerical ranks of the counts; where there is a ridge, of their sizes.
    [[nodiscard]] Index rank() const { return rank_; }

    /// The largest condition number of what was inverted, on its range.
    [[nodiscard]] double condition() const { return condition_; }

private:
    /// The windows that ask one word.
    struct Group {
        std::vector<std::size_t> members;
        bool primal = false;  ///< `inverse` is V×V rather than N_v×N_v
        Matrix inverse;
        Vector prior;
    };

    void fit(Group& group, double ridge);
    [[nodiscard]] Matrix gram(const Group& group) const;
    [[nodiscard]] Vector factors(const Group& group, const WordWindow& window) const;

    Index vocabulary_;
    std::vector<WordWindow> training_;
    std::vector<Group> groups_;
    Index rank_ = 0;
    double condition_ = 1.0;
};

}  // namespace attest
