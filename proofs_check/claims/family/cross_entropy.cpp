#include "core/base/text.hpp"
#include "proofs_check/claims/family/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "proofs_check/exact/example_sets.hpp"

namespace attest::family {

namespace {

constexpr Index kClasses = 3;

/// 2^k.
Rational power_of_two_to(const Rational& k) {
    Rational power = 1;
    for (Rational left = abs(k); left > 0; left -= 1) {
        power *= k > 0 ? Rational(2) : Rational(1, 2);
    }
    return power;
}

/// softmax(ln 2 · PᵀH_i) in row i: rational for integer logits. H is N×ψ, P is ψ×C.
RationalMatrix probabilities(const RationalMatrix& H, const RationalMatrix& P) {
    RationalMatrix p = (H * P).eval().unaryExpr(&power_of_two_to);
    for (Index i = 0; i < p.rows(); ++i) {
        p.row(i) /= Rational(p.row(i).sum());
    }
    return p;
}

/// The derivative of the cross-entropy Σ_i −q_iᵀ log p_i by P, in units of ln 2: ψ×C. Row i of q
/// has the frequencies of the classes in example i.
RationalMatrix gradient(const RationalMatrix& H, const RationalMatrix& P, const RationalMatrix& q) {
    return H.transpose() * (probabilities(H, P) - q);
}

/// Its second derivative Σ_i (H_i H_iᵀ) ⊗ (diag p_i − p_i p_iᵀ): ψC×ψC.
RationalMatrix hessian(const RationalMatrix& H, const RationalMatrix& P) {
    const RationalMatrix p = probabilities(H, P);
    RationalMatrix form = RationalMatrix::Zero(P.size(), P.size());
    for (Index i = 0; i < H.rows(); ++i) {
        RationalMatrix spread = -p.row(i).transpose() * p.row(i);
        spread.diagonal() += p.row(i).transpose();
        for (Index j = 0; j < H.cols(); ++j) {
            for (Index k = 0; k < H.cols(); ++k) {
                form.block(j * P.cols(), k * P.cols(), P.cols(), P.cols()) +=
                    H(i, j) * H(i, k) * spread;
            }
        }
    }
    return form;
}

/// Integer coefficients and a shift common to all classes.
RationalMatrix planted(Index psi) {
    return RationalMatrix::NullaryExpr(
        psi, kClasses, [](Index i, Index a) { return Rational((2 * i + 3 * a) % 4 - 1); });
}

/// Accepted: P is a minimiser, a common shift of all classes changes no probability, and the second
/// derivative vanishes in the directions of such shifts only.
Answer unique_up_to_shift(const Dataset& data, const RationalMatrix& P, const RationalMatrix& q) {
    const RationalMatrix H = feature_rows(exact_sequences(data));
    const bool stationary = gradient(H, P, q).isZero(Rational(0));
    RationalMatrix shifted = P;
    shifted.colwise() += P.col(0);
    const bool shift = probabilities(H, shifted) == probabilities(H, P);
    const Definiteness second = definiteness(hessian(H, P));
    const Index open = P.size() - second.rank;
    return {stationary && shift && second.semidefinite && open == P.rows(),
            formatted("{} examples of rank {} of {}, {} classes: gradient {}0 at P, equal "
                      "probabilities after a shift: {}, second derivative semidefinite with {} "
                      "directions open",
                      H.rows(),
                      rational_rank(H),
                      H.cols(),
                      P.cols(),
                      stationary ? "" : "not ",
                      shift ? "yes" : "no",
                      open)};
}

/// Accepted: the loss falls along one direction at every P tried, the direction that raises the
/// logit of class 0 by one in every example. The data have regular features.
Answer falls_forever(const Dataset& data, const RationalMatrix& q) {
    const RationalMatrix H = feature_rows(exact_sequences(data));
    RationalMatrix direction = RationalMatrix::Zero(H.cols(), kClasses);
    direction.col(0) = rational_inverse(H) * RationalMatrix::Ones(H.rows(), 1);
    bool falls = true;
    std::string slopes;
    for (const Index size : {0, 1, 2, 4}) {
        const RationalMatrix P = planted(H.cols()) + size * direction;
        const Rational slope = frobenius(gradient(H, P, q), direction);
        falls = falls && slope < 0;
        slopes += (slopes.empty() ? "" : ", ") + slope.str();
    }
    return {falls, formatted("slopes {} along the direction of class 0", slopes)};
}

Evidence test_cross_entropy(const ClaimContext& /*context*/) {
    Evidence evidence;
    const Dataset regular = unimodular_six();
    const Dataset deficient = deficient_five();
    const RationalMatrix P = planted(feature_dim(2));
    const auto frequencies = [&](const Dataset& data) {
        return probabilities(feature_rows(exact_sequences(data)), P);
    };
    RationalMatrix always_first = RationalMatrix::Zero(6, kClasses);
    always_first.col(0).setOnes();
    const SharedTest unique(evidence, unique_up_to_shift);
    unique.check(Form::tested, regular, P, frequencies(regular));
    unique.control(deficient, P, frequencies(deficient));
    unique.control(regular, P, always_first);
    const SharedTest attained(evidence, falls_forever);
    attained.check(Form::tested, regular, always_first);
    attained.control(regular, frequencies(regular));
    return evidence;
}

}  // namespace

Claim cross_entropy() {
    return {
        .id = "family/cross_entropy",
        .paper = "docs/families.md",
        .place = "section 8",
        .tested =
            "class probabilities softmax(P'H) trained by cross-entropy: if Lambda is positive "
            "definite, all P of least loss have the same logits up to one number for all classes "
            "of an input. Regular data alone do not make the least loss attained: it is not where "
            "some direction favours every label",
        .depends_on = "yau2024/lemma_2_3",
        .method = Method::exact,
        .explain =
            "The loss is convex; its second derivative in direction Delta is the mean of the "
            "variance of Delta'H under p, and every p is positive. It vanishes iff (Delta_a - "
            "Delta_b)'H = 0 on all data for all a, b, so iff Delta_a = Delta_b where Lambda is "
            "positive definite. Along a direction that favours every label the slope is sum_a p_a "
            "(Delta_a - Delta_y)'H < 0 at every P, so no P is a minimiser. Logits are integers "
            "times ln 2, so that all probabilities are rational.",
        .run = test_cross_entropy,
    };
}

}  // namespace attest::family
