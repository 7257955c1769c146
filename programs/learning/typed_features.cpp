#include "programs/learning/typed_features.hpp"

#include "core/algebra/symmetric_pack.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace attest {

namespace {

std::vector<Index> block_of_rows(const Schema& schema) {
    std::vector<Index> number;
    for (std::size_t i = 0; i < schema.blocks().size(); ++i) {
        number.insert(
            number.end(), static_cast<std::size_t>(schema.blocks()[i].size), static_cast<Index>(i));
    }
    return number;
}

}  // namespace

FeatureMask typed_features(const Program& program) {
    const std::vector<Index> block = block_of_rows(program.schema);
    const auto of = [&](Index row) { return block[static_cast<std::size_t>(row)]; };
    std::set<std::tuple<Index, Index, Index>> types;  // smaller block, larger block, source block
    for (const ProgramHead& head : program.heads) {
        for (const MatrixTerm& v : head.V) {
            for (const MatrixTerm& q : head.Q) {
                const auto [first, second] = std::minmax({of(v.from), of(q.to)});
                types.emplace(first, second, of(q.from));
            }
        }
    }
    const Index d = program.schema.dim();
    FeatureMask mask;
    mask.reserve(static_cast<std::size_t>(feature_dim(d)));
    for (Index pair = 0; pair < packed_dim(d); ++pair) {
        const auto [b, k] = packed_pair(d, pair);
        const auto [first, second] = std::minmax({of(b), of(k)});
        for (Index e = 0; e < d; ++e) {
            mask.push_back(types.contains({first, second, of(e)}) ? 1 : 0);
        }
    }
    return mask;
}

}  // namespace attest
