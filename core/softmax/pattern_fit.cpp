#include "core/softmax/pattern_fit.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace attest {

PatternFit::PatternFit(Index d, Index tokens)
    : d_(d), steps_(tokens - 1), target_(d), base_(d), design_(d, tokens - 1), p_(tokens) {
    require(tokens >= 2 && steps_ <= kMostSteps,
            "pattern fit: got {} tokens, expected 2 to {}",
            tokens,
            kMostSteps + 1);
}

void PatternFit::start(const double* label, const double* value) {
    for (Index c = 0; c < d_; ++c) {
        base_(c) = value[c];
        target_(c) = label[c] - value[c];
    }
}

void PatternFit::add(Index step, const double* value) {
    for (Index c = 0; c < d_; ++c) {
        design_(c, step) = value[c] - base_(c);
    }
}

bool PatternFit::solve(double min_design, double min_probability) {
    return steps_ == 1 ? solve_one(min_design, min_probability)
                       : solve_many(min_design, min_probability);
}

bool PatternFit::solve_one(double min_design, double min_probability) {
    double square = 0.0;
    double product = 0.0;
    for (Index c = 0; c < d_; ++c) {
        square += design_(c, 0) * design_(c, 0);
        product += design_(c, 0) * target_(c);
    }
    if (!(square >= min_design * min_design) || !(square > 0.0)) {
        return false;
    }
    const double q = product / square;
    p_(0) = 1.0 - q;
    p_(1) = q;
    if (!(p_(0) >= min_probability && p_(1) >= min_probability)) {
        return false;
    }
    target_ -= q * design_.col(0);
    return accept(std::sqrt(square), min_probability);
}

bool PatternFit::solve_many(double min_design, double min_probability) {
    using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostSteps, kMostSteps>;
    using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostSteps, 1>;
    Small gram(steps_, steps_);
    gram.noalias() = design_.transpose().lazyProduct(design_);
    const Eigen::SelfAdjointEigenSolver<Small> eigen(gram);
    const double least = eigen.eigenvalues()(0);
    if (!(least >= min_design * min_design) || !(least > 0.0)) {
        return false;
    }
    SmallVector q = design_.transpose().lazyProduct(target_);
    SmallVector rotated = eigen.eigenvectors().transpose().lazyProduct(q);
    rotated.array() /= eigen.eigenvalues().array();
    q = eigen.eigenvectors().lazyProduct(rotated);
    p_(0) = 1.0 - q.sum();
    p_.tail(steps_) = q;
    if (!(p_.minCoeff() >= min_probability)) {
        return false;
    }
    target_ -= design_.lazyProduct(q);
    return accept(std::sqrt(least), min_probability);
}

bool PatternFit::accept(double sigma, double min_probability) {
    const double least = p_.minCoeff();
    score_ = target_.norm() / (sigma * std::max(least, min_probability));
    return true;
}

}  // namespace attest
