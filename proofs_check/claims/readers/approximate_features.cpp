#include "core/certify/rank/exact_rank.hpp"
#include "core/features/coefficients.hpp"
#include "proofs_check/claims/readers/questions.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest::readers {

namespace {

/// The squares S_jj z_l: the last 4 of the 6 features of d = 2.
constexpr Index kKept = 4;

/// ψ×m, rows e_i of the last m features.
RationalMatrix keep_last(Index psi, Index m) {
    RationalMatrix R = RationalMatrix::Zero(psi, m);
    R.bottomRows(m).setIdentity();
    return R;
}

/// A ψ×m matrix of random signs.
RationalMatrix random_signs(Index psi, Index m, const Stream& stream) {
    Draws draws(stream);
    RationalMatrix R(psi, m);
    for (Index j = 0; j < m; ++j) {
        for (Index i = 0; i < psi; ++i) {
            R(i, j) = draws.below(2) == 0 ? -1 : 1;
        }
    }
    return R;
}

/// Least squares on the features R'H in place of H, and the risk that is left.
struct SketchedFit {
    RationalMatrix P;  ///< R times the coefficients of the sketch, ψ×o
    Rational risk;
};

SketchedFit fit_sketch(const ExactProblem& data, const RationalMatrix& R) {
    const RationalMatrix P = R * least_squares({data.H * R, data.Y});
    return {P, risk(data, P)};
}

/// The risk left on data of full rank with the labels H P, in closed form: with B a basis of the
/// functionals that vanish on R, tr (B'P)' (B' Λ⁻¹ B)⁻¹ (B'P). For dropped features B'P is what was
/// dropped and (B' Λ⁻¹ B)⁻¹ the Schur complement of the kept ones in Λ.
Rational risk_left(const RationalMatrix& Lambda, const RationalMatrix& P, const RationalMatrix& R) {
    const RationalMatrix B = rational_null_space(R.transpose());
    if (B.cols() == 0) {
        return 0;
    }
    const RationalMatrix outside = B.transpose() * P;
    const RationalMatrix form = B.transpose() * (rational_inverse(Lambda) * B);
    return frobenius(outside, rational_inverse(form) * outside);
}

/// A certificate on kept or sketched features says nothing of the others.
void check_no_certificate(Evidence& evidence, const ClaimContext& context) {
    const std::vector<RationalMatrix> Z = exact_sequences(one_hot_four());
    const RationalParameters truth{2, 1, {{RationalMatrix{{1, 0}}, unit_matrix(2, 2, 1)}}};
    const ExactProblem data = realisable_problem(Z, truth);
    const RationalMatrix R = keep_last(6, kKept);
    const SketchedFit fit = fit_sketch(data, R);
    const RationalMatrix query{{1, 1}, {0, 1}};
    const RationalMatrix learned = feature_rows({query}) * fit.P;
    evidence.check(
        Form::tested,
        rational_rank(data.H * R) == kKept &&
            certify_rank(one_hot_four()).verdict == RankVerdict::deficient && fit.risk == 0 &&
            learned.isZero(Rational(0)) && output(truth, query)(0) == 1,
        "dropping the pairs: on " + to_text(Z[0]) + ", " + to_text(Z[1]) + ", " + to_text(Z[2]) +
            ", " + to_text(Z[3]) +
            " the four kept features S_jj z_l have rank 4, so lambda_min of the kept is positive, "
            "and certify_rank proves the data deficient; with the truth S_12 z_1 the fit has risk "
            "0, and on " +
            to_text(query) + " it gives 0, the truth 1");

    const RationalMatrix five = feature_rows(exact_sequences(deficient_five()));
    const Index draws = context.pick(40, 400);
    Index full = 0;
    for (Index i = 0; i < draws; ++i) {
        const RationalMatrix signs = random_signs(6, 4, context.stream.child("signs").child(i));
        full += rational_rank(five * signs) == 4 ? 1 : 0;
    }
    evidence.check(Form::tested,
                   full > 0 && rational_rank(five) == 5,
                   formatted("sketching: of {} sketches of the six features to four random signed "
                             "sums, {} have full rank 4 on the five inputs of rank 5: m sketched "
                             "features of full rank prove rank m or more, not psi",
                             draws,
                             full),
                   kSampled);
}

/// The safe directions: from all features to fewer, and from fewer examples to all.
void check_safe(Evidence& evidence, const ClaimContext& context) {
    const Index draws = context.pick(12, 100);
    Index injective = 0;
    Index inherited = 0;
    Index proved = 0;
    Index safe = 0;
    for (Index i = 0; i < draws; ++i) {
        const Stream stream = context.stream.child("safe").child(i);
        const RationalMatrix H =
            feature_rows(random_sequences(i % 3 == 0 ? 5 : 9, 2, 2, 2, stream.child("Z")));
        const RationalMatrix R = random_signs(6, 3, stream.child("R"));
        if (rational_rank(H) == 6 && rational_rank(R) == 3) {
            ++injective;
            inherited += rational_rank(H * R) == 3 ? 1 : 0;
        }
        const RationalMatrix rows = random_signs(H.rows(), 7, stream.child("rows")).transpose();
        if (rational_rank(rows * H) == 6) {
            ++proved;
            safe += rational_rank(H) == 6 ? 1 : 0;
        }
    }
    evidence.check(
        Form::tested,
        injective > 0 && inherited == injective && proved > 0 && proved < draws && safe == proved,
        formatted(
            "two directions are safe: full rank of all features gave full rank of an injective "
            "sketch of them ({} of {}), and full rank of sketched examples, random signed sums of "
            "rows of H, was full rank of all ({} of {} that had it, out of {})",
            inherited,
            injective,
            safe,
            proved,
            draws),
        kSampled);
}

/// What a truth outside the span of the kept or sketched features leaves, two ways.
void check_risk_left(Evidence& evidence, const ClaimContext& context) {
    const Index draws = context.pick(16, 160);
    Index equal = 0;
    Index positive = 0;
    Index inside = 0;
    const std::vector<RationalMatrix> six = exact_sequences(unimodular_six());
    const RationalMatrix H = feature_rows(six);
    const RationalMatrix Lambda = second_moment(H);
    for (Index i = 0; i < draws; ++i) {
        const Stream stream = context.stream.child("risk").child(i);
        const Index m = 1 + i % 5;
        const RationalMatrix R =
            i % 2 == 0 ? keep_last(6, m) : random_signs(6, m, stream.child("R"));
        const RationalParameters truth = random_heads(2, 2, 2, 3, stream.child("truth"));
        const RationalMatrix P = coefficients(truth);
        const SketchedFit fit = fit_sketch(realisable_problem(six, truth), R);
        equal += fit.risk == risk_left(Lambda, P, R) ? 1 : 0;
        const RationalMatrix represented = R * random_integers(m, 2, 4, stream.child("q"));
        inside += fit_sketch({H, H * represented}, R).risk == 0 ? 1 : 0;
        const bool outside = !rational_solve(R, P).has_value();
        positive += outside == (fit.risk > 0) ? 1 : 0;
    }
    evidence.check(
        Form::tested,
        equal == draws && positive == draws && inside == draws,
        formatted("on the unimodular six the risk left by m = 1 to 5 kept or sketched features R'H "
                  "is tr (B'P)'(B' Lambda^-1 B)^-1 (B'P), R'B = 0, equal to that of least squares "
                  "on {} of {} truths; 0 exactly where P lies in the span of R",
                  equal,
                  draws),
        kSampled);
}

/// The form that weighs the dropped coefficients: the Schur complement of the kept features, or, a
/// fault, the block of Lambda itself.
enum class Weight : std::uint8_t { schur_complement, block };

/// The truth S_12 z_1 without the pairs. Accepted: the risk left is the one predicted, between 0
/// and that of the zero function, and the kept features take over a part.
Answer leaves_as_predicted(Weight weight) {
    const RationalParameters truth{2, 1, {{RationalMatrix{{1, 0}}, unit_matrix(2, 2, 1)}}};
    const ExactProblem data = realisable_problem(exact_sequences(unimodular_six()), truth);
    const RationalMatrix R = keep_last(6, kKept);
    const SketchedFit fit = fit_sketch(data, R);
    const Rational none = squared_norm(data.Y) / data.num_examples();
    const RationalMatrix Lambda = second_moment(data.H);
    const RationalMatrix P = coefficients(truth);
    const RationalMatrix dropped = P.topRows(6 - kKept);
    const RationalMatrix block = Lambda.topLeftCorner(6 - kKept, 6 - kKept);
    const Rational predicted = weight == Weight::schur_complement
                                   ? risk_left(Lambda, P, R)
                                   : frobenius(dropped, block * dropped);
    return {fit.risk == predicted && fit.risk > 0 && fit.risk < none && !fit.P.isZero(Rational(0)),
            "the truth S_12 z_1 without the pairs: risk " + fit.risk.str() + " of " + none.str() +
                " is left, where the " +
                (weight == Weight::schur_complement ? "Schur complement of the kept features"
                                                    : "block of Lambda on the dropped features") +
                " gives " + predicted.str() +
                ", and the kept features take over what they can: coefficients " +
                to_text_vector(fit.P.col(0)) + " in place of 0 on S_11 z_1, ..., S_22 z_2"};
}

Evidence test_approximate_features(const ClaimContext& context) {
    Evidence evidence;
    check_no_certificate(evidence, context);
    check_safe(evidence, context);
    check_risk_left(evidence, context);
    const SharedTest left(evidence, leaves_as_predicted);
    left.check(Form::tested, Weight::schur_complement);
    left.control(Weight::block);
    return evidence;
}

}  // namespace

Claim approximate_features() {
    return {
        .id = "readers/approximate_features",
        .place = "a reader's question",
        .printed =
            "no statement, a question: can features be dropped or sketched to make large d "
            "tractable, and what does a certificate on them say?",
        .tested =
            "full rank of m kept or sketched features proves rank >= m, not the certificate; full "
            "rank of sketched examples does prove it; a truth outside the span of the sketch "
            "leaves the risk tr (B'P)'(B' Lambda^-1 B)^-1 (B'P) on certified data, and possibly "
            "none on others",
        .depends_on = "yau2024/lemma_2_3",
        .method = Method::exact,
        .explain =
            "rank HR and rank SH are at most rank H. With HR of full rank the sketched model is "
            "unique among sketched models only. Its best fit to HP is the projection of P on the "
            "span of R in the form Lambda, and the square of the distance is the minimum of "
            "D'Lambda D over D with B'D = B'P.",
        .run = test_approximate_features,
    };
}

}  // namespace attest::readers
