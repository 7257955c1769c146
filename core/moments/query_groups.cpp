#include "core/moments/query_groups.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/layers/parse_layer.hpp"

#include <map>

namespace attest {

std::vector<std::vector<Index>> query_groups(const Dataset& data) {
    require(data.layer.is_linear(),
            "grouped: got the layer {}, expected the paper's, the only one whose data fall apart "
            "by the token that asks; use --level exact, or --solver auto",
            to_string(data.layer));
    require(data.labels != LabelKind::per_prefix,
            "grouped: got a label for every prefix, expected at most one for every sequence; use "
            "--level exact, or --solver auto");
    std::vector<std::vector<Index>> groups;
    std::map<std::vector<double>, std::size_t> place;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        std::vector<double> query;
        for (const double entry : data.tokens.col(data.query_token(i))) {
            query.push_back(entry + 0.0);  // −0 is 0
        }
        const auto [found, is_new] = place.emplace(std::move(query), groups.size());
        if (is_new) {
            groups.emplace_back();
        }
        groups[found->second].push_back(i);
    }
    return groups;
}

Matrix group_queries(const Dataset& data, const std::vector<std::vector<Index>>& groups) {
    Matrix U(data.d(), std::ssize(groups));
    for (Index g = 0; g < U.cols(); ++g) {
        U.col(g) = data.tokens.col(data.query_token(groups[static_cast<std::size_t>(g)].front()));
    }
    return U;
}

Dataset group_states(const Dataset& data, std::span<const Index> examples) {
    Dataset part = select_sequences(data, examples);
    part.query.clear();
    part.truth = {};
    part.meta.clear();
    part.layer = layer_named("cross");
    part.columns.x = Matrix::Ones(1, part.num_examples());
    return part;
}

}  // namespace attest
