#pragma once

#include "core/algebra/matrix.hpp"

#include <memory>
#include <vector>

namespace attest {

/// A rectangle of products: `states` state entries from first_state on, each with `queries` query
/// entries from first_query on.
struct FeatureBlock {
    Index first_state = 0;
    Index states = 0;
    Index first_query = 0;
    Index queries = 0;

    friend bool operator==(const FeatureBlock&, const FeatureBlock&) = default;
};

/// Which products s_p u_l of an example's state s ∈ R^q and query features u ∈ R^m are its ψ
/// features, and in which order: block after block, in a block p slowest. A layer's output is
/// linear in them. Copies share their contents.
class FeatureLayout {
public:
    /// Of tokens of dimension d, the paper's layer: every product of pack(S) with z, ψ =
    /// d·d(d+1)/2.
    // NOLINTNEXTLINE(google-explicit-constructor): a dimension stands for the paper's layer
    FeatureLayout(Index d = 0);

    /// An entry of s or u may stand for several equal entries of a symmetric tensor: its
    /// multiplicity is their number. Without blocks all products are features. Throws InvalidInput
    /// when a block leaves s or u.
    FeatureLayout(const std::vector<Index>& state_multiplicity,
                  const std::vector<Index>& query_multiplicity,
                  std::vector<FeatureBlock> blocks = {});

    [[nodiscard]] Index q() const { return length(contents_->states); }

    [[nodiscard]] Index m() const { return length(contents_->queries); }

    [[nodiscard]] Index psi() const { return contents_->psi; }

    /// At least one.
    [[nodiscard]] const std::vector<FeatureBlock>& blocks() const { return contents_->blocks; }

    /// Whether every product is a feature, so that feature p·m + l is s_p u_l.
    [[nodiscard]] bool is_full() const { return contents_->full; }

    struct Factors {
        Index state;
        Index query;
    };

    /// The entries of s and u whose product is feature i, 0 ≤ i < ψ.
    [[nodiscard]] Factors factors(Index i) const;

    /// The number of equal products that feature i stands for.
    [[nodiscard]] Index multiplicity(Index i) const;

    /// The m×q matrix with the coefficient of s_p u_l at (l, p), zero where that is no feature. p
    /// has ψ entries.
    [[nodiscard]] Matrix by_factors(const Eigen::Ref<const Vector>& p) const;

    /// Inverse of by_factors: what is no feature is left out.
    [[nodiscard]] Vector from_factors(const Eigen::Ref<const Matrix>& M) const;

    friend bool operator==(const FeatureLayout& a, const FeatureLayout& b);

private:
    /// Entries of one multiplicity, from where the run before ends to `end`. The paper's state has
    /// two runs, with 75 million entries at d = 12288.
    struct Run {
        Index end = 0;
        Index multiplicity = 1;

        friend bool operator==(const Run&, const Run&) = default;
    };

    using Runs = std::vector<Run>;

    FeatureLayout(Runs states, Runs queries, std::vector<FeatureBlock> blocks);

    static Runs runs_of(const std::vector<Index>& multiplicity);
    static void extend(Runs& runs, Index count, Index multiplicity);

    static Index length(const Runs& runs) { return runs.empty() ? 0 : runs.back().end; }

    struct Contents {
        Runs states;
        Runs queries;
        std::vector<FeatureBlock> blocks;
        std::vector<Index> first_feature;  ///< of every block, then ψ
        Index psi = 0;
        bool full = true;
    };

    std::shared_ptr<const Contents> contents_;
};

/// Every product of q state and m query entries that stand for themselves.
[[nodiscard]] FeatureLayout all_products(Index q, Index m);

}  // namespace attest
