#include "core/layers/feature_layout.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/layers/polynomial.hpp"

#include <algorithm>
#include <utility>

namespace attest {

FeatureLayout::FeatureLayout(Index d)
    : FeatureLayout(packed_multiplicity(d), std::vector<Index>(static_cast<std::size_t>(d), 1)) {}

FeatureLayout::FeatureLayout(std::vector<Index> state_multiplicity,
                             std::vector<Index> query_multiplicity,
                             std::vector<FeatureBlock> blocks) {
    Contents contents;
    contents.states = std::move(state_multiplicity);
    contents.queries = std::move(query_multiplicity);
    const auto q = static_cast<Index>(contents.states.size());
    const auto m = static_cast<Index>(contents.queries.size());
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
    return contents_->states[static_cast<std::size_t>(state)] *
           contents_->queries[static_cast<std::size_t>(query)];
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
