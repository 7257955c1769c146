#include "core/certify/rank/exact_rank.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest::yau2024 {

namespace {

/// Inputs, and the layer that labels them.
struct Taught {
    std::vector<RationalMatrix> Z;
    RationalParameters truth;
};

/// Accepted: on each of the sets the truth's coefficients are the only ones without training loss.
Answer only_truth_fits(const std::vector<Taught>& sets) {
    Index determined = 0;
    Index recovered = 0;
    for (const auto& [Z, truth] : sets) {
        const ExactProblem data = realisable_problem(Z, truth);
        if (rational_null_space(data.H).cols() > 0) {
            continue;
        }
        ++determined;
        const RationalMatrix P = least_squares(data);
        recovered += P == coefficients(truth) && risk(data, P) == 0 ? 1 : 0;
    }
    const auto count = static_cast<Index>(sets.size());
    return {recovered == count,
            formatted("of {} integer data sets {} have one P without training loss, and on {} it "
                      "is that of the truth, so every empirical risk minimiser is the same "
                      "function",
                      count,
                      determined,
                      recovered)};
}

/// On certified realisable data the normal equations have one solution: the truth's coefficients.
void check_random(Evidence& evidence, const ClaimContext& context) {
    const Index sets = context.pick(18, 120);
    std::vector<Taught> certified;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = context.stream.child("set").child(i);
        const Index d = 1 + i % 3;
        const RationalParameters truth = random_heads(d, d, 1 + i % 4, 3, stream.child("truth"));
        const std::vector<RationalMatrix> Z =
            random_sequences(feature_dim(d) + 2, d, 3, 4, stream.child("Z"));
        if (rational_rank(feature_rows(Z)) == feature_dim(d)) {
            certified.push_back({Z, truth});
        }
    }
    evidence.check(Form::hypothesis,
                   !certified.empty(),
                   formatted("lambda_min > 0 (rank psi over Q) for {} of {} random integer data "
                             "sets, d <= 3, 1 to 4 heads",
                             certified.size(),
                             sets),
                   kSampled);
    const SharedTest only(evidence, only_truth_fits, kSampled);
    only.check(Form::printed, certified);
    // Labels 0 on five inputs of rank 5: the zero function is not alone.
    only.control(
        std::vector<Taught>{{exact_sequences(deficient_five()), RationalParameters{2, 2, {}}}});
}

/// Rank ψ − 1: with enough heads a second minimiser exists.
void check_deficient(Evidence& evidence) {
    const std::vector<RationalMatrix> five = exact_sequences(deficient_five());
    const RationalMatrix H = feature_rows(five);
    const RationalParameters two{2,
                                 2,
                                 {{unit_matrix(2, 1, 1), unit_matrix(2, 1, 2)},
                                  {-unit_matrix(2, 1, 2), unit_matrix(2, 2, 1)}}};
    const ExactProblem data{H, RationalMatrix::Zero(5, 2)};
    const RationalMatrix Z{{1, 1}, {0, 1}};
    const bool fits = risk(data, coefficients(two)) == 0;
    const bool differs = output(two, Z) != RationalVector::Zero(2);
    evidence.check(Form::tested,
                   rational_rank(H) == 5 && fits && differs,
                   "rank psi - 1 does not suffice: five inputs " + to_text(five[0]) + ", " +
                       to_text(five[1]) + ", " + to_text(five[2]) + ", " + to_text(five[3]) + ", " +
                       to_text(five[4]) +
                       " with labels 0 have rank 5 of 6; the zero function and "
                       "(E_11, E_12), (-E_12, E_21) fit them all, on " +
                       to_text(Z) + " the latter gives " + to_text_vector(output(two, Z)));
    evidence.check(Form::tested,
                   certify_rank(deficient_five()).verdict == RankVerdict::deficient &&
                       certify_rank(unimodular_six()).verdict == RankVerdict::full_rank &&
                       rational_determinant(feature_rows(exact_sequences(unimodular_six()))) == 1,
                   "certify_rank proves both verdicts: deficient for these five inputs, full rank "
                   "for the unimodular six, whose feature matrix has determinant 1");
}

/// The converse fails for one head: its coefficients never have the direction of the null vector.
void check_converse(Evidence& evidence, const ClaimContext& context) {
    const RationalMatrix H = feature_rows(exact_sequences(deficient_five()));
    const RationalMatrix null_space = rational_null_space(H);
    const Index draws = context.pick(200, 2000);
    bool vanishes_only_at_zero = true;
    for (Index i = 0; i < draws; ++i) {
        const RationalMatrix P =
            coefficients(random_heads(2, 2, 1, 2, context.stream.child("one").child(i)));
        const RationalMatrix outputs = H * P;
        vanishes_only_at_zero =
            vanishes_only_at_zero && (!outputs.isZero(Rational(0)) || P.isZero(Rational(0)));
    }
    evidence.check(
        Form::tested,
        null_space.cols() == 1 && vanishes_only_at_zero,
        formatted(
            "the converse fails for few heads: the null vector of the five inputs is {}, S_11 z_2 "
            "- S_22 z_1, whose form x_1^2 w_2 - x_2^2 w_1 has no factor v.x; none of {} one-head "
            "models with small integer entries other than the zero function fits the labels 0",
            to_text_vector(null_space.col(0)),
            draws),
        kSampled);
}

Evidence test_lemma_2_3(const ClaimContext& context) {
    Evidence evidence;
    check_random(evidence, context);
    check_deficient(evidence);
    check_converse(evidence, context);
    return evidence;
}

}  // namespace

Claim lemma_2_3() {
    return {
        .id = "yau2024/lemma_2_3",
        .place = "Lemma 2.3, Lemma A.3",
        .printed =
            "data realisable and lambda_min(Lambda) > 0: all empirical risk minimisers with "
            "H heads compute the same function",
        .tested = "the same; with few heads the converse fails",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "A minimiser on realisable data has loss 0, so its coefficients satisfy P'H_i = "
            "y_i for all i, hence Lambda P = C. If Lambda is positive definite there is one "
            "such P, and P is the function.",
        .machine_checked = {"certificate.v: realisable", "all but the failing converse"},
        .run = test_lemma_2_3,
    };
}

}  // namespace attest::yau2024
