#include "bench/experiments/text/feature_spans.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/exact/matrix_rows.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace attest {

namespace {

/// Different columns of Z, in an order of their own.
std::vector<Vector> different_tokens(const Matrix& Z) {
    const auto less = [](const Vector& a, const Vector& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::set<Vector, decltype(less)> types(less);
    for (Index t = 0; t < Z.cols(); ++t) {
        types.insert(Z.col(t));
    }
    return {types.begin(), types.end()};
}

Matrix packed_squares(const std::vector<Vector>& types) {
    const Index d = types.front().size();
    Matrix rows(std::ssize(types), packed_dim(d));
    for (Index i = 0; i < rows.rows(); ++i) {
        const Vector& e = types[static_cast<std::size_t>(i)];
        rows.row(i) = pack<double>(Matrix(e * e.transpose())).transpose();
    }
    return rows;
}

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

MatrixOf<Integer> scaled_integers(const Matrix& rows) {
    MatrixOf<Integer> A(rows.rows(), rows.cols());
    for (Index k = 0; k < rows.size(); ++k) {
        const double scaled = std::ldexp(rows.data()[k], 30);
        require(std::abs(scaled) < 0x1p60 && std::abs(std::nearbyint(scaled) - scaled) <= 0.0,
                "rational_rank_bounds: got {}, expected a multiple of 2^-30 below 2^30",
                rows.data()[k]);
        A.data()[k] = Integer(static_cast<std::int64_t>(scaled));
    }
    return A;
}

/// Columns that span all others, over Q where the rank is exact.
struct ColumnSpan {
    RankBounds rank;
    std::vector<Index> pivots;  ///< ascending
};

ColumnSpan column_span(const Matrix& rows, const LiftOptions& effort) {
    const MatrixRows integers(scaled_integers(rows));
    const RankProfile profile = rank_profile(Modulus(), integers);
    ColumnSpan found{{profile.rank(), std::min(rows.rows(), rows.cols())}, profile.pivot_columns};
    std::sort(found.pivots.begin(), found.pivots.end());
    if (!found.rank.is_exact()) {
        std::vector<Index> free;
        for (Index j = 0; j < rows.cols(); ++j) {
            if (!std::binary_search(found.pivots.begin(), found.pivots.end(), j)) {
                free.push_back(j);
            }
        }
        const IntegerNullSpace null_space = lift_null_space(integers, profile, free, effort);
        found.rank.upper = std::min(found.rank.upper, rows.cols() - std::ssize(null_space.vectors));
    }
    return found;
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

RankBounds rational_rank_bounds(const Matrix& rows) {
    return column_span(rows, {}).rank;
}

FeatureSpans feature_spans(const Dataset& data, const LiftOptions& effort) {
    require(data.layer.is_linear() && data.labels != LabelKind::per_prefix,
            "feature_spans: got another layer or prefixes, expected whole sequences of tokens");
    FeatureSpans spans;
    const std::vector<Vector> types = different_tokens(data.tokens);
    const Matrix states = packed_states(data);
    const Matrix queries = query_rows(data);
    const ColumnSpan state_span = column_span(states, effort);
    const ColumnSpan query_span = column_span(queries, effort);
    spans.num_types = std::ssize(types);
    spans.types = column_span(packed_squares(types), effort).rank;
    spans.states = state_span.rank;
    spans.queries = query_span.rank;
    spans.features.lower = certify_rank(data, {NullVectors::none, {}}).rank_lower;
    spans.features.upper = std::min(data.num_sequences(), spans.states.upper * spans.queries.upper);
    if (!spans.features.is_exact() && spans.states.is_exact() && spans.queries.is_exact()) {
        // Every column of H is a combination of those products, over Q.
        spans.features.upper =
            column_span(chosen_features(states, state_span.pivots, queries, query_span.pivots),
                        effort)
                .rank.upper;
    }
    return spans;
}

}  // namespace attest
