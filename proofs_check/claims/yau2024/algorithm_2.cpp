#include "core/certify/rank/exact_rank.hpp"
#include "core/features/cubic.hpp"
#include "core/features/embedded.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest::yau2024 {

namespace {

/// For every pair j<k and every l ⟨z_j:, z_k:⟩ z_ln, then for every j, l ‖z_j:‖² z_ln.
RationalVector by_the_book(const RationalMatrix& Z) {
    const Index d = Z.rows();
    std::vector<Rational> list;
    for (Index j = 0; j < d; ++j) {
        for (Index k = j + 1; k < d; ++k) {
            for (Index l = 0; l < d; ++l) {
                list.push_back(frobenius(Z.row(j), Z.row(k)) * Z(l, Z.cols() - 1));
            }
        }
    }
    for (Index j = 0; j < d; ++j) {
        for (Index l = 0; l < d; ++l) {
            list.push_back(squared_norm(Z.row(j)) * Z(l, Z.cols() - 1));
        }
    }
    return Eigen::Map<RationalVector>(list.data(), static_cast<Index>(list.size()));
}

Evidence test_algorithm_2(const ClaimContext& context) {
    Evidence evidence;
    const Index draws = context.pick(40, 400);
    Index same = 0;
    Index counted = 0;
    Index from_embedded = 0;
    for (Index i = 0; i < draws; ++i) {
        const Index d = 1 + i % 5;
        const RationalMatrix Z = random_integers(d, 1 + i % 4, 3, context.stream.child(i));
        const RationalVector h = cubic_features<Rational>(Z);
        same += h == by_the_book(Z) ? 1 : 0;
        counted += h.size() == d * (d - 1) / 2 * d + d * d ? 1 : 0;
        const RationalMatrix X = embedded_features<Rational>(Z);
        bool agree = true;
        for (Index p = 0; p < packed_dim(d); ++p) {
            const auto [j, k] = packed_pair(d, p);
            for (Index l = 0; l < d; ++l) {
                agree = agree && X(j, k * d + l) == h(p * d + l);
            }
        }
        from_embedded += agree ? 1 : 0;
    }
    evidence.check(Form::printed,
                   same == draws && counted == draws,
                   formatted("the features are <z_j, z_k> z_ln for j < k, then ||z_j||^2 z_ln, psi "
                             "= C(d,2) d + d^2 of them, on {} of {} random integer inputs, d <= 5",
                             same,
                             draws),
                   kSampled);
    evidence.check(Form::tested,
                   from_embedded == draws,
                   "each is an entry of X(Z) of Algorithm 8, with the pair (j,k) taken once");
    const Dataset six = unimodular_six();
    const RationalMatrix H = feature_rows(exact_sequences(six));
    evidence.check(Form::tested,
                   rational_rank(H) == 6 && certify_rank(six).verdict == RankVerdict::full_rank &&
                       rational_determinant(second_moment(H)) == Rational(1, 46656),
                   "the certificate is met by six inputs, d = 2: det Lambda = 1/46656, by rational "
                   "elimination, and full rank modulo a prime");
    const SharedTest count(
        evidence, [](Index formula_at_two, const std::string& formula) -> Answer {
            const Index features =
                cubic_features<Rational>(RationalMatrix(RationalMatrix::Ones(2, 1))).size();
            return {
                features == formula_at_two,
                formatted("d = 2: {} features, {} counts {}", features, formula, formula_at_two)};
        });
    count.check(Form::printed, Index{6}, "psi = C(d,2) d + d^2");
    count.control(Index{4}, "C(d,2) d + d, printed in the proof of Lemma A.3,");
    return evidence;
}

}  // namespace

Claim algorithm_2() {
    return {
        .id = "yau2024/algorithm_2",
        .place = "Algorithm 2",
        .printed =
            "H(Z): <z_j, z_k> z_ln for all j < k and l, then ||z_j||^2 z_ln; psi = C(d,2) d + "
            "d^2; certificate lambda_min(E[H H']) > 0",
        .tested = "the same, as pack(S) (x) z with S = Z Z'; psi = d d(d+1)/2",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "The features are the different products S_jk z_l. Their second moment is what a "
            "unique minimiser needs to be regular.",
        .machine_checked = {"linear_attention.v: linearisation; slots.v: psiE; feature_order.v: "
                            "zfeaturesE; certificate.v: identifiable"},
        .run = test_algorithm_2,
    };
}

}  // namespace attest::yau2024
