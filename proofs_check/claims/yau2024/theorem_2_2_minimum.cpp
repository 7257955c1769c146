#include "core/features/coefficients.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest::yau2024 {

namespace {

/// The unimodular six with y = (S_11 z_1 − S_22 z_2, S_11 z_2).
ExactProblem hard_problem() {
    const std::vector<RationalMatrix> six = exact_sequences(unimodular_six());
    ExactProblem data{feature_rows(six), RationalMatrix(6, 2)};
    for (Index i = 0; i < 6; ++i) {
        const RationalMatrix& Z = six[static_cast<std::size_t>(i)];
        const RationalVector z = Z.col(Z.cols() - 1);
        const Rational first = squared_norm(Z.row(0));
        data.Y(i, 0) = first * z(0) - squared_norm(Z.row(1)) * z(1);
        data.Y(i, 1) = first * z(1);
    }
    return data;
}

/// Two heads with F = (x_1 I + x_2 X)(x_1 I − x_2 X), X = [[t, 1/(2t)], [0, t]].
RationalParameters two_heads(const Rational& t) {
    const RationalMatrix X{{t, 1 / (2 * t)}, {0, t}};
    RationalParameters theta{2, 2, {}};
    for (Index h = 0; h < 2; ++h) {
        HeadOf<Rational> head{RationalMatrix::Zero(2, 2), RationalMatrix::Zero(2, 2)};
        head.V(h, 0) = 1;
        head.V.col(1) = X.col(h);
        head.Q(0, h) = 1;
        head.Q.row(1) = -X.row(h);
        theta.heads.push_back(head);
    }
    return theta;
}

Evidence test_theorem_2_2_minimum(const ClaimContext& context) {
    Evidence evidence;
    const ExactProblem data = hard_problem();
    bool as_computed = rational_rank(data.H) == 6;
    std::string losses;
    Rational t(1, 2);
    for (Index i = 0; i < context.pick(5, 20); ++i) {
        const Rational loss = risk(data, coefficients(two_heads(t)));
        as_computed = as_computed && loss == 2 * t * t * t * t && loss > 0;
        if (i < 5) {
            losses += formatted("{}{} (t = {})", i == 0 ? "" : ", ", loss, t);
        }
        t /= 2;
    }
    const RationalParameters three{2,
                                   2,
                                   {{unit_matrix(2, 1, 1), unit_matrix(2, 1, 1)},
                                    {unit_matrix(2, 2, 1), unit_matrix(2, 1, 2)},
                                    {unit_matrix(2, 1, 2), -unit_matrix(2, 2, 2)}}};
    evidence.check(
        Form::printed,
        !as_computed,
        "d = 2, H = 2, the unimodular six with y = (S_11 z_1 - S_22 z_2, S_11 z_2): heads "
        "V_h with columns e_h and X e_h, Q_h with rows e_h' and -e_h' X, X = [[t, 1/(2t)], "
        "[0, t]], have loss 2 t^4: " +
            losses +
            "; the infimum is 0, and loss 0 needs a square root of E_12, which does not "
            "exist: no minimum over two heads");
    const SharedTest fits(evidence, [&](const RationalParameters& theta) -> Answer {
        const Rational loss = risk(data, coefficients(theta));
        return {loss == 0,
                formatted("{} of the heads (E_11, E_11), (E_21, E_12), (E_12, -E_22): loss {}",
                          theta.num_heads(),
                          loss)};
    });
    fits.check(Form::tested, three);
    fits.control(RationalParameters{2, 2, {three.heads[0], three.heads[1]}});
    return evidence;
}

}  // namespace

Claim theorem_2_2_minimum() {
    return {
        .id = "yau2024/theorem_2_2_minimum",
        .place = "Theorem 2.2, min over Omega_H",
        .printed = "the excess is measured against min over layers with H heads of the loss",
        .tested = "inf in place of min; for enough heads it is attained",
        .deviation = "for few heads the minimum may not exist",
        .depends_on = "yau2024/surjectivity_d2",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::convention,
        .explain =
            "The set of P with H heads need not be closed: heads whose entries grow like "
            "1/(2t) approach a P that needs one head more, as tensors of border rank do. The "
            "losses "
            "are computed; that no two heads reach 0 is argued (surjectivity_d2).",
        .run = test_theorem_2_2_minimum,
    };
}

}  // namespace attest::yau2024
