#include "bench/experiments/text/feature_spans.hpp"

#include "bench/experiments/text/meeting_bound.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"
#include "core/certify/exact_features.hpp"
#include "core/exact/float_product.hpp"

#include <algorithm>
#include <numeric>

namespace attest {

namespace {

Matrix packed_states(const Dataset& data) {
    Matrix rows(data.num_sequences(), packed_dim(data.d()));
    for (Index i = 0; i < rows.rows(); ++i) {
        const Matrix Z = data.sequence(i);
        rows.row(i) = pack<double>(Matrix(Z * Z.transpose())).transpose();
    }
    return rows;
}

Matrix query_rows(const Dataset& data) {
    Matrix rows(data.num_sequences(), data.d());
    for (Index i = 0; i < rows.rows(); ++i) {
        rows.row(i) = data.tokens.col(data.query_token(i)).transpose();
    }
    return rows;
}

/// s_p z_l for the given columns p of the states and l of the queries.
Matrix chosen_features(const Matrix& states,
                       const std::vector<Index>& p,
                       const Matrix& queries,
                       const std::vector<Index>& l) {
    Matrix rows(states.rows(), std::ssize(p) * std::ssize(l));
    Index at = 0;
    for (const Index state : p) {
        for (const Index query : l) {
            rows.col(at++) = states.col(state).cwiseProduct(queries.col(query));
        }
    }
    return rows;
}

}  // namespace

FeatureSpans feature_spans(const Dataset& data, const LiftOptions& effort) {
    require(data.layer.is_linear() && data.labels != LabelKind::per_prefix,
            "feature_spans: got another layer or prefixes, expected whole sequences of tokens");
    FeatureSpans spans;
    const TokenTypes tokens = token_types(data.tokens.view());
    const Matrix states = packed_states(data);
    const Matrix queries = query_rows(data);
    const ColumnSpan state_span = column_span(states, effort);
    const ColumnSpan query_span = column_span(queries, effort);
    spans.num_types = tokens.count();
    std::vector<Index> all(tokens.types.size());
    std::iota(all.begin(), all.end(), Index{0});
    spans.types = column_span(packed_squares(tokens, all), effort).rank;
    spans.states = state_span.rank;
    spans.queries = query_span.rank;
    RankBounds& features = spans.features;
    const FeatureRows rows(data);
    features.lower = rank_profile(rows.usable_modulus(kFloatPrime), rows).rank();
    features.upper = std::min(data.num_sequences(), spans.states.upper * spans.queries.upper);
    if (!features.is_exact()) {
        const MeetingBound bound = meeting_bound(data, tokens, spans.queries.upper, effort);
        spans.few_meetings = bound.few;
        features.upper = std::min(features.upper, bound.rank);
    }
    if (!features.is_exact()) {
        features.lower = std::max(features.lower, rank_profile(rows.usable_modulus(), rows).rank());
    }
    const LiftCost cost = lift_cost(rows, features.lower, 1);
    const bool affordable =
        cost.seconds <= effort.budget_seconds * static_cast<double>(cost.primes);
    if (!features.is_exact() && spans.states.is_exact() && spans.queries.is_exact() && affordable) {
        // Every column of H is a combination of those products, over Q.
        const Matrix products =
            chosen_features(states, state_span.pivots, queries, query_span.pivots);
        features.upper = std::min(features.upper, column_span(products, effort).rank.upper);
    }
    return spans;
}

}  // namespace attest
