#include "core/certify/numerical/enclosure.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/exact/reals.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/explicit_heads.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "proofs_check/exact/other_routes.hpp"

namespace attest::yau2024 {

namespace {

/// Primal elimination, kernel and scrambled heads give one function on certified data.
void check_exact_routes(Evidence& evidence, const ClaimContext& context) {
    const Index sets = context.pick(9, 60);
    Index certified = 0;
    Index same = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = context.stream.child("set").child(i);
        const Index d = 1 + i % 3;
        const RationalParameters truth = random_heads(d, d, 1 + i % 3, 2, stream.child("truth"));
        const std::vector<RationalMatrix> Z =
            random_sequences(feature_dim(d) + 1, d, 3, 2, stream.child("Z"));
        const ExactProblem data = realisable_problem(Z, truth);
        if (rational_rank(data.H) < data.psi()) {
            continue;
        }
        ++certified;
        const RationalMatrix P = least_squares(data);
        const RationalParameters heads =
            scrambled_heads(symmetric_query_heads<Rational>(P, d), stream.child("gauge"));
        const RationalMatrix query = random_integers(d, 4, 9, stream.child("query"));
        same += kernel_minimiser(Z, data.Y) == P && coefficients(heads) == P &&
                        output(heads, query) == output(truth, query)
                    ? 1
                    : 0;
    }
    evidence.check(
        Form::printed,
        certified > 0 && same == certified,
        formatted("elimination on the features, the N x N kernel and heads after a random GL(H) "
                  "and gauge transformation have the same coefficients and the truth's output on a "
                  "fresh input, on {} of {} certified integer data sets, d <= 3",
                  same,
                  certified));
}

/// Data with a start of gradient descent, and the least eigenvalue that is claimed of them.
struct Descent {
    RationalMatrix H;
    RationalMatrix Y;
    RationalMatrix start;
    Rational lambda_min;
    std::string where;
};

/// A random start on the unimodular six; the eigenvalue is the lower end of a rigorous enclosure.
Descent certified_descent(const ClaimContext& context) {
    const LambdaMinEnclosure lambda = enclose_lambda_min(exact_second_moment(unimodular_six()));
    return {feature_rows(exact_sequences(unimodular_six())),
            random_integers(6, 2, 5, context.stream.child("labels")),
            random_integers(6, 2, 9, context.stream.child("start")),
            to_rational(lambda.lo),
            "from a random start on the unimodular six, lambda_min proved"};
}

/// Rank ψ − 1, labels 0, and the null vector for a start, with the same eigenvalue claimed.
Descent deficient_descent(const Descent& certified) {
    const RationalMatrix H = feature_rows(exact_sequences(deficient_five()));
    RationalMatrix start = RationalMatrix::Zero(6, 2);
    start.col(0) = rational_null_space(H).col(0);
    const RationalMatrix elsewhere = feature_rows({RationalMatrix{{1, 1}, {0, 1}}}) * start;
    return {H,
            RationalMatrix::Zero(H.rows(), 2),
            start,
            certified.lambda_min,
            "with labels 0 from the null vector " + to_text_vector(start.col(0)) +
                " of five inputs of rank psi - 1, which gives " + to_text(elsewhere) +
                " instead of 0 on [[1, 1], [0, 1]]"};
}

/// Accepted: λ_min > 0 and ‖P_k − P*‖ ≤ (1 − λ_min/tr Λ)^k ‖P_0 − P*‖, P* the minimiser that
/// elimination finds.
template <class Scalar>
Answer contracts(const Descent& descent) {
    using std::pow;
    const Index steps = 4000;
    const ExactProblem data{descent.H, descent.Y};
    const RationalMatrix Lambda = second_moment(data.H);
    const RationalMatrix cross = data.H.transpose() * data.Y / Rational(data.num_examples());
    const MatrixOf<Scalar> L = Lambda.cast<Scalar>();
    const MatrixOf<Scalar> best = least_squares(data).cast<Scalar>();
    const MatrixOf<Scalar> from = descent.start.cast<Scalar>();
    const MatrixOf<Scalar> error = descend<Scalar>(L, cross.cast<Scalar>(), from, steps) - best;
    const MatrixOf<Scalar> at_start = from - best;
    const Scalar rate = pow(Scalar(1) - static_cast<Scalar>(descent.lambda_min) / L.trace(),
                            static_cast<int>(steps));
    // The bound is above 1e-6, rounding below 1e-10: a factor 1 + 2^-10 covers it.
    const bool obeyed = error.norm() <= rate * at_start.norm() * Scalar(1 + 1.0 / 1024);
    const auto rounded = [](const Scalar& value) {
        return round_trip(std::round(static_cast<double>(value) * 1e9) / 1e9);
    };
    return {obeyed && descent.lambda_min > 0,
            formatted("gradient descent {}: after {} steps the distance to the exact minimiser is "
                      "{} of what it was, by (1 - lambda_min/tr Lambda)^{} at most {}",
                      descent.where,
                      steps,
                      rounded(error.norm() / at_start.norm()),
                      steps,
                      rounded(rate))};
}

Evidence test_erm_equivalence(const ClaimContext& context) {
    Evidence evidence;
    check_exact_routes(evidence, context);
    const Descent certified = certified_descent(context);
    const SharedTest descent(evidence, contracts<double>, "double");
    descent.check(Form::printed, certified);
    SharedTest(evidence, contracts<Real50>, "50 digits").check(Form::printed, certified);
    SharedTest(evidence, contracts<Real100>, "100 digits").check(Form::printed, certified);
    descent.control(deficient_descent(certified));
    return evidence;
}

}  // namespace

Claim erm_equivalence() {
    return {
        .id = "yau2024/erm_equivalence",
        .place = "Lemma 2.3, minimisers by four routes",
        .printed =
            "data realisable, lambda_min(Lambda) > 0: all empirical risk minimisers compute "
            "the same function",
        .tested =
            "the minimisers found by elimination, by the kernel, in other heads, and by "
            "gradient descent from a random start",
        .depends_on = "yau2024/lemma_2_3 yau2024/algorithm_1",
        .method = Method::property,
        .severity = Severity::none,
        .explain =
            "The minimisers over P are the solutions of Lambda P = C. Elimination on the features, "
            "the kernel and gradient descent lead to the only one, and so do other heads made of "
            "it; gradient descent contracts the error by 1 - lambda_min/tr Lambda in each step.",
        .run = test_erm_equivalence,
    };
}

}  // namespace attest::yau2024
