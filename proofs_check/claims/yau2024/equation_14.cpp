#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// V = [0 0; 0 I], Q = [I 0; 0 0], keys and values with d entries.
RationalParameters memory(Index d) {
    RationalMatrix V = RationalMatrix::Zero(2 * d, 2 * d);
    RationalMatrix Q = V;
    V.bottomRightCorner(d, d).setIdentity();
    Q.topLeftCorner(d, d).setIdentity();
    return {2 * d, 2 * d, {{V, Q}}};
}

/// (0; Σ_j ⟨q, k_j⟩ v_j) over the columns of Z = [k_1 … q; v_1 … ζ]; the last `omit` columns left
/// out.
RationalVector recalled(const RationalMatrix& Z, Index omit) {
    const Index d = Z.rows() / 2;
    const RationalVector q = Z.col(Z.cols() - 1).head(d);
    RationalVector y = RationalVector::Zero(2 * d);
    for (Index j = 0; j + omit < Z.cols(); ++j) {
        const RationalVector key = Z.col(j).head(d);
        y.tail(d) += frobenius(q, key) * Z.col(j).tail(d);
    }
    return y;
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const RationalMatrix ones = RationalMatrix::Ones(2, 2);
    const RationalVector truth = output(memory(1), ones);
    const RationalVector printed = recalled(ones, 1);
    evidence.check(Form::printed,
                   truth == printed,
                   "keys and values with one entry, Z = " + to_text(ones) +
                       " (k_1 = q = 1, v_1 = "
                       "zeta = 1): MHLA gives " +
                       to_text_vector(truth) + ", equation 14 gives " + to_text_vector(printed));
    const Index draws = context.pick(30, 300);
    Index agree = 0;
    Index agree_printed = 0;
    for (Index i = 0; i < draws; ++i) {
        const Index d = 1 + i % 3;
        const RationalMatrix Z = random_integers(2 * d, d + 1, 3, context.stream.child(i));
        const RationalVector y = output(memory(d), Z);
        RationalVector corrected = recalled(Z, 1);
        const RationalVector q = Z.col(d).head(d);
        corrected.tail(d) += squared_norm(q) * Z.col(d).tail(d);
        agree += y == corrected ? 1 : 0;
        agree_printed += y == recalled(Z, 1) ? 1 : 0;
    }
    evidence.check(Form::tested,
                   agree == draws,
                   formatted("sum_j <q, k_j> v_j + ||q||^2 zeta is the output on {} of {} random "
                             "integer inputs, keys with 1 to 3 entries",
                             agree,
                             draws));
    evidence.check(Form::control,
                   agree_printed < draws,
                   formatted("without ||q||^2 zeta it is on {} of them only", agree_printed));
    return evidence;
}

}  // namespace

Claim equation_14() {
    return {
        .id = "yau2024/equation_14",
        .paper = "arXiv 2410.10101",
        .place = "Equation 14",
        .printed = "Z = [k_1 … k_d q; v_1 … v_d zeta]: MHLA(Z) = [0; sum_j <q, k_j> v_j]",
        .tested = "MHLA(Z) = [0; sum_j <q, k_j> v_j + ||q||^2 zeta]",
        .deviation = "the last column is a token too: the query attends to itself",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .explain =
            "Definition 2.1 sums over all columns of Z, the query among them, whose score is "
            "||q||^2 and whose value is zeta. The printed labels are therefore not "
            "realisable unless zeta = 0.",
        .run = run,
    };
}

}  // namespace attest::yau2024
