#include "core/distil/series.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

constexpr std::size_t kTerms = 3;

/// Values and scores of one head on one example.
struct HeadOnTokens {
    Matrix values;  ///< V z̃_t, o×n
    Vector scores;  ///< τ z̃_tᵀ Q z̃
};

double diameter(const Matrix& columns) {
    double largest = 0.0;
    for (Index s = 0; s < columns.cols(); ++s) {
        for (Index t = 0; t < s; ++t) {
            largest = std::max(largest, (columns.col(s) - columns.col(t)).norm());
        }
    }
    return largest;
}

void add_head(ScoreSeries& series, const HeadOnTokens& head, Index i) {
    const auto n = static_cast<double>(head.scores.size());
    const Vector mean = head.values.rowwise().mean();
    const Vector centred = head.scores.array() - head.scores.mean();
    series.terms[0].col(i) += mean;
    series.terms[1].col(i) += head.values * centred / n;
    // κ(x, a, a) = E (x − E x)(a − E a)².
    series.terms[2].col(i) += (head.values.colwise() - mean) * centred.cwiseAbs2() / (2.0 * n);
    // |Cov| ≤ D/2·R/2 (Popoviciu); |E (x − μ)(a − ā)²| ≤ D·R²/4; κ(x,a,a,a) = E (x − μ)(a − ā)³ −
    // 3 Var(a) Cov(x,a), at most D R·R²/4 + 3·R²/4·D R/4.
    const double D = diameter(head.values);
    const double R = head.scores.maxCoeff() - head.scores.minCoeff();
    series.remainders[0](i) += D * R / 4.0;
    series.remainders[1](i) += D * R * R / 4.0 / 2.0;
    series.remainders[2](i) += D * R * R * R * 7.0 / 16.0 / 6.0;
}

}  // namespace

ScoreSeries score_series(const SoftmaxLayer& layer, const Dataset& data) {
    require(data.d() == layer.d,
            "score series: the tokens have {} entries, expected {} as the layer's weights",
            data.d(),
            layer.d);
    const Matrix lifted = lifted_tokens(layer, data.tokens.view());
    const std::vector<AttendedTokens> examples = attended_tokens(data);
    const Index N = std::ssize(examples);
    ScoreSeries series{std::vector<Matrix>(kTerms, Matrix::Zero(layer.o, N)),
                       std::vector<Vector>(kTerms, Vector::Zero(N))};
    for (Index i = 0; i < N; ++i) {
        const auto [first, count, query] = examples[static_cast<std::size_t>(i)];
        const Matrix seen = lifted.middleCols(first, count);
        const Vector asking = lifted.col(query);
        for (const Head& head : layer.heads) {
            add_head(
                series, {head.V * seen, layer.tau * (seen.transpose() * (head.Q * asking))}, i);
        }
        if (layer.direct.size() > 0) {
            series.terms[0].col(i) += layer.direct * asking;
        }
    }
    return series;
}

}  // namespace attest
