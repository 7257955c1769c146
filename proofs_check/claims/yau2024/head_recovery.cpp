#include "core/exact/reals.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/split_heads.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/other_routes.hpp"
#include "proofs_check/exact/singular_heads.hpp"

namespace attest::yau2024 {

namespace {

/// Certified data of a truth, and what least squares makes of them.
struct Problem {
    RationalParameters truth;
    RationalMatrix P;
    RationalMatrix query;
};

Problem problem(Index d, Index heads, const Stream& stream) {
    const RationalParameters truth = random_heads(d, d, heads, 2, stream.child("truth"));
    std::vector<RationalMatrix> Z;
    RationalMatrix H;
    for (Index attempt = 0; Z.empty() || rational_rank(H) < H.cols(); ++attempt) {
        Z = random_sequences(feature_dim(d) + 1, d, 3, 2, stream.child("Z").child(attempt));
        H = feature_rows(Z);
    }
    return {truth,
            least_squares(realisable_problem(Z, truth)),
            random_integers(d, 3, 9, stream.child("query"))};
}

/// Accepted: a rank factorisation of W, its last `dropped` heads left out, gives at most d² heads
/// with the truth's output, in every case.
Answer recovers(const std::vector<Problem>& problems, Index dropped) {
    Index right = 0;
    for (const auto& [truth, P, query] : problems) {
        RationalParameters found = rank_heads(symmetric_gauge<Rational>(P, truth.d), truth.d);
        for (Index i = 0; i < dropped && !found.heads.empty(); ++i) {
            found.heads.pop_back();
        }
        right +=
            found.num_heads() <= truth.d * truth.d && output(found, query) == output(truth, query)
                ? 1
                : 0;
    }
    const auto cases = static_cast<Index>(problems.size());
    return {right == cases,
            formatted("certified integer data of a truth with 1 to 10 heads, d <= 3: least squares "
                      "and a rank factorisation of W, both over Q, {} of its heads left out, give "
                      "at most d^2 heads with the truth's output on a fresh input in {} of {} "
                      "cases",
                      dropped,
                      right,
                      cases)};
}

/// 1 if the heads have the coefficients P within 20 d² u ‖P‖.
template <class Scalar>
Index within_rounding(const ParametersOf<Scalar>& heads, const MatrixOf<Scalar>& P) {
    const MatrixOf<Scalar> error = coefficients(heads) - P;
    const Scalar unit = std::numeric_limits<Scalar>::epsilon();
    return error.norm() <= Scalar(20 * heads.d * heads.d) * unit * P.norm() ? 1 : 0;
}

template <class Scalar>
Index by_jacobi(const RationalMatrix& P, Index d) {
    const MatrixOf<Scalar> rounded = P.cast<Scalar>();
    return within_rounding<Scalar>(singular_heads<Scalar>(symmetric_gauge<Scalar>(rounded, d), d),
                                   rounded);
}

Index in_double(const RationalMatrix& P, Index d) {
    const Matrix rounded = P.cast<double>();
    return within_rounding<double>(split_heads(rounded, d).heads, rounded);
}

Evidence test_head_recovery(const ClaimContext& context) {
    Evidence evidence;
    const Index cases = context.pick(15, 90);
    std::vector<Problem> problems;
    for (Index i = 0; i < cases; ++i) {
        problems.push_back(problem(1 + i % 3, 1 + i % 10, context.stream.child(i)));
    }
    const SharedTest recovery(evidence, recovers, kSampled);
    recovery.check(Form::tested, problems, Index{0});
    recovery.control(problems, Index{1});
    const auto rounding = [&](Index (*agrees)(const RationalMatrix&, Index),
                              const std::string& precision) {
        Index agreeing = 0;
        for (const Problem& each : problems) {
            agreeing += agrees(each.P, each.truth.d);
        }
        evidence.check(Form::tested,
                       agreeing == cases,
                       formatted("the heads of the SVD have the coefficients within 20 d^2 u ||P|| "
                                 "in {} of {} cases, u the unit in the last place",
                                 agreeing,
                                 cases),
                       precision);
    };
    rounding(in_double, "double");
    rounding(by_jacobi<Real50>, "50 digits");
    rounding(by_jacobi<Real100>, "100 digits");
    return evidence;
}

}  // namespace

Claim head_recovery() {
    return {
        .id = "yau2024/head_recovery",
        .place = "Theorem 2.2 with Lemma 2.3, heads from data",
        .tested =
            "from certified data of a layer with any number of heads, at most d^2 heads are "
            "found that compute the same function: exactly over Q, by the SVD within rounding",
        .depends_on = "yau2024/lemma_2_3 yau2024/theorem_2_2_heads",
        .method = Method::sampled,
        .explain =
            "Certified data give P; W with these coefficients has at most d^2 columns that "
            "are independent, and any factorisation of W is a list of heads.",
        .run = test_head_recovery,
    };
}

}  // namespace attest::yau2024
