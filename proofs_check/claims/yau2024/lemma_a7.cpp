#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest::yau2024 {

namespace {

/// d = n = N = 1: Z = 1, y = 0, so Λ = 1; the models are V = ±v, Q = 1.
void check_printed(Evidence& evidence, const Rational& v, Form form, const std::string& words) {
    const RationalMatrix Z = RationalMatrix::Ones(1, 1);
    const RationalMatrix V = RationalMatrix::Constant(1, 1, v);
    const RationalParameters plus{1, 1, {{V, Z}}};
    const RationalParameters minus{1, 1, {{-V, Z}}};
    const Rational loss = squared_norm(output(plus, Z));
    const Rational other_loss = squared_norm(output(minus, Z));
    const Rational difference = output(plus, Z)(0) - output(minus, Z)(0);
    const Rational factor = form == Form::printed ? 1 : 4;
    const Rational allowed = factor * loss;
    const bool obeyed = loss == other_loss && difference <= allowed;
    evidence.check(
        form,
        form == Form::printed ? obeyed : !obeyed,
        words +
            formatted(": d = n = N = 1, Z = [[1]], y = 0, lambda_min = 1; V = {} and V = {} with Q "
                      "= 1 both have loss eps = {}; on Z they differ by {}, the bound allows {}",
                      v,
                      Rational(-v),
                      loss,
                      difference,
                      allowed));
}

struct Pair {
    RationalMatrix P;
    RationalMatrix other;
};

/// E‖ΔᵀH‖² = 2L + 2L' − 4L((P+P')/2), and the bound with this factor at every query, for one pair
/// of models.
bool pair_obeys(const ExactProblem& data,
                const Pair& pair,
                const RationalMatrix& queries,
                const Rational& factor) {
    const Rational least = risk(data, least_squares(data));
    const RationalMatrix Lambda = second_moment(data.H);
    const RationalMatrix Delta = pair.P - pair.other;
    const Rational L = risk(data, pair.P);
    const Rational other = risk(data, pair.other);
    const RationalMatrix middle = (pair.P + pair.other) / Rational(2);
    const Rational mean = squared_norm(data.H * Delta) / Rational(data.num_examples());
    bool obeyed = mean == 2 * L + 2 * other - 4 * risk(data, middle);
    const Rational eps = L > other ? L : other;
    for (Index i = 0; i < queries.rows(); ++i) {
        const RationalVector h = queries.row(i).transpose();
        const Rational squared = squared_norm(Delta.transpose() * h);
        obeyed = obeyed && squared <= factor * (eps - least) * leverage(Lambda, h);
    }
    return obeyed;
}

/// Accepted: random pairs of models on random data obey the bound with this factor, and so do P* ±
/// Λ⁻¹ h uᵀ at the query h.
Answer pairs_obey(const Rational& factor, Index pairs, const Stream& of_pairs) {
    const std::vector<RationalMatrix> six = exact_sequences(unimodular_six());
    Index obeyed = 0;
    Index extreme = 0;
    for (Index i = 0; i < pairs; ++i) {
        const Stream stream = of_pairs.child(i);
        std::vector<RationalMatrix> Z = six;
        const std::vector<RationalMatrix> more = random_sequences(3, 2, 2, 3, stream.child("Z"));
        Z.insert(Z.end(), more.begin(), more.end());
        const RationalMatrix H = feature_rows(Z);
        const ExactProblem data{H, random_integers(H.rows(), 2, 9, stream.child("y"))};
        const Pair pair{coefficients(random_heads(2, 2, 2, 3, stream.child("first"))),
                        coefficients(random_heads(2, 2, 1, 3, stream.child("second")))};
        const RationalMatrix queries =
            feature_rows(random_sequences(4, 2, 3, 5, stream.child("query")));
        obeyed += pair_obeys(data, pair, queries, factor) ? 1 : 0;
        const RationalMatrix best = least_squares(data);
        const RationalMatrix direction = rational_inverse(second_moment(H)) *
                                         queries.row(0).transpose() *
                                         RationalMatrix::Identity(1, 2);
        extreme += pair_obeys(data, {best + direction, best - direction}, queries, factor) ? 1 : 0;
    }
    return {obeyed == pairs && extreme == pairs,
            formatted("E||D'H||^2 = 2L + 2L' - 4L(middle) and ||difference||^2 <= {} (eps - L*) "
                      "lev(Z) hold for {} of {} random pairs of models on random integer data, 4 "
                      "queries each, and for P* + L^-1 h u' and P* - L^-1 h u' on {} of these data",
                      factor.str(),
                      obeyed,
                      pairs,
                      extreme)};
}

/// Accepted: P* ± Λ⁻¹ h uᵀ, with eps − L* = lev, differ at the query h by `factor` (eps − L*) lev,
/// squared.
Answer attained_with(const Rational& factor, const Stream& stream) {
    const RationalMatrix H = feature_rows(exact_sequences(unimodular_six()));
    const ExactProblem data{H, random_integers(6, 2, 5, stream.child("labels"))};
    const RationalMatrix Lambda = second_moment(H);
    const RationalMatrix best = least_squares(data);
    const RationalMatrix queries =
        feature_rows(random_sequences(5, 2, 3, 4, stream.child("tight")));
    bool attained = true;
    for (Index i = 0; i < queries.rows(); ++i) {
        const RationalVector h = queries.row(i).transpose();
        const RationalMatrix direction =
            rational_inverse(Lambda) * h * RationalMatrix::Identity(1, 2);
        const RationalMatrix P = best + direction;
        const RationalMatrix other = best - direction;
        const Rational gap = risk(data, P) - risk(data, best);
        const Rational squared = squared_norm((P - other).transpose() * h);
        const Rational lev = leverage(Lambda, h);
        attained = attained && gap == lev && risk(data, other) == risk(data, P) &&
                   squared == factor * gap * lev;
    }
    return {attained,
            formatted("P* + L^-1 h u' and P* - L^-1 h u' (L = Lambda) {} ||difference||^2 = {} "
                      "(eps - L*) lev at each of 5 queries",
                      attained ? "attain" : "do not attain",
                      factor.str())};
}

/// ‖H‖² = ‖z‖²(‖S‖² + Σ S_jj²)/2 ≤ ‖Z‖⁶.
void check_feature_norm(Evidence& evidence, const ClaimContext& context) {
    const Index draws = context.pick(100, 1000);
    bool obeyed = true;
    for (Index i = 0; i < draws; ++i) {
        const Stream stream = context.stream.child("norm").child(i);
        const RationalMatrix Z = random_integers(1 + i % 3, 1 + i % 4, 3, stream);
        const RationalMatrix S = Z * Z.transpose();
        const RationalMatrix diagonal = S.diagonal();
        const Rational query = squared_norm(Z.col(Z.cols() - 1));
        const Rational norm = squared_norm(cubic_features<Rational>(Z));
        const Rational size = squared_norm(Z);
        obeyed = obeyed && norm == query * (squared_norm(S) + squared_norm(diagonal)) / 2 &&
                 norm <= size * size * size;
    }
    RationalMatrix single = RationalMatrix::Zero(2, 2);
    single(1, 1) = 3;
    const Rational norm = squared_norm(cubic_features<Rational>(single));
    evidence.check(Form::tested,
                   obeyed && norm == 729,
                   formatted("||H||^2 = ||z||^2 (||S||^2 + sum S_jj^2)/2 <= ||Z||^6 on {} integer "
                             "inputs, with equality 3^6 = 729 at Z = [[0, 0], [0, 3]]",
                             draws),
                   kSampled);
}

void check_mean_leverage(Evidence& evidence) {
    const RationalMatrix H = feature_rows(exact_sequences(unimodular_six()));
    const RationalMatrix Lambda = second_moment(H);
    bool all_six = true;
    for (Index i = 0; i < H.rows(); ++i) {
        all_six = all_six && leverage(Lambda, H.row(i).transpose()) == 6;
    }
    evidence.check(Form::tested,
                   all_six,
                   "on the unimodular set of six inputs (d = 2, psi = 6) every training input has "
                   "leverage 6: its mean is psi on any data with lambda_min > 0");
}

Evidence test_lemma_a7(const ClaimContext& context) {
    Evidence evidence;
    check_printed(evidence, 1, Form::printed, "norm, factor 1");
    check_printed(evidence, Rational(1, 4), Form::tested, "the norm with factor 4 is false too");
    const SharedTest obeys(evidence, pairs_obey, kSampled);
    const Index pairs = context.pick(20, 200);
    obeys.check(Form::tested, Rational(4), pairs, context.stream.child("pair"));
    obeys.control(Rational(3), pairs, context.stream.child("pair"));
    // So the factor 4 is the best possible.
    const SharedTest attained(evidence, attained_with, kSampled);
    attained.check(Form::tested, Rational(4), context.stream);
    attained.control(Rational(3), context.stream);
    check_feature_norm(evidence, context);
    check_mean_leverage(evidence);
    return evidence;
}

}  // namespace

