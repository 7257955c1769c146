#include "core/algebra/symmetric_pack.hpp"
#include "core/base/text.hpp"
#include "proofs_check/claims/family/banks.hpp"
#include "proofs_check/claims/family/spans.hpp"
#include "proofs_check/claims/family/statements.hpp"

namespace attest::family {

namespace {

/// z_1 z_2 · z_3 − z_1 z_3 · z_2 as coefficients of pack(x xᵀ) ⊗ z: no square, and nothing where x
/// = z. d ≥ 3.
RationalVector alternating(Index d) {
    RationalVector B = RationalVector::Zero(feature_dim(d));
    B(pack_index(d, 0, 1) * d + 2) = 1;
    B(pack_index(d, 0, 2) * d + 1) = -1;
    return B;
}

/// KᵀK with K the kernels' values from δ = first on.
RationalMatrix kernel_gram(const Bank& bank, Index first, Index n) {
    const RationalMatrix K = kernel_rows(bank, first, n);
    return K.transpose() * K;
}

/// Accepted: Λ − KᵀK ⊗ I is positive semidefinite.
Answer at_least(const Bank& bank, Index d, Index n, Index first) {
    RationalMatrix Lambda = gaussian_lambda(bank.layer, {.d = d}, n);
    const RationalMatrix gram = kernel_gram(bank, first, n);
    for (Index i = 0; i < Lambda.rows(); ++i) {
        const Index feature = i % feature_dim(d);
        for (Index g = 0; g < bank.sums; ++g) {
            Lambda(i, g * feature_dim(d) + feature) -= gram(i / feature_dim(d), g);
        }
    }
    const bool above = definiteness(Lambda).semidefinite;
    return {above,
            formatted("{}, d = {}, n = {}, K from delta = {} on: Lambda - K'K x I is {}positive "
                      "semidefinite",
                      bank.layer,
                      d,
                      n,
                      first,
                      above ? "" : "not ")};
}

/// Accepted: Λ (w ⊗ B) = (KᵀK w) ⊗ B for every w, so every eigenvalue of KᵀK is one of Λ.
Answer reached(const Bank& bank, Index d, Index n, Index first) {
    const RationalMatrix Lambda = gaussian_lambda(bank.layer, {.d = d}, n);
    const RationalMatrix gram = kernel_gram(bank, first, n);
    const RationalVector B = alternating(d);
    bool all = true;
    for (Index g = 0; g < bank.sums; ++g) {
        const RationalVector image = Lambda.middleCols(g * B.size(), B.size()) * B;
        for (Index h = 0; h < bank.sums; ++h) {
            all = all && image.segment(h * B.size(), B.size()) == gram(h, g) * B;
        }
    }
    return {all,
            formatted("{}, d = {}, n = {}, K from delta = {} on: Lambda (w x B) = (K'K w) x B for "
                      "every w, B = e_12 x e_3 - e_13 x e_2: {}",
                      bank.layer,
                      d,
                      n,
                      first,
                      all ? "yes" : "no")};
}

/// Accepted: λ_min(Λ) is c, for one kernel.
Answer one_kernel(const std::string& layer, Index d, Index n, const Rational& c) {
    const bool least = is_least_eigenvalue(gaussian_lambda(layer, {.d = d}, n), c);
    return {least,
            formatted("{}, d = {}, n = {}: {} is {}the least eigenvalue of Lambda",
                      layer,
                      d,
                      n,
                      c.str(),
                      least ? "" : "not ")};
}

Evidence test_decay_lambda_min(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest bound(evidence, at_least);
    const SharedTest equality(evidence, reached);
    for (const Bank& bank : banks()) {
        for (Index d = 1; d <= 2; ++d) {
            bound.check(Form::tested, bank, d, Index{3}, Index{1});
        }
    }
    for (Index d = 3; d <= context.pick(3, 4); ++d) {
        for (const Index g : {0, 1}) {
            bound.check(Form::tested, banks()[static_cast<std::size_t>(g)], d, Index{3}, Index{1});
            equality.check(
                Form::tested, banks()[static_cast<std::size_t>(g)], d, Index{3}, Index{1});
        }
    }
    bound.control(banks()[1], Index{3}, Index{3}, Index{0});
    equality.control(banks()[1], Index{3}, Index{3}, Index{0});
    const SharedTest least(evidence, one_kernel);
    const std::string linear = "linear";
    for (Index n = 1; n <= 3; ++n) {
        least.check(Form::tested, linear, Index{3}, Index{n}, Rational(n - 1));
    }
    least.check(Form::tested, std::string("decay=1/2"), Index{3}, Index{3}, Rational(5, 16));
    least.control(linear, Index{2}, Index{3}, Rational(2));
    least.control(linear, Index{3}, Index{3}, Rational(3));
    return evidence;
}

}  // namespace

Claim decay_lambda_min() {
    return {
        .id = "family/decay_lambda_min",
        .paper = "docs/families.md",
        .place = "section 8",
        .tested =
            "independent standard normal entries, kernels kappa_1..kappa_G, n tokens, K the matrix "
            "of kappa_g(delta), delta = 1..n-1: lambda_min(Lambda) >= lambda_min(K'K) of the "
            "population for every d, with equality for d >= 3; n - 1 for the paper's layer, and "
            "more than that for d = 2",
        .depends_on = "family/decay_rank yau2024/introduction_second_moment",
        .method = Method::exact,
        .explain =
            "A combination is sum_delta A_delta(x x', z), A_delta = sum_g kappa_g(delta) v_g. "
            "Centre every x x' but z z': the centred terms are uncorrelated with one another and "
            "with the rest, and pack(x x') has covariance 1 on pairs, 2 on squares, so v' Lambda v "
            ">= sum_delta |A_delta|^2 = v' (K'K x I) v. B = e_12 x e_3 - e_13 x e_2 has no squares "
            "and vanishes at x = z, so w x B meets the bound for every w, at the least eigenvector "
            "of K'K too. For d <= 2 there is no such B. Lambda is the mean of the products of the "
            "layer's own polynomials, monomial by monomial.",
        .run = test_decay_lambda_min,
    };
}

}  // namespace attest::family
