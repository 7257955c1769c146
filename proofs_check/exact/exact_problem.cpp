#include "proofs_check/exact/exact_problem.hpp"

#include "core/base/error.hpp"
#include "core/features/cubic.hpp"
#include "core/model/forward.hpp"

namespace attest {

std::vector<RationalMatrix> exact_sequences(const Dataset& data) {
    std::vector<RationalMatrix> sequences;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        sequences.emplace_back(data.sequence(i).cast<Rational>());
    }
    return sequences;
}

std::vector<RationalMatrix> random_sequences(
    Index num_sequences, Index d, Index n, Index bound, const Stream& stream) {
    std::vector<RationalMatrix> sequences;
    for (Index i = 0; i < num_sequences; ++i) {
        sequences.push_back(random_integers(d, n, bound, stream.child(i)));
    }
    return sequences;
}

RationalParameters random_heads(Index d, Index o, Index heads, Index bound, const Stream& stream) {
    RationalParameters theta{d, o, {}};
    for (Index h = 0; h < heads; ++h) {
        theta.heads.push_back({random_integers(o, d, bound, stream.child("V").child(h)),
                               random_integers(d, d, bound, stream.child("Q").child(h))});
    }
    return theta;
}

RationalMatrix feature_rows(const std::vector<RationalMatrix>& Z) {
    require(!Z.empty(), "feature_rows: got no sequence, expected at least one");
    RationalMatrix H(static_cast<Index>(Z.size()), feature_dim(Z.front().rows()));
    for (std::size_t i = 0; i < Z.size(); ++i) {
        H.row(static_cast<Index>(i)) = cubic_features<Rational>(Z[i]).transpose();
    }
    return H;
}

RationalVector output(const RationalParameters& theta, const RationalMatrix& Z) {
    return attend<Rational>(theta, Z, Z.col(Z.cols() - 1));
}

ExactProblem realisable_problem(const std::vector<RationalMatrix>& Z,
                                const RationalParameters& theta) {
    ExactProblem problem{feature_rows(Z), RationalMatrix(static_cast<Index>(Z.size()), theta.o)};
    for (std::size_t i = 0; i < Z.size(); ++i) {
        problem.Y.row(static_cast<Index>(i)) = output(theta, Z[i]).transpose();
    }
    return problem;
}

RationalMatrix second_moment(const RationalMatrix& H) {
    return H.transpose() * H / Rational(H.rows());
}

Rational risk(const ExactProblem& problem, const RationalMatrix& P) {
    const RationalMatrix residual = problem.H * P - problem.Y;
    return squared_norm(residual) / Rational(problem.num_examples());
}

RationalMatrix least_squares(const ExactProblem& problem) {
    const RationalMatrix G = problem.H.transpose() * problem.H;
    const RationalMatrix C = problem.H.transpose() * problem.Y;
    const std::optional<RationalMatrix> P = rational_solve(G, C);
    ensure(P.has_value(), "least_squares: the normal equations have no solution");
    return *P;
}

Rational leverage(const RationalMatrix& Lambda, const RationalVector& h) {
    const std::optional<RationalMatrix> x = rational_solve(Lambda, h);
    ensure(x.has_value(), "leverage: the features are not in the range of the second moment");
    return frobenius(h, *x);
}

RationalMatrix unit_matrix(Index d, Index j, Index k) {
    RationalMatrix E = RationalMatrix::Zero(d, d);
    E(j - 1, k - 1) = 1;
    return E;
}

}  // namespace attest
