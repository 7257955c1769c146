#include "core/features/cubic.hpp"
#include "core/features/embedded.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest::yau2024 {

namespace {

Evidence test_introduction_second_moment(const ClaimContext& /*context*/) {
    Evidence evidence;
    const RationalMatrix Z = RationalMatrix::Identity(2, 2);
    const RationalMatrix X = embedded_features<Rational>(Z);
    const RationalMatrix printed = X * X.transpose();
    const RationalMatrix E11 = unit_matrix(2, 1, 1);
    const RationalParameters one{2, 2, {{E11, E11}}};
    const RationalParameters zero{2, 2, {}};
    const RationalMatrix other = RationalMatrix{{1}, {0}};
    const bool full = rational_rank(printed) == 2;
    const bool agree = output(one, Z) == output(zero, Z);
    const bool differ = output(one, other) != output(zero, other);
    evidence.check(
        Form::printed,
        !(full && agree && differ),
        "one example Z = [[1, 0], [0, 1]]: X = " + to_text(X) + ", X X' = " + to_text(printed) +
            " has full rank; V = Q = E_11 and the zero model both "
            "give " +
            to_text_vector(output(zero, Z)) +
            " on Z, so both fit the label 0; "
            "on [[1], [0]] they give " +
            to_text_vector(output(one, other)) + " and " + to_text_vector(output(zero, other)));
    const SharedTest full_rank(
        evidence, [](const RationalMatrix& rows, const std::string& what) -> Answer {
            const Index rank = rational_rank(rows);
            return {rank == rows.cols(),
                    formatted("{}: second moment of rank {} of {}", what, rank, rows.cols())};
        });
    full_rank.check(Form::tested,
                    feature_rows(exact_sequences(unimodular_six())),
                    "E[H H'] of the unimodular set of six inputs, which certifies");
    full_rank.control(feature_rows({Z}), "E[H H'] of the one example above");
    return evidence;
}

}  // namespace

Claim introduction_second_moment() {
    return {
        .id = "yau2024/introduction_second_moment",
        .place = "Section 1, the data certificate",
        .printed = "the certificate is the full rank of Lambda = E[X X'] (d x d)",
        .tested = "Lambda = E[H H'] (psi x psi), H the cubic features of Algorithm 2",
        .deviation =
            "X X' = |z|^2 S^2 has the rank of S: full after one example of d independent tokens, "
            "whatever the model class. Section 2.2 defines the certificate rightly",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::misprint,
        .explain =
            "X(Z) is d x d^2, so E[X X'] sums over the d^2 columns that carry the "
            "parameters: it cannot see which of them the data determine. The second moment "
            "of H is what the proof of Lemma 2.3 uses. Read as E[vec X vec X'], the display would "
            "never be regular for d >= 2: S_jk z_l stands in it for (j,k) and for (k,j).",
        .machine_checked = {"certificate.v: identifiable, not_identifiable"},
        .run = test_introduction_second_moment,
    };
}

}  // namespace attest::yau2024
