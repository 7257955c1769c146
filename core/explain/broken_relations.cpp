#include "core/explain/broken_relations.hpp"

#include "core/certify/exact_features.hpp"
#include "core/exact/annihilation.hpp"

namespace attest {

std::vector<std::vector<Index>> broken_relations(const Explanation& explanation,
                                                 const Dataset& inputs) {
    const FeatureRows rows(inputs);
    std::vector<std::vector<Index>> broken(static_cast<std::size_t>(inputs.num_examples()));
    for (Index number = 0; number < std::ssize(explanation.classes); ++number) {
        const RelationClass& one = explanation.classes[static_cast<std::size_t>(number)];
        const std::vector<Index> first = first_nonzero_product(rows, one.vectors);
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (first[i] >= 0) {
                broken[i].push_back(number);
            }
        }
    }
    return broken;
}

}  // namespace attest
