#include "bench/experiments/text/feature_spans.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/exact/matrix_rows.hpp"
#include "core/exact/null_space.hpp"

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
        const double scaled = std::ldexp(rows.data()[k], 20);
        require(std::abs(scaled) < 0x1p60 && std::abs(std::nearbyint(scaled) - scaled) <= 0.0,
                "rational_rank_bounds: got {}, expected a multiple of 2^-20 below 2^40",
                rows.data()[k]);
        A.data()[k] = Integer(static_cast<std::int64_t>(scaled));
    }
    return A;
}

}  // namespace

RankBounds rational_rank_bounds(const Matrix& rows) {
    const MatrixRows integers(scaled_integers(rows));
    const RankProfile profile = rank_profile(Modulus(), integers);
    RankBounds found{profile.rank(), std::min(rows.rows(), rows.cols())};
    if (found.lower < found.upper) {
        std::vector<Index> pivots = profile.pivot_columns;
        std::sort(pivots.begin(), pivots.end());
        std::vector<Index> free;
        for (Index j = 0; j < rows.cols(); ++j) {
            if (!std::binary_search(pivots.begin(), pivots.end(), j)) {
                free.push_back(j);
            }
        }
        const IntegerNullSpace null_space = lift_null_space(integers, profile, free);
        found.upper = std::min(found.upper, rows.cols() - std::ssize(null_space.vectors));
    }
    return found;
}

FeatureSpans feature_spans(const Dataset& data) {
    require(data.layer.is_linear() && data.labels != LabelKind::per_prefix,
            "feature_spans: got another layer or prefixes, expected whole sequences of tokens");
    FeatureSpans spans;
    const std::vector<Vector> types = different_tokens(data.tokens);
    spans.num_types = std::ssize(types);
    spans.types = rational_rank_bounds(packed_squares(types));
    spans.states = rational_rank_bounds(packed_states(data));
    spans.queries = rational_rank_bounds(query_rows(data));
    spans.features.lower = certify_rank(data, {NullVectors::none, {}}).rank_lower;
    const Index states = std::min(spans.states.upper, spans.types.upper);
    spans.features.upper = std::min(data.num_sequences(), states * spans.queries.upper);
    return spans;
}

}  // namespace attest