Claim lemma_a7() {
    return {
        .id = "yau2024/lemma_a7",
        .place = "Lemma A.7",
        .printed =
            "models with training loss <= eps satisfy ||MHLA(Z) - MHLA'(Z)|| <= "
            "(eps/lambda_min) ||Z||_F^6",
        .tested =
            "||MHLA(Z) - MHLA'(Z)||^2 <= 4 (eps - L*) lev(Z) <= 4 (eps - L*) "
            "||Z||_F^6/lambda_min, lev(Z) = H(Z)' Lambda^-1 H(Z), L* the least loss of any P",
        .deviation =
            "squared norm; factor 4, which is attained; L* subtracted; the leverage is "
            "sharper than the norm and does not change when features are rescaled",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::wrong_bound,
        .remark =
            "the reason given at (54), products of three squares, leaves out cross terms; the "
            "bound there is right. (55) lacks the mean over the data",
        .explain =
            "With D = P - P' the parallelogram identity gives E||D'H||^2 = 2L + 2L' - 4L((P+P')/2) "
            "<= 4 (eps - L*). As D'H(Z) = (Lambda^(1/2) D)' Lambda^(-1/2) H(Z), Cauchy and Schwarz "
            "bound its square by E||D'H||^2 times the leverage. The proof in print bounds the "
            "squared norm and forgets that two deviations of opposite sign add up.",
        .machine_checked = {"leverage.v: approximate_minimisers, leverage_norm"},
        .run = test_lemma_a7,
    };
}

}  // namespace attest::yau2024
