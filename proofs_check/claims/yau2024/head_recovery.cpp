#include "core/features/coefficients.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/split_heads.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/other_routes.hpp"
#include "proofs_check/exact/singular_heads.hpp"

namespace attest::yau2024 {

namespace {

struct Recovered {
    Index exact = 0;
    Index few = 0;
    Index in_double = 0;
    Index in_50_digits = 0;
    Index in_100_digits = 0;
    Index shortened = 0;
};

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

/// From the data of a truth with any number of heads to d² heads or fewer, and back to a function.
void recover(Recovered& count, Index d, Index heads, const Stream& stream) {
    const RationalParameters truth = random_heads(d, d, heads, 2, stream.child("truth"));
    std::vector<RationalMatrix> Z;
    RationalMatrix H;
    for (Index attempt = 0; Z.empty() || rational_rank(H) < H.cols(); ++attempt) {
        Z = random_sequences(feature_dim(d) + 1, d, 3, 2, stream.child("Z").child(attempt));
        H = feature_rows(Z);
    }
    const RationalMatrix P = least_squares(realisable_problem(Z, truth));
    const RationalParameters found = rank_heads(symmetric_gauge<Rational>(P, d), d);
    const RationalMatrix query = random_integers(d, 3, 9, stream.child("query"));
    count.exact += output(found, query) == output(truth, query) ? 1 : 0;
    count.few += found.num_heads() <= d * d ? 1 : 0;

    const Matrix rounded = P.cast<double>();
    count.in_double += within_rounding<double>(split_heads(rounded, d).heads, rounded);
    count.in_50_digits += by_jacobi<Real50>(P, d);
    count.in_100_digits += by_jacobi<Real100>(P, d);

    RationalParameters fewer = found;
    if (!fewer.heads.empty()) {
        fewer.heads.pop_back();
    }
    count.shortened += coefficients(fewer) == P ? 1 : 0;
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const Index cases = context.pick(15, 90);
    Recovered count;
    for (Index i = 0; i < cases; ++i) {
        recover(count, 1 + i % 3, 1 + i % 10, context.stream.child(i));
    }
    evidence.check(Form::tested,
                   count.exact == cases && count.few == cases,
                   formatted("certified integer data of a truth with 1 to 10 heads, d <= 3: least "
                             "squares and a rank factorisation of W, both over Q, give at most d^2 "
                             "heads with the truth's output on a fresh input in {} of {} cases",
                             count.exact,
                             cases));
    const auto rounding = [&](Index agreeing, const std::string& precision) {
        evidence.check(Form::tested,
                       agreeing == cases,
                       formatted("the heads of the SVD have the coefficients within 20 d^2 u ||P|| "
                                 "in {} of {} cases, u the unit in the last place",
                                 agreeing,
                                 cases),
                       precision);
    };
    rounding(count.in_double, "double");
    rounding(count.in_50_digits, "50 digits");
    rounding(count.in_100_digits, "100 digits");
    evidence.check(
        Form::control,
        count.shortened < cases,
        formatted("with one head fewer than the rank of W the coefficients are right in {}",
                  count.shortened));
    return evidence;
}

}  // namespace

Claim head_recovery() {
    return {
        .id = "yau2024/head_recovery",
        .paper = "arXiv 2410.10101",
        .place = "Theorem 2.2 with Lemma 2.3, heads from data",
        .printed = kOurs,
        .tested =
            "from certified data of a layer with any number of heads, at most d^2 heads are "
            "found that compute the same function: exactly over Q, by the SVD within rounding",
        .deviation = "",
        .depends_on = "yau2024/lemma_2_3 yau2024/theorem_2_2_heads",
        .method = Method::sampled,
        .documented = Outcome::holds,
        .explain =
            "Certified data give P; W with these coefficients has at most d^2 columns that "
            "are independent, and any factorisation of W is a list of heads.",
        .run = run,
    };
}

}  // namespace attest::yau2024
