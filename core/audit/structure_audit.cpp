#include "core/audit/structure_audit.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr Index kMostFeatures = 600;
constexpr std::size_t kMostKinds = 64;

bool reaches(const std::optional<StructuralRank>& structure, const ExactRank& rank) {
    return structure && structure->is_exact && rank.rank_is_exact() &&
           rank.rank_lower == structure->rank;
}

}  // namespace

bool StructureAudit::determined_on_seen(const ExactRank& rank) const {
    return reaches(seen, rank);
}

bool StructureAudit::determined_on_all(const ExactRank& rank) const {
    return reaches(all, rank);
}

StructureAudit audit_structure(const SequenceSource& data) {
    const SequenceShape shape = data.shape();
    StructureAudit found;
    const std::vector<InputKind> kinds = input_kinds(data);
    found.shortest = kinds.front().length;
    found.longest = kinds.back().length;
    if (shape.layout().psi() > kMostFeatures || kinds.size() > kMostKinds) {
        return found;
    }
    found.seen = structural_rank(shape.layer, shape.input, kinds);
    if (auto every = all_kinds(shape.layer)) {
        // With the data's own kinds, whose queries may stand elsewhere: their span lies in this
        // one.
        every->insert(every->end(), kinds.begin(), kinds.end());
        found.all = structural_rank(shape.layer, shape.input, *every);
    }
    return found;
}

}  // namespace attest
