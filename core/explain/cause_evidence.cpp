#include "core/explain/cause_evidence.hpp"

#include "core/certify/exact_features.hpp"
#include "core/layers/parse_layer.hpp"

#include <utility>

namespace attest {

namespace {

/// S summed over the other tokens, u = 1.
std::optional<ShortRelations> context_relations(const Dataset& data) {
    if (!data.layer.is_linear() || data.labels == LabelKind::per_prefix) {
        return std::nullopt;
    }
    Dataset others;
    others.layer = layer_named("cross");
    Matrix tokens(data.d(), data.tokens.cols() - data.num_sequences());
    others.columns.x = Matrix::Ones(1, data.num_sequences());
    others.offsets.push_back(0);
    Index to = 0;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        if (data.length(i) < 2) {
            return std::nullopt;
        }
        for (Index t = data.first_token(i); t < data.first_token(i + 1); ++t) {
            if (t != data.query_token(i)) {
                tokens.col(to++) = data.tokens.col(t);
            }
        }
        others.offsets.push_back(to);
    }
    others.tokens = std::move(tokens);
    return short_relations(Modulus(), FeatureRows(others), LongRelations::lift);
}

}  // namespace

CauseEvidence cause_evidence(const Dataset& data, const DataFacts& facts) {
    return {data, facts, context_relations(data)};
}

}  // namespace attest
