#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// Σ_h V_h,aj Q_h,kl + V_h,ak Q_h,jl for every pair j ≤ k, j = k included.
RationalMatrix printed_coefficients(const RationalParameters& theta) {
    RationalMatrix P = RationalMatrix::Zero(feature_dim(theta.d), theta.o);
    for (const HeadOf<Rational>& head : theta.heads) {
        for (Index a = 0; a < theta.o; ++a) {
            for (Index j = 0; j < theta.d; ++j) {
                for (Index k = j; k < theta.d; ++k) {
                    for (Index l = 0; l < theta.d; ++l) {
                        P(pack_index(theta.d, j, k) * theta.d + l, a) +=
                            head.V(a, j) * head.Q(k, l) + head.V(a, k) * head.Q(j, l);
                    }
                }
            }
        }
    }
    return P;
}

enum class Squares : std::uint8_t { twice, once };  ///< equation 19 at j = k, or equation 42

RationalMatrix coefficients_by(Squares squares, const RationalParameters& theta) {
    return squares == Squares::twice ? printed_coefficients(theta) : coefficients(theta);
}

std::string name_of_formula(Squares squares) {
    return squares == Squares::twice ? "equation 19, squares included," : "equations 41 and 42";
}

/// d = 1, V = Q = Z = 1. Accepted: the coefficients give the output.
Answer smallest_squares(Squares squares) {
    const RationalMatrix one = RationalMatrix::Ones(1, 1);
    const RationalParameters theta{1, 1, {{one, one}}};
    const Rational truth = output(theta, one)(0);
    const Rational found = coefficients_by(squares, theta)(0, 0);
    return {found == truth,
            formatted("d = 1, V = Q = Z = [[1]]: the output is {}, {} give {}",
                      truth,
                      name_of_formula(squares),
                      found)};
}

/// Accepted: the coefficients give the output of every random model.
Answer gives_outputs(const Stream& stream, Index models, Squares squares) {
    Index agree = 0;
    for (Index i = 0; i < models; ++i) {
        const Index d = 1 + i % 3;
        const RationalParameters theta =
            random_heads(d, d, 1 + i % 4, 3, stream.child(i).child("theta"));
        const RationalMatrix Z = random_integers(d, 1 + i % 5, 3, stream.child(i).child("Z"));
        const RationalVector y =
            coefficients_by(squares, theta).transpose() * cubic_features<Rational>(Z);
        agree += y == output(theta, Z) ? 1 : 0;
    }
    return {agree == models,
            formatted("{} give the output of {} of {} random integer models, d <= 3",
                      name_of_formula(squares),
                      agree,
                      models)};
}

Evidence test_equation_19(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest one(evidence, smallest_squares);
    one.check(Form::printed, Squares::twice);
    one.check(Form::tested, Squares::once);
    const SharedTest outputs(evidence, gives_outputs, kSampled);
    const Index models = context.pick(40, 400);
    outputs.check(Form::tested, context.stream, models, Squares::once);
    outputs.control(context.stream, models, Squares::twice);
    Index same_kernel = 0;
    for (Index i = 0; i < models; ++i) {
        const Index d = 1 + i % 3;
        const RationalParameters theta =
            random_heads(d, d, 1 + i % 4, 3, context.stream.child(i).child("theta"));
        same_kernel += coefficients(theta).isZero(Rational(0)) ==
                               printed_coefficients(theta).isZero(Rational(0))
                           ? 1
                           : 0;
    }
    evidence.check(
        Form::tested,
        same_kernel == models,
        "the printed map differs by the factor 2 on squares only, so it vanishes exactly "
        "when the right one does: the 'if and only if' of Corollary A.4 is not touched",
        kSampled);
    return evidence;
}

}  // namespace

Claim equation_19() {
    return {
        .id = "yau2024/equation_19",
        .place = "Equation 19",
        .printed = "p_a[{j,k},l] = sum_h V_h[a,j] Q[k,l] + V_h[a,k] Q[j,l], read for all j <= k",
        .tested = "equations 41 and 42: the sum for j < k, and sum_h V_h[a,j] Q_h[j,l] for j = k",
        .deviation = "for j = k the printed sum counts the same term twice; Q lacks its index h",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::misprint,
        .explain =
            "S_jk z_l and S_kj z_l are one feature for j < k and collect two terms of W; for "
            "j = k there is only one term.",
        .run = test_equation_19,
    };
}

}  // namespace attest::yau2024
