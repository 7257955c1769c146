#include "core/features/coefficients.hpp"
#include "core/heads/explicit_heads.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest::yau2024 {

namespace {

struct Construction {
    RationalParameters (*heads)(const RationalMatrix& P, Index d);
    Index (*count)(Index d);
    Index left_out;  ///< of the heads, as a fault
    std::string_view text;
};

/// Every P is a layer with d² heads, or d(d+1)/2, so the risk is minimised over all P.
void check_surjective(Evidence& evidence, const ClaimContext& context) {
    const SharedTest reaches(
        evidence,
        [&](const Construction& construction) -> Answer {
            Index reached = 0;
            const Index largest = context.pick(4, 6);
            for (Index d = 1; d <= largest; ++d) {
                const RationalMatrix P =
                    random_integers(feature_dim(d), d, 9, context.stream.child("P").child(d));
                RationalParameters theta = construction.heads(P, d);
                const bool counted = theta.num_heads() == construction.count(d);
                theta.heads.resize(theta.heads.size() -
                                   static_cast<std::size_t>(construction.left_out));
                reached += counted && coefficients(theta) == P ? 1 : 0;
            }
            return {reached == largest,
                    formatted("{} have exactly the coefficients of a random integer P for {} of "
                              "d = 1 to {}",
                              construction.text,
                              reached,
                              largest)};
        },
        kSampled);
    const Construction fewer{symmetric_query_heads<Rational>,
                             packed_dim,
                             0,
                             "d(d+1)/2 heads with symmetric Q: d^2 is not the fewest: they"};
    Construction faulty = fewer;
    faulty.left_out = 1;
    faulty.text = "these heads but the last";
    reaches.check(Form::printed,
                  Construction{unit_value_heads<Rational>,
                               [](Index d) { return d * d; },
                               0,
                               "d^2 heads, V_(a,b) = E_ab, Q_(a,b)[c,e] = W[(a,b),(c,e)],"});
    reaches.check(Form::tested, fewer);
    reaches.control(faulty);
}

void check_unique(Evidence& evidence, const ClaimContext& context) {
    const Index sets = context.pick(12, 60);
    Index certified = 0;
    Index unique = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = context.stream.child("set").child(i);
        const Index d = 1 + i % 3;
        const RationalMatrix H =
            feature_rows(random_sequences(2 * feature_dim(d), d, 3, 3, stream.child("Z")));
        if (!definiteness(second_moment(H)).positive(H.cols())) {
            continue;
        }
        ++certified;
        const ExactProblem data{H, random_integers(H.rows(), d, 9, stream.child("y"))};
        const RationalMatrix best = least_squares(data);
        RationalMatrix Delta = random_integers(feature_dim(d), d, 3, stream.child("step"));
        Delta(0, 0) = 1 + i % 2;  // never the zero step
        const Rational rise = squared_norm(H * Delta) / Rational(H.rows());
        const bool pythagoras = risk(data, best + Delta) == risk(data, best) + rise;
        unique += pythagoras && rise > 0 ? 1 : 0;
    }
    evidence.check(Form::hypothesis,
                   certified > 0,
                   formatted("Lambda is positive definite for {} of {} random integer data sets "
                             "with labels that no layer fits, d <= 3",
                             certified,
                             sets),
                   kSampled);
    evidence.check(
        Form::printed,
        unique == certified,
        formatted("on {} of these P* + D has the risk of P* plus E||D'H||^2 > 0: one minimiser",
                  unique));
}

/// D6 with y = S_11 z and one head: the quarter turn J keeps the risk and moves every minimiser.
void check_one_head(Evidence& evidence, const ClaimContext& context) {
    const std::vector<RationalMatrix> six = exact_sequences(unimodular_six());
    const RationalMatrix I = RationalMatrix::Identity(2, 2);
    ExactProblem data{feature_rows(six), RationalMatrix(6, 2)};
    for (Index i = 0; i < 6; ++i) {
        const RationalMatrix& Z = six[static_cast<std::size_t>(i)];
        data.Y.row(i) = squared_norm(Z.row(0)) * Z.col(Z.cols() - 1).transpose();
    }
    const RationalMatrix J{{0, -1}, {1, 0}};
    bool invariant = true;
    bool moved = true;
    for (Index i = 0; i < 20; ++i) {
        const RationalParameters theta =
            random_heads(2, 2, 1, 3, context.stream.child("one").child(i));
        const HeadOf<Rational>& head = theta.heads.front();
        const RationalParameters turned{2, 2, {{J * head.V, head.Q * J.transpose()}}};
        const RationalMatrix P = coefficients(theta);
        invariant = invariant && risk(data, P) == risk(data, coefficients(turned));
        moved = moved && (P.isZero(Rational(0)) || P != coefficients(turned));
    }
    const RationalMatrix E11 = unit_matrix(2, 1, 1);
    const Rational zero = risk(data, RationalMatrix::Zero(6, 2));
    const Rational better = risk(data, coefficients(RationalParameters{2, 2, {{E11, E11}}}));
    evidence.check(
        Form::control,
        invariant && moved && better < zero && rational_rank(data.H) == 6,
        formatted("one head does not suffice although lambda_min > 0: on the unimodular six with y "
                  "= S_11 z, (V, Q) and (JV, QJ'), J = [[0, -1], [1, 0]], have the same loss and "
                  "are different functions; the zero function has loss {}, V = Q = E_11 has {}",
                  zero,
                  better));
}

Evidence test_lemma_a6(const ClaimContext& context) {
    Evidence evidence;
    check_surjective(evidence, context);
    check_unique(evidence, context);
    check_one_head(evidence, context);
    return evidence;
}

}  // namespace

Claim lemma_a6() {
    return {
        .id = "yau2024/lemma_a6",
        .place = "Lemma A.6",
        .printed =
            "with H >= d^2 heads lambda_min(Lambda) > 0 suffices: the data need not be "
            "realisable",
        .tested = "the same with d(d+1)/2 heads",
        .depends_on = "yau2024/lemma_2_3",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "With so many heads every P is a layer, so the minimisers over layers are the "
            "solutions of Lambda P = C. With one head they need not be: J F J' = F holds for a "
            "rank-one form F only if F = 0, so the minimisers of the last finding come in "
            "pairs; one exists, because p(V, Q) = 0 only for V = 0 or Q = 0 makes the one-head "
            "coefficients a closed cone.",
        .machine_checked = {"head_count.v: enough_heads_reach; certificate.v: identifiable"},
        .run = test_lemma_a6,
    };
}

}  // namespace attest::yau2024
