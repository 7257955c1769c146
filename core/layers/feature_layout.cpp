#include "core/layers/feature_layout.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/layers/polynomial.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

/// The multiplicity of entry i.
template <class Runs>
Index multiplicity_of(const Runs& runs, Index i) {
    return std::upper_bound(runs.begin(),
                            runs.end(),
                            i,
                            [](Index entry, const auto& run) { return entry < run.end; })
        ->multiplicity;
}

}  // namespace

void FeatureLayout::extend(Runs& runs, Index count, Index multiplicity) {
    if (count > 0) {
        const Index end = length(runs) + count;
        if (!runs.empty() && runs.back().multiplicity == multiplicity) {
            runs.back().end = end;
        } else {
            runs.push_back({end, multiplicity});
        }
    }
}

FeatureLayout::Runs FeatureLayout::runs_of(const std::vector<Index>& multiplicity) {
    Runs runs;
    for (const Index each : multiplicity) {
        extend(runs, 1, each);
    }
    return runs;
}

FeatureLayout::FeatureLayout(Index d) {
    // packed_multiplicity(d) without its entries.
    Runs states;
    extend(states, packed_dim(d) - d, 2);
    extend(states, d, 1);
    Runs queries;
    extend(queries, d, 1);
    *this = FeatureLayout(std::move(states), std::move(queries), {});
}

FeatureLayout::FeatureLayout(const std::vector<Index>& state_multiplicity,
                             const std::vector<Index>& query_multiplicity,
                             std::vector<FeatureBlock> blocks)
    : FeatureLayout(runs_of(state_multiplicity), runs_of(query_multiplicity), std::move(blocks)) {}

FeatureLayout::FeatureLayout(Runs states, Runs queries, std::vector<FeatureBlock> blocks) {
    Contents contents;
    contents.states = std::move(states);
    contents.queries = std::move(queries);
    const Index q = length(contents.states);
    const Index m = length(contents.queries);
    const FeatureBlock everything{0, q, 0, m};
    contents.blocks = blocks.empty() ? std::vector{everything} : std::move(blocks);
    contents.full = contents.blocks == std::vector{everything};
    for (const FeatureBlock& block : contents.blocks) {
        const bool inside = block.first_state >= 0 && block.states >= 0 && block.first_query >= 0 &&
                            block.queries >= 0 && block.first_state + block.states <= q &&
                            block.first_query + block.queries <= m;
        require(inside, "FeatureLayout: a block leaves the {} state or {} query entries", q, m);
        contents.first_feature.push_back(contents.psi);
        contents.psi += block.states * block.queries;
    }
    contents.first_feature.push_back(contents.psi);
    contents_ = std::make_shared<const Contents>(std::move(contents));
}

FeatureLayout::Factors FeatureLayout::factors(Index i) const {
    const std::vector<Index>& first = contents_->first_feature;
    const auto after = std::upper_bound(first.begin(), first.end(), i);
    const auto b = static_cast<std::size_t>(after - first.begin() - 1);
    const FeatureBlock& block = contents_->blocks[b];
    const Index within = i - first[b];
    return {block.first_state + within / block.queries, block.first_query + within % block.queries};
}

Index FeatureLayout::multiplicity(Index i) const {
    const auto [state, query] = factors(i);
    return multiplicity_of(contents_->states, state) * multiplicity_of(contents_->queries, query);
}

Matrix FeatureLayout::by_factors(const Eigen::Ref<const Vector>& p) const {
    ensure(p.size() == psi(), "FeatureLayout: the vector does not have psi entries");
    if (is_full()) {
        return p.reshaped(m(), q());
    }
    Matrix M = Matrix::Zero(m(), q());
    Index at = 0;
    for (const FeatureBlock& block : blocks()) {
        const Index size = block.states * block.queries;
        M.block(block.first_query, block.first_state, block.queries, block.states) =
            p.segment(at, size).reshaped(block.queries, block.states);
        at += size;
    }
    return M;
}

Vector FeatureLayout::from_factors(const Eigen::Ref<const Matrix>& M) const {
    ensure(M.rows() == m() && M.cols() == q(), "FeatureLayout: the matrix is not m by q");
    if (is_full()) {
        return M.reshaped();
    }
    Vector p(psi());
    Index at = 0;
    for (const FeatureBlock& block : blocks()) {
        const Index size = block.states * block.queries;
        p.segment(at, size) =
            M.block(block.first_query, block.first_state, block.queries, block.states).reshaped();
        at += size;
    }
    return p;
}

bool operator==(const FeatureLayout& a, const FeatureLayout& b) {
    return a.contents_ == b.contents_ ||
           (a.contents_->states == b.contents_->states &&
            a.contents_->queries == b.contents_->queries && a.blocks() == b.blocks());
}

FeatureLayout all_products(Index q, Index m) {
    return {std::vector<Index>(static_cast<std::size_t>(q), 1),
            std::vector<Index>(static_cast<std::size_t>(m), 1)};
}

}  // namespace attest
