#include "tasks/agnostic_labels.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/portable_exp.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"
#include "tasks/teacher.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace attest {

namespace {

// Sums in plain loops: Eigen's order of additions depends on the machine.
double dot(const Matrix& A, Index row, const Matrix& Z, Index t) {
    double sum = 0.0;
    for (Index l = 0; l < Z.rows(); ++l) {
        sum += A(row, l) * Z(l, t);
    }
    return sum;
}

Vector coefficient_label(const Matrix& P, const Matrix& Z, Index n) {
    const Index d = Z.rows();
    Vector s = Vector::Zero(packed_dim(d));
    for (Index t = 0; t < n; ++t) {
        add_token<double>(s, Z.col(t));
    }
    Vector y = Vector::Zero(P.cols());
    for (Index a = 0; a < P.cols(); ++a) {
        for (Index pair = 0; pair < s.size(); ++pair) {
            for (Index l = 0; l < d; ++l) {
                y(a) += P(pair * d + l, a) * (s(pair) * Z(l, n - 1));
            }
        }
    }
    return y;
}

}  // namespace

Vector softmax_label(const Matrix& V, const Matrix& Q, const Matrix& Z) {
    const Index n = Z.cols();
    const Index d = Z.rows();
    Matrix key(d, 1);
    for (Index j = 0; j < d; ++j) {
        key(j, 0) = dot(Q, j, Z, n - 1);
    }
    const Matrix tokens = Z.transpose();
    std::vector<double> scores;
    for (Index t = 0; t < n; ++t) {
        scores.push_back(dot(tokens, t, key, 0) / std::sqrt(static_cast<double>(d)));
    }
    const double highest = *std::max_element(scores.begin(), scores.end());
    double total = 0.0;
    Matrix mixed = Matrix::Zero(d, 1);
    for (Index t = 0; t < n; ++t) {
        const double weight = portable_exp(scores[static_cast<std::size_t>(t)] - highest);
        total += weight;
        for (Index j = 0; j < d; ++j) {
            mixed(j, 0) += weight * Z(j, t);
        }
    }
    Vector y(V.rows());
    for (Index a = 0; a < V.rows(); ++a) {
        y(a) = dot(V, a, mixed, 0) / total;
    }
    return y;
}

std::array<Matrix, 3> token_cubic_factors(Index o, Index d, const Stream& stream) {
    const double norm = std::sqrt(static_cast<double>(o));
    return {random_direction(o, d, norm, stream.child("u")),
            random_direction(o, d, norm, stream.child("v")),
            random_direction(o, d, norm, stream.child("w"))};
}

AgnosticLabels::AgnosticLabels(std::unique_ptr<Task> inner, AgnosticKind kind, const Stream& stream)
    : inner_(std::move(inner)), kind_(kind), traits_(inner_->traits()) {
    if (traits_.labels == LabelKind::none) {
        traits_.labels = LabelKind::per_sequence;
        traits_.o = traits_.d;
    }
    traits_.realisable = kind == AgnosticKind::coefficients;
    const Index d = traits_.d;
    const Index o = traits_.o;
    const auto norm = [](Index size) { return std::sqrt(static_cast<double>(size)); };
    switch (kind) {
        case AgnosticKind::softmax:
            first_ = random_direction(o, d, norm(o), stream.child("V"));
            second_ = random_direction(d, d, norm(d), stream.child("Q"));
            return;
        case AgnosticKind::coefficients:
            first_ = grid_matrix(grid_normal(), feature_dim(d), o, stream.child("P"));
            return;
        case AgnosticKind::token_cubic: {
            std::array<Matrix, 3> factors = token_cubic_factors(o, d, stream);
            first_ = std::move(factors[0]);
            second_ = std::move(factors[1]);
            third_ = std::move(factors[2]);
            return;
        }
    }
}

TaskTraits AgnosticLabels::traits() const {
    return traits_;
}

TaskDescription AgnosticLabels::description() const {
    TaskDescription description = inner_->description();
    description.parameters.emplace_back("relabel", std::string(name_of(kAgnosticKinds, kind_)));
    return description;
}

Vector AgnosticLabels::label(const Matrix& Z, Index n) const {
    switch (kind_) {
        case AgnosticKind::softmax:
            return softmax_label(first_, second_, Z.leftCols(n));
        case AgnosticKind::coefficients:
            return coefficient_label(first_, Z, n);
        case AgnosticKind::token_cubic:
            break;
    }
    Vector y = Vector::Zero(traits_.o);
    for (Index t = 0; t < n; ++t) {
        for (Index a = 0; a < traits_.o; ++a) {
            y(a) += dot(first_, a, Z, t) * dot(second_, a, Z, t) * dot(third_, a, Z, t);
        }
    }
    return y;
}

Sequence AgnosticLabels::draw(Index i) const {
    Sequence sequence = inner_->draw(i);
    const Index n = sequence.Z.cols();
    const bool prefixes = traits_.labels == LabelKind::per_prefix;
    sequence.y.resize(traits_.o, prefixes ? n : 1);
    for (Index t = 0; t < sequence.y.cols(); ++t) {
        sequence.y.col(t) = label(sequence.Z, prefixes ? t + 1 : n);
    }
    return sequence;
}

GroundTruth AgnosticLabels::truth() const {
    GroundTruth truth;
    if (kind_ == AgnosticKind::coefficients) {
        truth.P = first_;
    }
    return truth;
}

}  // namespace attest
