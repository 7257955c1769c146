#include "core/features/coefficients.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/lower_bound.hpp"
#include "proofs_check/claims/readers/questions.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "proofs_check/exact/other_routes.hpp"

#include <algorithm>

namespace attest::readers {

namespace {

/// d heads with y_a = S_aa z_a: V_a = Q_a = E_aa, so M(x) = diag(x_1², …, x_d²).
RationalParameters squares_truth(Index d) {
    RationalParameters theta{d, d, {}};
    for (Index a = 1; a <= d; ++a) {
        theta.heads.push_back({unit_matrix(d, a, a), unit_matrix(d, a, a)});
    }
    return theta;
}

/// Every layer with `heads` heads has at least this risk on certified data whose labels are those
/// of squares_truth. M'(1,…,1) of the layer has rank at most `heads` and M(1,…,1) = I, so they
/// differ by d − heads or more in squared Frobenius norm (Eckart, Young). Column l of M'(x) is the
/// output on the features pack(x xᵀ) ⊗ e_l = Hᵀ c_l, so the difference is Rᵀ C with R the N×d
/// residuals, and ‖RᵀC‖² ≤ N · risk · ‖C‖².
Rational least_risk(const ExactProblem& data, Index d, Index heads) {
    RationalMatrix targets = RationalMatrix::Zero(data.psi(), d);
    for (Index p = 0; p < packed_dim(d); ++p) {
        for (Index l = 0; l < d; ++l) {
            targets(p * d + l, l) = 1;
        }
    }
    const RationalMatrix G = data.H.transpose() * data.H;
    const RationalMatrix C = data.H * (rational_inverse(G) * targets);
    return Rational(d - heads) / (data.num_examples() * squared_norm(C));
}

/// The head V, Q of least risk over all V, for every Q with entries −1, 0, 1: given Q it is least
/// squares in V.
RationalParameters best_small_query(const std::vector<RationalMatrix>& Z, const RationalMatrix& Y) {
    const auto zero = [](Index size) { return RationalMatrix(RationalMatrix::Zero(size, size)); };
    RationalParameters best{2, 2, {{zero(2), zero(2)}}};
    Rational least = squared_norm(Y) / Rational(Y.rows());
    for (Index number = 1; number < 81; ++number) {
        RationalMatrix Q(2, 2);
        Index digits = number;
        for (Index i = 0; i < 4; ++i) {
            Q(i % 2, i / 2) = digits % 3 - 1;
            digits /= 3;
        }
        RationalMatrix mixed(Y.rows(), 2);
        for (std::size_t i = 0; i < Z.size(); ++i) {
            const RationalMatrix S = Z[i] * Z[i].transpose();
            const RationalMatrix u = S * (Q * Z[i].rightCols(1));
            mixed.row(static_cast<Index>(i)) = u.transpose();
        }
        const ExactProblem given_query{mixed, Y};
        const RationalMatrix V = least_squares(given_query);
        const Rational left = risk(given_query, V);
        if (left < least) {
            least = left;
            best = {2, 2, {{V.transpose(), Q}}};
        }
    }
    return best;
}

/// Accepted: the layer's risk is no smaller than the bound for one head, which is positive, and
/// smaller than that of the zero function.
Answer stays_above(const ExactProblem& data,
                   const RationalParameters& layer,
                   const std::string& which) {
    const Rational least = least_risk(data, 2, 1);
    const Rational found = risk(data, coefficients(layer));
    const Rational zero = squared_norm(data.Y) / data.num_examples();
    return {least > 0 && least <= found && found < zero,
            "no head whatever has a risk below 1/(6 |C|^2) = " + least.str() +
                " with C the coefficients of the features of M(1,1) on the data: " + which +
                " has " + found.str() + ", the zero function " + zero.str()};
}

void check_six(Evidence& evidence, const ClaimContext& context) {
    const std::vector<RationalMatrix> six = exact_sequences(unimodular_six());
    const RationalParameters truth = squares_truth(2);
    const ExactProblem data = realisable_problem(six, truth);
    const RationalMatrix P = least_squares(data);
    const RationalParameters learned = rank_heads(symmetric_gauge<Rational>(P, 2), 2);
    evidence.check(
        Form::tested,
        risk(data, P) == 0 && P == coefficients(truth) && risk(data, coefficients(learned)) == 0 &&
            learned.num_heads() <= 4,
        formatted("the unimodular six with y = (S_11 z_1, S_22 z_2): the linear predictor of "
                  "Algorithm 1 has risk 0 and is the truth, in {} heads after splitting its W",
                  learned.num_heads()));
    const HeadLowerBound bound = exact_head_lower_bound(P, 2, 3, context.stream.child("bound"));
    const RationalVector ones = RationalVector::Ones(2);
    evidence.check(
        Form::tested,
        bound.num_heads == 2 && form_matrix<Rational>(P, ones) == RationalMatrix::Identity(2, 2),
        "one head has M(x) = (V x)(Q'x)', of rank 1; this P has M(1,1) = I, of rank 2, "
        "and exact_head_lower_bound proves two heads");
    const SharedTest above(evidence, stays_above);
    const std::string searched = "the best found, over all Q with entries -1, 0, 1 and every V,";
    above.check(Form::tested, data, best_small_query(six, data.Y), searched);
    above.control(data, truth, "the truth of two heads");
    const ExactProblem one = realisable_problem(six, {2, 2, {truth.heads[0]}});
    above.control(one, best_small_query(six, one.Y), "for the labels (S_11 z_1, 0) " + searched);
}

/// The same with fewer heads than d on random certified data: against random heads and against the
/// first heads of the truth.
void check_fewer(Evidence& evidence, const ClaimContext& context) {
    const Index sets = context.pick(6, 30);
    Index certified = 0;
    Index bounded = 0;
    Index contradictions = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = context.stream.child("set").child(i);
        const Index d = 2 + i % 2;
        const RationalParameters truth = squares_truth(d);
        const ExactProblem data = realisable_problem(
            random_sequences(feature_dim(d) + 2, d, 3, 2, stream.child("Z")), truth);
        if (rational_rank(data.H) < data.psi()) {
            continue;
        }
        ++certified;
        const Index needed =
            exact_head_lower_bound(least_squares(data), d, 3, stream.child("bound")).num_heads;
        bounded += needed == d && risk(data, least_squares(data)) == 0 ? 1 : 0;
        for (Index heads = 1; heads < d; ++heads) {
            const Rational least = least_risk(data, d, heads);
            RationalParameters fewer = truth;
            fewer.heads.resize(static_cast<std::size_t>(heads));
            const RationalParameters random = random_heads(d, d, heads, 1, stream.child("fewer"));
            contradictions += risk(data, coefficients(fewer)) < least ? 1 : 0;
            contradictions += risk(data, coefficients(random)) < least ? 1 : 0;
        }
    }
    evidence.check(
        Form::tested,
        certified > 0 && bounded == certified && contradictions == 0,
        formatted("y_a = S_aa z_a needs d heads: proved by exact_head_lower_bound on {} of {} "
                  "certified random integer data sets, d = 2, 3, where least squares has risk 0 "
                  "and layers of fewer heads stay above (d - H)/(N |C|^2)",
                  bounded,
                  certified),
        kSampled);
}

Evidence test_single_head(const ClaimContext& context) {
    Evidence evidence;
    check_six(evidence, context);
    check_fewer(evidence, context);
    return evidence;
}

}  // namespace

Claim single_head() {
    return {
        .id = "readers/single_head",
        .place = "a reader's question",
        .printed = "no statement, a question: what does a single head miss that several have?",
        .tested =
            "there are functions of d heads for which every layer of H < d heads has a risk of at "
            "least (d - H)/(N |C|^2) > 0 on certified data, while the linear predictor is exact",
        .depends_on = "yau2024/algorithm_1 yau2024/lemma_2_3",
        .method = Method::exact,
        .explain =
            "The output is sum_i M(z_i) z with M(x) = sum_h (V_h x)(Q_h'x)', of rank at most H at "
            "every x. If M(1,...,1) of the truth is the identity, a layer of H heads is off by d "
            "- H or more there, and on certified data that error is a combination C of the "
            "residuals on the examples.",
        .run = test_single_head,
    };
}

}  // namespace attest::readers
