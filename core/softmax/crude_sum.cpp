#include "core/softmax/crude_sum.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"

#include <cmath>

namespace attest {

namespace {

constexpr Choices<CrudeEstimator, 2> kCrudeEstimatorNames{
    {{CrudeEstimator::all_pairs, "all_pairs"}, {CrudeEstimator::off_diagonal, "off_diagonal"}}};

}  // namespace

std::string_view to_string(CrudeEstimator estimator) {
    return name_of(kCrudeEstimatorNames, estimator);
}

CrudeEstimator preferred_estimator(Index k) {
    return k <= 2 ? CrudeEstimator::all_pairs : CrudeEstimator::off_diagonal;
}

Matrix crude_sum(const SoftmaxSource& source, CrudeEstimator estimator) {
    const bool off_diagonal = estimator == CrudeEstimator::off_diagonal;
    require(source.k >= 2 || !off_diagonal,
            "crude_sum: off_diagonal got sequences of 1 token, expected at least 2");
    require(source.count >= 1, "crude_sum: got no examples, expected at least 1");
    Matrix sum = Matrix::Zero(source.d, source.d);
    for_each_block(source, [&](const SoftmaxExamples& block, Index /*first*/) {
        Matrix X(block.d(), block.count());
        Matrix Y(block.d(), block.count());
        for (Index i = 0; i < block.count(); ++i) {
            X.col(i) = block.X.middleCols(i * block.k, block.k).rowwise().sum();
            Y.col(i) = block.Y.middleCols(i * block.k, block.k).rowwise().sum();
        }
        sum += X * Y.transpose();
        if (off_diagonal) {
            sum -= block.X * block.Y.transpose();
        }
    });
    const Index weight = off_diagonal ? source.k - 1 : source.k;
    return sum / static_cast<double>(weight * source.count);
}

Matrix first_order_bias(const SoftmaxHeads& heads, Index k, double excess_kurtosis) {
    require(!heads.empty() && k >= 1, "first_order_bias: expected at least one head and one token");
    const Index d = heads.front().W.rows();
    const auto tokens = static_cast<double>(k);
    Matrix bias = Matrix::Zero(d, d);
    for (const SoftmaxHead& head : heads) {
        Matrix Theta = head.Theta;
        Theta.diagonal() *= 1.0 + excess_kurtosis / tokens;
        bias += Theta * head.W;
    }
    return (1.0 - 1.0 / tokens) * bias;
}

double label_scale(const SoftmaxSource& source) {
    double sum = 0.0;
    for_each_block(source, [&](const SoftmaxExamples& block, Index /*first*/) {
        sum += block.Y.squaredNorm();
    });
    return std::sqrt(sum / static_cast<double>(source.count * source.k));
}

}  // namespace attest
